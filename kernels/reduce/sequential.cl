// SPDX-License-Identifier: MIT
/* reduce_sequential: step 3 of the ladder. The distance starts at half the group and is halved. Active work-items are
 * adjacent, and so are the words that they access, without bank conflicts. What is wrong with it: half of the
 * work-items do nothing but load.
 * Why: neighbours use neighbouring words, so no two lanes of a sub-group wait for the same bank.
 * Parameters: the operator's prelude; GROUP_SIZE power of two. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_sequential(ARGS_OF(REDUCE_PASS))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local VALUE data[GROUP_SIZE];
    const ulong n = pass_count(args);
    const uint tid = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    data[tid] = i < n ? pass_load(in, i, args) : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = GROUP_SIZE / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = COMBINE(data[tid], data[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    if (tid == 0)
        pass_store(out, get_group_id(0), data[0], n, args);
}
