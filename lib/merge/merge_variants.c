/* merge_variants.c: one row per variant, and the parameters it runs with. */
#include "kernels_common.h"
#include "kernels_merge.h"
#include "merge_internal.h"
#include "variants.h"

#define ITEMS  &clprim__source_common_items
#define BOUNDS &clprim__source_common_bounds
#define MERGED &clprim__source_merge_merged

/* id, name, summary, needs, origin, keeps order | shape | kernel | sources */
static const clprim__merge_row rows[] = {
    {{CLPRIM_MERGE_NAIVE, "naive", "each element finds its place by a search in the other range", "",
      "Shiloach, Vishkin 1981", true},
     CLPRIM__MERGE_ELEMENTS,
     "merge_naive",
     {ITEMS, BOUNDS, MERGED, &clprim__source_merge_naive}},
    {{CLPRIM_MERGE_PATH, "merge_path", "equal shares of the output, found on diagonals; tiles merged in local memory",
      "", "Green, McColl, Bader 2012; Odeh et al. 2012", true},
     CLPRIM__MERGE_TILES,
     "merge_path",
     {ITEMS, MERGED, &clprim__source_merge_merge_path}},
    {{CLPRIM_MERGE_CPU_CHUNK, "cpu_chunk", "a share for each core, merged without branches as four streams", "",
      "for CPU devices", true},
     CLPRIM__MERGE_CHUNKS,
     "merge_cpu_chunk",
     {ITEMS, MERGED, &clprim__source_merge_cpu_chunk}},
};

/* Measured values (docs/search_and_merge.md) where there is a row for the device; else the variant's row for any
 * device, whose kind is OTHER. The first match counts. */
static const struct tuning_row {
    clprim_merge_variant variant;
    clprim_device_kind kind;
    clprim__merge_tuning tuning;
} tunings[] = {
    {CLPRIM_MERGE_PATH, CLPRIM_DEVICE_CPU, {64, 32, 4}},
    {CLPRIM_MERGE_PATH, CLPRIM_DEVICE_OTHER, {256, 44, 8}},
    {CLPRIM_MERGE_CPU_CHUNK, CLPRIM_DEVICE_OTHER, {1, 1 << 15, 4}},
};

CLPRIM__DEFINE_VARIANTS(merge)

clprim__merge_tuning clprim__merge_tuning_of(clprim_merge_variant variant, const clprim_device_info *info)
{
    for (size_t i = 0; i < sizeof tunings / sizeof *tunings; i++) {
        const struct tuning_row *row = &tunings[i];
        if (row->variant == variant && (row->kind == CLPRIM_DEVICE_OTHER || row->kind == info->kind))
            return row->tuning;
    }
    return (clprim__merge_tuning){.group_size = 256};
}

clprim_merge_variant clprim__merge_auto(const clprim_device_info *info)
{
    return info->kind == CLPRIM_DEVICE_CPU ? CLPRIM_MERGE_CPU_CHUNK : CLPRIM_MERGE_PATH;
}
