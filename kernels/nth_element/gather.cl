/* nth_element_gather: from all keys, sorted, those at the ranks. A rank behind the last key counts as that one's.
 * Parameters: KEY; RANK, the type of the ranks; GROUP_SIZE. */
#if !defined(KEY) || !defined(RANK)
#error "KEY and RANK must be given"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
nth_element_gather(const __global KEY *sorted, ulong sorted_offset, ulong n, const __global RANK *ranks,
                   ulong ranks_offset, ulong rank_count, __global KEY *keys_out, ulong keys_out_offset)
{
    n = CALL_COUNT_0(n);
    if (n == 0)
        return;
    for (ulong r = get_global_id(0); r < rank_count; r += get_global_size(0))
        keys_out[keys_out_offset + r] = sorted[sorted_offset + min((ulong)ranks[ranks_offset + r], n - 1)];
}
