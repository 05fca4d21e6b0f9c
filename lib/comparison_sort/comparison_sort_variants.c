/* comparison_sort_variants.c: one row per variant, and the parameters it runs with. */
#include <string.h>

#include "comparison_sort_internal.h"
#include "error.h"
#include "kernels_bitonic_sort.h"
#include "kernels_common.h"
#include "kernels_comparison_sort.h"
#include "variants.h"

#define SORT(name) &clprim__source_comparison_sort_##name
#define SUBGROUP   &clprim__source_common_subgroup
#define COMPARE    &clprim__source_common_items, &clprim__source_bitonic_sort_compare
#define TILE       &clprim__source_bitonic_sort_register_tile

enum { FEW = 4096 /* elements: one work-group sorts them, in one launch */ };

/* id, name, summary, needs, origin, keeps order | shape | sources of what merges */
static const clprim__comparison_sort_row rows[] = {
    {{CLPRIM_COMPARISON_SORT_MERGE_PATH, "merge_path",
      "sorted tiles merged by two, element by element, each work-item from where its own begin", "",
      "Green, McColl and Bader 2012", true},
     CLPRIM__COMPARISON_SORT_MERGES,
     {SUBGROUP, COMPARE, TILE, SORT(passes), SORT(split), SORT(serial_merge), SORT(merge_path)}},
    {{CLPRIM_COMPARISON_SORT_MERGE_NETWORK, "merge_network",
      "the same, each tile of the result merged by a bitonic network in registers", "",
      "Batcher 1968, on merge path's tiles", false},
     CLPRIM__COMPARISON_SORT_MERGES,
     {SUBGROUP, COMPARE, TILE, SORT(passes), SORT(split), SORT(merge_network)}},
    {{CLPRIM_COMPARISON_SORT_BITONIC, "bitonic", "where the elements lie, without scratch memory", "",
      "by bitonic_sort", false},
     CLPRIM__COMPARISON_SORT_BY_BITONIC,
     {NULL}},
    {{CLPRIM_COMPARISON_SORT_RADIX, "radix", "by digits, of built-in types in their total order", "", "by radix_sort",
      true},
     CLPRIM__COMPARISON_SORT_BY_RADIX,
     {NULL}},
    {{CLPRIM_COMPARISON_SORT_CPU_CHUNK, "cpu_chunk",
      "chunks that fit a core's cache, merged from both ends without branches", "", "for CPU devices", true},
     CLPRIM__COMPARISON_SORT_CHUNKS,
     {COMPARE, SORT(cpu_chunk)}},
};

#define ANY_COUNT SIZE_MAX

/* The first row counts whose kind, OTHER being any, and up_to, the most elements of a call, are right. On GPUs as the
 * prototypes had it on an H200, of 4-byte elements; larger ones are as many bytes. */
static const struct tuning_row {
    clprim_comparison_sort_variant variant;
    clprim_device_kind kind;
    size_t up_to;
    clprim__comparison_sort_tuning tuning;
} tunings[] = {
    {CLPRIM_COMPARISON_SORT_CPU_CHUNK, CLPRIM_DEVICE_OTHER, ANY_COUNT, {{1, 1 << 16}, {1, 1 << 16}, ANY_COUNT}},
    {CLPRIM_COMPARISON_SORT_MERGE_PATH, CLPRIM_DEVICE_CPU, ANY_COUNT, {{64, 16}, {64, 16}, 1 << 16}},
    {CLPRIM_COMPARISON_SORT_MERGE_PATH, CLPRIM_DEVICE_OTHER, 1 << 18, {{256, 64}, {128, 32}, 1 << 24}},
    {CLPRIM_COMPARISON_SORT_MERGE_PATH, CLPRIM_DEVICE_OTHER, ANY_COUNT, {{256, 64}, {128, 64}, 1 << 24}},
    {CLPRIM_COMPARISON_SORT_MERGE_NETWORK, CLPRIM_DEVICE_CPU, ANY_COUNT, {{64, 16}, {64, 16}, 1 << 16}},
    {CLPRIM_COMPARISON_SORT_MERGE_NETWORK, CLPRIM_DEVICE_OTHER, 1 << 18, {{256, 64}, {128, 64}, 1 << 24}},
    {CLPRIM_COMPARISON_SORT_MERGE_NETWORK, CLPRIM_DEVICE_OTHER, ANY_COUNT, {{128, 128}, {128, 128}, 1 << 24}},
};

CLPRIM__DEFINE_VARIANTS(comparison_sort)

void clprim__comparison_sort_block_sources(const clprim__source **out, const clprim__comparison_sort_setting *setting)
{
    static const clprim__source *const by_network[] = {SUBGROUP, COMPARE, TILE, SORT(passes), SORT(block_network),
                                                       NULL};
    static const clprim__source *const stably[] = {SUBGROUP,           COMPARE, TILE, SORT(passes), SORT(serial_merge),
                                                   SORT(block_stable), NULL};
    if (setting->stable && setting->shows_order)
        memcpy(out, stably, sizeof stably);
    else
        memcpy(out, by_network, sizeof by_network);
}

clprim__comparison_sort_tuning clprim__comparison_sort_tuning_of(clprim_comparison_sort_variant variant,
                                                                 const clprim__comparison_sort_setting *setting,
                                                                 const clprim_device_info *info)
{
    for (size_t i = 0; i < sizeof tunings / sizeof *tunings; i++) {
        const struct tuning_row *row = &tunings[i];
        if (row->variant == variant && (row->kind == CLPRIM_DEVICE_OTHER || row->kind == info->kind) &&
            setting->elements.max_count <= row->up_to)
            return row->tuning;
    }
    return (clprim__comparison_sort_tuning){.splits_from = ANY_COUNT};
}

clprim_comparison_sort_variant clprim__comparison_sort_auto(const clprim_device_info *info,
                                                            const clprim__comparison_sort_setting *setting)
{
    const bool is_cpu = info->kind == CLPRIM_DEVICE_CPU;
    if (setting->in_place_only || (!is_cpu && !setting->stable && setting->elements.max_count <= FEW))
        return CLPRIM_COMPARISON_SORT_BITONIC;
    if (!setting->is_custom)
        return CLPRIM_COMPARISON_SORT_RADIX;
    return is_cpu            ? CLPRIM_COMPARISON_SORT_CPU_CHUNK
           : setting->stable ? CLPRIM_COMPARISON_SORT_MERGE_PATH
                             : CLPRIM_COMPARISON_SORT_MERGE_NETWORK;
}

clprim_status clprim__comparison_sort_supported(const clprim__comparison_sort_row *row,
                                                const clprim__comparison_sort_setting *setting)
{
    const char *name = row->info.name;
    if (setting->in_place_only && row->shape != CLPRIM__COMPARISON_SORT_BY_BITONIC)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s takes scratch memory: in_place_only", name);
    if (setting->stable && !row->info.keeps_order)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s is not stable", name);
    if (setting->is_custom && row->shape == CLPRIM__COMPARISON_SORT_BY_RADIX)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s sorts built-in types in their total order, not by less", name);
    return CLPRIM_SUCCESS;
}
