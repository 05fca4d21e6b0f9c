/* is_sorted_finish: what the groups of the launch before have found, by one group; where there was one group alone, it writes
 * the output itself (finish_or_hand_on).
 * Parameters: items.cl, least.cl; GROUP_SIZE power of two. */
static inline void finish_or_hand_on(VALUE least, ulong n, __global VALUE *found, __global RESULT *out, ulong out_offset)
{
    if (get_num_groups(0) > 1)
        found[get_group_id(0)] = least;
    else
        out[out_offset] = sorted_of(least, n);
}

IS_SORTED_KERNEL void is_sorted_finish(const __global VALUE *found, ulong count, ulong n, __global RESULT *out,
                                       ulong out_offset)
{
    __local VALUE shared[GROUP_SIZE];
    n = CALL_COUNT_0(n);
    const uint lid = (uint)get_local_id(0);
    VALUE least = NOWHERE;
    for (ulong g = lid; g < count; g += GROUP_SIZE)
        least = min(least, found[g]);
    shared[lid] = least;
    for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* what the step before has left */
        if (lid < half_size)
            shared[lid] = min(shared[lid], shared[lid + half_size]);
    }
    if (lid == 0)
        out[out_offset] = sorted_of(shared[0], n);
}
