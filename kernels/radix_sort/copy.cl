/* radix_sort_copy: bring what was sorted in place, in an odd number of passes, from scratch memory to where it shall lie.
 * Parameters: keys.cl; state, epoch: see count.cl, where passes may be idle (KNOWS_SAME). */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void radix_sort_copy(SORT_PARAMETERS, volatile __global uint *state,
                                                                                      uint epoch)
{
    SORT_COUNT
#if KNOWS_SAME
    if (!ends_in_scratch(passes_needed(state[SORT_SAME + epoch % 2], flags), flags))
        return;
#endif
    const ulong share = (n + get_num_groups(0) - 1) / get_num_groups(0); /* together, for the sake of CPUs' caches */
    const ulong end = min(n, (get_group_id(0) + 1) * share);
    for (ulong i = get_group_id(0) * share + get_local_id(0); i < end; i += GROUP_SIZE) {
        keys_out[keys_out_offset + i] = ((const __global KEY *)scratch)[i];
#if VALUE_SIZE
        values_out[values_out_offset + i] = ((const __global VALUE *)(scratch + values_at))[i];
#endif
    }
}
