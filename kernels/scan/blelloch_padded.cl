/* scan_blelloch_padded: as scan_blelloch, but after every BANKS places one is left out, which spreads the nodes
 * of each level over the banks.
 * Source: Harris, Sengupta and Owens 2007, GPU Gems 3, chapter 39.
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK 2 * GROUP_SIZE; BANKS. */
#include "scan/parts/elements.cl"
#include "scan/parts/block.cl"
#include "scan/parts/blocks.cl"

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_blelloch_padded(const __global ELEMENT *in, ulong in_offset, ulong n, __global VALUE *work, ulong own, ulong sums,
                     uint flags HEADS_PARAMETERS)
{
    __local VALUE data[BLOCK_PLACES];
    scan_blocks(in, in_offset, n, work, own, sums, flags, data HEADS_ARGUMENTS);
}
