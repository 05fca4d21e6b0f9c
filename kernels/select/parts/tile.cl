// SPDX-License-Identifier: MIT
/* tile.cl: what a selection does with the elements of a tile.
 *
 *   LOCAL_PLACES                          declares the places of kept elements that have values, in local memory
 *   PLACES_PARAMETER, PLACES_ARGUMENT     in a parameter list, and to pass them on
 *
 * Parameters: with THREE_WAY, a tile must have fewer than 2^16 elements; with values, at most 2^16. */
#include "select/parts/keep.cl"
#include "select/parts/places.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"

#if THREE_WAY && GROUP_SIZE * ITEMS * PACK > 0xffff
#error "a tile has too many elements to count two parts of it in one VALUE"
#endif
#if PAYLOAD_SIZE && GROUP_SIZE * ITEMS * PACK > 0x10000
#error "a tile has too many elements for places of 16 bits"
#endif

#if PAYLOAD_SIZE
#define LOCAL_PLACES     __local ushort places[TILE];
#define PLACES_PARAMETER , __local ushort *places
#define PLACES_ARGUMENT  , places
#else
#define LOCAL_PLACES
#define PLACES_PARAMETER
#define PLACES_ARGUMENT
#endif

/* A work-item has the results of keep for its packets in words: uint kept[KEPT_WORDS]. KEPT_PACKETS packets share a
 * word. The result for the k-th element of a packet is shifted by KEPT_SHIFT(j) + k, where j is the packet. One word
 * per packet takes fewer instructions, but a partition has no registers for them. */
#define KEPT_PACKETS  (PARTITION ? (THREE_WAY ? 16 : 32) / PACK : 1)
#define KEPT_WORDS    ((ITEMS + KEPT_PACKETS - 1) / KEPT_PACKETS)
#define KEPT_SHIFT(j) ((j) % KEPT_PACKETS * PACK)

/* Compute the results of keep for all packets, and how many elements of each packet are in each part. */
ALWAYS_INLINE void tile_keep(uint *kept, VALUE *totals, const packet_words *x, tile_range t, const __global ELEMENT *in,
                             ulong n, flag_source flags)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint results = 0;
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const ulong i = (ulong)(tile_place(t, j) + k);
            if (t.is_whole || i < n) {
#if HEADS
                /* Except for the first one, the elements of a packet have the previous element in the same packet. */
                const bool has_left = (t.is_whole && k > 0) || i > 0;
                results |= (has_left ? differs(k > 0 ? packet_element(x[j], k > 0 ? k - 1 : 0) : ELEMENT_AT(in, i - 1),
                                               packet_element(x[j], k))
                                     : 1)
                           << k;
#else
                results |= keep(packet_element(x[j], k), i, in, flags) << k;
#endif
            }
        }
#if THREE_WAY
        totals[j] = popcount(results % IS_SECOND) + IS_SECOND * popcount(results / IS_SECOND);
#else
        totals[j] = popcount(results);
#endif
        kept[j / KEPT_PACKETS] = (j % KEPT_PACKETS > 0 ? kept[j / KEPT_PACKETS] : 0) | results << KEPT_SHIFT(j);
    }
}

#if PARTITION
/* Collect the parts in local memory, one after another, so that each is stored in one piece. totals: counts of the tile
 * before each packet; total: counts of the whole tile. */
ALWAYS_INLINE void tile_compact(__local OUTPUT *staged, const packet_words *x, tile_range t, const uint *kept,
                                const VALUE *totals, VALUE total, ulong n)
{
    const uint seconds = FIRSTS(total); /* where the second part begins, and where the rest begins */
    const uint rest = seconds + SECONDS(total);
    const uint missing = t.first < 0 ? (uint)-t.first : 0; /* places of the tile before in[0] */
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint first = FIRSTS(totals[j]); /* number of the tile's elements that are in the part, before this one */
        uint second = SECONDS(totals[j]);
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const bool is_first = kept[j / KEPT_PACKETS] >> (KEPT_SHIFT(j) + k) & 1;
            const bool is_second = SECONDS(kept[j / KEPT_PACKETS]) >> (KEPT_SHIFT(j) + k) & 1;
            const uint place = tile_packet(j) * PACK + k;
            if (t.is_whole || (ulong)(t.first + place) < n)
                staged[is_first    ? first
                       : is_second ? seconds + second
                                   : rest + (place - missing - first - second)] =
                    OUTPUT_OF(packet_element(x[j], k), (ulong)(t.first + place));
            first += is_first;
            second += is_second;
        }
    }
}
#else
/* Collect the kept elements, as they are stored, in local memory, so that they are stored in one piece. totals: counts
 * of the tile before each packet. If elements have values, also collect their places in the tile. */
ALWAYS_INLINE void tile_compact(__local OUTPUT *staged, const packet_words *x, tile_range t, const uint *kept,
                                const VALUE *totals, VALUE total, ulong n PLACES_PARAMETER)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint rank = totals[j];
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const bool is_kept = kept[j / KEPT_PACKETS] >> (KEPT_SHIFT(j) + k) & 1;
            if (is_kept)
                staged[rank] = OUTPUT_OF(packet_element(x[j], k), (ulong)(tile_place(t, j) + k));
#if PAYLOAD_SIZE
            if (is_kept)
                places[rank] = (ushort)(tile_packet(j) * PACK + k);
#endif
            rank += is_kept;
        }
    }
}
#endif

#if PAYLOAD_SIZE
#define PAYLOADS_AT_ONCE 8 /* independent loads of a work-item */

/* Write the values of the tile's kept elements, beginning at place `to`. */
ALWAYS_INLINE void tile_store_payloads(ulong to, const __local ushort *places, tile_range t, uint total,
                                       payload_arrays payloads)
{
    const uint fitting = to < payloads.room ? (uint)min((ulong)total, payloads.room - to) : 0;
    for (uint k = (uint)get_local_id(0); k < fitting; k += PAYLOADS_AT_ONCE * GROUP_SIZE) {
        PAYLOAD loaded[PAYLOADS_AT_ONCE];
#pragma unroll
        for (uint u = 0; u < PAYLOADS_AT_ONCE; u++)
            if (k + u * GROUP_SIZE < fitting)
                loaded[u] = PAYLOAD_AT(payloads, (ulong)(t.first + places[k + u * GROUP_SIZE]));
#pragma unroll
        for (uint u = 0; u < PAYLOADS_AT_ONCE; u++)
            if (k + u * GROUP_SIZE < fitting)
                payloads.out[to + k + u * GROUP_SIZE] = loaded[u];
    }
}
#endif

/* The number of elements of the tile; the last tile may begin after the last element. */
ALWAYS_INLINE uint tile_elements(tile_range t, ulong n)
{
    const ulong first = (ulong)max(t.first, 0l);
    const ulong end = min((ulong)(t.first + TILE), n);
    return first < end ? (uint)(end - first) : 0;
}

/* How many of a part's elements in the tile are written. If all parts are in one array, all of them are. */
ALWAYS_INLINE uint tile_fitting(uint elements, ulong room)
{
    return ALL_FIT ? elements : (uint)min((ulong)elements, room);
}

/* Write the staged elements to the places of the tile's parts. */
ALWAYS_INLINE void tile_store(part_places to, const __local OUTPUT *staged, tile_range t, VALUE total, ulong n)
{
    const uint lid = (uint)get_local_id(0);
    const uint firsts = tile_fitting(FIRSTS(total), to.first_room);
    for (uint k = lid; k < firsts; k += GROUP_SIZE)
        to.first[k] = staged[k];
#if THREE_WAY
    const uint seconds = tile_fitting(SECONDS(total), to.second_room);
    for (uint k = lid; k < seconds; k += GROUP_SIZE)
        to.second[k] = staged[FIRSTS(total) + k];
#endif
#if PARTITION
    const uint begin = FIRSTS(total) + SECONDS(total);
    const uint rest = tile_fitting(tile_elements(t, n) - begin, to.rest_room);
    for (uint k = lid; k < rest; k += GROUP_SIZE)
        to.rest[REST_STEP * (long)k] = staged[begin + k];
#endif
}
