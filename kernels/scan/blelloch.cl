/* scan_blelloch: each group scans a block of two values a work-item in local memory, by a tree: on the way up each
 * pair's right node gets the fold of both; on the way down each left node gets what is before the pair, and the right
 * one that and what the left one had.
 * What is wrong with it: on the level of distance d, work-items access places 2 d apart, so that ever more of them want
 * the same bank of local memory.
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
        barrier(CLK_LOCAL_MEM_FENCE); /* the level below, or what was loaded, is there */
        const uint left = distance * (2 * tid + 1) - 1;
        if (tid < BLOCK / 2 / distance)
            data[left + distance] = COMBINE(data[left], data[left + distance]);
    }
    if (tid == 0) { /* which has written the root */
        block_store_sum(work, data[BLOCK - 1], args);
        data[BLOCK - 1] = IDENTITY;
    }
    for (uint distance = BLOCK / 2; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the level above is there */
        const uint left = distance * (2 * tid + 1) - 1;
        if (tid < BLOCK / 2 / distance) {
            const VALUE before = data[left + distance];
            data[left + distance] = COMBINE(before, data[left]);
            data[left] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all prefixes are there */
    block_store(work, tid, data[tid], args);
    block_store(work, tid + GROUP_SIZE, data[tid + GROUP_SIZE], args);
}
