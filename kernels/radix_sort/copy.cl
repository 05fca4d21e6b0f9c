// SPDX-License-Identifier: MIT
/* radix_sort_copy: if a sort in place took an odd number of passes, the result is in scratch memory. This kernel copies
 * it to the output.
 * Parameters: if passes may be idle (KNOWS_SAME), words[same_at] has a bit for each pass in which all keys have the
 * same digit. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"

#ifndef KNOWS_SAME
#error "KNOWS_SAME must be given"
#endif
__kernel GROUP_OF(GROUP_SIZE) void radix_sort_copy(ARGS_OF(RADIX_SORT_COPY))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
#if KNOWS_SAME
    if (!ends_in_scratch(passes_needed(words[args.same_at], args.flags), args.flags))
        return;
#endif
    const __global KEY *keys = (const __global KEY *)scratch;
    __global KEY *keys_to = keys_out + args.keys_out_offset;
#if VALUE_SIZE
    const __global VALUE *values = (const __global VALUE *)(scratch + args.values_at);
    __global VALUE *values_to = values_out + args.values_out_offset;
#endif
    const ulong share = (n + get_num_groups(0) - 1) / get_num_groups(0); /* consecutive elements per group, for CPUs'
                                                                          * caches */
    const ulong end = min(n, (get_group_id(0) + 1) * share);
    for (ulong i = get_group_id(0) * share + get_local_id(0); i < end; i += GROUP_SIZE) {
        keys_to[i] = keys[i];
#if VALUE_SIZE
        values_to[i] = values[i];
#endif
    }
}
