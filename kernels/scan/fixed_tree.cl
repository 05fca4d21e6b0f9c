// SPDX-License-Identifier: MIT
/* scan_fixed_tree: like scan_blelloch, but blocks have the same size on every device, however many work-items share
 * one. The shape of the computation depends only on n, so float results have the same bits everywhere. Contraction is
 * disabled (FP_CONTRACT is off in the prelude).
 * Why: it makes the passes of blelloch, with blocks of one size, which give the same bits on every device.
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK 512. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/block.cl"
#include "scan/parts/blocks.cl"

#if BLOCK != 512
#error "BLOCK must be 512"
#endif

__kernel GROUP_OF(GROUP_SIZE) void scan_fixed_tree(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local VALUE data[BLOCK];
    SEGMENTS_HERE
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE)
        data[k] = block_load(in, work, k, args, segments);
    const VALUE sum = scan_block(data);
    for (uint k = (uint)get_local_id(0); k < BLOCK; k += GROUP_SIZE)
        block_store(work, k, data[k], args);
    if (get_local_id(0) == 0)
        block_store_sum(work, sum, args);
}
