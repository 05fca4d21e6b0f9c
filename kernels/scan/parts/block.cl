// SPDX-License-Identifier: MIT
/* block.cl: a work-group scans a block of values in local memory, by an up-sweep and a down-sweep of a tree.
 *
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK a power of two.
 * Source: Blelloch 1990, Prefix Sums and Their Applications. */
#include "common/kernel.h"
#include "scan/parts/elements.cl"

#if BLOCK & (BLOCK - 1)
#error "BLOCK must be a power of two"
#endif

/* Replace `data` by its exclusive prefixes. Returns the fold of all values to every work-item. */
ALWAYS_INLINE VALUE scan_block(__local VALUE *data)
{
    for (uint distance = 1; distance < BLOCK; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the loads, or for the level below */
        for (uint p = (uint)get_local_id(0); p < BLOCK / 2 / distance; p += GROUP_SIZE) {
            const uint right = distance * (2 * p + 2) - 1;
            data[right] = COMBINE(data[distance * (2 * p + 1) - 1], data[right]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the root */
    const VALUE sum = data[BLOCK - 1];
    for (uint distance = BLOCK / 2; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the level above; before the first level, all have read the root */
        for (uint p = (uint)get_local_id(0); p < BLOCK / 2 / distance; p += GROUP_SIZE) {
            const uint left = distance * (2 * p + 1) - 1;
            const uint right = distance * (2 * p + 2) - 1;
            const VALUE before = distance == BLOCK / 2 ? IDENTITY : data[right];
            const VALUE x = data[left];
            data[left] = before;
            data[right] = COMBINE(before, x);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all prefixes */
    return sum;
}
