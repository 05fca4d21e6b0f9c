// SPDX-License-Identifier: MIT
/* count_tiles.cl: pass elements to a variant's count(). Parameters: see slots.cl, and from the variant that includes
 * it: ALL_COUNT, if work-items must count together; those without an element then count in slot TABLE. COUNTS_AT_ONCE,
 * if it has count_at_once(slot, times) for several elements of a slot: 1 for packets whose elements are all in one
 * slot; 2 for packets of small elements that are all equal, which is faster to test. */
#include "histogram/modes.h"
#include "common/packet.cl"
#include "histogram/parts/bins.cl"
#include "histogram/parts/slots.cl"

#if !defined(ITEMS) || !defined(TABLE_PARAMETERS) || !defined(TABLE_ARGUMENTS)
#error "ITEMS, TABLE_PARAMETERS and TABLE_ARGUMENTS must be given"
#endif
#if !defined(COUNTS_AT_ONCE) || CHANNELS != 1 || WEIGHT_KIND != WEIGHTS_NONE
#define CAN_COUNT_AT_ONCE 0
#elif COUNTS_AT_ONCE == 2 && (PACK * ELEMENT_SIZE != 16 || ELEMENT_SIZE > 2)
#define CAN_COUNT_AT_ONCE 0
#else
#define CAN_COUNT_AT_ONCE COUNTS_AT_ONCE
#endif

/* Which elements of a packet exist: those before the n-th of all; with STRIDED, those inside the line. */
#if STRIDED
typedef struct {
    uint begin, end;
} existing;
#define EXISTS(existing, i, k) ((existing).begin <= (k) && (k) < (existing).end)
#else
typedef ulong existing;
#define EXISTS(existing, i, k) ((i) < (existing))
#endif

/* Count the elements of a packet. i is the index of its first element. is_whole: all of them exist. */
ALWAYS_INLINE void count_packet(packet_words x, ulong i, bool is_whole, existing n TABLE_PARAMETERS INPUT_PARAMETERS)
{
#if CAN_COUNT_AT_ONCE == 2
    if (is_whole && x.x == x.y && x.z == x.w && x.x == x.z && x.x == rotate(x.x, (uint)ELEMENT_SIZE * 8)) {
        count_at_once(bin_of(packet_element(x, 0) BINS_ARGUMENTS), PACK TABLE_ARGUMENTS);
        return;
    }
#elif CAN_COUNT_AT_ONCE
    if (is_whole) {
        uint slots[PACK];
        bool are_same = true;
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            slots[k] = bin_of(packet_element(x, k) BINS_ARGUMENTS);
            are_same &= slots[k] == slots[0];
        }
        if (are_same) {
            count_at_once(slots[0], PACK TABLE_ARGUMENTS);
            return;
        }
#pragma unroll
        for (uint k = 0; k < PACK; k++)
            count(slots[k], k, 1 TABLE_ARGUMENTS);
        return;
    }
#endif
#pragma unroll
    for (uint k = 0; k < PACK; k++, i++) {
        const uint c = CHANNELS > 1 ? (uint)(i % CHANNELS) : 0; /* the channel */
        uint slot = TABLE;
        if ((is_whole || EXISTS(n, i, k)) && c < ACTIVE)
            slot = c * SLOTS + BIN_IN_CHANNEL(packet_element(x, k), c);
#ifndef ALL_COUNT
        if (slot == TABLE)
            continue;
#endif
#if WEIGHT_KIND == WEIGHTS_NONE
        count(slot, k, 1 TABLE_ARGUMENTS);
#else
        count(slot, k, amount_of(slot, WORD_OF(weights[i])) TABLE_ARGUMENTS);
#endif
    }
}

#if !STRIDED /* otherwise, count_lines.cl continues from here */
/* The index where the work-item's packet in a row begins; wraps to a large number if it is before in[0]. */
ALWAYS_INLINE ulong place_in(uint row, element_source in)
{
    return (ulong)row * ROW - PACKET_SHIFT(in) + get_local_id(0) * PACK;
}

/* Count at most ITEMS rows, a constant; all of them are loaded before the first one is counted. */
ALWAYS_INLINE void count_whole_rows(uint row, uint rows, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const ulong first = place_in(row, in);
    packet_words x[ITEMS];
#ifdef INPUT_AT
#pragma unroll
    for (uint j = 0; j < rows; j++)
        x[j] = SOURCE_AT(in, first + j * GROUP_SIZE);
#else
    const __global packet_words *packets = (const __global packet_words *)(in + first);
#pragma unroll
    for (uint j = 0; j < rows; j++)
        x[j] = packets[j * GROUP_SIZE];
#endif
#pragma unroll
    for (uint j = 0; j < rows; j++)
        count_packet(x[j], first + j * ROW, true, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

ALWAYS_INLINE packet_words load_from_row(uint row, element_source in, ulong n BINS_PARAMETERS)
{
    const ulong first = place_in(row, in);
    packet x;
#ifndef INPUT_AT
    if (first < n && first + PACK <= n)
        return *(const __global packet_words *)(in + first);
#endif
#pragma unroll
    for (uint k = 0; k < PACK; k++) /* elements that do not exist stay undefined, and are never used */
        if (first + k < n)
            x.elements[k] = SOURCE_AT(in, first + k);
    return x.words;
}

/* Of the remaining rows, count rows begin, begin + step, ... before end: each row is loaded while the one before it is
 * counted. The remaining rows are all except the `done` whole ones from row `first` on. */
ALWAYS_INLINE void count_rows(uint begin, uint end, uint step, uint first, uint done, element_source in,
                              ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
#define ROW_OF(i) ((i) < first ? (i) : (i) + done)
    packet_words next = load_from_row(ROW_OF(begin), in, n BINS_ARGUMENTS);
    for (uint i = begin; i < end; i += step) {
        const packet_words x = next;
        if (i + step < end)
            next = load_from_row(ROW_OF(i + step), in, n BINS_ARGUMENTS);
        const uint row = ROW_OF(i);
        const bool is_whole = row >= FIRST_WHOLE_ROW(in) && row < END_OF_WHOLE_ROWS(in, n);
        count_packet(x, place_in(row, in), is_whole, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    }
}

ALWAYS_INLINE void count_tile(uint tile, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint row = tile * ITEMS;
    if (row >= FIRST_WHOLE_ROW(in) && row + ITEMS <= END_OF_WHOLE_ROWS(in, n))
        count_whole_rows(row, ITEMS, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    else
        count_rows(row, row + ITEMS, 1, 0, 0, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

ALWAYS_INLINE void count_tiles(uint begin, uint end, element_source in, ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    for (uint tile = begin; tile < end; tile++)
        count_tile(tile, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}

ALWAYS_INLINE void count_share(uint sharer, uint sharers, uint begin, uint end, element_source in,
                               ulong n TABLE_PARAMETERS INPUT_PARAMETERS)
{
    const uint first = max(begin, (uint)FIRST_WHOLE_ROW(in));
    const uint end_of_whole = min(end, END_OF_WHOLE_ROWS(in, n));
    const uint whole = end_of_whole - min(first, end_of_whole);
    uint done = 0;
#pragma unroll
    for (uint rows = ITEMS; rows > 0; rows /= 2) /* as many at a time as all work-items have */
        for (; whole - done >= sharers * rows; done += sharers * rows)
            count_whole_rows(first + done + sharer * rows, rows, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
    count_rows(begin + sharer, end - done, sharers, first, done, in, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
}
#endif
