// SPDX-License-Identifier: MIT
/* bitonic_sort_block, _window, _strides, _merge: one pass over global memory makes all steps that fit a tile. A
 * work-item holds 2^ITEMS_LOG elements of the tile in registers, and the number of the register is ITEMS_LOG bits of
 * the element's place: its spread. Steps at these bits compare registers of one work-item, without memory (steps). Then
 * all elements are exchanged through local memory, so that the registers stand for other bits (move), and so on
 * (tile_steps does both in turn). The functions are in register_tile.cl.
 * Why: a work-item makes several steps in registers between two exchanges, and steps at long distances share passes,
 * so few passes are left.
 * Source: lecture, "advanced" bitonic sort.
 * Parameters: AT_ONCE 1: the block's launch clears the words of stages.cl. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "bitonic_sort/parts/tile_network.cl"
#include "bitonic_sort/parts/two_paths.cl"

#ifndef AT_ONCE
#error "AT_ONCE must be given"
#endif

/* Sort a tile. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_block(ARGS_OF(BITONIC_SORT_MOVE))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE));
#if AT_ONCE
    if (get_local_id(0) == 0)
        for (ulong i = get_group_id(0); i < args.num_words; i += get_num_groups(0))
            words[i] = 0;
#endif
    const INDEX n = (INDEX)args.n;
    tile_place t = tile_at((INDEX)get_group_id(0));
    IN_TWO_PATHS(t, n, sort_tile(tile, ARRAY_OF(in), ARRAY_OF(out), t, n))
}

/* Make the steps of a stage at bits `lowest` and above of the tile's places. mirrors: the highest one is the stage's
 * first step. moves: move elements so that neighbours are stored by adjacent work-items, which would not be the case
 * for bits below GROUP_LOG. */
ALWAYS_INLINE void make_steps(local_array tile, array out, tile_place t, bool mirrors, int lowest, bool moves, INDEX n)
{
    item x[ITEMS];
    spread s = spread_at(GROUP_LOG, mirrors); /* the highest bits, so that adjacent work-items load neighbours */
    tile_load(x, out, s, t, n);
    if (mirrors)
        mirrored_step(x, ITEMS_LOG - 1, s, t, n);
    steps(x, ITEMS_LOG - (mirrors ? 2 : 1), max(lowest - GROUP_LOG, 0), s, t, n);
    s = tile_steps(tile, x, s, GROUP_LOG - 1, lowest, t, n);
    if (moves)
        s = move(tile, x, s, spread_at(GROUP_LOG, false));
    tile_store(out, x, s, t, n);
}

/* Make the steps of one stage at bits window .. window + TILE_LOG - COLUMNS_LOG - 1. mirrors: they are the stage's
 * first steps. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_window(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE));
    const INDEX n = (INDEX)args.n;
    const bool mirrors = args.mirrors != 0;
    tile_place t = tile_in_window((INDEX)get_group_id(0), COLUMNS_LOG, args.window, mirrors);
    IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, mirrors, COLUMNS_LOG, false, n))
}

/* The same at bits window .. window + ITEMS_LOG - 1, for which registers are enough. Used if the stage has no more
 * steps above its tiles. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_strides(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE)); /* not used */
    const INDEX n = (INDEX)args.n;
    const bool mirrors = args.mirrors != 0;
    tile_place t = tile_in_window((INDEX)get_group_id(0), GROUP_LOG, args.window, mirrors);
    IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, mirrors, GROUP_LOG, false, n))
}

/* Make the remaining steps of a stage, within tiles. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_merge(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, PADDED(TILE));
    const INDEX n = (INDEX)args.n;
    tile_place t = tile_at((INDEX)get_group_id(0));
    IN_TWO_PATHS(t, n, make_steps(tile, ARRAY_OF(out), t, false, 0, true, n))
}
