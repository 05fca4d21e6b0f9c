/* find_finish: the first place of all that the groups of the launch before have found, by one group; if there was one
 * group alone, it writes the output itself (finish_or_hand_on).
 * Parameters: COLLECT_HEADER, the words of state before those of groups; GROUP_SIZE power of two. */
#include "find/args.h"
#include "find/parts/condition.cl"

#ifndef COLLECT_HEADER
#error "COLLECT_HEADER must be given"
#endif

static inline void finish_or_hand_on(VALUE least, ulong n, __global ulong *state, __global RESULT *out)
{
    if (get_num_groups(0) > 1)
        state[COLLECT_HEADER + get_group_id(0)] = least;
    else
        *out = result_of(least, n);
}

__kernel GROUP_OF(GROUP_SIZE) void find_finish(ARGS_OF(FIND_FINISH))
{
    const find_args args = ARGS(FIND_NUMBERS);
    __local VALUE shared[GROUP_SIZE];
    const ulong n = CALL_COUNT_0(args.n);
    const uint lid = (uint)get_local_id(0);
    VALUE least = NOWHERE;
    for (uint g = lid; g < args.groups; g += GROUP_SIZE)
        least = min(least, state[COLLECT_HEADER + g]);
    shared[lid] = least;
    for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* what the step before has left */
        if (lid < half_size)
            shared[lid] = min(shared[lid], shared[lid + half_size]);
    }
    if (lid == 0) {
        out[args.out_offset] = result_of(shared[0], n);
        *HINT_OF(state) = 0; /* for the next launch */
    }
}
