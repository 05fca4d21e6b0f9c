// SPDX-License-Identifier: MIT
/* part_counts.cl: for selections in two launches: find from the counts of all groups where the elements of each part
 * go. */
#include "select/parts/places.cl"
#include "common/counts.cl"

/* Call sum_counts for each part. `counts` has the counts of the first part of all groups, then those of the second. */
ALWAYS_INLINE void sum_parts(part_counts *before, part_counts *all, const __global ulong *counts,
                             __local clprim__counts_memory *memory)
{
    before->second = all->second = 0;
    sum_counts(&before->first, &all->first, counts, memory);
#if THREE_WAY
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the sums of the first part */
    sum_counts(&before->second, &all->second, counts + get_num_groups(0), memory);
#endif
}

/* The sums of all work-items' counts; valid in work-item 0. */
ALWAYS_INLINE part_counts counts_of_group(part_counts own, __local clprim__counts_memory *memory)
{
    const group_counts sums = clprim__counts_reduce_to_first((group_counts){own.first, own.second}, memory);
    return (part_counts){sums.before, sums.all};
}

/* Store this group's counts; done by one work-item. */
static inline void store_counts(__global ulong *counts, part_counts own)
{
    counts[get_group_id(0)] = own.first;
#if THREE_WAY
    counts[get_num_groups(0) + get_group_id(0)] = own.second;
#endif
}
