/* reduce_first_add: step 4 of the ladder. Each work-item folds two elements while loading, so that half as many groups
 * do the same work and nobody is idle in the first step.
 * What is wrong with it: the last steps, with one sub-group at work, still synchronise the whole group.
 * Parameters: the operator's prelude; GROUP_SIZE power of two. */
#include "reduce/parts/passes.cl"

#if GROUP_SIZE & (GROUP_SIZE - 1)
#error "GROUP_SIZE must be a power of two"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_first_add(const __global uchar *in, ulong in_offset, ulong n, __global uchar *out, ulong out_offset, uint pass)
{
    __local VALUE data[GROUP_SIZE];
    n = pass_count(n, pass);
    const uint tid = (uint)get_local_id(0);
    const ulong i = 2 * GROUP_SIZE * get_group_id(0) + tid;
    VALUE x = i < n ? pass_load(in, in_offset, i, pass) : IDENTITY;
    if (i + GROUP_SIZE < n)
        x = COMBINE(x, pass_load(in, in_offset, i + GROUP_SIZE, pass));
    data[tid] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = GROUP_SIZE / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = COMBINE(data[tid], data[tid + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    if (tid == 0)
        pass_store(out, out_offset, get_group_id(0), data[0], n, pass);
}
