// SPDX-License-Identifier: MIT
/* scan_reduce_then_scan: two launches. Each group has a chunk of consecutive tiles. scan_chunk_sums folds it. Then
 * scan_chunks folds the sums of all earlier chunks and scans the chunk tile by tile. No group waits for another one.
 * Why: elements stay in registers and shuffles scan them, so what remains is to read the array twice and to write it
 * once.
 * Source: Merrill and Grimshaw 2009, Parallel Scan for Stream Architectures.
 * Parameters: the operator's prelude; GROUP_SIZE; ITEMS packets per work-item. At most GROUP_SIZE * SCAN_TOTALS groups;
 * `work` holds one VALUE per group, its sum. */
#include "common/subgroup.cl"
#include "clprim/device/work_group_reduce.h"
#include "scan/args.h"
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/spans.cl"
#include "scan/parts/long_prefix.cl"
#include "common/tile_scan.cl"
#include "common/tile_load.cl"
#include "scan/parts/marks.cl"
#include "scan/parts/tile.cl"
#include "scan/parts/spans_tile.cl"

/* Nothing before the beginning of a segment matters for what comes after it. So the tiles of a chunk are folded from
 * the last one backwards, and the loop stops at the first tile in which a segment begins. Sums of floats must be added
 * forwards (long_prefix.cl). */
#if SEGMENTS && !RUNS && !defined(SEES_SEGMENTS) && !defined(LONG_PREFIX)
#define FORGETS 1
#else
#define FORGETS 0
#endif

/* If the operator is commutative, each work-item folds what it reads of all tiles, and there are no barriers between
 * tiles. */
#if COMMUTATIVE
CLPRIM_WORK_GROUP_REDUCE(clprim__chunk, VALUE, COMBINE(a, b), GROUP_SIZE)
typedef clprim__chunk_memory chunk_memory;
#else
typedef clprim__tile_memory chunk_memory;
#endif

__kernel GROUP_OF(GROUP_SIZE) void scan_chunk_sums(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local chunk_memory shared;
    MARKS_HERE(TILE)
    LOCAL_BEGINS
    SEGMENTS_HERE
    const ulong n = CALL_COUNT_0(args.n);
    uint tile;
    uint end;
    in += args.in_offset;
    own_tiles(&tile, &end, in, n);
    long_prefix sum = prefix_begin(IDENTITY);
#if COMMUTATIVE
    for (; tile < end; end--) { /* from the last tile backwards, because scan_chunks begins with the first one: what was
                                 * read last may still be cached */
        tile_elements e;
        VALUE totals[SCAN_TOTALS];
        const tile_range t = tile_range_of(in, n, end - 1);
        tile_read(&e, t, in, n, segments MARKS_ARGUMENT);
        tile_totals(totals, &e, t, n BEGINS_ARGUMENT);
#pragma unroll
        for (uint j = 0; j < SCAN_TOTALS; j++)
            sum = prefix_then(sum, totals[j]);
    }
    const VALUE folded = clprim__chunk_reduce(prefix_value(sum), &shared);
    if (get_local_id(0) == 0)
        work[get_group_id(0)] = folded;
#else
    while (tile < end) {
        tile_elements e;
        VALUE totals[SCAN_TOTALS];
        VALUE before;
        const tile_range t = tile_range_of(in, n, FORGETS ? end - 1 : tile);
        tile_read(&e, t, in, n, segments MARKS_ARGUMENT);
        tile_totals(totals, &e, t, n BEGINS_ARGUMENT);
        const VALUE folded = clprim__tile_fold(totals, &before, &shared);
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with local memory */
#if FORGETS
        sum = COMBINE(folded, sum);
        end = begins_of(folded) != 0 ? tile : end - 1;
#else
        sum = prefix_then(sum, folded);
        tile++;
#endif
    }
    if (get_local_id(0) == 0)
        work[get_group_id(0)] = prefix_value(sum);
#endif
}

__kernel GROUP_OF(GROUP_SIZE) void scan_chunks(ARGS_OF(SCAN_WRITE))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    __local clprim__tile_memory shared;
    MARKS_HERE(TILE)
    LOCAL_BEGINS
#if RUNS
    __local tile_staged staged;
#endif
    RUNS_HERE
    const plain_value initial = initial_value();
    const ulong n = CALL_COUNT_0(args.n);
    uint tile;
    uint end;
    in += args.in_offset;
    out += args.out_offset;
    own_tiles(&tile, &end, in, n);

    VALUE totals[SCAN_TOTALS];
    VALUE before;
#pragma unroll
    for (uint j = 0; j < SCAN_TOTALS; j++)
        totals[j] = clprim__tile_index(j) < get_group_id(0) ? work[clprim__tile_index(j)] : IDENTITY;
    long_prefix tiles_before = prefix_begin(COMBINE(scan_begin(initial), clprim__tile_fold(totals, &before, &shared)));
    for (; tile < end; tile++) {
        tile_elements e;
        barrier(CLK_LOCAL_MEM_FENCE); /* all are done with local memory */
        const tile_range t = tile_range_of(in, n, tile);
        tile_read(&e, t, in, n, segments MARKS_ARGUMENT);
        tile_totals(totals, &e, t, n BEGINS_ARGUMENT);
        const VALUE total = clprim__tile_fold(totals, &before, &shared);
        clprim__tile_prefixes(totals, before, &shared);
        const VALUE prefix = prefix_value(tiles_before);
#if RUNS
        tile_stage(&staged, &e, t, totals, n);
        barrier(CLK_LOCAL_MEM_FENCE); /* wait until all runs are staged */
        tile_store_runs(out, &staged, t, prefix, total, n, segments);
#else
        tile_store(out, &e, t, totals, prefix, initial, n);
#endif
        tiles_before = prefix_then(tiles_before, total);
    }
    store_no_runs(n, segments);
}
