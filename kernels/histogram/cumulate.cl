// SPDX-License-Identifier: MIT
/* histogram_cumulate: each counter becomes the sum of its channel's counters up to and including itself. There is one
 * group per channel.
 * Parameters: the prelude, with COUNTER, the type of the output; GROUP_SIZE. */
#include "histogram/args.h"
#include "histogram/parts/running_sums.cl"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"

#ifndef COUNTER
#error "COUNTER must be given"
#endif
CLPRIM_WORK_GROUP_SCAN(clprim__running, COUNTER, a + b, 0, GROUP_SIZE)

__kernel GROUP_OF(GROUP_SIZE) void histogram_cumulate(ARGS_OF(HISTOGRAM_CUMULATE))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    __local clprim__running_memory memory;
    __global COUNTER *counters = out + args.out_offset + get_group_id(0) * (ulong)BINS;
    RUNNING_SUMS(COUNTER, counters, memory)
}
