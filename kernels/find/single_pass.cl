/* find_single_pass: one launch. A fixed number of groups shares the input; one of them collects what all have found. */
#include "find/parts/condition.cl"
#include "common/device_scope.cl"
#include "common/collect.cl"
#include "common/group_reduce.cl"
#include "find/parts/walk.cl"

FIND_KERNEL void find_single_pass(const __global ELEMENT *in, ulong in_offset, ulong n, __global RESULT *out,
                                  ulong out_offset, __global ulong *state, uint epoch)
{
    __local VALUE data[GROUP_REDUCE_VALUES];
    __local uint is_last;
    n = CALL_COUNT_0(n);
    const uint lid = (uint)get_local_id(0);
    const uint groups = (uint)get_num_groups(0);
    VALUE least = group_reduce(first_place(in + in_offset, n, HINT_OF(state)), data);
    if (groups > 1) {
        if (lid == 0 && least != NOWHERE)
            device_fence(); /* what the group has told, before what it publishes */
        if (!collect_publish(state, epoch, least, &is_last))
            return;
        if (lid != 0)
            least = NOWHERE; /* the group's own value is in work-item 0 */
        for (uint g = lid; g < groups; g += GROUP_SIZE)
            if (g != get_group_id(0))
                least = min(least, collect_value(state, epoch, g));
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with `data` */
        least = group_reduce(least, data);
        if (lid == 0 && least != NOWHERE) {
            device_fence();                          /* what the groups have told */
            (void)atomic_xchg(HINT_OF(state), 0u); /* for the next launch */
        }
    }
    if (lid == 0)
        out[out_offset] = result_of(least, n);
}
