// SPDX-License-Identifier: MIT
/* tile.cl: how a scan loads, folds and stores the elements of a tile. */
#include "scan/modes.h"
#include "scan/parts/elements.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/marks.cl"

/* A work-item's part of a tile. */
typedef struct {
    packet_words x[ITEMS];
#if SEGMENTS
    uint begins[ITEMS]; /* bit k: the k-th element of the packet begins a segment */
#if SEGMENTS != SEGMENTS_BY_OFFSETS
    HEAD heads[ITEMS * PACK];
#endif
#endif
#if RUNS == RUNS_SPANS
    uint words[SCAN_TOTALS]; /* the same bits in words of 32 elements, in scan order: spans_tile.cl */
#endif
} tile_elements;

#if SEGMENTS == SEGMENTS_BY_OFFSETS
ALWAYS_INLINE void find_begins(tile_elements *e, tile_range t, ulong n, segment_places segments MARKS_PARAMETER)
{
    mark_tile(marks, t.first, TILE, n, segments);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        e->begins[j] = marks_at(marks, tile_packet(j) * PACK, PACK);
}
#elif SEGMENTS
#define HEADS_BYTES (PACK * HEAD_SIZE) /* of a packet's heads */
#if RUNS >= RUNS_LENGTHS               /* the elements are the heads */
#define HEADS_ALIGNMENT 0
#elif PACK == 1 || HEADS_BYTES < 4 || HEAD_SIZE == HEADS_BYTES || defined(OWN_KEYS)
#define HEADS_ALIGNMENT 0
#elif HEADS_BYTES % 16 == 0
#define HEADS_ALIGNMENT 16
#else
#define HEADS_ALIGNMENT HEADS_BYTES
#endif

/* Load the heads of a packet, by loads as wide as possible. */
static inline void heads_load_wide(HEAD *own, const __global HEAD *at)
{
#if HEADS_ALIGNMENT
    uint words[HEADS_BYTES / 4];
#pragma unroll
    for (uint w = 0; w < HEADS_BYTES / 4; w += HEADS_ALIGNMENT / 4) {
#if HEADS_ALIGNMENT == 16
        const uint4 four = ((const __global uint4 *)at)[w / 4];
        words[w] = four.x;
        words[w + 1] = four.y;
        words[w + 2] = four.z;
        words[w + 3] = four.w;
#elif HEADS_ALIGNMENT == 8
        const uint2 two = ((const __global uint2 *)at)[w / 2];
        words[w] = two.x;
        words[w + 1] = two.y;
#else
        words[w] = ((const __global uint *)at)[w];
#endif
    }
#pragma unroll
    for (uint k = 0; k < PACK; k++)
#if HEAD_SIZE == 8
        own[k] = (ulong)words[2 * k + 1] << 32 | words[2 * k];
#else
        own[k] = (HEAD)(words[k * HEAD_SIZE / 4] >> k * HEAD_SIZE % 4 * 8);
#endif
#endif
}

ALWAYS_INLINE void heads_load(tile_elements *e, tile_range t, bool is_whole, ulong n, segment_places segments)
{
    const __global HEAD *from = segments.heads + segments.heads_at;
#if RUNS >= RUNS_LENGTHS
#pragma unroll
    for (uint i = 0; i < ITEMS * PACK; i++)
        e->heads[i] = packet_element(e->x[i / PACK], i % PACK);
#else
#if HEADS_ALIGNMENT
    if (is_whole && (uintptr_t)(from + t.first) % HEADS_ALIGNMENT == 0) {
#pragma unroll
        for (uint j = 0; j < ITEMS; j++)
            heads_load_wide(e->heads + j * PACK, from + tile_place(t, j));
        return;
    }
#endif
#pragma unroll
    for (uint i = 0; i < ITEMS * PACK; i++) {
        const ulong place = (ulong)(tile_place(t, i / PACK) + i % PACK);
#ifndef OWN_KEYS
        e->heads[i] = 0;
#endif
        if (is_whole || place < n)
            e->heads[i] = from[place];
    }
#endif
}

ALWAYS_INLINE void find_begins(tile_elements *e, tile_range t, bool is_whole, ulong n, segment_places segments)
{
    heads_load(e, t, is_whole, n, segments);
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        const long first = tile_place(t, j);
        const HEAD *own = e->heads + j * PACK;
#ifdef OWN_KEYS
        HEAD left = own[0];
#else
        HEAD left = 0;
#endif
#if SEGMENTS == SEGMENTS_BY_KEY
        if (first > 0 && (ulong)first <= n) /* a cache line that is loaded anyway */
            left = segments.heads[segments.heads_at + (ulong)first - 1];
#endif
        e->begins[j] = 0;
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const ulong i = (ulong)(first + k);
            const bool is_first = is_whole ? k == 0 && first == 0 : i == 0;
#ifdef OWN_EQUALS /* differs() must not see keys that do not exist */
            if (is_whole || i < n)
                e->begins[j] |= (is_first ? FIRST_BEGINS : BEGINS(left, own[k])) << k;
#else
            const uint begins = is_first ? FIRST_BEGINS : BEGINS(left, own[k]);
            e->begins[j] |= (is_whole || i < n ? begins : 0) << k;
#endif
            left = own[k];
        }
    }
}
#endif

/* Load the tile's elements and find where segments begin. Elements are loaded first, because the search among offsets
 * also waits for memory. */
ALWAYS_INLINE void tile_read(tile_elements *e, tile_range t, const __global ELEMENT *in, ulong n,
                             segment_places segments MARKS_PARAMETER)
{
    tile_load(e->x, t, in, n);
#if SEGMENTS == SEGMENTS_BY_OFFSETS
    find_begins(e, t, n, segments MARKS_ARGUMENT);
#elif SEGMENTS
    if (t.is_whole)
        find_begins(e, t, true, n, segments);
    else
        find_begins(e, t, false, n, segments);
#endif
}

/* A hole after every 32 places avoids bank conflicts of work-items that write several consecutive places of local
 * memory. */
#define RUN_PLACE(i) ((i) + (i) / 32)

#if RUNS != RUNS_SPANS /* for RUNS_SPANS see spans_tile.cl */
/* The VALUE of the k-th element of the j-th packet; the identity if there is no such element. */
ALWAYS_INLINE VALUE tile_value(const tile_elements *e, tile_range t, uint j, uint k, bool is_whole, ulong n)
{
    const ulong i = (ulong)(tile_place(t, j) + k);
    if (!is_whole && i >= n)
        return IDENTITY;
#if SEGMENTS
    return segment_of(plain_value_at(packet_element(e->x[j], k), i), e->begins[j] >> k & 1);
#else
    return SCAN_VALUE(packet_element(e->x[j], k), i);
#endif
}

ALWAYS_INLINE void fold_packets(VALUE *totals, const tile_elements *e, tile_range t, bool is_whole, ulong n)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        totals[j] = tile_value(e, t, j, 0, is_whole, n);
#pragma unroll
        for (uint k = 1; k < PACK; k++)
            totals[j] = COMBINE(totals[j], tile_value(e, t, j, k, is_whole, n));
#if SEGMENTS /* the bits give it at once */
        totals[j] = segment_of(plain_of(totals[j]), RUNS ? popcount(e->begins[j]) : e->begins[j] != 0);
#endif
    }
}

#define LOCAL_BEGINS
#define BEGINS_ARGUMENT

ALWAYS_INLINE void tile_totals(VALUE *totals, const tile_elements *e, tile_range t, ulong n)
{
    if (t.is_whole)
        fold_packets(totals, e, t, true, n);
    else
        fold_packets(totals, e, t, false, n);
}

#if !RUNS
/* Outputs are stored like elements are loaded, 16 bytes at a time, by shifts for the same reason as in packet_element.
 * If outputs are smaller than elements (U64 to F32), they do not fill 16 bytes and are stored one by one. */
#if PACK > 1 && defined(BITS_OF_OUTPUT) && OUTPUT_SIZE >= ELEMENT_SIZE
#define OUTPUTS_IN_PACKETS 1
#else
#define OUTPUTS_IN_PACKETS 0
#endif

/* Store the result of element i, the k-th of a packet whose outputs begin at `to`. If outputs are stored in packets,
 * *words collects them until 16 bytes are complete. */
ALWAYS_INLINE void put_output(__global OUTPUT *to, ulong2 *words, uint k, RESULT result, ulong i, bool in_packets,
                              bool is_there)
{
    if (in_packets) {
#if OUTPUTS_IN_PACKETS
        const OUTPUT output = OUTPUT_OF(result, i);
        const ulong bits = (ulong)BITS_OF_OUTPUT(output) << k * OUTPUT_SIZE % 8 * 8;
        *words |= k * OUTPUT_SIZE / 8 % 2 == 0 ? (ulong2)(bits, 0) : (ulong2)(0, bits);
        if ((k + 1) * OUTPUT_SIZE % 16 == 0) {
            ((__global ulong2 *)to)[k * OUTPUT_SIZE / 16] = *words;
            *words = 0;
        }
#endif
    } else if (is_there) {
        to[k] = OUTPUT_OF(result, i);
    }
}

/* prefix: the fold of everything before the tile; totals: the fold of the tile before each packet. */
ALWAYS_INLINE void store_packets(__global OUTPUT *out, const tile_elements *e, tile_range t, const VALUE *totals,
                                 VALUE prefix, plain_value initial, bool is_whole, ulong n)
{
    const bool in_packets = OUTPUTS_IN_PACKETS && is_whole && (uintptr_t)(out + t.first) % 16 == 0;
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        __global OUTPUT *to = out + tile_place(t, j);
        VALUE before = COMBINE(prefix, totals[j]);
        ulong2 words = 0;
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const VALUE own = tile_value(e, t, j, k, is_whole, n);
            const VALUE through = COMBINE(before, own);
            const ulong i = (ulong)(tile_place(t, j) + k);
            put_output(to, &words, k, scan_result(before, through, own, initial), i, in_packets, is_whole || i < n);
            before = through;
        }
    }
}

ALWAYS_INLINE void tile_store(__global OUTPUT *out, const tile_elements *e, tile_range t, const VALUE *totals,
                              VALUE prefix, plain_value initial, ulong n)
{
    if (t.is_whole)
        store_packets(out, e, t, totals, prefix, initial, true, n);
    else
        store_packets(out, e, t, totals, prefix, initial, false, n);
}
#else
/* The runs that begin in a tile, in order: their keys, and for each the fold, from the beginning of the tile on, of the
 * run that ends where it begins. */
typedef struct {
    plain_value ended[RUN_PLACE(TILE)];
    HEAD keys[RUN_PLACE(TILE)];
} tile_staged;

ALWAYS_INLINE void stage_runs(__local tile_staged *staged, const tile_elements *e, tile_range t, const VALUE *totals,
                              bool is_whole, ulong n)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++) {
        uint run = (uint)begins_of(totals[j]);
        plain_value sum = plain_of(totals[j]);
        if (e->begins[j] == 0)
            continue;
#pragma unroll
        for (uint k = 0; k < PACK; k++) {
            const plain_value own = plain_of(tile_value(e, t, j, k, is_whole, n));
            const bool begins = e->begins[j] >> k & 1;
            if (begins) {
                staged->keys[RUN_PLACE(run)] = e->heads[j * PACK + k];
                staged->ended[RUN_PLACE(run)] = sum;
                run++;
            }
            sum = begins ? own : plain_combine(sum, own);
        }
    }
}

/* totals: the fold of the tile before each packet. */
ALWAYS_INLINE void tile_stage(__local tile_staged *staged, const tile_elements *e, tile_range t, const VALUE *totals,
                              ulong n)
{
    if (t.is_whole)
        stage_runs(staged, e, t, totals, true, n);
    else
        stage_runs(staged, e, t, totals, false, n);
}

/* Write the keys of the runs that begin in the tile, and the results of the runs before these. After the last element,
 * also write the result of the last run, and the number of runs. prefix: the fold of everything before the tile. All
 * work-items have staged their runs. */
ALWAYS_INLINE void tile_store_runs(__global OUTPUT *out, __local const tile_staged *staged, tile_range t, VALUE prefix,
                                   VALUE total, ulong n, segment_places segments)
{
    const ulong first = begins_of(prefix);
    const uint runs_here = (uint)begins_of(total);
    for (uint k = (uint)get_local_id(0); k < runs_here; k += GROUP_SIZE) {
        store_key(first + k, staged->keys[RUN_PLACE(k)], true, segments);
        if (k > 0)
            store_end(out, first - 1 + k, staged->ended[RUN_PLACE(k)], true, segments);
    }
    if (get_local_id(0) > 0)
        return;
    if (runs_here > 0 && first > 0)
        store_end(out, first - 1, plain_combine(plain_of(prefix), staged->ended[0]), true, segments);
    if (n > 0 && t.first < (long)n && (long)n <= t.first + TILE) {
        const VALUE all = COMBINE(prefix, total);
        store_end(out, begins_of(all) - 1, plain_of(all), true, segments);
        *segments.runs = (COUNT_TYPE)begins_of(all);
    }
}
#endif
#endif
