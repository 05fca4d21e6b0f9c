/* radix_sort_copy: bring what was sorted in place, in an odd number of passes, from scratch memory to where it shall lie.
 * Parameters: words[same_at] has the passes in which all keys have the same digit, a bit each, where they may be idle
 * (KNOWS_SAME). */
#include "radix_sort/parts/keys.cl"

#ifndef KNOWS_SAME
#error "KNOWS_SAME must be given"
#endif
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
radix_sort_copy(SORT_PARAMETERS, const __global uint *words, ulong same_at)
{
    SORT_COUNT
#if KNOWS_SAME
    if (!ends_in_scratch(passes_needed(words[same_at], flags), flags))
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
