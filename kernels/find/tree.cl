/* find_tree: a fixed number of groups shares the input; a second launch brings together what they have found. */
#include "find/parts/condition.cl"
#include "common/group_reduce.cl"
#include "find/parts/walk.cl"
#include "find/parts/finish.cl"

FIND_KERNEL void find_tree(const __global ELEMENT *in, ulong in_offset, ulong n, __global ulong *state,
                           __global RESULT *out, ulong out_offset)
{
    __local VALUE data[GROUP_REDUCE_VALUES];
    n = CALL_COUNT_0(n);
    const VALUE least = group_reduce(first_place(in + in_offset, n, HINT_OF(state)), data);
    if (get_local_id(0) == 0)
        finish_or_hand_on(least, n, state, out, out_offset);
}
