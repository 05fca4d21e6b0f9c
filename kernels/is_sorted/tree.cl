/* is_sorted_tree: a fixed number of groups shares the input; a second launch brings together what they have found.
 * Parameters: items.cl, least.cl, subgroup.cl, words.cl, subgroup_values.cl, packet.cl, group_reduce.cl, descents.cl,
 * finish.cl. */
IS_SORTED_KERNEL void is_sorted_tree(const __global ELEMENT *in, ulong in_offset, ulong n, __global VALUE *found,
                                     __global RESULT *out, ulong out_offset)
{
    __local VALUE data[GROUP_REDUCE_VALUES];
    n = CALL_COUNT_0(n);
    const VALUE least = group_reduce(least_descent(in + in_offset, n), data);
    if (get_local_id(0) == 0)
        finish_or_hand_on(least, n, found, out, out_offset);
}
