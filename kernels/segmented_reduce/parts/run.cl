// SPDX-License-Identifier: MIT
/* run.cl: a work-group folds consecutive elements straight from memory. Its work-items take them in any order.
 *
 * Parameters: the operator's prelude, which must be commutative; GROUP_SIZE; LOADS, packets that a work-item has in
 * flight. */
#include "common/long_sum.cl"
#include "common/packet.cl"

#if COMMUTATIVE
/* The place of element e of the elements that are in no packet. */
static inline ulong edge_place(ulong begin, uint in_front, ulong num_packets, uint e)
{
    return begin + e + (e < in_front ? 0 : num_packets * PACK);
}

/* The work-item's part of the fold of in[begin .. end). */
static inline VALUE fold_run(const __global ELEMENT *in, ulong begin, ulong end)
{
    const uint lid = (uint)get_local_id(0);
    const ulong head = min(end, begin + PACKET_HEAD(in + begin));
    const __global packet_words *packets = (const __global packet_words *)(in + head);
    const ulong num_packets = (end - head) / PACK;
    /* The elements before and after the packets: fewer than two packets have. */
    const uint in_front = (uint)(head - begin);
    const uint edges = in_front + (uint)(end - head - num_packets * PACK);
    packet_words loaded[LOADS];
    VALUE x = IDENTITY;
    long_sum blocks = long_begin(IDENTITY); /* with FLOAT_SUM, of the packets that are loaded at once */
    ELEMENT edge;
    if (lid < edges) /* in flight with the packets */
        edge = ELEMENT_AT(in, edge_place(begin, in_front, num_packets, lid));
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
        if (FLOAT_SUM) {
            blocks = long_then(blocks, x);
            x = IDENTITY;
        }
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
    if (lid < edges)
        x = COMBINE(x, VALUE_AT(edge, edge_place(begin, in_front, num_packets, lid)));
#if GROUP_SIZE < 2 * PACK /* otherwise a work-item has one of them at most */
    for (uint e = lid + GROUP_SIZE; e < edges; e += GROUP_SIZE) {
        const ulong i = edge_place(begin, in_front, num_packets, e);
        x = COMBINE(x, VALUE_AT(ELEMENT_AT(in, i), i));
    }
#endif
    if (FLOAT_SUM)
        x = long_value(long_then(blocks, x));
    return x;
}
#endif
