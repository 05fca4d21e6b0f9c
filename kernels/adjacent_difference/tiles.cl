// SPDX-License-Identifier: MIT
/* adjacent_difference_tiles: a tile for each work-group, in packets of 16 bytes. A packet's neighbour is loaded
 * separately, from a cache line that is loaded anyway. In place, no group may read what another group overwrites. So a
 * launch of adjacent_difference_borders saves the neighbour of each tile first, and no group waits for another one.
 * Source: CUB's DeviceAdjacentDifference, for the borders.
 * Parameters: the prelude (lib/adjacent_difference/adjacent_difference.c), with of_pair(x, beside) and of_one(x); LEFT,
 * whether the element beside x is the one before it; ITEMS packets per work-item. */
#include "adjacent_difference/args.h"
#include "common/packet.cl"
#include "common/tile_load.cl"

#if !defined(LEFT) || !defined(PAIRS_ONLY) || !defined(RESULT_SIZE)
#error "LEFT, PAIRS_ONLY and RESULT_SIZE must be given"
#endif

/* Results are also stored 16 bytes at a time. They are put together by shifts, see packet.cl. */
#if PACK > 1 && PACK * RESULT_SIZE == 16 && defined(BITS_OF_RESULT)
#define IN_PACKETS            1
#define PUT(words, k, result) (words)[(k)*RESULT_SIZE / 8] |= (ulong)BITS_OF_RESULT(result) << (k)*RESULT_SIZE % 8 * 8
#else
#define IN_PACKETS 0
#define PUT(words, k, result)
#endif

__kernel GROUP_OF(GROUP_SIZE) void adjacent_difference_borders(ARGS_OF(DIFFERENCE_BORDERS))
{
    const difference_args args = ARGS(DIFFERENCE_NUMBERS);
    const __global ELEMENT *from = in + args.in_offset;
    const ulong n = CALL_COUNT_0(args.n);
    const tile_range t = tile_range_of(from, n, (uint)get_global_id(0));
    const ulong i = (ulong)(LEFT ? t.first - 1 : t.first + TILE);
    if (i < n)
        borders[get_global_id(0)] = ELEMENT_AT(from, i);
}

/* is_inner: all elements of the tile exist and have a neighbour. */
ALWAYS_INLINE void store_tile(__global RESULT *to, const packet_words *x, const ELEMENT *beside, tile_range t,
                              bool is_inner, ulong n)
{
    const bool in_packets = IN_PACKETS && is_inner && (uintptr_t)(to + t.first) % 16 == 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const ulong first = (ulong)tile_place(t, j);
        ulong words[2] = {0, 0};
        ELEMENT last = beside[j]; /* for LEFT */
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const ulong i = first + k;
            const ELEMENT own = packet_element(x[j], k);
            const ELEMENT other = LEFT ? last : k + 1 < PACK ? packet_element(x[j], (k + 1) % PACK) : beside[j];
            last = own;
            if (in_packets)
                PUT(words, k, of_pair(own, other));
            else if (is_inner || (i < n && (LEFT ? i > 0 : i != n - 1)))
                to[i] = of_pair(own, other);
            else if (i < (PAIRS_ONLY ? 0 : n))
                to[i] = of_one(own);
        }
        if (in_packets)
            *(__global ulong2 *)(to + first) = (ulong2)(words[0], words[1]);
    }
}

/* in_place: results overwrite the elements; only then is `borders` used. */
ALWAYS_INLINE void difference_of_tile(const __global ELEMENT *from, ulong n, const __global ELEMENT *borders,
                                      __global RESULT *to, const bool in_place)
{
    const tile_range t = tile_range_of(from, n, (uint)get_group_id(0));
    const bool is_inner = t.is_whole && (LEFT ? t.first > 0 : (ulong)t.first + TILE < n);
    packet_words x[ITEMS];
    ELEMENT beside[ITEMS];
    tile_load(x, t, from, n);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const bool is_border = tile_packet(j) == (LEFT ? 0u : TILE / PACK - 1);
        const ulong i = (ulong)(tile_place(t, j) + (LEFT ? -1 : PACK));
        beside[j] = packet_element(x[j], 0); /* not used if there is none */
        if (is_inner || i < n)
            beside[j] = is_border && in_place ? borders[get_group_id(0)] : ELEMENT_AT(from, i);
    }
    if (in_place)
        barrier(CLK_GLOBAL_MEM_FENCE); /* all work-items have read what others overwrite */
    if (is_inner)
        store_tile(to, x, beside, t, true, n);
    else
        store_tile(to, x, beside, t, false, n);
}

__kernel GROUP_OF(GROUP_SIZE) void adjacent_difference_tiles(ARGS_OF(DIFFERENCE_ARRAYS))
{
    const difference_args args = ARGS(DIFFERENCE_NUMBERS);
    difference_of_tile(in + args.in_offset, CALL_COUNT_0(args.n), 0, out + args.out_offset, false);
}

__kernel GROUP_OF(GROUP_SIZE) void adjacent_difference_in_place(ARGS_OF(DIFFERENCE_IN_PLACE))
{
    const difference_args args = ARGS(DIFFERENCE_NUMBERS);
    difference_of_tile(in + args.in_offset, CALL_COUNT_0(args.n), borders, out + args.out_offset, true);
}
