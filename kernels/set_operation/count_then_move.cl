// SPDX-License-Identifier: MIT
/* set_count, set_move: two launches. Each group has a chunk of consecutive tiles of the balanced path, and counts the
 * elements that it keeps. Then it knows from the counts of all groups where its own elements go. No group waits for
 * another.
 *
 * Even if the arrays are not sorted, nothing is read or written out of bounds.
 * Source: Baxter 2013 (balanced path). `words` has a ulong for each group. */
#include "common/items.cl"
#include "set_operation/args.h"
#include "set_operation/parts/sets.cl"
#include "set_operation/parts/balanced.cl"
#include "common/tile_scan.cl"
#include "set_operation/parts/tile.cl"
#include "common/counts.cl"

/* The group's tiles: *tile to before *end. */
ALWAYS_INLINE void own_tiles(ulong *tile, ulong *end, ulong n)
{
    const ulong tiles = path_tiles(n);
    const ulong chunk = (tiles + get_num_groups(0) - 1) / get_num_groups(0);
    *tile = min(tiles, get_group_id(0) * chunk);
    *end = min(tiles, *tile + chunk);
}

/* Load tile `number`, after all work-items are done with the previous one. */
ALWAYS_INLINE set_tile bring_next(local_array tile, __local balanced *ends, array a, ulong a_count, array b,
                                  ulong b_count, ulong number)
{
    const ulong place = number * PATH_TILE;
    const ulong next = min(place + PATH_TILE, a_count + b_count);
    /* This has a barrier: all are done with the previous tile. */
    split_ends(ends, a, (INDEX)a_count, b, (INDEX)b_count, (INDEX)place, (INDEX)next, false);
    const set_tile t = tile_of(ends[0], ends[1], (INDEX)place);
    tile_bring(tile, t, a, b); /* this has a barrier: all have read the ends */
    return t;
}

__kernel GROUP_OF(GROUP_SIZE) void set_count(ARGS_OF(SET_BEFORE))
{
    const set_args args = ARGS(SET_NUMBERS);
    LOCAL_ARRAY(tile, TILE_PLACES);
    __local balanced ends[2];
    __local clprim__tile_memory shared;
    SET_COUNTS
    ulong number;
    ulong end;
    VALUE totals[1] = {0};
    VALUE before_own;
    own_tiles(&number, &end, a_count + b_count);
    for (; number < end; number++) {
        set_steps steps;
        const set_tile t = bring_next(tile, ends, ARRAY_OF(a), a_count, ARRAY_OF(b), b_count, number);
        totals[0] += tile_walk(&steps, tile, t);
    }
    const VALUE total = clprim__tile_fold(totals, &before_own, &shared);
    if (get_local_id(0) == 0)
        words[get_group_id(0)] = total;
}

__kernel GROUP_OF(GROUP_SIZE) void set_move(ARGS_OF(SET_WRITE))
{
    const set_args args = ARGS(SET_NUMBERS);
    LOCAL_ARRAY(tile, TILE_PLACES);
    __local ushort staged[PATH_TILE];
    __local balanced ends[2];
    __local clprim__tile_memory shared;
    __local clprim__counts_memory sums;
    SET_COUNTS
    const ulong most = most_kept(a_count, b_count);
    ulong at;
    ulong all;
    ulong number;
    ulong end;
    sum_counts(&at, &all, words, &sums);
    if (get_global_id(0) == 0)
        out_count[args.out_count_offset] = (COUNT_TYPE)min(all, most);
    own_tiles(&number, &end, a_count + b_count);
    for (; number < end; number++) {
        set_steps steps;
        VALUE totals[1];
        VALUE before_own;
        const set_tile t = bring_next(tile, ends, ARRAY_OF(a), a_count, ARRAY_OF(b), b_count, number);
        totals[0] = tile_walk(&steps, tile, t);
        const VALUE total = clprim__tile_fold(totals, &before_own, &shared);
        clprim__tile_prefixes(totals, before_own, &shared);
        tile_stage(staged, steps, (uint)totals[0]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the elements are staged, and all work-items are done with `shared` */
        tile_write(ARRAY_OF(out), SET_VALUES, at, most, (uint)total, staged, tile, t);
        at += total;
    }
}
