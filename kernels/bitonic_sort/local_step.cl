// SPDX-License-Identifier: MIT
/* bitonic_sort_local_step: one step of one stage in local memory. A group has a tile with two elements per work-item.
 * It contains both elements of each pair, because the distance is at most GROUP_SIZE. Steps at longer distances are
 * launches of bitonic_sort_best (best.cl). What is wrong with it: it reads and writes as much global memory as without
 * local memory, and in addition waits at barriers.
 * Why: a single step in local memory still passes over all of global memory, and barriers come on top.
 * Source: lecture, bitonic sort in local memory, first form. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/parts/local_tile.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/best.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_local_step(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, 2 * GROUP_SIZE);
    const ulong n = args.n;
    const INDEX base = (INDEX)get_group_id(0) * (2 * GROUP_SIZE);
    const uint valid = (uint)min((ulong)(2 * GROUP_SIZE), n - base);
    const uint own = (uint)get_local_id(0);
    load_tile(tile, ARRAY_OF(out), base, valid);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded */
    const uint place = (uint)place_of_pair(own, (INDEX)args.distance);
    const uint partner = place + (uint)args.distance;
    if (partner < valid)
        local_compare_exchange(tile, place, partner, descends(base + place, (INDEX)args.block, (INDEX)n));
    barrier(CLK_LOCAL_MEM_FENCE); /* all have exchanged */
    store_tile(tile, ARRAY_OF(out), base, valid);
}
