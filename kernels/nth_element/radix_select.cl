// SPDX-License-Identifier: MIT
/* radix_select.cl: a share of a level, for GPUs: consecutive tiles, loaded in packets of 16 bytes. Counters are in
 * local memory. If all elements of a packet have the same counter, it is updated once, so many equal keys take no
 * longer than others.
 *
 * Candidates are appended to a list tile by tile. A scan of their numbers tells each work-item where its own candidates
 * go.
 * Parameters: ITEMS packets per work-item; GROUP_SIZE. */
#include "radix_sort/parts/keys.cl"
#include "nth_element/parts/search.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"

typedef struct {
    clprim__tile_memory scanned;
    uint begin; /* position of the tile's candidates in the list */
} counting;

static inline bool has_share(const __global KEY *keys, search s)
{
    uint tile;
    uint end;
    own_tiles(&tile, &end, keys, s.length);
    return tile < end;
}

/* Load keys of a list, or of the call. If an expression computes the call's keys, packets are single keys. */
ALWAYS_INLINE void load_packets(packet_words *x, tile_range t, const __global KEY *keys, search s)
{
#ifdef INPUT_AT
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const ulong i = (ulong)tile_place(t, j);
        if (i < s.length)
            x[j] = key_at(keys, i, 0, s.source == 0);
    }
#else
    tile_load(x, t, keys, s.length);
#endif
}

/* Count the elements of a packet that are candidates, from the first-th element on. Returns one bit for each
 * candidate. */
ALWAYS_INLINE uint count_packet(packet_words x, ulong first, bool is_whole, __local uint *counters,
                                const __local slot_table *table, search s)
{
    __local uint *own = counters + ((uint)get_local_id(0) & ((1u << s.copies_log) - 1));
    uint places[PACK];
    uint candidates = 0;
    bool are_same = true;
#pragma unroll
    for (uint k = 0; k < PACK; k++) {
        places[k] = NOWHERE;
        if (is_whole || first + k < s.length)
            places[k] = counter_of(image_of(packet_element(x, k)), s, table);
        candidates |= (uint)(places[k] != NOWHERE) << k;
        are_same = are_same && places[k] == places[0];
    }
    if (candidates == 0)
        return 0;
    if (are_same) {
        (void)atomic_add(own + (places[0] << s.copies_log), (uint)PACK);
        return candidates;
    }
#pragma unroll
    for (uint k = 0; k < PACK; k++)
        if (places[k] != NOWHERE)
            (void)atomic_inc(own + (places[k] << s.copies_log));
    return candidates;
}

/* Append the tile's candidates to the list. */
ALWAYS_INLINE void list_tile(const packet_words *x, const uint *candidates, __global KEY *to,
                             volatile __global uint *length, __local counting *room)
{
    VALUE before[ITEMS];
    VALUE before_mine;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        before[j] = popcount(candidates[j]);
    const uint total = clprim__tile_fold(before, &before_mine, &room->scanned);
    if (total > 0) {
        clprim__tile_prefixes(before, before_mine, &room->scanned);
        if (get_local_id(0) == 0)
            room->begin = atomic_add(length, total);
        barrier(CLK_LOCAL_MEM_FENCE); /* their position is known */
#pragma unroll
        for (uint j = 0; j < ITEMS; j++) {
            uint at = room->begin + before[j];
#pragma unroll
            for (uint k = 0; k < PACK; k++)
                if (candidates[j] >> k & 1)
                    to[at++] = packet_element(x[j], k);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are done with the memory */
}

ALWAYS_INLINE void count_share(__local uint *counters, const __local slot_table *table, const __global KEY *keys,
                               search s, __global KEY *to, volatile __global uint *length, __local counting *room)
{
    uint tile;
    uint end;
    own_tiles(&tile, &end, keys, s.length);
    for (; tile < end; tile++) {
        packet_words x[ITEMS];
        uint candidates[ITEMS];
        const tile_range t = tile_range_of(keys, s.length, tile);
        load_packets(x, t, keys, s);
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            candidates[j] = count_packet(x[j], (ulong)tile_place(t, j), t.is_whole, counters, table, s);
        if (LISTS && s.lists != 0)
            list_tile(x, candidates, to, length, room);
    }
}

#include "nth_element/parts/level.cl"
