// SPDX-License-Identifier: MIT
/* bitonic_sort_shared_pairs: sort an array that fits the local memory of one work-group, keys with their values, in one
 * launch. It is bitonic_sort_local_block (local_block.cl) with a single tile and several pairs per work-item.
 * Why: an array that fits local memory is sorted in one launch, by one group, while the rest of the device is idle.
 * Source: lecture, sort of keys and values in shared memory. The last merge, which has its own loop there, is here one
 * that does not descend.
 * Parameters: CAPACITY, a power of two: the largest n. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/parts/local_tile.cl"
#include "bitonic_sort/args.h"

#if !defined(CAPACITY) || (CAPACITY & (CAPACITY - 1)) != 0
#error "CAPACITY must be given, a power of two"
#endif

#define PAIRS (CAPACITY / 2 / GROUP_SIZE) /* per work-item */

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_shared_pairs(ARGS_OF(BITONIC_SORT_MOVE))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    LOCAL_ARRAY(all, CAPACITY);
    const uint valid = (uint)args.n;
    const uint own = (uint)get_local_id(0);
    load_tile(all, ARRAY_OF(in), 0, valid);
    for (uint block = 2; block <= CAPACITY; block *= 2)
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the array is loaded, or the previous step is complete */
            for (uint k = 0; k < PAIRS; k++) {
                const uint place = (uint)place_of_pair(own + k * GROUP_SIZE, distance);
                const uint partner = place + distance;
                if (partner < valid)
                    local_compare_exchange(all, place, partner, descends(place, block, valid));
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* the array is sorted */
    store_tile(all, ARRAY_OF(out), 0, valid);
}
