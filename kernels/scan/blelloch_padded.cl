/* scan_blelloch_padded: as scan_blelloch, but after every BANKS places one is left out, which spreads the nodes
 * of each level over the banks.
 * Source: Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK 2 * GROUP_SIZE; BANKS. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/block.cl"
#include "scan/parts/blocks.cl"

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_blelloch_padded(BUFFERS_OF(SCAN_READ) const scan_args args)
{
    __local VALUE data[BLOCK_PLACES];
    SEGMENTS_HERE
    scan_blocks(in + args.in_offset, work, args, data, segments);
}
