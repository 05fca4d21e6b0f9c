// SPDX-License-Identifier: MIT
/* histogram_variants.c: one row per variant, and the variants' parameters. */
#include "device.h"
#include "error.h"
#include "histogram_internal.h"
#include "kernels_histogram.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

#define HISTOGRAM(name) &clprim__source_histogram_##name

enum { MAX_PARTS = 8 }; /* for LARGE: with more parts, the elements are read too often */

/* id, name, summary, needs, origin, keeps order | shape | kernel | takes weights | source */
static const clprim__histogram_row rows[] = {
    {{CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, "global_atomic", "one table in global memory, one atomic per element", "",
      "lecture, histogram 1", false},
     CLPRIM__HISTOGRAM_ONE_TABLE,
     "histogram_global_atomic",
     true,
     HISTOGRAM(global_atomic)},
    {{CLPRIM_HISTOGRAM_LOCAL_ATOMIC, "local_atomic", "one table per work-group, in local memory", "",
      "Podlozhnyuk 2007", false},
     CLPRIM__HISTOGRAM_ROWS,
     "histogram_local_atomic",
     true,
     HISTOGRAM(local_atomic)},
    {{CLPRIM_HISTOGRAM_PER_ITEM, "per_item",
      "byte counters per work-item, those of a work-item together: no atomics; up to 64 bins", "up to 64 bins",
      "lecture, histogram 2, tid * 64 + bin", false},
     CLPRIM__HISTOGRAM_ROWS,
     "histogram_item_tables",
     false,
     HISTOGRAM(per_item)},
    {{CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED, "per_item_shuffled",
      "the same, but those of a bin together: no bank conflicts", "up to 64 bins",
      "lecture, histogram 2, tid + 64 * bin", false},
     CLPRIM__HISTOGRAM_ROWS,
     "histogram_item_tables",
     false,
     HISTOGRAM(per_item_shuffled)},
    {{CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED, "sub_group_tagged",
      "one table per sub-group, whose counters name the lane that wrote last", "sub-groups",
      "lecture, histogram 3; Podlozhnyuk 2007", false},
     CLPRIM__HISTOGRAM_ROWS,
     "histogram_sub_group_tagged",
     false,
     HISTOGRAM(sub_group_tagged)},
    {{CLPRIM_HISTOGRAM_REPLICATED, "replicated",
      "one copy of the table per lane: the speed does not depend on the data", "", "Shams, Kennedy 2007", false},
     CLPRIM__HISTOGRAM_ONE_LAUNCH,
     "histogram_replicated",
     false,
     HISTOGRAM(replicated)},
    {{CLPRIM_HISTOGRAM_LARGE, "large", "16-bit counters in local memory, parts of the bins in separate groups", "",
      "for more bins than local memory holds", false},
     CLPRIM__HISTOGRAM_ONE_TABLE,
     "histogram_large",
     false,
     HISTOGRAM(large)},
    {{CLPRIM_HISTOGRAM_SORT_BASED, "sort_based",
      "a radix sort of the bins, then a search for where each bin begins and ends", "", "Satish, Harris, Garland 2009",
      false},
     CLPRIM__HISTOGRAM_SORTED,
     "histogram_map",
     false,
     HISTOGRAM(sort_based)},
    {{CLPRIM_HISTOGRAM_CPU_CHUNK, "cpu_chunk", "one chunk per core, counted in several tables in turn", "",
      "for CPU devices", false},
     CLPRIM__HISTOGRAM_ROWS,
     "histogram_cpu_chunk",
     true,
     HISTOGRAM(cpu_chunk)},
    {.info = {CLPRIM_HISTOGRAM_NATIVE, CLPRIM__NATIVE_TEXTS, false}},
};

#define FOR(name) .variant = CLPRIM_HISTOGRAM_##name

/* Measured: docs/notebook/histogram.md. */
CLPRIM__TUNINGS(histogram) = {
    {{FOR(GLOBAL_ATOMIC), CLPRIM__ON_CPU}, {.group_size = 64, .items = 1, .groups_per_unit = 4}},
    {{FOR(LOCAL_ATOMIC), CLPRIM__ON_CPU}, {.group_size = 64, .items = 1, .groups_per_unit = 4}},
    {{FOR(SUB_GROUP_TAGGED), CLPRIM__ON_CPU}, {.group_size = 64, .items = 1, .groups_per_unit = 4}},
    {{FOR(REPLICATED), CLPRIM__ON_CPU}, {.group_size = 64, .items = 1, .groups_per_unit = 4}},
    {{FOR(LARGE), CLPRIM__ON_CPU}, {.group_size = 64, .items = 1, .groups_per_unit = 4}},
    {{FOR(SORT_BASED), CLPRIM__ON_CPU}, {.group_size = 64, .items = 1, .groups_per_unit = 4}},
    {{FOR(SORT_BASED)}, {.group_size = 256, .items = 1, .groups_per_unit = 16}},
    {{FOR(REPLICATED), CLPRIM__ON_GPU}, {.group_size = 1024, .items = 4, .groups_per_unit = 1}},
    {{FOR(LARGE), CLPRIM__ON_GPU}, {.group_size = 1024, .items = 4, .groups_per_unit = 1}},
    {{FOR(PER_ITEM)}, {.group_size = 64, .items = 1, .groups_per_unit = 16}},
    {{FOR(PER_ITEM_SHUFFLED)}, {.group_size = 64, .items = 1, .groups_per_unit = 16}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1, .groups_per_unit = 4}},
    {{0}, {.group_size = 256, .items = 4, .groups_per_unit = 4}},
};

#define TUNABLE(variant, member, ...) CLPRIM__TUNABLE(histogram, variant, member, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("global_atomic", group_size, 32, 1024, true),
    TUNABLE("global_atomic", items, 1, 16, false),
    TUNABLE("global_atomic", groups_per_unit, 1, 32, false),
    TUNABLE("local_atomic", group_size, 32, 1024, true),
    TUNABLE("local_atomic", items, 1, 16, false),
    TUNABLE("local_atomic", groups_per_unit, 1, 32, false),
    TUNABLE("sub_group_tagged", group_size, 32, 1024, true),
    TUNABLE("sub_group_tagged", items, 1, 16, false),
    TUNABLE("sub_group_tagged", groups_per_unit, 1, 32, false),
    TUNABLE("replicated", group_size, 32, 1024, true),
    TUNABLE("replicated", items, 1, 16, false),
    TUNABLE("replicated", groups_per_unit, 1, 32, false),
    TUNABLE("large", group_size, 32, 1024, true),
    TUNABLE("large", items, 1, 16, false),
    TUNABLE("large", groups_per_unit, 1, 32, false),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 16, false),
};

CLPRIM__DEFINE_TUNABLES(histogram)
CLPRIM__DEFINE_ROWS(histogram)
CLPRIM__DEFINE_TUNING(histogram)

clprim_status clprim__histogram_supported(const clprim__histogram_row *row, const clprim_device_info *info,
                                          const clprim__histogram_setting *setting)
{
    const clprim_histogram_variant variant = (clprim_histogram_variant)row->info.id;
    const bool is_per_item = variant == CLPRIM_HISTOGRAM_PER_ITEM || variant == CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED;
    const bool by_atomics = variant == CLPRIM_HISTOGRAM_GLOBAL_ATOMIC || variant == CLPRIM_HISTOGRAM_LOCAL_ATOMIC;
    const bool needs_table = variant == CLPRIM_HISTOGRAM_LOCAL_ATOMIC || variant == CLPRIM_HISTOGRAM_REPLICATED ||
                             variant == CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED;
    const char *name = row->info.name;
    if (setting->weights_type != CLPRIM_TYPE_DEFAULT && !row->takes_weights)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s takes no weights", name);
    if (by_atomics && setting->word_size == 8 && !info->has_int64_atomics)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs 64-bit atomics for these weights; %s has none", name,
                            info->name);
    if (is_per_item && setting->bins > 64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has counters for up to 64 bins, not for %zu", name, setting->bins);
    if (variant == CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED && info->sub_group_means == CLPRIM_SUB_GROUP_NONE)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs sub-groups, which clPRIM cannot use on %s", name, info->name);
    if (needs_table && setting->table * setting->word_size > clprim__device_local_whole(info))
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs local memory for %zu counters, more than %s has (%zu bytes)",
                            name, setting->table, info->name, info->local_memory_size);
    return CLPRIM_SUCCESS;
}

bool clprim__histogram_has_fixed_bins(const clprim__histogram_row *row)
{
    const clprim_histogram_variant variant = (clprim_histogram_variant)row->info.id;
    return variant != CLPRIM_HISTOGRAM_GLOBAL_ATOMIC && variant != CLPRIM_HISTOGRAM_SORT_BASED &&
           variant != CLPRIM_HISTOGRAM_CPU_CHUNK;
}

clprim_histogram_variant clprim__histogram_auto(const clprim_device_info *info,
                                                const clprim__histogram_setting *setting)
{
    const size_t local = clprim__device_local_whole(info);
    const bool fits = setting->table * setting->word_size <= local;
    if (info->kind == CLPRIM_DEVICE_CPU || (setting->word_size == 8 && !info->has_int64_atomics))
        return CLPRIM_HISTOGRAM_CPU_CHUNK;
    if (setting->weights_type != CLPRIM_TYPE_DEFAULT)
        return fits ? CLPRIM_HISTOGRAM_LOCAL_ATOMIC : CLPRIM_HISTOGRAM_GLOBAL_ATOMIC;
    if (fits)
        return CLPRIM_HISTOGRAM_REPLICATED;
    if (setting->table <= local / 2 * MAX_PARTS)
        return CLPRIM_HISTOGRAM_LARGE;
    /* Atomics would take half as long if all bins are hit equally often, but a hundred times as long if only one bin is
     * hit. */
    return CLPRIM_HISTOGRAM_SORT_BASED;
}
