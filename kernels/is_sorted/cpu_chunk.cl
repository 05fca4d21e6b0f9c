/* is_sorted_cpu_chunk: the shape for a CPU. A work-group is one work-item, that is one thread at a time; it looks at one
 * contiguous chunk, block by block, as vectors; only in a block where something is wrong it looks where.
 * Parameters: items.cl, least.cl, finish.cl; GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

#define BLOCK 1024ul

IS_SORTED_KERNEL void is_sorted_cpu_chunk(const __global ELEMENT *in, ulong in_offset, ulong n, __global VALUE *found,
                                          __global RESULT *out, ulong out_offset)
{
    n = CALL_COUNT_0(n);
    const __global ELEMENT *x = in + in_offset;
    const ulong groups = get_num_groups(0);
    const ulong chunk = n / groups + 1;
    const ulong end = min(n, (get_group_id(0) + 1) * chunk);
    VALUE least = NOWHERE;
    for (ulong i = max(get_group_id(0) * chunk, 1ul); i < end && least == NOWHERE; i += BLOCK) {
        const uint length = (uint)min(BLOCK, end - i);
        const __global ELEMENT *own = x + i;
        uint wrong = 0;
        for (uint k = 0; k < length; k++)
            wrong |= (uint)is_descent(own, i, k);
        for (uint k = 0; wrong != 0 && k < length; k++)
            if (is_descent(own, i, k)) {
                least = i + k;
                wrong = 0;
            }
    }
    finish_or_hand_on(least, n, found, out, out_offset);
}
