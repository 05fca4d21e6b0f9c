// SPDX-License-Identifier: MIT
/* reduce_first_add: step 4 of the ladder. Each work-item folds two elements while loading, so that half as many groups
 * do the same work, and no work-item is idle in the first step. What is wrong with it: the last steps, in which one
 * sub-group works, still synchronise the whole group.
 * Why: two loads are in flight per work-item, and half as many groups do the same work.
 * Parameters: the operator's prelude; GROUP_SIZE power of two. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_first_add(ARGS_OF(REDUCE_PASS))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local VALUE data[GROUP_SIZE];
    const ulong n = pass_count(args);
    const uint tid = (uint)get_local_id(0);
    const ulong i = 2 * GROUP_SIZE * get_group_id(0) + tid;
    VALUE x = i < n ? pass_load(in, i, args) : IDENTITY;
    if (i + GROUP_SIZE < n)
        x = COMBINE(x, pass_load(in, i + GROUP_SIZE, args));
    data[tid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = GROUP_SIZE / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = COMBINE(data[tid], data[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    if (tid == 0)
        pass_store(out, get_group_id(0), data[0], n, args);
}
