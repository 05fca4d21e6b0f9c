// SPDX-License-Identifier: MIT
/* reduce_unrolled: step 5 of the ladder. Once the partners are in the same sub-group, that sub-group continues alone,
 * unrolled and without barriers of the whole group. The lecture's form relies on 32 work-items in lockstep. Here the
 * width is the device's own, and each step is split into read, synchronise, write: as in the lecture, lanes above s
 * compute values that are not used, and they must not read after other lanes have overwritten these values. With
 * sub-groups of one work-item, there is nothing left to unroll.
 * Why: the last steps wait for lanes of one sub-group, not for the whole group at a barrier.
 * Parameters: the operator's prelude; GROUP_SIZE power of two. */
#include "common/subgroup.cl"
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel GROUP_OF(GROUP_SIZE) void reduce_unrolled(ARGS_OF(REDUCE_PASS))
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
    uint s = GROUP_SIZE / 2;
    for (; s > 0 && s >= clprim_sub_group_size(); s /= 2) {
        if (tid < s)
            data[tid] = COMBINE(data[tid], data[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    if (clprim_sub_group_index() == 0) {
        const uint lane = clprim_sub_group_lane();
#pragma unroll
        for (; s > 0; s /= 2) {
            const VALUE x = COMBINE(data[lane], data[min(lane + s, (uint)GROUP_SIZE - 1)]);
            clprim_sub_group_sync(); /* all have read ... */
            data[lane] = x;
            clprim_sub_group_sync(); /* ... before, and all have written before the next step reads */
        }
    }
    if (tid == 0)
        pass_store(out, get_group_id(0), data[0], n, args);
}
