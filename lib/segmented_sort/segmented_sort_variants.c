/* segmented_sort_variants.c: one row per variant, and the parameters it runs with. */
#include "device.h"
#include "error.h"
#include "kernels_segmented_sort.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"
#include "tuning.h"
#include "variants.h"

#define SEGMENT(name) &clprim__source_segmented_sort_##name

/* id, name, summary, needs, origin, keeps order | sort | by codes | in chunks | source */
static const clprim__segmented_sort_row rows[] = {
    {{CLPRIM_SEGMENTED_SORT_LOCAL, "local",
      "one work-item sorts a short segment in registers; a group sorts a tile of whole segments in local memory",
      "segments that fit local memory", "after Satish, Harris, Garland 2009", true},
     "segmented_sort_local",
     false,
     false,
     SEGMENT(short)},
    {{CLPRIM_SEGMENTED_SORT_COMPOSITE, "composite", "one radix sort by segment and key", "", "composite keys", true},
     NULL,
     true,
     false,
     SEGMENT(codes)},
    {{CLPRIM_SEGMENTED_SORT_MIXED, "mixed",
      "local; segments that do not fit are sorted by radix passes, tile by tile, if possible in one launch", "",
      "for segments of any length", true},
     "segmented_sort_local",
     true,
     false,
     SEGMENT(short)},
    {{CLPRIM_SEGMENTED_SORT_CPU_CHUNK, "cpu_chunk",
      "one share of the segments per work-item; segments longer than a share are sorted together by segment and key",
      "", "for CPU devices", true},
     "segmented_sort_cpu_chunk",
     true,
     true,
     SEGMENT(cpu_chunk)},
};

/* Where there is a row for the device; else the variant's row for any device, whose kind is OTHER. The first match
 * counts. */
static const struct tuning_row {
    clprim_segmented_sort_variant variant;
    clprim_device_kind kind;
    size_t up_to_size;  /* bytes of a key; 0: any */
    size_t least_value; /* bytes of a value */
    bool without_warps; /* only where places are not found by ballots: passes take so long that more is enumerated */
    clprim__segmented_sort_tuning tuning;
} tunings[] = {
    {CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_DEVICE_CPU, 0, 0, false, {64, 4, 32, 7, 64, 0, 64, 64, 0, 64, 4, 4}},
    {CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_DEVICE_OTHER, 4, 0, true, {256, 15, 24, 24, 128, 4, 8, 256, 2, 512, 96, 16}},
    {CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_DEVICE_OTHER, 0, 0, true, {256, 9, 24, 24, 256, 4, 8, 256, 2, 512, 96, 16}},
    {CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_DEVICE_GPU, 4, 0, false, {256, 16, 24, 24, 96, 3, 8, 256, 2, 512, 96, 16}},
    {CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_DEVICE_OTHER, 0, 1, false, {256, 8, 24, 24, 128, 0, 8, 256, 2, 512, 96, 16}},
    {CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_DEVICE_OTHER, 0, 0, false, {256, 8, 24, 24, 128, 0, 8, 256, 3, 512, 96, 16}},
    {CLPRIM_SEGMENTED_SORT_COMPOSITE, CLPRIM_DEVICE_CPU, 0, 0, false, {64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}},
    {CLPRIM_SEGMENTED_SORT_COMPOSITE, CLPRIM_DEVICE_OTHER, 0, 0, false, {256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16}},
    {CLPRIM_SEGMENTED_SORT_CPU_CHUNK, CLPRIM_DEVICE_OTHER, 0, 0, false, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(segmented_sort, variant, member, __VA_ARGS__)

/* What a file of parameters may set (docs/tuning.md): least, most, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("local", group_size, 32, 512, true),
    TUNABLE("local", items, 1, 32, false),
    TUNABLE("local", network, 1, 32, false),
    TUNABLE("local", short_items, 1, 64, false),
    TUNABLE("local", whole_per_unit, 0, 64, false),
    TUNABLE("local", whole_enumerated, 1, 1024, false),
    TUNABLE("local", whole_groups, 0, 8, false),
    TUNABLE("local", groups_at_once, 0, 8, false),
    TUNABLE("local", long_group_size, 32, 1024, true),
    TUNABLE("local", long_bytes, 1, 256, false),
    TUNABLE("local", enumerated, 1, 1024, false),
    TUNABLE("local", groups_per_unit, 1, 64, false),
    TUNABLE("composite", group_size, 32, 1024, true),
    TUNABLE("composite", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(segmented_sort)
CLPRIM__DEFINE_ROWS(segmented_sort)
CLPRIM__DEFINE_TUNING(segmented_sort,
                      (row->up_to_size == 0 || what.size <= row->up_to_size) && what.value_size >= row->least_value &&
                          (!row->without_warps || info->sub_group_means != CLPRIM_SUB_GROUP_PTX),
                      .group_size = 256, .items = 8, .network = 24, .short_items = 24, .enumerated = 128,
                      .whole_per_unit = 8, .whole_enumerated = 256, .whole_groups = 2, .long_group_size = 256,
                      .long_bytes = 32, .groups_per_unit = 16)

clprim_status clprim__segmented_sort_supported(const clprim__segmented_sort_row *row,
                                               const clprim__segmented_sort_setting *setting)
{
    const size_t longest = setting->max_segment_size;
    const bool are_short = row->in_chunks && longest != 0 && longest <= CLPRIM__SEGMENTED_SORT_LEAST_SHARE;
    if (row->sort != NULL && row->by_codes && !are_short && setting->keys.max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s counts in 32 bits, but max_count is %zu", row->info.name,
                            setting->keys.max_count);
    if (!row->by_codes && longest == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s sorts only segments that fit local memory: set max_segment_size",
                            row->info.name);
    return CLPRIM_SUCCESS;
}

clprim_segmented_sort_variant clprim__segmented_sort_auto(const clprim_device_info *info,
                                                          const clprim__segmented_sort_setting *setting)
{
    const clprim_segmented_sort_variant best =
        info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_SEGMENTED_SORT_CPU_CHUNK : CLPRIM_SEGMENTED_SORT_MIXED;
    const bool is_possible =
        clprim__segmented_sort_supported(clprim__segmented_sort_row_of(best), setting) == CLPRIM_SUCCESS;
    return is_possible ? best : CLPRIM_SEGMENTED_SORT_COMPOSITE;
}
