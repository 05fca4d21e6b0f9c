// SPDX-License-Identifier: MIT
/* top_k_variants.c: one row per variant, and the variants' parameters. */
#include "kernels_top_k.h"
#include "runtime_internal.h"
#include "top_k_internal.h"
#include "tuning.h"
#include "variants.h"

#define TOP_K(name) &clprim__source_top_k_##name

enum {
    SORT_ALL_UP_TO = 4096,    /* elements: one work-group sorts them in one launch */
    SORT_MANY_UP_TO = 1 << 21 /* elements: sorting all does not take much longer than sorting a large part */
};

/* id, name, summary, needs, origin, keeps order | selects | in chunks | source */
static const clprim__top_k_row rows[] = {
    {{CLPRIM_TOP_K_SORT, "sort", "sorts all elements, and copies the first k", "", "by radix_sort", true},
     false,
     false,
     TOP_K(copy)},
    {{CLPRIM_TOP_K_RADIX_SELECT, "radix_select",
      "finds the k-th key digit by digit, then gathers the keys before it; where k is small, a sample tells which "
      "keys to search",
      "", "Alabi et al. 2012", true},
     true,
     false,
     TOP_K(radix_select)},
    {{CLPRIM_TOP_K_CPU_CHUNK, "cpu_chunk",
      "the same with one chunk per core, most of which is read only once; if k is small, in one pass", "",
      "for CPU devices", true},
     true,
     true,
     TOP_K(cpu_chunk)},
    {.info = {CLPRIM_TOP_K_NATIVE, CLPRIM__NATIVE_TEXTS, true}},
};

#define FOR(name) .variant = CLPRIM_TOP_K_##name

/* Measured: docs/notebook/top_k.md. */
CLPRIM__TUNINGS(top_k) = {
    {{FOR(SORT), CLPRIM__ON_CPU}, {.group_size = 1, .items = 1, .chunk = 4096, .max_per_unit = 4, .digit_bits = 8}},
    {{FOR(SORT)}, {.group_size = 256, .items = 1, .max_per_unit = 16, .digit_bits = 8}},
    {{FOR(RADIX_SELECT), CLPRIM__ON_CPU},
     {.group_size = 64, .items = 1, .max_per_unit = 4, .digit_bits = 8, .filtered_from = 20000}},
    {{FOR(RADIX_SELECT)},
     {.group_size = 512, .items = 4, .max_per_unit = 2, .digit_bits = 8, .filtered_from = 1 << 22}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1, .chunk = 32768, .max_per_unit = 16, .digit_bits = 11}},
    {{0}, {.group_size = 256, .items = 1, .max_per_unit = 4, .digit_bits = 8}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(top_k, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("radix_select", group_size, 32, 1024, true),       TUNABLE("radix_select", items, 1, 8, false),
    TUNABLE("radix_select", max_per_unit, 1, 64, false),       TUNABLE("radix_select", digit_bits, 4, 11, false),
    TUNABLE("radix_select", filtered_from, 0, 1 << 30, false), TUNABLE("cpu_chunk", chunk, 1024, 1 << 20, true),
    TUNABLE("cpu_chunk", max_per_unit, 1, 64, false),          TUNABLE("cpu_chunk", digit_bits, 4, 12, false),
};

CLPRIM__DEFINE_TUNABLES(top_k)
CLPRIM__DEFINE_ROWS(top_k)
CLPRIM__DEFINE_TUNING(top_k)

clprim_top_k_variant clprim__top_k_auto(const clprim_device_info *info, const clprim__top_k_setting *setting)
{
    const bool has_warps = info->sub_group_means == CLPRIM_SUB_GROUP_PTX;
    const bool is_sorted_fast = has_warps && setting->keys.max_count <= SORT_MANY_UP_TO;
    const bool are_most = setting->k > setting->keys.max_count / (is_sorted_fast ? 16 : 4);
    if (info->kind == CLPRIM_DEVICE_CPU)
        return CLPRIM_TOP_K_CPU_CHUNK;
    if (!setting->unsorted && (are_most || (has_warps && setting->keys.max_count <= SORT_ALL_UP_TO)))
        return CLPRIM_TOP_K_SORT;
    return CLPRIM_TOP_K_RADIX_SELECT;
}
