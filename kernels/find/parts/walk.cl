/* walk.cl: how a work-item of a GPU looks for the first place where the condition holds.
 *
 * All groups together go through the elements in rounds, from the first element on. A work-item that finds a place
 * tells the others its round, and they leave before the next one: all places of later rounds are behind it. They may
 * learn of it late, which costs time but does not change the result.
 *
 * Parameters: GROUP_SIZE; ITEMS loads of 16 bytes in flight. Epochs have 16 bits, and each is greater than the one
 * before. */
#include "find/parts/condition.cl"
#include "common/device_scope.cl"
#include "common/packet.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE_PACKETS (GROUP_SIZE * ITEMS)
#define LOOK_EVERY   4 /* rounds: a word that all work-items read in each round would be a bottleneck */

/* A round's number: the sooner, the more. The launch's epoch is above it, so that hints of launches before are less. Of
 * the last number nobody is told, nor of the rounds behind it. */
#define FIRST_ROUND(epoch)   ((epoch) << 16 | 0xffffu)
#define IS_LAST_ROUND(round) (((round)&0xffffu) == 0)

static inline void tell(volatile __global uint *hint, uint round)
{
    if (get_num_groups(0) > 1)
        (void)atomic_max(hint, round);
}

/* Was a place found in this round, or in one before it? Work-items take turns in looking. */
static inline bool is_told(volatile __global uint *hint, uint round)
{
    return (get_local_id(0) / 64 + round) % LOOK_EVERY == 0 && !IS_LAST_ROUND(round) && device_peek(hint) >= round;
}

/* Does the condition hold anywhere in a packet, whose elements begin with the `first`-th? If it needs the element
 * before the packet, that is loaded by itself, from a line that the neighbour has loaded. */
static inline bool holds_in_packet(const __global ELEMENT *in, packet_words loaded, ulong first)
{
    bool any = false;
#if FIRST_PLACE > 0
    ELEMENT earlier = ELEMENT_AT(in, first == 0 ? 0 : first - 1);
#endif
#pragma unroll
    for (uint j = 0; j < PACK; j++) {
        const ELEMENT x = packet_element(loaded, j);
        any |= HOLDS(x, earlier, first + j);
#if FIRST_PLACE > 0
        earlier = x;
#endif
    }
    return any;
}

/* Where, then: rarely needed, and so in no registers of its own. */
static inline VALUE place_in_packet(const __global ELEMENT *in, ulong first)
{
    for (ulong i = max(first, (ulong)FIRST_PLACE); i < first + PACK; i++)
        if (holds_at(in, 0, i))
            return i;
    return NOWHERE;
}

/* Elements that are in no packet. */
static inline VALUE place_between(const __global ELEMENT *in, ulong begin, ulong end)
{
    VALUE least = NOWHERE;
    for (ulong i = begin + get_global_id(0); i < end; i += get_global_size(0))
        if (i >= FIRST_PLACE && holds_at(in, 0, i))
            least = min(least, i);
    return least;
}

/* The first place in a work-item's share of in[0 .. n), as kernels/reduce/single_pass.cl divides it. A work-item that
 * has found one looks no further: all others of its share come later. */
static inline VALUE first_place(const __global ELEMENT *in, ulong n, volatile __global uint *hint, uint epoch)
{
    const ulong gid = get_global_id(0);
    const ulong grid = get_global_size(0);
    const ulong head = min(n, (ulong)PACKET_HEAD(in));
    const __global packet_words *packets = (const __global packet_words *)(in + head);
    const ulong num_packets = (n - head) / PACK;
    packet_words loaded[ITEMS];
    ulong rest = 0;
    uint round = FIRST_ROUND(epoch);
    VALUE least = place_between(in, 0, head);
    if (least != NOWHERE)
        tell(hint, round);
    for (; least == NOWHERE && rest + grid * ITEMS <= num_packets; rest += grid * ITEMS) {
        const ulong p = rest + (ulong)get_group_id(0) * TILE_PACKETS + get_local_id(0);
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            loaded[u] = PACKET_AT(packets, head, p + u * GROUP_SIZE);
        const bool is_over = is_told(hint, round);
        bool any = false;
#pragma unroll
        for (uint u = 0; u < ITEMS; u++)
            any |= holds_in_packet(in, loaded[u], head + (p + u * GROUP_SIZE) * PACK);
        for (uint u = 0; any && least == NOWHERE && u < ITEMS; u++)
            least = place_in_packet(in, head + (p + u * GROUP_SIZE) * PACK);
        if (least != NOWHERE)
            tell(hint, round);
        else if (is_over)
            return NOWHERE;
        round -= !IS_LAST_ROUND(round);
    }
    if (least != NOWHERE)
        return least; /* all that is left comes later */
    for (ulong p = rest + gid; p < num_packets; p += grid)
        if (holds_in_packet(in, PACKET_AT(packets, head, p), head + p * PACK))
            least = min(least, place_in_packet(in, head + p * PACK));
    return min(least, place_between(in, head + num_packets * PACK, n));
}
