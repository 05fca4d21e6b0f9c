// SPDX-License-Identifier: MIT
/* nth_element_variants.c: one row per variant, and the variants' parameters. */
#include "kernels_nth_element.h"
#include "nth_element_internal.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define NTH(name) &clprim__source_nth_element_##name

enum { SORT_ALL_UP_TO = 4096 }; /* in elements: one work-group sorts them in one launch */

/* id, name, summary, needs, origin, keeps order | selects | in chunks | source */
static const clprim__nth_element_row rows[] = {
    {{CLPRIM_NTH_ELEMENT_SORT, "sort", "sorts all keys, and copies those at the ranks", "", "by radix_sort", true},
     false,
     false,
     NTH(gather)},
    {{CLPRIM_NTH_ELEMENT_RADIX_SELECT, "radix_select",
      "finds the keys of all ranks together, digit by digit; lists candidates when they are few", "",
      "Alabi et al. 2012", true},
     true,
     false,
     NTH(radix_select)},
    {{CLPRIM_NTH_ELEMENT_CPU_CHUNK, "cpu_chunk", "the same, one chunk per core; skips most blocks of the chunk", "",
      "for CPU devices", true},
     true,
     true,
     NTH(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_NTH_ELEMENT_##name

/* Measured: docs/notebook/nth_element.md. */
CLPRIM__TUNINGS(nth_element) = {
    {{FOR(SORT), CLPRIM__ON_CPU},
     {.group_size = 1, .items = 1, .chunk = 4096, .max_per_unit = 4, .digit_bits = 8, .words = 1}},
    {{FOR(SORT)}, {.group_size = 256, .items = 1, .max_per_unit = 16, .digit_bits = 8, .words = 1}},
    {{FOR(RADIX_SELECT), CLPRIM__ON_CPU},
     {.group_size = 64, .items = 1, .max_per_unit = 4, .digit_bits = 11, .words = 8192}},
    {{FOR(RADIX_SELECT)}, {.group_size = 512, .items = 4, .max_per_unit = 2, .digit_bits = 11, .words = 8192}},
    {{FOR(CPU_CHUNK)},
     {.group_size = 1, .items = 1, .chunk = 65536, .max_per_unit = 4, .digit_bits = 11, .words = 8192}},
    {{0}, {.group_size = 256, .items = 1, .max_per_unit = 4, .digit_bits = 8, .words = 4096}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(nth_element, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("radix_select", group_size, 32, 1024, true), TUNABLE("radix_select", items, 1, 8, false),
    TUNABLE("radix_select", max_per_unit, 1, 64, false), TUNABLE("radix_select", digit_bits, 4, 12, false),
    TUNABLE("radix_select", words, 512, 1 << 14, true),  TUNABLE("cpu_chunk", chunk, 1024, 1 << 20, true),
    TUNABLE("cpu_chunk", max_per_unit, 1, 64, false),    TUNABLE("cpu_chunk", digit_bits, 4, 14, false),
    TUNABLE("cpu_chunk", words, 512, 1 << 16, true),
};

CLPRIM__DEFINE_TUNABLES(nth_element)
CLPRIM__DEFINE_ROWS(nth_element)
CLPRIM__DEFINE_TUNING(nth_element)

clprim_nth_element_variant clprim__nth_element_auto(const clprim_device_info *info,
                                                    const clprim__nth_element_setting *setting)
{
    const bool has_warps = info->sub_group_means == CLPRIM_SUB_GROUP_PTX;
    if (setting->max_ranks > CLPRIM_NTH_ELEMENT_SELECTED_RANKS ||
        (has_warps && setting->keys.max_count <= SORT_ALL_UP_TO))
        return CLPRIM_NTH_ELEMENT_SORT;
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_NTH_ELEMENT_CPU_CHUNK : CLPRIM_NTH_ELEMENT_RADIX_SELECT;
}
