// SPDX-License-Identifier: MIT
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

#define LOCAL(most_items, most_enumerated, most_at_once, most_whole, most_rows, most_swept)                            \
    {                                                                                                                  \
        .group_size = 256, .items = (most_items), .network = 24, .short_items = 24, .enumerated = (most_enumerated),   \
        .groups_at_once = (most_at_once), .whole_per_unit = 8, .whole_enumerated = 256, .whole_groups = (most_whole),  \
        .rows_at_once = (most_rows), .most_merged = 1 << 21, .long_group_size = 512, .long_bytes = 96,                 \
        .swept_bytes = (most_swept), .groups_per_unit = 16,                                                            \
    }

#define FOR(name) .variant = CLPRIM_SEGMENTED_SORT_##name

/* Without warps tiles are merged. */
CLPRIM__TUNINGS(segmented_sort) = {
    {{FOR(LOCAL), CLPRIM__ON_CPU},
     {.group_size = 64,
      .items = 4,
      .network = 32,
      .short_items = 7,
      .enumerated = 64,
      .whole_per_unit = 64,
      .whole_enumerated = 64,
      .rows_at_once = 1024,
      .most_merged = 1 << 21,
      .long_group_size = 64,
      .long_bytes = 4,
      .swept_bytes = 4,
      .groups_per_unit = 4}},
    {{FOR(LOCAL), .size = 4, .without = CLPRIM__NO_WARPS}, LOCAL(15, 128, 3, 2, 1024, 96)},
    {{FOR(LOCAL), .without = CLPRIM__NO_WARPS}, LOCAL(11, 256, 0, 2, 1024, 96)},
    {{FOR(LOCAL), CLPRIM__ON_GPU, .size = 4, .value_size = CLPRIM__NO_VALUES}, LOCAL(16, 96, 3, 2, 1024, 64)},
    {{FOR(LOCAL), CLPRIM__ON_GPU, .size = 4}, LOCAL(16, 96, 3, 2, 768, 64)},
    {{FOR(LOCAL), .value_size = CLPRIM__NO_VALUES}, LOCAL(8, 128, 0, 3, 768, 64)},
    {{FOR(LOCAL)}, LOCAL(8, 128, 0, 2, 768, 64)},
    {{FOR(COMPOSITE), CLPRIM__ON_CPU}, {.group_size = 64, .groups_per_unit = 4}},
    {{FOR(COMPOSITE)}, {.group_size = 256, .groups_per_unit = 16}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .groups_per_unit = 16}},
    {{0},
     {.group_size = 256,
      .items = 8,
      .network = 24,
      .short_items = 24,
      .enumerated = 128,
      .whole_per_unit = 8,
      .whole_enumerated = 256,
      .whole_groups = 2,
      .rows_at_once = 1024,
      .most_merged = 1 << 21,
      .long_group_size = 256,
      .long_bytes = 32,
      .swept_bytes = 32,
      .groups_per_unit = 16}},
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
    TUNABLE("local", rows_at_once, 0, 2048, false),
    TUNABLE("local", most_merged, 0, 1 << 24, false),
    TUNABLE("local", long_group_size, 32, 1024, true),
    TUNABLE("local", long_bytes, 1, 256, false),
    TUNABLE("local", swept_bytes, 1, 256, false),
    TUNABLE("local", enumerated, 1, 1024, false),
    TUNABLE("local", groups_per_unit, 1, 64, false),
    TUNABLE("composite", group_size, 32, 1024, true),
    TUNABLE("composite", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(segmented_sort)
CLPRIM__DEFINE_ROWS(segmented_sort)
CLPRIM__DEFINE_TUNING(segmented_sort)

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
