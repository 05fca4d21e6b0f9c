// SPDX-License-Identifier: MIT
/* bitonic_sort_block, _window, _merge for CPUs: a work-group is one work-item, and so one thread at a time. It sorts,
 * and later merges, a chunk that fits a core's cache. For longer distances, all cores share the array, and make three
 * steps per pass.
 *
 * This is the mirrored form of the network (see register_tile.cl). Three steps work on eight streams side by side,
 * column by column (columns.cl).
 *
 * Why: a chunk that fits a core's cache is sorted and merged in vectors, which suits a CPU.
 * Parameters: CHUNK_LOG, log2 of the elements of a chunk, at least MIN_CHUNK_LOG; GROUP_SIZE 1. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "bitonic_sort/args.h"
#include "bitonic_sort/parts/columns.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#if !defined(CHUNK_LOG) || !defined(MIN_CHUNK_LOG) || CHUNK_LOG < MIN_CHUNK_LOG
#error "CHUNK_LOG must be given, at least MIN_CHUNK_LOG"
#endif
#if STREAMS_LOG != 3
#error "STREAMS_LOG must be 3"
#endif

/* Where the columns of the streams begin: `first` for the lower half of the streams, `second` for the upper half, whose
 * columns are in reverse order if the step mirrors. */
typedef struct {
    INDEX first, second;
    int window; /* the distance of streams is 2^window */
} stream_place;

ALWAYS_INLINE INDEX index_of(stream_place p, uint stream)
{
    return (stream >= STREAMS / 2 ? p.second : p.first) + ((INDEX)stream << p.window);
}

/* Load the columns. Columns beyond the array contain the image that comes last, or anything that is then not compared.
 * Returns the number of streams that exist, at least in part. */
ALWAYS_INLINE uint streams_load(column *x, array a, stream_place p, INDEX n)
{
    const INDEX last = index_of(p, STREAMS - 1);
    if (last < n && n - last >= WIDTH) {
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            x[j] = column_load(a, index_of(p, j));
        return STREAMS;
    }
    edge e;
    uint present = 0;
    for (uint k = 0; k < EDGE; k++) {
        const INDEX i = index_of(p, k >> WIDTH_LOG) + (k & (WIDTH - 1));
        item own = load(a, i < n ? i : 0);
#if !CUSTOM
        if (i >= n)
            KEY_OF(own) = LAST_IMAGE;
#endif
        edge_put(&e, k, own);
        present += i < n && (k & (WIDTH - 1)) == 0;
    }
#pragma unroll
    for (uint j = 0; j < STREAMS; j++)
        x[j] = column_of(&e, j * WIDTH);
    return present;
}

ALWAYS_INLINE void streams_store(array a, const column *x, stream_place p, INDEX n)
{
    const INDEX last = index_of(p, STREAMS - 1);
    if (last < n && n - last >= WIDTH) {
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            column_store(a, index_of(p, j), x[j]);
        return;
    }
    edge e;
#pragma unroll
    for (uint j = 0; j < STREAMS; j++)
        column_put(&e, j * WIDTH, x[j]);
    for (uint k = 0; k < EDGE; k++) {
        const INDEX i = index_of(p, k >> WIDTH_LOG) + (k & (WIDTH - 1));
        if (i < n)
            store(a, i, edge_item(&e, k));
    }
}

/* Make one step, at a bit of the stream number. `present` streams exist. */
ALWAYS_INLINE void step(column *x, uint bit, bool mirrors, uint present)
{
#pragma unroll
    for (uint i = 0; i < STREAMS; i++) {
        const uint partner = mirrors ? i ^ ((2u << bit) - 1) : i | 1u << bit;
        if ((i >> bit & 1) == 0 && (!CUSTOM || partner < present))
            column_compare(&x[i], &x[partner], mirrors);
    }
}

/* Make a pass over columns begin .. end - 1: the steps at bits window + high .. window. mirrors: they are the stage's
 * first steps, and high is 2. If a stream is as wide as a column, the pass completes the stage. */
ALWAYS_INLINE void pass(array a, INDEX n, int window, int high, bool mirrors, INDEX begin, INDEX end)
{
    const INDEX mask = ((INDEX)1 << window) - 1;
    for (INDEX c = begin; c < end; c++) {
        const INDEX lane = c << WIDTH_LOG;
        const INDEX first = (lane >> window) << (window + STREAMS_LOG) | (lane & mask);
        const stream_place p = {first, mirrors ? (first ^ mask) - (WIDTH - 1) : first, window};
        column x[STREAMS];
        const uint present = streams_load(x, a, p, n);
        if (mirrors)
            step(x, 2, true, present);
        else if (high == 2)
            step(x, 2, false, present);
        if (high >= 1)
            step(x, 1, false, present);
        step(x, 0, false, present);
        if (window == WIDTH_LOG)
#pragma unroll
            for (uint j = 0; j < STREAMS; j++)
                x[j] = column_merged(x[j]);
        streams_store(a, x, p, n);
    }
}

static inline INDEX columns_for(INDEX n, int window)
{
    const int bits = window + STREAMS_LOG;
    return ((n >> bits) + ((n & (((INDEX)1 << bits) - 1)) != 0)) << (window - WIDTH_LOG);
}

/* Make the steps of one stage at bits high .. 0 of the index. If they mirror, they begin with distances longer than a
 * column. */
ALWAYS_INLINE void stage(array a, INDEX n, int high, bool mirrors)
{
    while (high >= WIDTH_LOG) {
        const int window = max(high + 1 - STREAMS_LOG, WIDTH_LOG);
        pass(a, n, window, high - window, mirrors, 0, columns_for(n, window));
        mirrors = false;
        high = window - 1;
    }
}

ALWAYS_INLINE array behind(array a, INDEX begin)
{
    a.keys += begin;
#if VALUE_SIZE
    a.values += begin;
#endif
    return a;
}

/* Sort an array, or a part of one, from one place to another or in place. It begins with as many elements at a time as
 * eight columns have. */
ALWAYS_INLINE void sort_from(array from, array to, INDEX length)
{
    for (INDEX i = 0; i < length; i += STREAMS * WIDTH) {
        const stream_place p = {i, i, WIDTH_LOG};
        column x[STREAMS];
        const uint present = streams_load(x, from, p, length);
#if WIDTH_LOG > 0
        column own[STREAMS]; /* in memory, so that the code that sorts one column is compiled once */
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            own[j] = x[j];
#pragma unroll 1
        for (uint j = 0; j < STREAMS; j++)
            own[j] = column_sorted(own[j]);
#pragma unroll
        for (uint j = 0; j < STREAMS; j++)
            x[j] = own[j];
#endif
#pragma unroll 1 /* so that the loop body is compiled once */
        for (uint high = 0; high < STREAMS_LOG; high++) {
            if (high == 0) {
                step(x, 0, true, present);
            } else {
                if (high == 1) {
                    step(x, 1, true, present);
                } else {
                    step(x, 2, true, present);
                    step(x, 1, false, present);
                }
                step(x, 0, false, present);
            }
#pragma unroll
            for (uint j = 0; j < STREAMS; j++)
                x[j] = column_merged(x[j]);
        }
        streams_store(to, x, p, length);
        if (length - i <= STREAMS * WIDTH)
            break; /* avoid overflow */
    }
    for (int high = STREAMS_LOG + WIDTH_LOG; high < (int)sizeof(INDEX) * 8 && (INDEX)1 << high < length; high++)
        stage(to, length, high, true);
}

#ifndef OFFSET /* with segments, segments_cpu.cl has the only kernel */
/* Sort a chunk. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_block(ARGS_OF(BITONIC_SORT_MOVE))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const INDEX begin = (INDEX)get_group_id(0) << CHUNK_LOG;
    sort_from(behind(ARRAY_OF(in), begin), behind(ARRAY_OF(out), begin),
              min((INDEX)args.n - begin, (INDEX)1 << CHUNK_LOG));
}

/* Make three steps of one stage, at bits window .. window + 2. mirrors: they are the stage's first steps. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_window(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const INDEX columns = columns_for((INDEX)args.n, (int)args.window);
    const INDEX share = columns / (INDEX)get_num_groups(0) + 1;
    const INDEX begin = min(columns, (INDEX)get_group_id(0) * share);
    const INDEX end = min(columns, begin + share);
    pass(ARRAY_OF(out), (INDEX)args.n, (int)args.window, STREAMS_LOG - 1, args.mirrors != 0, begin, end);
}

/* Make the remaining steps of a stage, within chunks. */
__kernel LIMITED_GROUP_OF(GROUP_SIZE) void bitonic_sort_merge(ARGS_OF(BITONIC_SORT_STEP))
{
    const bitonic_sort_args args = ARGS(BITONIC_SORT_NUMBERS);
    const INDEX begin = (INDEX)get_group_id(0) << CHUNK_LOG;
    stage(behind(ARRAY_OF(out), begin), min((INDEX)args.n - begin, (INDEX)1 << CHUNK_LOG), CHUNK_LOG - 1, false);
}
#endif
