// SPDX-License-Identifier: MIT
/* reduce_interleaved: step 1 of the ladder. Each work-item loads one element; neighbours are folded, then neighbours of
 * neighbours, at distances s = 1, 2, 4, ... What is wrong with it: only every 2s-th work-item works, so every sub-group
 * diverges until the very end.
 * Why: every sub-group stays busy until the end with fewer and fewer lanes, and a group folds no more elements than it
 * has work-items.
 * Parameters: the operator's prelude; GROUP_SIZE power of two. Keeps the order of the elements. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_interleaved(ARGS_OF(REDUCE_PASS))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local VALUE data[GROUP_SIZE];
    const ulong n = pass_count(args);
    const uint tid = (uint)get_local_id(0);
    const ulong i = get_global_id(0);
    data[tid] = i < n ? pass_load(in, i, args) : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < GROUP_SIZE; s *= 2) {
        if (tid % (2 * s) == 0)
            data[tid] = COMBINE(data[tid], data[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what its neighbours wrote in this one */
    }
    if (tid == 0)
        pass_store(out, get_group_id(0), data[0], n, args);
}
