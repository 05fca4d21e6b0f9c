// SPDX-License-Identifier: MIT
/* walk.cl: how a work-item of a GPU searches for the first place where the condition holds.
 *
 * All groups together go through the elements in rounds, from the first element on. A work-item that finds a place
 * tells the others its round. They stop before their next round, because places of later rounds come after it. If they
 * learn of it late, that costs time but does not change the result.
 *
 * Parameters: GROUP_SIZE; ITEMS, 16-byte loads in flight. Epochs have 16 bits, and each is greater than the one
 * before. */
#include "find/parts/condition.cl"
#include "common/device_scope.cl"
#include "common/packet.cl"

#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define TILE_PACKETS (GROUP_SIZE * ITEMS)
#define LOOK_EVERY   4 /* rounds: a word that all work-items read in every round would be a bottleneck */

/* The number of a round: earlier rounds have higher numbers. The launch's epoch is in the upper bits, so hints of
 * earlier launches are lower. The last number, and all rounds after it, are not announced. */
#define FIRST_ROUND(epoch)   ((epoch) << 16 | 0xffffu)
#define IS_LAST_ROUND(round) (((round)&0xffffu) == 0)

static inline void tell(volatile __global uint *hint, uint round)
{
    if (get_num_groups(0) > 1)
        (void)atomic_max(hint, round);
}

/* Whether a place was found in this round or in an earlier one. Work-items take turns in reading the word. */
static inline bool is_told(volatile __global uint *hint, uint round)
{
    return (get_local_id(0) / 64 + round) % LOOK_EVERY == 0 && !IS_LAST_ROUND(round) && device_peek(hint) >= round;
}

/* Whether the condition holds anywhere in a packet, whose first element is the `first`-th. If the condition needs the
 * element before the packet, that element is loaded separately, from a line that the neighbour has loaded. */
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

/* The place in the packet. It is rarely needed, so it is not kept in a register. */
static inline VALUE place_in_packet(const __global ELEMENT *in, ulong first)
{
    for (ulong i = max(first, (ulong)FIRST_PLACE); i < first + PACK; i++)
        if (holds_at(in, 0, i))
            return i;
    return NOWHERE;
}

/* Search elements that are in no packet. */
static inline VALUE place_between(const __global ELEMENT *in, ulong begin, ulong end)
{
    VALUE least = NOWHERE;
    for (ulong i = begin + get_global_id(0); i < end; i += get_global_size(0))
        if (i >= FIRST_PLACE && holds_at(in, 0, i))
            least = min(least, i);
    return least;
}

/* The first place in a work-item's share of in[0 .. n), which is the same share as in kernels/reduce/single_pass.cl. A
 * work-item that has found a place stops, because the rest of its share comes after it. */
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
        return least; /* the rest comes after it */
    for (ulong p = rest + gid; p < num_packets; p += grid)
        if (holds_in_packet(in, PACKET_AT(packets, head, p), head + p * PACK))
            least = min(least, place_in_packet(in, head + p * PACK));
    return min(least, place_between(in, head + num_packets * PACK, n));
}
