// SPDX-License-Identifier: MIT
/* bitonic_sort_local_merge: all steps of one stage whose distance is at most GROUP_SIZE, in one launch; they stay
 * within the group's tile. The first launch is bitonic_sort_local_block (local_block.cl). Each later stage consists of
 * launches of bitonic_sort_best (best.cl) for its long distances, and one launch of this kernel. What is wrong with it:
 * each step reads and writes local memory, and each step at a long distance reads and writes global memory.
 * Why: all short distances of a later stage are one launch, which leaves out most passes over global memory.
 * Source: lecture, bitonic sort in local memory, last form. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/parts/local_tile.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/local_block.cl"

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_local_merge(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(tile, 2 * GROUP_SIZE);
    const ulong n = args.n;
    const INDEX base = (INDEX)get_group_id(0) * (2 * GROUP_SIZE);
    const uint valid = (uint)min((ulong)(2 * GROUP_SIZE), n - base);
    const uint own = (uint)get_local_id(0);
    const bool down = descends(base, (INDEX)args.block, (INDEX)n); /* for the whole tile, because no block is smaller */
    load_tile(tile, ARRAY_OF(out), base, valid);
    for (uint distance = GROUP_SIZE; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is loaded, or the previous step is complete */
        const uint place = (uint)place_of_pair(own, distance);
        const uint partner = place + distance;
        if (partner < valid)
            local_compare_exchange(tile, place, partner, down);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage is complete */
    store_tile(tile, ARRAY_OF(out), base, valid);
}
