/* reduce_tree: as reduce_master, but the group folds its values in a tree of log2(GROUP_SIZE) steps.
 * Parameters: the operator's prelude; GROUP_SIZE power of two; ITEMS elements a work-item. */
#include "common/group_reduce.cl"
#include "reduce/parts/passes.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_tree(const __global uchar *in, ulong in_offset, ulong n, __global uchar *out, ulong out_offset, uint pass)
{
    __local VALUE data[GROUP_REDUCE_VALUES];
    n = pass_count(n, pass);
    const ulong stride = get_global_size(0);

    VALUE x = IDENTITY;
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = get_global_id(0) + k * stride;
        if (i < n)
            x = COMBINE(x, pass_load(in, in_offset, i, pass));
    }
    x = group_reduce(x, data);
    if (get_local_id(0) == 0)
        pass_store(out, out_offset, get_group_id(0), x, n, pass);
}
