// SPDX-License-Identifier: MIT
/* reduce_strided: step 2 of the ladder. The pairs are the same as in step 1, but the first work-items of the group fold
 * them, so that whole sub-groups are busy or idle. What is wrong with it: at distance s, work-items access data[2 s
 * tid], and from s = 1 on, more and more of them use the same bank of local memory.
 * Why: whole sub-groups become idle instead of single lanes, but the words of neighbours lie in fewer and fewer banks,
 * which on some devices costs more than it saves.
 * Parameters: the operator's prelude; GROUP_SIZE power of two. Keeps the order of the elements. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_strided(ARGS_OF(REDUCE_PASS))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local VALUE data[GROUP_SIZE];
    const ulong n = pass_count(args);
    const uint tid = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    data[tid] = i < n ? pass_load(in, i, args) : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < GROUP_SIZE; s *= 2) {
        const uint left = 2 * s * tid;
        if (left < GROUP_SIZE)
            data[left] = COMBINE(data[left], data[left + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    if (tid == 0)
        pass_store(out, get_group_id(0), data[0], n, args);
}
