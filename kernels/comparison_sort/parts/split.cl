// SPDX-License-Identifier: MIT
/* split.cl: find the parts of two sorted runs that make up a tile of their merge (merge path: Green, McColl and Bader
 * 2012).
 *
 *   part_of_tile(ends, from, t, n, ...)   find the part of each run; `ends` is local memory for two ends. All
 *                                         work-items take part; it has a barrier
 *
 * It also has two kernels. comparison_sort_split searches for all tiles of a pass before the pass, if there are many
 * tiles. comparison_sort_mend runs after the last pass, and repairs the result if that pass damaged it.
 *
 * Parameters: WITH_SPLITS 1: comparison_sort_split is compiled. */
#include "common/lanes.cl"
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/args.h"
#include "bitonic_sort/parts/register_tile.cl"
#include "comparison_sort/parts/passes.cl"
#include "comparison_sort/parts/search.cl"

#if !defined(WITH_SPLITS)
#error "WITH_SPLITS must be given"
#endif

#define SPLITS ((__global ulong *)(scratch + args.splits_at))

ALWAYS_INLINE tile_part part_of_tile(__local INDEX *ends, array from, tile_place t, INDEX n, INDEX run, bool is_split,
                                     const __global ulong *splits, bool *fits)
{
    const run_pair p = pair_at(t.begin, run, n);
    const INDEX rank = t.begin - p.begin;
    const uint valid = (uint)min((INDEX)TILE, n - t.begin);
    for (uint end = SEARCHER; end < 2 && !is_split; end += SEARCHERS) {
        const INDEX split = split_at(from, p, rank + (end == 0 ? 0 : valid));
        if (LANE == 0)
            ends[end] = split;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* both are found */
    const INDEX tile = t.begin / TILE;
    const bool is_last = rank + valid == p.first + p.second;
    const INDEX from_split = is_split ? (INDEX)splits[tile] : ends[0];
    const INDEX to_split = !is_split ? ends[1] : is_last ? p.first : (INDEX)splits[tile + 1];
    *fits = to_split >= from_split && to_split - from_split <= valid;
    const uint first = (uint)(to_split - from_split);
    return (tile_part){p.begin + from_split, p.begin + p.first + (rank - from_split), first, valid - first};
}

#if WITH_SPLITS
/* Compute splits[tile] for all tiles of a pass, with a work-item for each. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_split(ARGS_OF(COMPARISON_SORT_LOOK))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    const ulong tile = get_global_id(0);
    if (tile >= (n + TILE - 1) / TILE)
        return;
    const array from = ARRAY_OF(in);
    const run_pair p = pair_at((INDEX)(tile * TILE), (INDEX)args.run, (INDEX)n);
    const INDEX rank = (INDEX)(tile * TILE) - p.begin;
    INDEX low = rank > p.second ? rank - p.second : 0;
    INDEX high = min(rank, p.first);
    while (low < high) {
        const INDEX tried = low + (high - low) / 2;
        if (is_taken(from, p, rank, tried))
            low = tried + 1;
        else
            high = tried;
    }
    SPLITS[tile] = low;
}
#endif

#if CUSTOM
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_mend(ARGS_OF(COMPARISON_SORT_MOVE))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    if (STATE_BEFORE != PASS_DAMAGED)
        return;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        store(ARRAY_OF(out), (INDEX)i, load(ARRAY_OF(in), (INDEX)i));
}
#endif
