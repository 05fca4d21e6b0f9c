/* bitonic_sort_local_merge: all steps of one stage whose distance is at most GROUP_SIZE, in one launch (lecture,
 * bitonic sort in local memory, last form). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
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
    const bool down = descends(base, (INDEX)args.block, (INDEX)n); /* of the whole tile: no block is smaller */
    for (uint i = own; i < valid; i += GROUP_SIZE)
        local_store(tile, i, load(ARRAY_OF(out), base + i));
    for (uint distance = GROUP_SIZE; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there, or what the step before has made of it */
        const uint place = (uint)place_of_pair(own, distance);
        const uint partner = place + distance;
        if (partner < valid)
            local_exchange(tile, place, partner, down);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the stage is complete */
    for (uint i = own; i < valid; i += GROUP_SIZE)
        store(ARRAY_OF(out), base + i, local_load(tile, i));
}
