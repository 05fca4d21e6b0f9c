// SPDX-License-Identifier: MIT
/* comparison_sort_variants.c: one row per variant, and the variants' parameters. */
#include <stdint.h>
#include <string.h>

#include "comparison_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"
#include "tuning.h"
#include "variants.h"

enum {
    FEW = 4096,         /* in elements: one work-group sorts them in one launch */
    LEAST_SLOW = 8,     /* in bytes: larger items are moved and compared so slowly by a single work-group that two
                         * launches with many groups are faster */
    FEW_PAIRS = 3 << 16 /* comparisons that a compute unit makes in the time of a launch */
};

/* id, name, summary, needs, origin, keeps order | shape | by a network */
static const clprim__comparison_sort_row rows[] = {
    {{CLPRIM_COMPARISON_SORT_MERGE_PATH, "merge_path",
      "pairwise merges of sorted tiles; each work-item finds its part and merges it serially", "",
      "Green, McColl and Bader 2012", true},
     CLPRIM__COMPARISON_SORT_MERGES,
     false},
    {{CLPRIM_COMPARISON_SORT_MERGE_NETWORK, "merge_network",
      "the same, but a bitonic network in registers merges each tile of the result", "",
      "Batcher 1968, on merge path's tiles", false},
     CLPRIM__COMPARISON_SORT_MERGES,
     true},
    {{CLPRIM_COMPARISON_SORT_BITONIC, "bitonic", "in place, without scratch memory", "", "by bitonic_sort", false},
     CLPRIM__COMPARISON_SORT_BY_BITONIC,
     false},
    {{CLPRIM_COMPARISON_SORT_RADIX, "radix", "by digits, for built-in types in their total order", "", "by radix_sort",
      true},
     CLPRIM__COMPARISON_SORT_BY_RADIX,
     false},
    {{CLPRIM_COMPARISON_SORT_CPU_CHUNK, "cpu_chunk",
      "divided twice by sampled splitters, until each element is compared with all others of its part", "",
      "Sanders and Winkel 2004", true},
     CLPRIM__COMPARISON_SORT_CHUNKS,
     false},
    {{CLPRIM_COMPARISON_SORT_SAMPLE_SORT, "sample_sort",
      "sampled splitters divide the array until a work-group can sort each part: few passes over memory", "",
      "Leischner, Osipov and Sanders 2010", true},
     CLPRIM__COMPARISON_SORT_SAMPLES,
     false},
    {{CLPRIM_COMPARISON_SORT_NATIVE, CLPRIM__NATIVE_TEXTS, true}, CLPRIM__COMPARISON_SORT_BY_RADIX, false},
};

#define ANY_COUNT SIZE_MAX

#define GROUP(size, most_bytes)                                                                                        \
    {                                                                                                                  \
        .group_size = (size), .bytes = (most_bytes)                                                                    \
    }
#define CPU_TILES                                                                                                      \
    {                                                                                                                  \
        .block = {64, 16}, .merge = {64, 16}, .splits_from = 1 << 16, .at_once_bytes = 1 << 13,                        \
    }
#define TILES(block_group, block_bytes, merge_group, merge_bytes, splits, at_once)                                     \
    {                                                                                                                  \
        .block = {block_group, block_bytes}, .merge = {merge_group, merge_bytes}, .splits_from = (splits),             \
        .at_once_bytes = (at_once), .pairs_a_unit = FEW_PAIRS,                                                         \
    }

/* sort, move: registers per work-item on NVIDIA's devices */
#define SAMPLES(large_group, small_group, samples_group, moves_group, sort, move, buckets, piece, fill)                \
    {                                                                                                                  \
        .samples = {.large = large_group,                                                                              \
                    .small = small_group,                                                                              \
                    .samples = samples_group,                                                                          \
                    .moves = moves_group,                                                                              \
                    .sort_registers = (sort),                                                                          \
                    .move_registers = (move),                                                                          \
                    .buckets_log = (buckets),                                                                          \
                    .piece_log = (piece),                                                                              \
                    .filled = (fill),                                                                                  \
                    .filled_at_most = 9},                                                                              \
    }

#define FOR(name) .variant = CLPRIM_COMPARISON_SORT_##name
#define OF_STABLE 1

/* For GPUs, the fastest parameters on an H200 for 4-byte elements; for larger elements, the number of bytes is the
 * same. An item is an element with its value. */
CLPRIM__TUNINGS(comparison_sort) = {
    {{FOR(CPU_CHUNK)}, {.block = {1, 1 << 14}}},
    {{FOR(MERGE_PATH), CLPRIM__ON_CPU}, CPU_TILES},
    {{FOR(MERGE_PATH), .item_size = 11, .up_to = 1 << 18}, TILES(256, 64, 128, 32, 1 << 24, 1 << 26)},
    {{FOR(MERGE_PATH), .item_size = 11, .up_to = 1 << 21}, TILES(256, 64, 256, 32, 1 << 24, 1 << 26)},
    {{FOR(MERGE_PATH), .item_size = 11}, TILES(256, 64, 128, 128, 1 << 24, 1 << 26)},
    {{FOR(MERGE_PATH)}, TILES(256, 128, 128, 128, 1 << 20, 1 << 26)},
    {{FOR(MERGE_NETWORK), CLPRIM__ON_CPU}, CPU_TILES},
    {{FOR(MERGE_NETWORK), .up_to = 1 << 17}, TILES(256, 64, 128, 32, 1 << 24, 1 << 23)},
    {{FOR(MERGE_NETWORK), .up_to = 1 << 19}, TILES(256, 64, 128, 64, 1 << 24, 1 << 23)},
    {{FOR(MERGE_NETWORK), .up_to = 1 << 20}, TILES(512, 64, 128, 64, 1 << 24, 1 << 23)},
    {{FOR(MERGE_NETWORK)}, TILES(256, 64, 128, 64, 1 << 24, 1 << 23)},
    {{FOR(SAMPLE_SORT), CLPRIM__ON_CPU},
     SAMPLES(GROUP(64, 16), GROUP(32, 16), GROUP(64, 16), GROUP(64, 32), 0, 0, 5, 1, 12)},
    {{FOR(SAMPLE_SORT), .item_size = 7, .up_to = 1 << 26, .of = OF_STABLE},
     SAMPLES(GROUP(512, 64), GROUP(256, 64), GROUP(512, 32), GROUP(256, 64), 64, 0, 8, 7, 13)},
    {{FOR(SAMPLE_SORT), .item_size = 7, .of = OF_STABLE},
     SAMPLES(GROUP(512, 64), GROUP(256, 64), GROUP(512, 64), GROUP(512, 48), 64, 64, 8, 6, 13)},
    {{FOR(SAMPLE_SORT), .item_size = 7, .up_to = 1 << 26},
     SAMPLES(GROUP(512, 64), GROUP(256, 64), GROUP(512, 32), GROUP(512, 64), 0, 64, 8, 7, 13)},
    {{FOR(SAMPLE_SORT), .item_size = 7},
     SAMPLES(GROUP(512, 64), GROUP(256, 64), GROUP(512, 64), GROUP(256, 80), 0, 64, 8, 6, 13)},
    {{FOR(SAMPLE_SORT)}, SAMPLES(GROUP(256, 128), GROUP(128, 128), GROUP(512, 64), GROUP(512, 96), 0, 64, 8, 6, 12)},
    {{0}, {.splits_from = ANY_COUNT}},
};

/* The calls for which AUTO chooses the sample sort, also as measured on an H200. */
static const struct sample_range_row {
    clprim_device_kind kind;
    clprim__sample_sort_range range;
} sample_ranges[] = {
    {CLPRIM_DEVICE_CPU, {ANY_COUNT, ANY_COUNT, 0}},
    {CLPRIM_DEVICE_OTHER, {1 << 21, 1 << 23, 16}},
};

#define TUNABLE(variant, name, member, ...) CLPRIM__TUNABLE_AS(comparison_sort, variant, name, member, __VA_ARGS__)
#define TUNABLE_TILES(variant)                                                                                         \
    TUNABLE(variant, "block_group_size", block.group_size, 32, 1024, true),                                            \
        TUNABLE(variant, "block_bytes", block.bytes, 4, 512, true),                                                    \
        TUNABLE(variant, "merge_group_size", merge.group_size, 32, 1024, true),                                        \
        TUNABLE(variant, "merge_bytes", merge.bytes, 4, 512, true),                                                    \
        TUNABLE(variant, "splits_from", splits_from, 1 << 10, 1 << 30, true),                                          \
        TUNABLE(variant, "at_once_bytes", at_once_bytes, 1, 1 << 30, true),                                            \
        TUNABLE(variant, "pairs_a_unit", pairs_a_unit, 0, 1 << 26, false)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE_TILES("merge_path"),
    TUNABLE_TILES("merge_network"),
    TUNABLE("cpu_chunk", "bytes", block.bytes, 1024, 1 << 20, true),
    TUNABLE("sample_sort", "large_group_size", samples.large.group_size, 32, 1024, true),
    TUNABLE("sample_sort", "large_bytes", samples.large.bytes, 4, 512, true),
    TUNABLE("sample_sort", "small_group_size", samples.small.group_size, 32, 1024, true),
    TUNABLE("sample_sort", "small_bytes", samples.small.bytes, 4, 512, true),
    TUNABLE("sample_sort", "samples_group_size", samples.samples.group_size, 32, 1024, true),
    TUNABLE("sample_sort", "samples_bytes", samples.samples.bytes, 4, 512, true),
    TUNABLE("sample_sort", "moves_group_size", samples.moves.group_size, 32, 1024, true),
    TUNABLE("sample_sort", "moves_bytes", samples.moves.bytes, 16, 512, false),
    TUNABLE("sample_sort", "sort_registers", samples.sort_registers, 0, 255, false),
    TUNABLE("sample_sort", "move_registers", samples.move_registers, 0, 255, false),
    TUNABLE("sample_sort", "buckets_log", samples.buckets_log, 2, 10, false),
    TUNABLE("sample_sort", "piece_log", samples.piece_log, 0, 8, false),
    TUNABLE("sample_sort", "filled", samples.filled, 4, 16, false),
    TUNABLE("sample_sort", "filled_at_most", samples.filled_at_most, 2, 16, false),
};

CLPRIM__DEFINE_TUNABLES(comparison_sort)
CLPRIM__DEFINE_ROWS(comparison_sort)
CLPRIM__DEFINE_TUNING(comparison_sort)

clprim__sample_sort_range clprim__sample_sort_range_of(const clprim_device_info *info)
{
    size_t i = 0;
    while (sample_ranges[i].kind != CLPRIM_DEVICE_OTHER && sample_ranges[i].kind != info->kind)
        i++;
    return sample_ranges[i].range;
}

static bool is_for_samples(const clprim_device_info *info, const clprim__comparison_sort_setting *setting)
{
    const clprim__sample_sort_range range = clprim__sample_sort_range_of(info);
    return setting->is_custom && setting->key_size + setting->value_size <= range.size &&
           setting->max_count >= (setting->stable ? range.stable_from : range.from) && setting->max_count <= UINT32_MAX;
}

clprim_comparison_sort_variant clprim__comparison_sort_merging(const clprim__comparison_sort_setting *setting)
{
    return setting->stable || clprim__comparison_sort_by_places(setting) ? CLPRIM_COMPARISON_SORT_MERGE_PATH
                                                                         : CLPRIM_COMPARISON_SORT_MERGE_NETWORK;
}

clprim_comparison_sort_variant clprim__comparison_sort_auto(const clprim_device_info *info,
                                                            const clprim__comparison_sort_setting *setting)
{
    const bool is_cpu = info->kind == CLPRIM_DEVICE_CPU;
    const bool is_ranked =
        setting->key_size + setting->value_size >= LEAST_SLOW &&
        setting->max_count <= clprim__comparison_sort_ranked_up_to(info, setting, is_cpu ? 0 : FEW_PAIRS);
    const bool are_few =
        setting->max_count <= FEW && !clprim__comparison_sort_by_places(setting) && !is_ranked && !setting->is_counted;
    if (setting->in_place_only || (!is_cpu && !setting->stable && are_few))
        return CLPRIM_COMPARISON_SORT_BITONIC;
    if (!setting->is_custom && !is_ranked)
        return CLPRIM_COMPARISON_SORT_RADIX;
    if (is_for_samples(info, setting))
        return CLPRIM_COMPARISON_SORT_SAMPLE_SORT;
    return is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : clprim__comparison_sort_merging(setting);
}

clprim_status clprim__comparison_sort_supported(const clprim__comparison_sort_row *row,
                                                const clprim__comparison_sort_setting *setting)
{
    const char *name = row->info.name;
    if (setting->in_place_only && row->shape != CLPRIM__COMPARISON_SORT_BY_BITONIC)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s takes scratch memory, but in_place_only is set", name);
    if (setting->stable && !row->info.keeps_order)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s is not stable, but stable is set", name);
    if (setting->max_count > UINT32_MAX && row->shape == CLPRIM__COMPARISON_SORT_SAMPLES)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s sorts fewer than 2^32 elements, but max_count is %zu", name,
                            setting->max_count);
    if (setting->is_counted && row->shape == CLPRIM__COMPARISON_SORT_BY_BITONIC)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s takes no counts on the device, but count_at_type is set", name);
    if (setting->is_custom && row->shape == CLPRIM__COMPARISON_SORT_BY_RADIX)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s sorts built-in types in the total order, but less is given", name);
    return CLPRIM_SUCCESS;
}
