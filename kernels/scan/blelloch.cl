// SPDX-License-Identifier: MIT
/* scan_blelloch: each group scans a block in local memory by a tree, with two values per work-item. On the way up, each
 * pair's right node becomes the fold of both. On the way down, each left node becomes the fold of everything before the
 * pair, and the right node the fold of that and of the left node's old value.
 * What is wrong with it: on the level with distance d, work-items access places 2 d apart. The larger d is, the more of
 * them access the same bank of local memory.
 * Why: the tree is in local memory, so there are three passes over global memory instead of one for each level.
 * Source: Blelloch 1990; Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE a power of two; BLOCK 2 * GROUP_SIZE. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/blocks.cl"

__kernel GROUP_OF(GROUP_SIZE) void scan_blelloch(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local VALUE data[BLOCK];
    SEGMENTS_HERE
    const uint tid = (uint)get_local_id(0);
    data[tid] = block_load(in, work, tid, args, segments);
    data[tid + GROUP_SIZE] = block_load(in, work, tid + GROUP_SIZE, args, segments);

    for (uint distance = 1; distance < BLOCK; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the loads, or for the level below */
        const uint left = distance * (2 * tid + 1) - 1;
        if (tid < BLOCK / 2 / distance)
            data[left + distance] = COMBINE(data[left], data[left + distance]);
    }
    if (tid == 0) { /* it has written the root itself */
        block_store_sum(work, data[BLOCK - 1], args);
        data[BLOCK - 1] = IDENTITY;
    }
    for (uint distance = BLOCK / 2; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* wait for the level above */
        const uint left = distance * (2 * tid + 1) - 1;
        if (tid < BLOCK / 2 / distance) {
            const VALUE before = data[left + distance];
            data[left + distance] = COMBINE(before, data[left]);
            data[left] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all prefixes */
    block_store(work, tid, data[tid], args);
    block_store(work, tid + GROUP_SIZE, data[tid + GROUP_SIZE], args);
}
