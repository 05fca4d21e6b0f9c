// SPDX-License-Identifier: MIT
/* counts.cl: finds where the output of a group begins, for operations in two launches, from the counts of all groups.
 * Parameters: GROUP_SIZE. */
#include "common/kernel.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_reduce.h"

typedef struct {
    ulong before, all;
} group_counts;
CLPRIM_WORK_GROUP_REDUCE(clprim__counts, group_counts, ((group_counts){a.before + b.before, a.all + b.all}), GROUP_SIZE)

/* Add up counts in every work-item: *before of all earlier groups, *all of all groups. */
ALWAYS_INLINE void sum_counts(ulong *before, ulong *all, const __global ulong *counts,
                              __local clprim__counts_memory *memory)
{
    const uint groups = (uint)get_num_groups(0);
    group_counts own = {0, 0};
    for (uint g = (uint)get_local_id(0); g < groups; g += GROUP_SIZE) {
        own.before += g < get_group_id(0) ? counts[g] : 0;
        own.all += counts[g];
    }
    own = clprim__counts_reduce(own, memory);
    *before = own.before;
    *all = own.all;
}
