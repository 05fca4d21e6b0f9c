// SPDX-License-Identifier: MIT
/* find_finish: one group finds the first of all places that the groups of the previous launch have found. If that
 * launch had a single group, it wrote the output itself (finish_or_hand_on).
 * Parameters: COLLECT_HEADER, the words of state before those of groups; GROUP_SIZE. */
#include "find/args.h"
#include "find/parts/condition.cl"
#include "common/group_reduce.cl"

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
    __local clprim__group_memory shared;
    const ulong n = CALL_COUNT_0(args.n);
    const uint lid = (uint)get_local_id(0);
    VALUE least = NOWHERE;
    for (uint g = lid; g < args.groups; g += GROUP_SIZE)
        least = min(least, state[COLLECT_HEADER + g]);
    least = clprim__group_reduce_to_first(least, &shared);
    if (lid == 0) {
        out[args.out_offset] = result_of(least, n);
        *HINT_OF(state) = 0; /* for the next launch of find_cpu_chunk */
    }
}
