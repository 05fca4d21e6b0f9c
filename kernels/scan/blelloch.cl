/* scan_blelloch: the tree in local memory, two values a work-item. What is wrong with it: on level d the work-items
 * access places 2^(d + 1) apart, so that ever more of them want the same bank of local memory.
 * Source: Blelloch 1990; Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK 2 * GROUP_SIZE; BANKS 0. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/block.cl"
#include "scan/parts/blocks.cl"

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_blelloch(BUFFERS_OF(SCAN_READ) const scan_args args)
{
    __local VALUE data[BLOCK_PLACES];
    SEGMENTS_HERE
    scan_blocks(in + args.in_offset, work, args, data, segments);
}
