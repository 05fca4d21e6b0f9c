// SPDX-License-Identifier: MIT
/* segmented_top_k_variants.c: one row per variant, and the variants' parameters. */
#include "device.h"
#include "error.h"
#include "kernels_segmented_top_k.h"
#include "runtime_internal.h"
#include "segmented_top_k_internal.h"
#include "tuning.h"
#include "variants.h"

#define OWN(name) &clprim__source_segmented_top_k_##name

/* id, name, summary, needs, origin, keeps order | how | source */
static const clprim__segmented_top_k_row rows[] = {
    {{CLPRIM_SEGMENTED_TOP_K_SORT, "sort", "sorts all segments, and copies the first k elements of each", "",
      "by segmented_sort", true},
     CLPRIM__SEGMENTED_TOP_K_SORTS,
     OWN(sorted)},
    {{CLPRIM_SEGMENTED_TOP_K_SELECT, "select",
      "short segments: a work-item or some lanes each, in registers; others: only elements within a bound from the "
      "minima of their parts",
      "a k that fits local memory", "after Gaihre et al. 2021", true},
     CLPRIM__SEGMENTED_TOP_K_SELECTS,
     OWN(select)},
    {{CLPRIM_SEGMENTED_TOP_K_CPU_CHUNK, "cpu_chunk",
      "each work-item has a share of the segments, and skips most elements after one comparison", "", "for CPU devices",
      true},
     CLPRIM__SEGMENTED_TOP_K_IN_CHUNKS,
     OWN(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_SEGMENTED_TOP_K_##name

/* Measured: docs/notebook/segmented_top_k.md. */
CLPRIM__TUNINGS(segmented_top_k) = {
    {{FOR(SORT), CLPRIM__ON_CPU}, {.group_size = 64, .groups_per_unit = 4}},
    {{FOR(SORT)}, {.group_size = 256, .groups_per_unit = 16}},
    {{FOR(SELECT), CLPRIM__ON_CPU},
     {.group_size = 64,
      .short_group_size = 64,
      .longest = 256,
      .team_longest = 1024,
      .team_keys = 8,
      .small_from = 256,
      .part = 16384,
      .groups_per_unit = 16}},
    {{FOR(SELECT)},
     {.group_size = 256,
      .short_group_size = 64,
      .longest = 256,
      .team_longest = 1024,
      .team_keys = 8,
      .small_from = 4096,
      .part = 16384,
      .groups_per_unit = 16}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .groups_per_unit = 16}},
    {{0},
     {.group_size = 256,
      .short_group_size = 64,
      .longest = 256,
      .team_longest = 1024,
      .team_keys = 8,
      .small_from = 4096,
      .part = 16384,
      .groups_per_unit = 16}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(segmented_top_k, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("sort", group_size, 32, 1024, true),         TUNABLE("sort", groups_per_unit, 1, 64, false),
    TUNABLE("select", group_size, 32, 1024, true),       TUNABLE("select", short_group_size, 32, 512, true),
    TUNABLE("select", longest, 32, 4096, false),         TUNABLE("select", team_longest, 0, 1024, false),
    TUNABLE("select", team_keys, 8, 32, true),           TUNABLE("select", small_from, 0, 1 << 20, false),
    TUNABLE("select", part, 1024, 1 << 20, true),        TUNABLE("select", groups_per_unit, 1, 64, false),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(segmented_top_k)
CLPRIM__DEFINE_ROWS(segmented_top_k)
CLPRIM__DEFINE_TUNING(segmented_top_k)

size_t clprim__segmented_top_k_capacity(size_t wanted)
{
    enum { LEAST = 512, MOST = 2 * CLPRIM__SEGMENTED_TOP_K_MOST };
    size_t capacity = LEAST;
    while (capacity < wanted && capacity < MOST)
        capacity *= 2;
    return capacity;
}

clprim_status clprim__segmented_top_k_supported(const clprim__segmented_top_k_row *row,
                                                const clprim__segmented_top_k_setting *setting,
                                                const clprim_device_info *info)
{
    enum { OTHER_LOCAL_BYTES = 4096 };
    const char *name = row->info.name;
    if (row->how == CLPRIM__SEGMENTED_TOP_K_IN_CHUNKS &&
        clprim__smaller(setting->k, setting->keys.max_count) > CLPRIM__SEGMENTED_TOP_K_MOST_KEPT)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s finds at most %d elements per segment, but k is %zu", name,
                            CLPRIM__SEGMENTED_TOP_K_MOST_KEPT, setting->k);
    if (row->how != CLPRIM__SEGMENTED_TOP_K_SELECTS)
        return CLPRIM_SUCCESS;
    if (setting->keys.max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s counts in 32 bits, but max_count is %zu", name,
                            setting->keys.max_count);
    if (info->max_work_group_size < 2)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs work-groups, which %s does not have", name, info->name);
    const size_t pair_size = setting->keys.key_size + sizeof(cl_uint);
    if (setting->k > CLPRIM__SEGMENTED_TOP_K_MOST ||
        clprim__segmented_top_k_capacity(2 * setting->k) * pair_size + OTHER_LOCAL_BYTES >
            clprim__device_local_whole(info))
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s keeps candidates in local memory, which is too small for k = %zu",
                            name, setting->k);
    return CLPRIM_SUCCESS;
}

clprim_segmented_top_k_variant clprim__segmented_top_k_auto(const clprim_device_info *info,
                                                            const clprim__segmented_top_k_setting *setting)
{
    enum { MOST_ON_CPU = 1 << 17 }; /* the largest k for which this is faster than a sort */
    if (info->kind == CLPRIM_DEVICE_CPU)
        return clprim__smaller(setting->k, setting->keys.max_count) <= MOST_ON_CPU ? CLPRIM_SEGMENTED_TOP_K_CPU_CHUNK
                                                                                   : CLPRIM_SEGMENTED_TOP_K_SORT;
    return clprim__segmented_top_k_supported(clprim__segmented_top_k_row_of(CLPRIM_SEGMENTED_TOP_K_SELECT), setting,
                                             info) == CLPRIM_SUCCESS
               ? CLPRIM_SEGMENTED_TOP_K_SELECT
               : CLPRIM_SEGMENTED_TOP_K_SORT;
}
