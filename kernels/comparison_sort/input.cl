/* comparison_sort_input: keys that come from the caller's expression, a work-item for each; then they are sorted where they lie.
 * Parameters: INPUT_AT (lib/runtime/program/expression.h); GROUP_SIZE. */
#include "common/items.cl"
#include "comparison_sort/args.h"

#if !defined(INPUT_AT) || !defined(GROUP_SIZE)
#error "INPUT_AT and GROUP_SIZE must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
comparison_sort_input(BUFFERS_OF(COMPARISON_SORT_INPUT) const comparison_sort_args args)
{
    const ulong i = get_global_id(0);
    if (i < CALL_COUNT_0(args.n))
        made[args.made_offset + i] = INPUT_AT(i);
}
