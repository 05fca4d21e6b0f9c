// SPDX-License-Identifier: MIT
/* scan_blelloch_padded: like scan_blelloch, but one place is left out after every BANKS places. This spreads the nodes
 * of each level over the banks.
 * Why: no two lanes want the same bank, but barriers and passes over global memory take longer than the conflicts did
 * and hide them, so the gain need not show (in reduce it does, from strided to sequential).
 * Source: Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE a power of two; BLOCK 2 * GROUP_SIZE; BANKS. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/blocks.cl"

#ifndef BANKS
#error "BANKS must be given"
#endif
#define PLACE(i) ((i) + (i) / BANKS)

__kernel GROUP_OF(GROUP_SIZE) void scan_blelloch_padded(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local VALUE data[PLACE(BLOCK - 1) + 1];
    SEGMENTS_HERE
    const uint tid = (uint)get_local_id(0);
    data[PLACE(tid)] = block_load(in, work, tid, args, segments);
    data[PLACE(tid + GROUP_SIZE)] = block_load(in, work, tid + GROUP_SIZE, args, segments);

    for (uint distance = 1; distance < BLOCK; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the loads, or for the level below */
        const uint left = distance * (2 * tid + 1) - 1;
        const uint right = left + distance;
        if (tid < BLOCK / 2 / distance)
            data[PLACE(right)] = COMBINE(data[PLACE(left)], data[PLACE(right)]);
    }
    if (tid == 0) { /* it has written the root itself */
        block_store_sum(work, data[PLACE(BLOCK - 1)], args);
        data[PLACE(BLOCK - 1)] = IDENTITY;
    }
    for (uint distance = BLOCK / 2; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the level above */
        const uint left = distance * (2 * tid + 1) - 1;
        const uint right = left + distance;
        if (tid < BLOCK / 2 / distance) {
            const VALUE before = data[PLACE(right)];
            data[PLACE(right)] = COMBINE(before, data[PLACE(left)]);
            data[PLACE(left)] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all prefixes */
    block_store(work, tid, data[PLACE(tid)], args);
    block_store(work, tid + GROUP_SIZE, data[PLACE(tid + GROUP_SIZE)], args);
}
