/* scan_fixed_tree: as scan_blelloch, but with blocks of one size on every device, however many work-items share one: the
 * shape of the computation depends on n alone, so that float results are the same bits everywhere. No contraction is
 * allowed (FP_CONTRACT is off in the prelude).
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK 512; BANKS 0. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/block.cl"
#include "scan/parts/blocks.cl"

#if BLOCK != 512
#error "BLOCK must be 512"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_fixed_tree(BUFFERS_OF(SCAN_READ) const scan_args args)
{
    __local VALUE data[BLOCK_PLACES];
    SEGMENTS_HERE
    scan_blocks(in + args.in_offset, work, args, data, segments);
}
