/* nth_element_variants.c: one row per variant, and the parameters it runs with. */
#include "kernels_nth_element.h"
#include "nth_element_internal.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define NTH(name) &clprim__source_nth_element_##name

enum { SORT_ALL_UP_TO = 4096 }; /* elements: one work-group sorts them, in one launch */

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

/* Values for any device where the kind is OTHER. The first match counts. */
static const struct tuning_row {
    clprim_nth_element_variant variant;
    clprim_device_kind kind;
    clprim__nth_element_tuning tuning;
} tunings[] = {
    {CLPRIM_NTH_ELEMENT_SORT, CLPRIM_DEVICE_CPU, {1, 1, 4096, 4, 8, 1}},
    {CLPRIM_NTH_ELEMENT_SORT, CLPRIM_DEVICE_OTHER, {256, 1, 0, 16, 8, 1}},
    {CLPRIM_NTH_ELEMENT_RADIX_SELECT, CLPRIM_DEVICE_CPU, {64, 1, 0, 4, 11, 8192}},
    {CLPRIM_NTH_ELEMENT_RADIX_SELECT, CLPRIM_DEVICE_OTHER, {512, 4, 0, 2, 11, 8192}},
    {CLPRIM_NTH_ELEMENT_CPU_CHUNK, CLPRIM_DEVICE_OTHER, {1, 1, 65536, 4, 11, 8192}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(nth_element, variant, member, __VA_ARGS__)

/* What a file of parameters may set (docs/tuning.md): least, most, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("radix_select", group_size, 32, 1024, true), TUNABLE("radix_select", items, 1, 8, false),
    TUNABLE("radix_select", max_per_unit, 1, 64, false), TUNABLE("radix_select", digit_bits, 4, 12, false),
    TUNABLE("radix_select", words, 512, 1 << 14, true),  TUNABLE("cpu_chunk", chunk, 1024, 1 << 20, true),
    TUNABLE("cpu_chunk", max_per_unit, 1, 64, false),    TUNABLE("cpu_chunk", digit_bits, 4, 14, false),
    TUNABLE("cpu_chunk", words, 512, 1 << 16, true),
};

CLPRIM__DEFINE_TUNABLES(nth_element)
CLPRIM__DEFINE_ROWS(nth_element)
CLPRIM__DEFINE_TUNING(nth_element, true, .group_size = 256, .items = 1, .max_per_unit = 4, .digit_bits = 8,
                      .words = 4096)

clprim_nth_element_variant clprim__nth_element_auto(const clprim_device_info *info,
                                                    const clprim__nth_element_setting *setting)
{
    const bool has_warps = info->sub_group_means == CLPRIM_SUB_GROUP_PTX;
    if (setting->max_ranks > CLPRIM_NTH_ELEMENT_SELECTED_RANKS ||
        (has_warps && setting->keys.max_count <= SORT_ALL_UP_TO))
        return CLPRIM_NTH_ELEMENT_SORT;
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_NTH_ELEMENT_CPU_CHUNK : CLPRIM_NTH_ELEMENT_RADIX_SELECT;
}
