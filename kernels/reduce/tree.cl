// SPDX-License-Identifier: MIT
/* reduce_tree: like reduce_master, but the group folds its values in a tree of log2(GROUP_SIZE) steps.
 * Why: the group's fold takes log2(GROUP_SIZE) steps instead of GROUP_SIZE, which hardly shows, because it comes once
 * for many elements.
 * Parameters: the operator's prelude; GROUP_SIZE power of two; ITEMS elements per work-item. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif
#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_tree(ARGS_OF(REDUCE_PASS))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local VALUE data[GROUP_SIZE];
    const ulong n = pass_count(args);
    const uint tid = (uint)get_local_id(0);
    const ulong stride = get_global_size(0);

    VALUE x = IDENTITY;
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = get_global_id(0) + k * stride;
        if (i < n)
            x = COMBINE(x, pass_load(in, i, args));
    }
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
