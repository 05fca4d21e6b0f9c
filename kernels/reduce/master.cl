// SPDX-License-Identifier: MIT
/* reduce_master: each work-item folds ITEMS elements whose distance is the size of the grid, so that neighbours read
 * neighbouring words. Then only the group's first work-item folds the values of its group. What is wrong with it:
 * GROUP_SIZE - 1 work-items wait for one.
 * Why: each work-item folds many elements in registers, so memory becomes the limit, and one work-item's fold of the
 * group is too rare to matter.
 * Parameters: the operator's prelude; GROUP_SIZE; ITEMS elements per work-item. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_master(ARGS_OF(REDUCE_PASS))
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
    if (tid == 0) {
        for (uint k = 1; k < GROUP_SIZE; k++)
            x = COMBINE(x, data[k]);
        pass_store(out, get_group_id(0), x, n, args);
    }
}
