/* bitonic_sort_local_block: all stages that fit a work-group, in one launch: tiles of two elements a work-item are
 * sorted in local memory (lecture, bitonic sort in local memory, second form). */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
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
    for (uint i = own; i < valid; i += GROUP_SIZE)
        local_store(tile, i, load(ARRAY_OF(in), base + i));
    for (uint block = 2; block <= 2 * GROUP_SIZE; block *= 2)
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the tile is there, or what the step before has made of it */
            const uint place = (uint)place_of_pair(own, distance);
            const uint partner = place + distance;
            if (partner < valid)
                local_exchange(tile, place, partner, descends(base + place, block, (INDEX)n));
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is sorted */
    for (uint i = own; i < valid; i += GROUP_SIZE)
        store(ARRAY_OF(out), base + i, local_load(tile, i));
}
