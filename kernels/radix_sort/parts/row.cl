// SPDX-License-Identifier: MIT
/* row.cl: sort a segment that a work-group has to itself. Keys of which the upper bits tell most apart, as those of random
 * keys do, are sorted by one counting pass and small networks (segment_by_bins.cl); others digit by digit, or by merges,
 * as in whole.cl.
 *
 *     ROW_MEMORY(m)                           in the kernel: local memory m
 *     sort_row(&m, arrays, first, valid)      sort `valid` elements, at most BIN_TILE, from `first` on, into the same
 *                                             places of the outputs; all work-items call it, with a barrier before the
 *                                             next segment
 *
 * Groups of empty segments do not leave before a barrier: PoCL 3.1 would drop code.
 * Parameters: segment_by_bins.cl with its parameters; keys.cl with COUNTED 0. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "radix_sort/parts/ranked.cl"
#include "radix_sort/parts/cards.cl"
#include "radix_sort/parts/segment_by_bins.cl"
#if BY_MERGES
#define ONE_SEGMENT 1
#include "radix_sort/parts/tile_by_merges.cl"
#define ROW_STAGED_WORDS BINS_MAX(BINS_STAGED_WORDS, KEY_WORDS)
#define ROW_COUNT_WORDS  BINS_COUNT_WORDS
#else
#include "radix_sort/parts/group_passes.cl"
#include "radix_sort/parts/tile_sort.cl"
#define ROW_STAGED_WORDS BINS_MAX(BINS_STAGED_WORDS, KEY_WORDS + (VALUE_SIZE > 0 ? (TILE + 7) / 8 : 0))
#define ROW_COUNT_WORDS  BINS_MAX(BINS_COUNT_WORDS, TABLE / 4)
#endif

#if BIN_TILE > TILE
#error "a tile must have room for all that is sorted by bins"
#endif

typedef struct {
    segment_bins bins;
#if BY_MERGES
    tile_memory tile;
#else
    passes_memory tile;
#endif
} row_memory;

#if BY_MERGES
#define ROW_TILE __local ushort tile_places[TILE_PLACES];
#define ROW_TILE_OF(k)                                                                                                 \
    {                                                                                                                  \
        (__local KEY *)(k), 0, tile_places, 0                                                                          \
    }
#else
#define ROW_TILE                                                                                                       \
    __local uint begins[RADIX + 1];                                                                                    \
    __local uint sums[TILE_SUMS];
#define ROW_TILE_OF(k)                                                                                                 \
    {                                                                                                                  \
        (__local KEY *)(k), (__local ushort *)((__local KEY *)(k) + TILE), (__local uint *)row_counts, begins, sums    \
    }
#endif
#define ROW_MEMORY(m)                                                                                                  \
    __local uint4 row_counts[ROW_COUNT_WORDS];                                                                         \
    __local uint4 row_staged[ROW_STAGED_WORDS];                                                                        \
    __local clprim__bins_memory row_sums;                                                                              \
    __local uint row_words[3];                                                                                         \
    ROW_TILE                                                                                                           \
    const row_memory m = {{row_counts, row_staged, row_words, row_words + 1, row_words + 2, &row_sums},                \
                          ROW_TILE_OF(row_staged)};

ALWAYS_INLINE void sort_row(const row_memory *m, sorted_arrays a, ulong first, uint valid)
{
    const KEY any = valid > 0 ? key_at(a.keys_in, first, 0, true) : 0;
    KEY rows[BLOCK];
    uint places[BLOCK / 2];
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        rows[j] = HAS_STRIPE(j, valid) ? key_at(a.keys_in, first + get_local_id(0), j * GROUP_SIZE, true) : any;
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        rows[j] = image_of(rows[j]);
    if (count_bins(&m->bins, places, rows, image_of(any), valid)) {
        sort_bins(&m->bins, places, rows);
    } else {
#if BY_MERGES
        barrier(CLK_LOCAL_MEM_FENCE); /* all know that bins are long: their memory may be taken */
        load_tile(&m->tile, a.keys_in, first, valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys */
        sort_by_merges(&m->tile, valid);
        write_tile(a, &m->tile, first, valid);
#else
        const uint end = BEGIN_BIT + *(volatile __local uint *)m->bins.highest; /* keys do not differ from there on */
        const uint items = (valid + GROUP_SIZE - 1) / GROUP_SIZE;
        KEY images[ITEMS];
        ushort origins[ITEMS];
        load_segment(images, origins, a.keys_in, first, valid, items);
        barrier(CLK_LOCAL_MEM_FENCE); /* all know that bins are long: their memory may be taken */
        sort_segment_by_passes(images, origins, &m->tile, a.keys_in, first, valid, items, end);
        write_tile(a, images, origins, first, valid, items);
#endif
        if (get_local_id(0) == 0)
            *m->bins.valid = 0; /* nothing is left to be written */
    }
    barrier(CLK_LOCAL_MEM_FENCE);                     /* the sorted cards */
    write_bins(a, &m->bins, first, COMMON_BITS(any)); /* in the branch PoCL 3.1 would lose its conditions */
}
