// SPDX-License-Identifier: MIT
/* spans_tile.cl: what a scan does with the runs of a tile with RUNS_SPANS.
 *
 * Parameters: tile_scan.cl with SCAN_TOTALS. */
#include "scan/modes.h"
#include "scan/parts/elements.cl"
#include "scan/parts/spans.cl"
#include "common/packet.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/tile.cl"

#if RUNS == RUNS_SPANS
/* The long runs that begin and end in a tile, in order: their beginnings, as places in the tile, and their lengths.
 * RUN_PLACE leaves holes for the reason given in tile.cl. */
typedef struct {
    ushort begin, length;
} tile_span;
typedef struct {
    tile_span spans[RUN_PLACE(TILE / MIN_LENGTH) + 1];
} tile_staged;

/* The beginnings of runs are a bit for each element of the tile. They are looked at in words of 32 elements,
 * SCAN_TOTALS per work-item. Work-items bring the bits of their packets to the words through local memory. */
#if PACK > 8
typedef ushort packet_begins;
#else
typedef uchar packet_begins;
#endif
#define WORD             32
#define WORDS            ((TILE + WORD - 1) / WORD)
#define WORD_PACKETS     (WORD / PACK)
#define LOCAL_BEGINS     __local packet_begins begins[WORDS * WORD_PACKETS];
#define BEGINS_PARAMETER , __local packet_begins *begins
#define BEGINS_ARGUMENT  , begins

static inline uint begins_of_word(const __local packet_begins *begins, uint word)
{
    const uint first = min(word, (uint)(WORDS - 1)) * WORD_PACKETS; /* within the tile: PoCL loads it even if the result
                                                                     * is not used */
    uint bits = 0;
#pragma unroll
    for (uint p = 0; p < WORD_PACKETS; p++)
        if (TILE % WORD == 0 || first + p < TILE / PACK)
            bits |= (uint)begins[first + p] << p * PACK;
    return word < WORDS ? bits : 0;
}

/* The runs of a word that are long and end in the word. */
static inline uint long_begins(uint bits)
{
#if MIN_LENGTH >= WORD
    return 0;
#else
    uint soon = MIN_LENGTH > 1 ? bits >> 1 : 0; /* bit k: another run begins before the one at k is long */
#pragma unroll
    for (uint seen = 1; seen + 1 < MIN_LENGTH; seen *= 2)
        soon |= soon >> min(seen, (uint)MIN_LENGTH - 1 - seen);
    const uint last = bits != 0 ? 1u << (WORD - 1 - clz(bits)) : 0;
    return bits & ~soon & ~last;
#endif
}

static inline uint lowest_bit(uint bits)
{
    return WORD - 1 - clz(bits & (0 - bits));
}

/* The first element of a word of the tile, as an index + 1. */
static inline run_count word_place(tile_range t, uint word)
{
    return (run_count)(t.first + word * WORD + 1);
}

ALWAYS_INLINE void tile_totals(VALUE *totals, tile_elements *e, tile_range t, ulong n BEGINS_PARAMETER)
{
#pragma unroll
    for (uint j = 0; j < ITEMS; j++)
        begins[tile_packet(j)] = (packet_begins)e->begins[j];
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all bits */
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++) {
        const uint bits = begins_of_word(begins, clprim__tile_index(j));
        e->words[j] = bits;
        const run_count place = word_place(t, clprim__tile_index(j));
        totals[j].first = bits != 0 ? place + lowest_bit(bits) : 0;
        totals[j].last = bits != 0 ? place + (WORD - 1 - clz(bits)) : 0;
        totals[j].count = popcount(long_begins(bits));
    }
}

static inline void span_stage(__local tile_staged *staged, uint run, uint begin, uint length)
{
    staged->spans[RUN_PLACE(run)].begin = (ushort)begin;
    staged->spans[RUN_PLACE(run)].length = (ushort)length;
}

/* totals: the fold of the tile before each word. */
ALWAYS_INLINE void tile_stage(__local tile_staged *staged, const tile_elements *e, tile_range t, const VALUE *totals,
                              ulong n)
{
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++) {
        const uint bits = e->words[j];
        const uint first = clprim__tile_index(j) * WORD;
        uint run = (uint)totals[j].count;
        const run_count length = word_place(t, clprim__tile_index(j)) + lowest_bit(bits) - totals[j].last;
        if (bits != 0 && totals[j].last != 0 && is_long(length))
            span_stage(staged, run++, (uint)((long)totals[j].last - 1 - t.first), (uint)length);
        for (uint rest = long_begins(bits); rest != 0; rest &= rest - 1) {
            const uint begin = lowest_bit(rest);
            const uint end = lowest_bit(bits & ~((2u << begin) - 1));
            span_stage(staged, run++, first + begin, end - begin);
        }
    }
}

/* Write the long runs that end in the tile. After the last element, also write the last run if it is long, and the
 * number of runs. prefix: the fold of everything before the tile. All work-items have staged their runs. */
ALWAYS_INLINE void tile_store_runs(__global OUTPUT *out, __local const tile_staged *staged, tile_range t, VALUE prefix,
                                   VALUE total, ulong n, segment_places segments)
{
    const VALUE all = COMBINE(prefix, total);
    const ulong first = all.count - total.count; /* follows the run that began before the tile, if that one ends here
                                                  * and is long */
    for (uint k = (uint)get_local_id(0); k < (uint)total.count; k += GROUP_SIZE) {
        const tile_span span = staged->spans[RUN_PLACE(k)];
        span_store(out, first + k, (run_count)(t.first + span.begin + 1), span.length, segments);
    }
    if (get_local_id(0) > 0)
        return;
    if (first > prefix.count)
        span_store(out, prefix.count, prefix.last, total.first - prefix.last, segments);
    if (n > 0 && t.first < (long)n && (long)n <= t.first + TILE)
        span_store_last(out, all, n, segments);
}
#endif
