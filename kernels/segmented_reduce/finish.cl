/* segmented_reduce_finish: the second launch, of one work-group. It computes the results of segments that have elements
 * in several groups, from the records that these groups have left.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "common/long_sum.cl"
#include "segmented_reduce/args.h"
#include "segmented_reduce/parts/segments.cl"
#include "segmented_reduce/parts/carry.cl"

__kernel GROUP_OF(GROUP_SIZE) void segmented_reduce_finish(ARGS_OF(SEGMENTED_REDUCE_JOIN))
{
    const segmented_reduce_args args = ARGS(SEGMENTED_REDUCE_NUMBERS);
    __local clprim__carry_memory places;
    SEGMENTS_HERE
    const __global group_record *records = (const __global group_record *)memory;
    const uint groups = args.groups;
    long_sum sum = long_begin(IDENTITY);
    for (uint begin = 0; begin < groups; begin += GROUP_SIZE) {
        const uint g = begin + (uint)get_local_id(0);
        carried mine = carried_nothing();
        if (g < groups) {
            mine.x = records[g].carry;
            mine.ended = records[g].ended;
        }
        carried total;
        const carried earlier = {long_value(sum), 0};
        const carried before = carried_then(earlier, clprim__carry_exclusive(mine, &total, &places));
        if (g < groups && records[g].segment != NO_SEGMENT)
            all.out[records[g].segment] = segment_output(&all, records[g].segment, COMBINE(before.x, records[g].first));
        sum = long_then(sum, total.x);
        if (total.ended)
            sum = long_begin(total.x);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `places` */
    }
}
