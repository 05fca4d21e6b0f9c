// SPDX-License-Identifier: MIT
/* radix_sort_variants.c: one row per variant, and the variants' parameters. */
#include <limits.h>

#include "device.h"
#include "error.h"
#include "kernels_radix_sort.h"
#include "radix_sort_internal.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define SORT(name) &clprim__source_radix_sort_##name

/* Elements: for more, several groups are faster. If each work-item ranks its own keys, a group takes more passes. */
enum { SINGLE_GROUP_UP_TO = 4096, SINGLE_GROUP_BY_ITEM_UP_TO = 1024 };

/* id, name, summary, needs, origin, keeps order | shape | digit | in chunks | kernels | source */
static const clprim__radix_sort_row rows[] = {
    {{CLPRIM_RADIX_SORT_SPLIT, "split", "one bit per pass: zeros move to the front, ones behind them", "",
      "lecture, radix sort", true},
     CLPRIM__RADIX_SORT_THREE,
     1,
     false,
     {"radix_sort_split", "radix_sort_count_bits", "radix_sort_rows", "radix_sort_copy"},
     SORT(split)},
    {{CLPRIM_RADIX_SORT_LOCAL, "local",
      "4 bits per pass: tiles are sorted in local memory, then runs of equal digits move together", "",
      "Satish, Harris, Garland 2009", true},
     CLPRIM__RADIX_SORT_THREE,
     4,
     false,
     {"radix_sort_local", "radix_sort_count_tiles", "radix_sort_rows", "radix_sort_copy"},
     SORT(local)},
    {{CLPRIM_RADIX_SORT_ONESWEEP, "onesweep", "one launch per pass, which reads and writes each key once", "",
      "Adinets, Merrill 2022", true},
     CLPRIM__RADIX_SORT_ONESWEEP,
     0,
     false,
     {"radix_sort_onesweep", "radix_sort_count", NULL, "radix_sort_copy"},
     SORT(onesweep)},
    {{CLPRIM_RADIX_SORT_SINGLE_GROUP, "single_group", "the whole array in one work-group's local memory: one launch",
      "an array that fits local memory", "for small arrays", true},
     CLPRIM__RADIX_SORT_ONE,
     0,
     false,
     {"radix_sort_single_group", NULL, NULL, NULL},
     SORT(single_group)},
    {{CLPRIM_RADIX_SORT_CPU_CHUNK, "cpu_chunk",
      "one chunk per core; elements of a digit are gathered to whole cache lines", "", "Satish, Kim, et al. 2010",
      true},
     CLPRIM__RADIX_SORT_THREE,
     8,
     true,
     {"radix_sort_cpu_chunk", "radix_sort_count_chunk", "radix_sort_rows", "radix_sort_copy"},
     SORT(cpu_chunk)},
    {{CLPRIM_RADIX_SORT_CPU_BUCKETS, "cpu_buckets",
      "one pass into buckets that fit a core's cache, then a sort of each bucket", "", "Polychroniou, Ross 2014", true},
     CLPRIM__RADIX_SORT_BUCKETS,
     8,
     true,
     {"radix_sort_to_buckets", "radix_sort_count_bins", "radix_sort_plan", NULL, "radix_sort_survey",
      "radix_sort_in_buckets"},
     SORT(cpu_buckets)},
    {{CLPRIM_RADIX_SORT_REDUCE_THEN_SCAN, "reduce_then_scan",
      "two launches per pass: groups count the digits of their ranges, and then move them", "",
      "Merrill, Grimshaw 2011", true},
     CLPRIM__RADIX_SORT_RANGES,
     0,
     false,
     {"radix_sort_move_range", "radix_sort_count_range", "radix_sort_rows", "radix_sort_copy"},
     SORT(reduce_then_scan)},
    {{CLPRIM_RADIX_SORT_NATIVE, CLPRIM__NATIVE_TEXTS, true}, CLPRIM__RADIX_SORT_ONE, 0, false, {NULL}, NULL},
};

#define FOR(name)                          .variant = CLPRIM_RADIX_SORT_##name
#define TILE(size, most_items, most_looks) IN_BUCKETS(size, most_items, most_looks, 0)
#define IN_BUCKETS(size, most_items, most_looks, from)                                                                 \
    {                                                                                                                  \
        .group_size = (size), .items = (most_items), .groups_per_unit = 4, .looks = (most_looks),                      \
        .bucketed_from = (from), .bucket = 4608, .bucket_items = 1024, .bucket_groups = 128                            \
    }

/* Not where sub-groups or forward progress are missing: nobody measured that. */
#define ON_H200(most_size, most_values, most_items, ...)                                                               \
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .without = CLPRIM__NO_WARPS, .size = (most_size), .value_size = (most_values)},   \
     TILE(512, most_items, CLPRIM__LOOKS)},                                                                            \
        {{FOR(ONESWEEP), CLPRIM__ON_GPU, .without = CLPRIM__NO_PROGRESS, .size = (most_size),                          \
          .value_size = (most_values)},                                                                                \
         TILE(512, most_items, CLPRIM__LOOKS)},                                                                        \
    {                                                                                                                  \
        {FOR(ONESWEEP), CLPRIM__ON_GPU, .device = "H200", .size = (most_size), .value_size = (most_values)},           \
            __VA_ARGS__                                                                                                \
    }
#define IN_BUCKETS_ON_H200(most_size, most_values, most_items)                                                         \
    ON_H200(most_size, most_values, most_items, IN_BUCKETS(512, most_items, CLPRIM__LOOKS, 1 << 26))

/* Measured: docs/notebook/radix_sort.md. */
CLPRIM__TUNINGS(radix_sort) = {
    {{FOR(ONESWEEP), CLPRIM__ON_CPU}, TILE(64, 4, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .up_to = 1 << 18}, TILE(256, 8, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .up_to = 1 << 21, .size = 4, .value_size = CLPRIM__NO_VALUES},
     TILE(512, 16, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .up_to = 1 << 24, .size = 4, .value_size = CLPRIM__NO_VALUES},
     TILE(512, 32, CLPRIM__LOOKS)},
    ON_H200(4, CLPRIM__NO_VALUES, 38,
            {.group_size = 512,
             .items = 38,
             .groups_per_unit = 4,
             .looks = CLPRIM__LOOKS,
             .bucketed_from = 3 << 26,
             .bucket = 5120,
             .bucket_items = 1280,
             .bucket_groups = 128,
             .halves = 1}),
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .size = 4, .value_size = CLPRIM__NO_VALUES}, TILE(512, 38, CLPRIM__LOOKS)},
    /* Not measured: Intel's compiler keeps more items in memory. */
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .vendor = CLPRIM_VENDOR_INTEL, .size = 4, .value_size = 4},
     TILE(256, 10, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .up_to = 1 << 21, .size = 8, .value_size = 4}, TILE(256, 16, CLPRIM__LOOKS)},
    IN_BUCKETS_ON_H200(4, 4, 23),
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .size = 4, .value_size = 4}, TILE(512, 23, CLPRIM__LOOKS)},
    IN_BUCKETS_ON_H200(8, CLPRIM__NO_VALUES, 19),
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .size = 8, .value_size = CLPRIM__NO_VALUES}, TILE(512, 19, CLPRIM__LOOKS)},
    IN_BUCKETS_ON_H200(8, 4, 11),
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .size = 8, .value_size = 8}, TILE(512, 11, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .up_to = 1 << 21, .size = 16, .value_size = CLPRIM__NO_VALUES},
     TILE(512, 10, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .without = CLPRIM__NO_PROGRESS, .size = 16, .value_size = CLPRIM__NO_VALUES},
     TILE(256, 10, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .size = 16, .value_size = CLPRIM__NO_VALUES}, TILE(256, 12, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU, .size = 16, .value_size = 8}, TILE(512, 9, CLPRIM__LOOKS)},
    {{FOR(ONESWEEP), CLPRIM__ON_GPU}, TILE(256, 8, CLPRIM__LOOKS)},
    {{FOR(REDUCE_THEN_SCAN), CLPRIM__ON_CPU}, {.group_size = 64, .items = 4, .groups_per_unit = 16}},
    {{FOR(REDUCE_THEN_SCAN), .up_to = 1 << 18}, TILE(256, 8, 0)},
    {{FOR(REDUCE_THEN_SCAN), .up_to = 1 << 21, .size = 8, .value_size = 4}, TILE(512, 16, 0)},
    {{FOR(REDUCE_THEN_SCAN), .up_to = 1 << 24, .size = 4, .value_size = CLPRIM__NO_VALUES}, TILE(512, 32, 0)},
    {{FOR(REDUCE_THEN_SCAN), .size = 4, .value_size = CLPRIM__NO_VALUES}, TILE(512, 40, 0)},
    {{FOR(REDUCE_THEN_SCAN), .size = 4, .value_size = 4}, TILE(512, 24, 0)},
    {{FOR(REDUCE_THEN_SCAN), .size = 8, .value_size = CLPRIM__NO_VALUES}, TILE(512, 16, 0)},
    {{FOR(REDUCE_THEN_SCAN), .size = 8, .value_size = 8}, TILE(512, 11, 0)},
    {{FOR(REDUCE_THEN_SCAN), .size = 16, .value_size = CLPRIM__NO_VALUES}, TILE(256, 12, 0)},
    {{FOR(REDUCE_THEN_SCAN)}, TILE(256, 8, 0)},
    {{FOR(SINGLE_GROUP), CLPRIM__ON_CPU}, {.group_size = 64, .groups_per_unit = 1}},
    {{FOR(SINGLE_GROUP)}, {.group_size = 256, .groups_per_unit = 1}},
    {{FOR(LOCAL), CLPRIM__ON_CPU}, TILE(64, 4, 0)},
    {{FOR(LOCAL)}, TILE(256, 8, 0)},
    {{FOR(SPLIT), CLPRIM__ON_CPU}, TILE(64, 16, 0)},
    {{FOR(SPLIT)}, TILE(256, 4, 0)},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1, .groups_per_unit = 1}},
    {{FOR(CPU_BUCKETS)}, {.group_size = 1, .items = 1, .groups_per_unit = 1}},
    {{0}, TILE(256, 8, CLPRIM__LOOKS)},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(radix_sort, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("onesweep", group_size, 32, 512, true),
    TUNABLE("onesweep", items, 1, 48, false),
    TUNABLE("onesweep", groups_per_unit, 1, 64, false),
    TUNABLE("reduce_then_scan", group_size, 32, 512, true),
    TUNABLE("onesweep", looks, 0, 1 << 20, false),
    /* calls that are sorted in buckets */
    TUNABLE("onesweep", bucketed_from, 0, INT_MAX, false),
    TUNABLE("onesweep", bucket, 1, 1 << 14, false),
    TUNABLE("onesweep", bucket_items, 0, 2048, false),
    TUNABLE("onesweep", bucket_groups, 1, 1 << 10, false),
    TUNABLE("onesweep", halves, 0, 1, false),
    /* other variants */
    TUNABLE("reduce_then_scan", items, 1, 48, false),
    TUNABLE("reduce_then_scan", groups_per_unit, 1, 64, false),
    TUNABLE("local", group_size, 32, 512, true),
    TUNABLE("local", items, 1, 32, false),
    TUNABLE("local", groups_per_unit, 1, 64, false),
    TUNABLE("single_group", group_size, 32, 1024, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 16, false),
    TUNABLE("cpu_buckets", groups_per_unit, 1, 16, false),
};

CLPRIM__DEFINE_TUNABLES(radix_sort)
CLPRIM__DEFINE_ROWS(radix_sort)
CLPRIM__DEFINE_TUNING(radix_sort)

clprim_radix_sort_variant clprim__radix_sort_auto(const clprim_device_info *info,
                                                  const clprim__radix_sort_setting *setting)
{
    const bool has_warps = info->sub_group_means == CLPRIM_SUB_GROUP_PTX;
    const bool is_u128 = setting->key_type == CLPRIM_U128;
    if (info->kind == CLPRIM_DEVICE_CPU)
        return is_u128 ? CLPRIM_RADIX_SORT_CPU_CHUNK : CLPRIM_RADIX_SORT_CPU_BUCKETS;
    if (setting->max_count <= (has_warps ? SINGLE_GROUP_UP_TO : SINGLE_GROUP_BY_ITEM_UP_TO) && !is_u128)
        return CLPRIM_RADIX_SORT_SINGLE_GROUP;
    return setting->max_count > UINT32_MAX ? CLPRIM_RADIX_SORT_REDUCE_THEN_SCAN : CLPRIM_RADIX_SORT_ONESWEEP;
}
