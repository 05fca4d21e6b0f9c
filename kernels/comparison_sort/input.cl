// SPDX-License-Identifier: MIT
/* comparison_sort_input: compute keys by the caller's expression, with a work-item for each; then the keys are sorted
 * in place.
 * Parameters: INPUT_AT (lib/runtime/program/expression.h); GROUP_SIZE. */
#include "common/items.cl"
#include "comparison_sort/args.h"

#if !defined(INPUT_AT) || !defined(GROUP_SIZE)
#error "INPUT_AT and GROUP_SIZE must be given"
#endif

__kernel GROUP_OF(GROUP_SIZE) void comparison_sort_input(ARGS_OF(COMPARISON_SORT_INPUT))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const ulong i = get_global_id(0);
    if (i < CALL_COUNT_0(args.n))
        made[args.made_offset + i] = INPUT_AT(i);
}
