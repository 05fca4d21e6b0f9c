// SPDX-License-Identifier: MIT
/* count_lines.cl: with STRIDED, pass the elements of lines with gaps in between to a variant's count(): see slots.cl. A
 * packet that is completely inside its line is loaded at once, so long lines are read almost as fast as a single
 * array. */
#include "common/packet.cl"
#include "histogram/parts/slots.cl"
#include "histogram/parts/count_tiles.cl"

#if STRIDED
/* A packet of a line. Its elements .begin to before .end are in the line. i: the index of the packet's first element,
 * or the index that it would have. */
typedef struct {
    packet_words x;
    ulong i;
    existing there;
} line_packet;

static inline bool is_whole(existing there)
{
    return there.begin == 0 && there.end == PACK;
}

/* A position among the packets of all lines, as a line and a packet in it. */
typedef struct {
    uint lines, packets;
} line_place;

static inline line_place line_place_of(uint packets, element_source in)
{
    line_place place = {packets / in.packets, packets % in.packets};
    return place;
}

ALWAYS_INLINE line_packet load_from_line(line_place at, element_source in, ulong n)
{
    const ulong first = (ulong)at.lines * in.length;
    const int length = first < n ? (int)min(n - first, (ulong)in.length) : 0; /* possibly less in the last line */
    const __global ELEMENT *from = in.in + at.lines * in.stride;
    const int place = (int)(at.packets * PACK) - (int)PACKET_SHIFT(from);
    line_packet own;
    packet x;
    own.i = first + (ulong)(long)place;
    own.there.begin = (uint)max(-place, 0);
    own.there.end = (uint)clamp(length - place, 0, PACK);
    if (is_whole(own.there)) {
        own.x = *(const __global packet_words *)(from + place);
        return own;
    }
#pragma unroll
    for (uint k = 0; k < PACK; k++) /* elements that do not exist stay undefined, and are never used */
        if (EXISTS(own.there, own.i, k))
            x.elements[k] = from[place + (int)k];
    own.x = x.words;
    return own;
}

/* Count rows begin, begin + step, ... before end: each row is loaded while the one before it is counted. Divisions are
 * made only once. */
ALWAYS_INLINE void count_lines(uint begin, uint end, uint step, element_source in,
                               ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const line_place each = line_place_of(step * GROUP_SIZE, in);
    line_place at = line_place_of(begin * GROUP_SIZE + (uint)get_local_id(0), in);
    line_packet next = load_from_line(at, in, n);
    for (uint row = begin; row < end; row += step) {
        const line_packet own = next;
        at.lines += each.lines;
        at.packets += each.packets;
        if (at.packets >= in.packets) {
            at.packets -= in.packets;
            at.lines++;
        }
        if (row + step < end)
            next = load_from_line(at, in, n);
#ifndef ALL_COUNT /* otherwise work-items must not take different paths */
        if (is_whole(own.there))
            count_packet(own.x, own.i, true, own.there TABLE_ARGUMENTS INPUT_ARGUMENTS);
        else
#endif
            count_packet(own.x, own.i, false, own.there TABLE_ARGUMENTS INPUT_ARGUMENTS);
    }
}

ALWAYS_INLINE void count_tiles(uint begin, uint end, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    count_lines(begin * ITEMS, end * ITEMS, 1, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

ALWAYS_INLINE void count_tile(uint tile, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    count_tiles(tile, tile + 1, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

ALWAYS_INLINE void count_share(uint sharer, uint sharers, uint begin, uint end, element_source in,
                               ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    count_lines(begin + sharer, end, sharers, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}
#endif
