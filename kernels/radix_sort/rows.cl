// SPDX-License-Identifier: MIT
/* radix_sort_rows: replaces each count of a row by the sum of the counts before it; the row's total goes to
 * totals[row]. A group takes a row, GROUP_SIZE counts at a time.
 * Parameters: COUNT; GROUP_SIZE. */
#include "radix_sort/args.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"

#if !defined(COUNT)
#error "COUNT must be given"
#endif
CLPRIM_WORK_GROUP_SCAN(clprim__rows, COUNT, a + b, 0, GROUP_SIZE)

__kernel GROUP_OF(GROUP_SIZE) void radix_sort_rows(ARGS_OF(RADIX_SORT_SCRATCH))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    const ulong length = args.shares;
    __local clprim__rows_memory memory;
    const uint lid = (uint)get_local_id(0);
    __global COUNT *counts = (__global COUNT *)(scratch + args.counts_at) + get_group_id(0) * length;
    COUNT before = 0;
    for (ulong first = 0; first < length; first += GROUP_SIZE) {
        const COUNT own = first + lid < length ? counts[first + lid] : 0;
        COUNT total;
        const COUNT left = clprim__rows_exclusive(own, &total, &memory);
        if (first + lid < length)
            counts[first + lid] = before + left;
        before += total;
        barrier(CLK_LOCAL_MEM_FENCE); /* the memory may be used again */
    }
    if (lid == 0)
        ((__global COUNT *)(scratch + args.totals_at))[get_group_id(0)] = before;
}
