/* radix_sort_rows: rows of counts, each replaced by the sums of those before it; the row's total goes to totals[row]. A
 * group does a row, GROUP_SIZE counts at a time.
 * Parameters: COUNT; GROUP_SIZE. */
#include "radix_sort/args.h"

#if !defined(COUNT)
#error "COUNT must be given"
#endif
__kernel GROUP_OF(GROUP_SIZE) void radix_sort_rows(ARGS_OF(RADIX_SORT_SCRATCH))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    const ulong length = args.shares;
    __local COUNT sums[GROUP_SIZE];
    const uint lid = (uint)get_local_id(0);
    __global COUNT *counts = (__global COUNT *)(scratch + args.counts_at) + get_group_id(0) * length;
    COUNT before = 0;
    for (ulong first = 0; first < length; first += GROUP_SIZE) {
        const COUNT own = first + lid < length ? counts[first + lid] : 0;
        sums[lid] = own;
        for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
            const COUNT left = lid >= distance ? sums[lid - distance] : 0;
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
            sums[lid] += left;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums */
        if (first + lid < length)
            counts[first + lid] = before + sums[lid] - own;
        before += sums[GROUP_SIZE - 1];
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums may be replaced */
    }
    if (lid == 0)
        ((__global COUNT *)(scratch + args.totals_at))[get_group_id(0)] = before;
}
