// SPDX-License-Identifier: MIT
/* segmented_sort_rows: segments of some hundred elements or more, each of which a work-group has to itself. Group s reads
 * segment s, sorts it in local memory, and writes it. Keys of which the upper bits tell most apart, as those of random
 * keys do, are sorted by one counting pass and small networks (segment_by_bins.cl); others digit by digit, or by merges,
 * as in whole.cl. Groups of empty segments do not leave before a barrier: PoCL 3.1 would drop code.
 *
 * HAS_LONG 2: a segment that is too long is entered as a long one.
 * Parameters: segment_by_bins.cl with its parameters; keys.cl with COUNTED 0; HAS_LONG 0 or 2. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/tile.cl"
#include "segmented_sort/args.h"
#include "segmented_sort/parts/segments.cl"
#include "segmented_sort/parts/segment_by_bins.cl"
#if BY_MERGES
#define ONE_SEGMENT 1
#include "segmented_sort/parts/tile_by_merges.cl"
#define ROW_STAGED_WORDS BINS_MAX(BINS_STAGED_WORDS, KEY_WORDS)
#define ROW_COUNT_WORDS  BINS_COUNT_WORDS
#else
#include "radix_sort/parts/group_passes.cl"
#include "segmented_sort/parts/tile_sort.cl"
#define ROW_STAGED_WORDS BINS_MAX(BINS_STAGED_WORDS, KEY_WORDS + (VALUE_SIZE > 0 ? (TILE + 7) / 8 : 0))
#define ROW_COUNT_WORDS  BINS_MAX(BINS_COUNT_WORDS, TABLE / 4)
#endif

#if BIN_TILE > TILE
#error "a tile must have room for all that is sorted by bins"
#endif

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void segmented_sort_rows(ARGS_OF(SEGMENTED_SORT_SHORT))
{
    const segmented_sort_args args = ARGS(SEGMENTED_SORT_NUMBERS);
    __local uint4 counts[ROW_COUNT_WORDS];
    __local uint4 staged[ROW_STAGED_WORDS];
    __local clprim__bins_memory bin_sums;
    __local uint shared_valid;
    __local uint highest;
    __local uint is_long;
    const segment_bins m = {counts, staged, &shared_valid, &highest, &is_long, &bin_sums};
#if BY_MERGES
    __local ushort tile_places[TILE_PLACES];
    const tile_memory tile = {(__local KEY *)staged, 0, tile_places, 0};
#else
    __local uint begins[RADIX + 1];
    __local uint sums[TILE_SUMS];
    const passes_memory tile = {(__local KEY *)staged, (__local ushort *)((__local KEY *)staged + TILE),
                                (__local uint *)counts, begins, sums};
#endif
#if HAS_LONG
    __local uint shared_place;
    SEGMENTS_HERE
    const ulong longest = min((ulong)all.longest, (ulong)BIN_TILE);
#else
    FEW_HERE
    const ulong longest = BIN_TILE;
#endif
    const uint s = (uint)get_group_id(0);
    const ulong first = segment_begin(&all, s);
    const ulong beyond = segment_begin(&all, s + 1);
    const uint valid = beyond > first && beyond - first <= longest ? (uint)(beyond - first) : 0;
#if HAS_LONG
    if (get_local_id(0) == 0)
        shared_place = valid == 0 ? long_reserve(&all, s) : NO_PLACE;
#endif
    const sorted_arrays a = ARRAYS_HERE;
    const KEY any = valid > 0 ? key_at(a.keys_in, first, 0, true) : 0;
    KEY rows[BLOCK];
    uint places[BLOCK / 2];
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        rows[j] = HAS_STRIPE(j, valid) ? key_at(a.keys_in, first + get_local_id(0), j * GROUP_SIZE, true) : any;
#pragma unroll
    for (uint j = 0; j < BLOCK; j++)
        rows[j] = image_of(rows[j]);
    if (count_bins(&m, places, rows, image_of(any), valid)) {
        sort_bins(&m, places, rows);
    } else {
#if BY_MERGES
        barrier(CLK_LOCAL_MEM_FENCE); /* all know that bins are long: their memory may be taken */
        load_tile(&tile, a.keys_in, first, valid);
        barrier(CLK_LOCAL_MEM_FENCE); /* the keys */
        sort_by_merges(&tile, valid);
        write_tile(a, &tile, first, valid);
#else
        const uint items = (valid + GROUP_SIZE - 1) / GROUP_SIZE;
        KEY images[ITEMS];
        ushort origins[ITEMS];
        load_segment(images, origins, a.keys_in, first, valid, items);
        barrier(CLK_LOCAL_MEM_FENCE); /* all know that bins are long: their memory may be taken */
        sort_segment_by_passes(images, origins, &tile, a.keys_in, first, valid, items);
        write_tile(a, images, origins, first, valid, items);
#endif
        if (get_local_id(0) == 0)
            shared_valid = 0; /* nothing is left to be written */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sorted cards */
    write_bins(a, &m, first);     /* in the branch PoCL 3.1 would lose its conditions */
#if HAS_LONG
    if (shared_place != NO_PLACE)
        (void)long_enter(&all, s, shared_place);
#endif
}
