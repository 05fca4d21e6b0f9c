// SPDX-License-Identifier: MIT
/* bitonic_sort_local_block: all stages whose blocks fit a group's tile, with two elements per work-item, in one launch.
 * The tile is read once, sorted in local memory, and written once. The steps of later stages are launches of
 * bitonic_sort_best (best.cl) and, at distances within a tile, of bitonic_sort_local_step (local_step.cl). What is
 * wrong with it: most steps are those of later stages.
 * Why: all stages within a tile are one launch, but most steps are those of the later stages.
 * Source: lecture, bitonic sort in local memory, second form. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/parts/local_tile.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/local_step.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_local_block(ARGS_OF(BITONIC_SORT_MOVE))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, 2 * GROUP_SIZE);
    const ulong n = args.n;
    const INDEX base = (INDEX)get_group_id(0) * (2 * GROUP_SIZE);
    const uint valid = (uint)min((ulong)(2 * GROUP_SIZE), n - base);
    const uint own = (uint)get_local_id(0);
    load_tile(tile, ARRAY_OF(in), base, valid);
    for (uint block = 2; block <= 2 * GROUP_SIZE; block *= 2)
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded, or the previous step is complete */
            const uint place = (uint)place_of_pair(own, distance);
            const uint partner = place + distance;
            if (partner < valid)
                local_compare_exchange(tile, place, partner, descends(base + place, block, (INDEX)n));
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is sorted */
    store_tile(tile, ARRAY_OF(out), base, valid);
}
