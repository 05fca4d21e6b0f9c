/* counts.cl: where the output of a group begins, for operations in two launches: from the counts of all groups.
 * Parameters: GROUP_SIZE, a power of two. */
#include "common/kernel.h"

/* Sum up counts: *before of the groups before this one, *all of all groups. In every work-item. */
ALWAYS_INLINE void sum_counts(ulong *before, ulong *all, const __global ulong *counts, __local ulong *shared)
{
    const uint lid = (uint)get_local_id(0);
    const uint groups = (uint)get_num_groups(0);
    ulong own_before = 0;
    ulong own_all = 0;
    for (uint g = lid; g < groups; g += GROUP_SIZE) {
        own_before += g < get_group_id(0) ? counts[g] : 0;
        own_all += counts[g];
    }
    shared[lid] = own_before;
    shared[GROUP_SIZE + lid] = own_all;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sums of all work-items */
    for (uint distance = GROUP_SIZE / 2; distance > 0; distance /= 2) {
        if (lid < distance) {
            shared[lid] += shared[lid + distance];
            shared[GROUP_SIZE + lid] += shared[GROUP_SIZE + lid + distance];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* half as many sums */
    }
    *before = shared[0];
    *all = shared[GROUP_SIZE];
}
