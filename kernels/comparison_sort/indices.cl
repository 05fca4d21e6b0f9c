/* comparison_sort_indices: each key's index as its value, a work-item for each; then they are sorted where they lie.
 * Parameters: INDEX, an unsigned integer; GROUP_SIZE. */
#if !defined(INDEX) || !defined(GROUP_SIZE)
#error "INDEX and GROUP_SIZE must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
comparison_sort_indices(__global INDEX *values, ulong values_offset, ulong n)
{
    const ulong i = get_global_id(0);
    if (i < CALL_COUNT_0(n))
        values[values_offset + i] = (INDEX)i;
}
