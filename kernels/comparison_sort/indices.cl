// SPDX-License-Identifier: MIT
/* comparison_sort_indices: store each key's index as its value, with a work-item for each; then the values are sorted
 * in place.
 * Parameters: INDEX, an unsigned integer; GROUP_SIZE. */
#include "comparison_sort/args.h"

#if !defined(INDEX) || !defined(GROUP_SIZE)
#error "INDEX and GROUP_SIZE must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void comparison_sort_indices(ARGS_OF(COMPARISON_SORT_INDICES))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const ulong i = get_global_id(0);
    if (i < CALL_COUNT_0(args.n))
        made[args.made_offset + i] = (INDEX)i;
}
