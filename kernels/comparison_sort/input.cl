/* comparison_sort_input: keys that come from the caller's expression, a work-item for each; then they are sorted where they lie.
 * Parameters: INPUT_AT (lib/runtime/program/expression.h); GROUP_SIZE. */
#include "common/items.cl"

#if !defined(INPUT_AT) || !defined(GROUP_SIZE)
#error "INPUT_AT and GROUP_SIZE must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
comparison_sort_input(__global ELEMENT *keys, ulong keys_offset, ulong n)
{
    const ulong i = get_global_id(0);
    if (i < CALL_COUNT_0(n))
        keys[keys_offset + i] = INPUT_AT(i);
}
