// SPDX-License-Identifier: MIT
/* select_count, select_move: two launches. Each group has a chunk of consecutive tiles, and counts the elements that it
 * keeps. Then it knows from the counts of all groups where its own elements go; with PARTITION, where those of all
 * parts go. No group waits for another.
 * Parameters: the prelude; GROUP_SIZE; ITEMS packets per work-item. `counts` has a ulong for each group and counted
 * part. */
#include "select/args.h"
#include "select/parts/keep.cl"
#include "select/parts/places.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "select/parts/tile.cl"
#include "select/parts/part_counts.cl"

__kernel GROUP_OF(GROUP_SIZE) void select_count(ARGS_OF(SELECT_COUNT))
{
    const select_args args = ARGS(SELECT_NUMBERS);
    __local clprim__counts_memory sums;
    uint tile;
    uint end;
    const ulong n = CALL_COUNT_0(args.n);
    own_tiles(&tile, &end, in + args.in_offset, n);
    part_counts count = {0, 0}; /* of the work-item: the group adds them up once, not for each tile */
    for (; tile < end; tile++) {
        packet_words x[ITEMS];
        uint kept[KEPT_WORDS];
        VALUE totals[ITEMS];
        const tile_range t = tile_range_of(in + args.in_offset, n, tile);
        tile_load(x, t, in + args.in_offset, n);
        tile_keep(kept, totals, x, t, in + args.in_offset, n, FLAGS);
        VALUE total = totals[0];
#pragma unroll
        for (uint j = 1; j < ITEMS; j++)
            total += totals[j];
        counts_add(&count, total);
    }
    count = counts_of_group(count, &sums);
    if (get_local_id(0) == 0)
        store_counts(words, count);
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void select_move(ARGS_OF(SELECT_MOVE))
{
    const select_args args = ARGS(SELECT_NUMBERS);
    PARTS_HERE
    __local clprim__tile_memory shared;
    __local clprim__counts_memory sums;
    __local OUTPUT staged[TILE];
    LOCAL_PLACES
    const uint lid = (uint)get_local_id(0);
    part_counts at;
    part_counts all;
    const ulong n = CALL_COUNT_0(args.n);
    sum_parts(&at, &all, words, &sums);
    if (lid == 0 && get_group_id(0) == 0)
        store_numbers(parts, all, n);
    uint tile;
    uint end;
    own_tiles(&tile, &end, in + args.in_offset, n);
    part_places to = places_of(parts, all, n);
    places_advance(&to, at, (ulong)max(tile_range_of(in + args.in_offset, n, tile).first, 0l));
    for (; tile < end; tile++) {
        packet_words x[ITEMS];
        uint kept[KEPT_WORDS];
        VALUE totals[ITEMS];
        VALUE before;
        const tile_range t = tile_range_of(in + args.in_offset, n, tile);
        tile_load(x, t, in + args.in_offset, n);
        tile_keep(kept, totals, x, t, in + args.in_offset, n, FLAGS);
        const VALUE total = clprim__tile_fold(totals, &before, &shared);
        clprim__tile_prefixes(totals, before, &shared);
        tile_compact(staged, x, t, kept, totals, total, n PLACES_ARGUMENT);
        barrier(CLK_LOCAL_MEM_FENCE); /* the elements are staged, and all work-items are done with `shared` */
        tile_store(to, staged, t, total, n);
#if PAYLOAD_SIZE
        tile_store_payloads(at.first, places, t, total, PAYLOADS);
        counts_add(&at, total);
#endif
        places_advance(&to, (part_counts){FIRSTS(total), SECONDS(total)}, tile_elements(t, n));
        barrier(CLK_LOCAL_MEM_FENCE); /* the next tile may be staged */
    }
}
