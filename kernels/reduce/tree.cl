/* reduce_tree: as reduce_master, but the group folds its values in a tree of log2(GROUP_SIZE) steps.
 * Parameters: the operator's prelude; GROUP_SIZE power of two; ITEMS elements a work-item. */
#include "common/group_reduce.cl"
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_tree(BUFFERS_OF(REDUCE_PASS) const reduce_args args)
{
    __local VALUE data[GROUP_REDUCE_VALUES];
    const ulong n = pass_count(args);
    const ulong stride = get_global_size(0);

    VALUE x = IDENTITY;
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = get_global_id(0) + k * stride;
        if (i < n)
            x = COMBINE(x, pass_load(in, i, args));
    }
    x = group_reduce(x, data);
    if (get_local_id(0) == 0)
        pass_store(out, get_group_id(0), x, n, args);
}
