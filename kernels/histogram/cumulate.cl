/* histogram_cumulate: each counter becomes the sum of those of its channel up to it. A group has a channel.
 * Parameters: the prelude, with COUNTER, the type of what is written; GROUP_SIZE. */
#include "histogram/args.h"
#include "histogram/parts/running_sums.cl"

#ifndef COUNTER
#error "COUNTER must be given"
#endif
DECLARE_RUNNING_SUMS(__global, COUNTER)

__kernel GROUP_OF(GROUP_SIZE) void histogram_cumulate(ARGS_OF(HISTOGRAM_CUMULATE))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    __local COUNTER sums[GROUP_SIZE];
    running_sums(out + args.out_offset + get_group_id(0) * (ulong)BINS, BINS, sums);
}
