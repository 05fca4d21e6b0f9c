/* descents.cl: where an element comes before the one before it: of those that a work-item of a GPU looks at.
 *
 * Parameters: items.cl, least.cl, packet.cl; GROUP_SIZE; ITEMS loads of 16 bytes in flight. */
#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE (GROUP_SIZE * ITEMS) /* in packets */

/* The elements of a packet, the first of which is the `first`-th, each with the one before it: of the first one that is
 * loaded by itself, from a line that the neighbour has loaded. */
static inline VALUE packet_descent(const __global ELEMENT *in, packet_words loaded, ulong first)
{
    const ELEMENT earlier = ELEMENT_AT(in, first == 0 ? 0 : first - 1);
    item last = IMAGE_OF(earlier);
    VALUE least = NOWHERE;
#pragma unroll
    for (uint j = 0; j < PACK; j++) {
        const ELEMENT x = packet_element(loaded, j);
        const item own = IMAGE_OF(x);
        if (first + j > 0 && before(own, last))
            least = min(least, first + j);
        last = own;
    }
    return least;
}

/* A work-item's share of in[0 .. n), as kernels/reduce/single_pass.cl divides it; whoever has found a place looks no further,
 * for all others come later. */
static inline VALUE least_descent(const __global ELEMENT *in, ulong n)
{
    const ulong gid = get_global_id(0);
    const ulong grid = get_global_size(0);
    const ulong head = min(n, (ulong)PACKET_HEAD(in));
    const __global packet_words *packets = (const __global packet_words *)(in + head);
    const ulong num_packets = (n - head) / PACK;
    const ulong tail = head + num_packets * PACK;
    packet_words loaded[ITEMS];
    VALUE least = NOWHERE;
    ulong rest = 0;
    for (; rest + grid * ITEMS <= num_packets; rest += grid * ITEMS) {
        const ulong p = rest + (ulong)get_group_id(0) * TILE + get_local_id(0);
        if (least != NOWHERE)
            continue;
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            loaded[u] = PACKET_AT(packets, head, p + u * GROUP_SIZE);
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            least = min(least, packet_descent(in, loaded[u], head + (p + u * GROUP_SIZE) * PACK));
    }
    for (ulong p = rest + gid; p < num_packets; p += grid)
        least = min(least, packet_descent(in, PACKET_AT(packets, head, p), head + p * PACK));
    for (ulong i = gid; i < head; i += grid)
        if (i > 0 && is_descent(in, 0, i))
            least = min(least, i);
    for (ulong i = tail + gid; i < n; i += grid)
        if (i > 0 && is_descent(in, 0, i))
            least = min(least, i);
    return least;
}
