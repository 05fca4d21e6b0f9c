/* run.cl: a work-group folds consecutive elements straight from memory, in any order of the work-items.
 *
 * Parameters: the operator's prelude, which commutes; packet.cl; GROUP_SIZE; LOADS, packets that a work-item has in
 * flight. */
#if COMMUTATIVE
/* The work-item's share of in[begin .. end). */
static inline VALUE fold_run(const __global ELEMENT *in, ulong begin, ulong end)
{
    const uint lid = (uint)get_local_id(0);
    const ulong head = min(end, begin + PACKET_HEAD(in + begin));
    const __global packet_words *packets = (const __global packet_words *)(in + head);
    const ulong num_packets = (end - head) / PACK;
    packet_words loaded[LOADS];
    VALUE x = IDENTITY;
    ulong p = lid;
    for (; p + (LOADS - 1) * GROUP_SIZE < num_packets; p += LOADS * GROUP_SIZE) {
#pragma unroll
        for (uint u = 0; u < LOADS; u++)
            loaded[u] = PACKET_AT(packets, head, p + u * GROUP_SIZE);
#pragma unroll
        for (uint u = 0; u < LOADS; u++)
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                x = COMBINE(x, VALUE_AT(packet_element(loaded[u], k), head + (p + u * GROUP_SIZE) * PACK + k));
    }
#pragma unroll
    for (uint u = 0; u < LOADS; u++) /* the rest, all in flight before the first is folded */
        if (p + u * GROUP_SIZE < num_packets)
            loaded[u] = PACKET_AT(packets, head, p + u * GROUP_SIZE);
#pragma unroll
    for (uint u = 0; u < LOADS; u++)
        if (p + u * GROUP_SIZE < num_packets)
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                x = COMBINE(x, VALUE_AT(packet_element(loaded[u], k), head + (p + u * GROUP_SIZE) * PACK + k));
    for (ulong i = begin + lid; i < head; i += GROUP_SIZE)
        x = COMBINE(x, VALUE_AT(ELEMENT_AT(in, i), i));
    for (ulong i = head + num_packets * PACK + lid; i < end; i += GROUP_SIZE)
        x = COMBINE(x, VALUE_AT(ELEMENT_AT(in, i), i));
    return x;
}
#endif
