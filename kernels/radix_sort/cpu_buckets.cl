// SPDX-License-Identifier: MIT
/* radix_sort_cpu_buckets: for devices whose work-groups run one after the other on a few cores, of one work-item each.
 * One pass through memory brings the elements into up to BUCKETS buckets by their upper bits, of nearly equal size
 * where the keys allow; each then fits a core's cache, where moving its elements digit by digit costs a quarter of what
 * it does in memory.
 *   radix_sort_survey       which bits are not the same in all keys, for each chunk of the array
 *   radix_sort_count_bins   of the uppermost of these, WINDOW bits: how many keys a chunk has of each value
 *   radix_sort_plan         neighbouring values share a bucket: which, and where each chunk's elements of it go
 *   radix_sort_to_buckets   there they go
 *   radix_sort_in_buckets   each bucket, or an array so small that it is one, by its lower bits: digit by digit, from
 *                           the least on. If there are more bits than it takes to tell random keys of this number
 *                           apart, the lowest of them have no pass: keys that agree in all upper bits are sorted
 *                           afterwards, by insertion if they are few. Keys alone of 32 or 64 bits have a single pass,
 *                           if after it they are in short runs, which are sorted in vectors (columns.cl)
 * Why: one pass through memory makes buckets that fit a core's cache, in which the other passes are cheaper.
 * Source: Polychroniou, Ross 2014, A Comprehensive Study of Main-Memory Partitioning. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "common/own_chunk.cl"

/* Keys that are equal are the same: then it does not matter which of them comes first. */
#define HAS_COLUMNS (VALUE_SIZE == 0 && BEGIN_BIT == 0 && END_BIT == KEY_BITS && (KEY_BITS == 32 || KEY_BITS == 64))
#if HAS_COLUMNS
#include "radix_sort/parts/columns.cl"
#endif

#if !defined(WINDOW) || !defined(BUCKETS) || !defined(HAS_BUCKETS)
#error "WINDOW, BUCKETS and HAS_BUCKETS must be given"
#endif
#define BINS        (1u << WINDOW)
#define FEWEST      4096        /* elements worth a bucket */
#define LINE        64          /* bytes that are written to memory together */
#define HELD        16          /* elements of a bucket that are, a line or several */
#define FEW_BYTES   (1ul << 21) /* of keys, for which caches are large enough, or */
#define FEW_BUCKETS 32          /* buckets: then each element is written by itself */

/* Elements whose places are found before the first of them moves: else to read where the next one goes would have to
 * wait until it is known that the one before does not go there. */
#define STEP 32

#if HELD * VALUE_SIZE > LINE && HELD * VALUE_SIZE % LINE != 0
#error "values that are held must be whole lines, or less than one"
#endif

/* The parts of the tables, behind one another, for `chunks` chunks. */
/* of each bin, a chunk after the other; then where they go */
#define COUNTS(tables, chunks)    ((__global COUNT *)(tables))
#define BEGINS(tables, chunks)    (COUNTS(tables, chunks) + (chunks)*BINS) /* of each bucket, and the end of the last */
#define VARYING(tables, chunks)   ((__global ulong *)(BEGINS(tables, chunks) + BUCKETS + 8))
#define BUCKET_OF(tables, chunks) ((__global uchar *)(VARYING(tables, chunks) + 2 * (chunks))) /* of each bin */

/* Write HELD elements from an array of so many. Where the compiler can, past the caches: written one by one, each
 * element would first bring its line there. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define HELD_LINES(from) (sizeof(from) / LINE)
#define WRITE_HELD(to, from)                                                                                           \
    for (uint line = 0; line < HELD_LINES(from); line++)                                                               \
        __builtin_nontemporal_store(((const ulong8 *)(from))[line], (__global ulong8 *)(to) + line);                   \
    for (uint k = HELD_LINES(from) > 0 ? HELD : 0; k < HELD; k++)                                                      \
        (to)[k] = (from)[k];
#endif
#endif
#if !defined(WRITE_HELD)
#define WRITE_HELD(to, from)                                                                                           \
    for (uint k = 0; k < HELD; k++)                                                                                    \
        (to)[k] = (from)[k];
#endif

static inline bool begins_line(const __global void *memory)
{
    return (ulong)memory % LINE == 0;
}

#if VALUE_SIZE
static inline VALUE first_value(const __global VALUE *values, ulong i)
{
#if INDICES
    return (VALUE)i;
#else
    return values[i];
#endif
}
#endif

static inline KEY sorted_part(KEY key)
{
    return (KEY)((KEY)(image_of(key) & SORTED_BITS) >> BEGIN_BIT);
}

/* Where the window begins: WINDOW bits down from the highest that varies. */
static inline uint window_of(const __global ulong *varying, ulong chunks)
{
    ulong any = 0;
    ulong all = ~0ul;
    for (ulong k = 0; k < chunks; k++) {
        any |= varying[2 * k];
        all &= varying[2 * k + 1];
    }
    const uint bits = 64 - (uint)clz(any & ~all);
    return bits > WINDOW ? bits - WINDOW : 0;
}

static inline uint bin_of(KEY key, uint window)
{
    return (uint)(sorted_part(key) >> window) & (BINS - 1);
}

__kernel GROUP_OF(1) void radix_sort_survey(ARGS_OF(RADIX_SORT_GIVEN))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    __global uchar *tables = scratch + args.counts_at;
    const __global KEY *keys = GIVEN_KEYS;
    __global ulong *varying = VARYING(tables, get_num_groups(0));
    ulong i;
    ulong end;
    KEY any = 0;
    KEY all = LAST_IMAGE;
    for (own_chunk(&i, &end, n); i < end; i++) {
        const KEY part = sorted_part(key_at(keys, i, 0, true));
        any |= part;
        all &= part;
    }
    varying[2 * get_group_id(0)] = any;
    varying[2 * get_group_id(0) + 1] = all;
}

__kernel GROUP_OF(1) void radix_sort_count_bins(ARGS_OF(RADIX_SORT_GIVEN))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    __global uchar *tables = scratch + args.counts_at;
    const __global KEY *keys = GIVEN_KEYS;
    __global COUNT *to = COUNTS(tables, get_num_groups(0)) + get_group_id(0) * BINS;
    const uint window = window_of(VARYING(tables, get_num_groups(0)), get_num_groups(0));
    COUNT counts[BINS];
    ulong i;
    ulong end;
    for (uint bin = 0; bin < BINS; bin++)
        counts[bin] = 0;
    for (own_chunk(&i, &end, n); i < end; i++)
        counts[bin_of(key_at(keys, i, 0, true), window)]++;
    for (uint bin = 0; bin < BINS; bin++)
        to[bin] = counts[bin];
}

/* A bin belongs to the bucket in which it would begin, were all of one size. One work-item does it. */
__kernel GROUP_OF(1) void radix_sort_plan(ARGS_OF(RADIX_SORT_SCRATCH))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    __global uchar *tables = scratch + args.counts_at;
    const ulong chunks = args.shares;
    __global COUNT *counts = COUNTS(tables, chunks);
    __global COUNT *begins = BEGINS(tables, chunks);
    __global uchar *bucket_of = BUCKET_OF(tables, chunks);
    const ulong buckets = min((ulong)BUCKETS, n / FEWEST + 1);
    const ulong size = max((n + buckets - 1) / buckets, 1ul);
    COUNT before = 0;
    uint next = 0; /* bucket that has no beginning yet */
    for (uint bin = 0; bin < BINS; bin++) {
        const uint bucket = min((uint)(before / size), (uint)buckets - 1); /* bins behind all elements: any */
        bucket_of[bin] = (uchar)bucket;
        for (; next <= bucket; next++)
            begins[next] = before;
        for (ulong k = 0; k < chunks; k++)
            before += counts[k * BINS + bin];
    }
    for (; next <= BUCKETS; next++)
        begins[next] = before;
    /* From the counts of bins to where a chunk's elements of each bucket go. */
    COUNT at[BUCKETS];
    for (uint bucket = 0; bucket < BUCKETS; bucket++)
        at[bucket] = begins[bucket];
    for (ulong k = 0; k < chunks; k++) {
        __global COUNT *own = counts + k * BINS;
        COUNT to[BUCKETS];
        for (uint bucket = 0; bucket < BUCKETS; bucket++)
            to[bucket] = at[bucket];
        for (uint bin = 0; bin < BINS; bin++)
            at[bucket_of[bin]] += own[bin];
        for (uint bucket = 0; bucket < BUCKETS; bucket++)
            own[bucket] = to[bucket];
    }
}

static inline uint used_buckets(const __global COUNT *begins)
{
    uint used = 0;
    for (uint bucket = 0; bucket < BUCKETS; bucket++)
        used += begins[bucket + 1] != begins[bucket];
    return used;
}

/* The keys and bins of so many elements from i on. */
ALWAYS_INLINE void next_bins(KEY *key, uint *bin, const __global KEY *keys, ulong i, const uint count, uint window)
{
    for (uint k = 0; k < count; k++) {
        key[k] = key_at(keys, i, k, true);
        bin[k] = bin_of(key[k], window);
    }
}

/* The next elements' keys, bins and places. All but the last ones are STEP, a number that the compiler knows. */
#define NEXT_PLACES                                                                                                    \
    const uint count = (uint)min((ulong)STEP, end - i);                                                                \
    if (count == STEP)                                                                                                 \
        next_bins(key, bin, keys, i, STEP, window);                                                                    \
    else                                                                                                               \
        next_bins(key, bin, keys, i, count, window);                                                                   \
    for (uint k = 0; k < count; k++)                                                                                   \
        place[k] = next[bucket_of[bin[k]]]++;

__kernel GROUP_OF(1) void radix_sort_to_buckets(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    __global uchar *tables = scratch + args.counts_at;
    const __global KEY *keys = GIVEN_KEYS;
    const ulong chunks = get_num_groups(0);
    const __global COUNT *places = COUNTS(tables, chunks) + get_group_id(0) * BINS;
    const __global uchar *from = BUCKET_OF(tables, chunks);
    const uint window = window_of(VARYING(tables, chunks), chunks);
    __global KEY *keys_to = (__global KEY *)scratch;
#if VALUE_SIZE
    const __global VALUE *values = GIVEN_VALUES;
    __global VALUE *values_to = (__global VALUE *)(scratch + args.values_at);
#endif
    uchar bucket_of[BINS];
    COUNT next[BUCKETS];
    KEY key[STEP];
    uint bin[STEP];
    COUNT place[STEP];
    ulong i;
    ulong end;
    for (uint bin = 0; bin < BINS; bin++)
        bucket_of[bin] = from[bin];
    for (uint bucket = 0; bucket < BUCKETS; bucket++)
        next[bucket] = places[bucket];
    own_chunk(&i, &end, n);
    bool by_lines = n * sizeof(KEY) > FEW_BYTES && used_buckets(BEGINS(tables, chunks)) > FEW_BUCKETS;
    by_lines = by_lines && begins_line(keys_to);
#if VALUE_SIZE
    by_lines = by_lines && begins_line(values_to);
#endif
    if (!by_lines) {
        for (; i < end; i += STEP) {
            NEXT_PLACES
            for (uint k = 0; k < count; k++) {
                keys_to[place[k]] = key[k];
#if VALUE_SIZE
                values_to[place[k]] = first_value(values, i + k);
#endif
            }
        }
        return;
    }
    /* Elements are gathered for each bucket until a line is full. */
    KEY held[BUCKETS][HELD] __attribute__((aligned(LINE)));
#if VALUE_SIZE
    VALUE held_values[BUCKETS][HELD] __attribute__((aligned(LINE)));
#endif
    COUNT written[BUCKETS]; /* up to where a bucket's elements are in memory */
    for (uint bucket = 0; bucket < BUCKETS; bucket++)
        written[bucket] = next[bucket];
    for (; i < end; i += STEP) {
        NEXT_PLACES
        for (uint k = 0; k < count; k++) {
            const uint bucket = bucket_of[bin[k]];
            const COUNT to = place[k];
            held[bucket][to % HELD] = key[k];
#if VALUE_SIZE
            held_values[bucket][to % HELD] = first_value(values, i + k);
#endif
            if (to % HELD < HELD - 1)
                continue;
            if (to - written[bucket] == HELD - 1) {
                WRITE_HELD(keys_to + (to - (HELD - 1)), held[bucket])
#if VALUE_SIZE
                WRITE_HELD(values_to + (to - (HELD - 1)), held_values[bucket])
#endif
            } else { /* the first ones, before which are elements of another chunk or bucket */
                for (COUNT at = written[bucket]; at <= to; at++) {
                    keys_to[at] = held[bucket][at % HELD];
#if VALUE_SIZE
                    values_to[at] = held_values[bucket][at % HELD];
#endif
                }
            }
            written[bucket] = to + 1;
        }
    }
    for (uint bucket = 0; bucket < BUCKETS; bucket++)
        for (COUNT at = written[bucket]; at < next[bucket]; at++) {
            keys_to[at] = held[bucket][at % HELD];
#if VALUE_SIZE
            values_to[at] = held_values[bucket][at % HELD];
#endif
        }
}

#include "radix_sort/parts/bucket_passes.cl"
#include "radix_sort/parts/bucket_runs.cl"

__kernel GROUP_OF(1) void radix_sort_in_buckets(ARGS_OF(RADIX_SORT_PASS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    SORT_COUNT
    bucket b;
    ulong begin = 0;
    ulong end = n;
    const bool has_buckets = (args.flags & HAS_BUCKETS) != 0;
    if (has_buckets) {
        const __global COUNT *begins = BEGINS(scratch + args.counts_at, args.shares);
        begin = begins[get_group_id(0)];
        end = begins[get_group_id(0) + 1];
    }
    if (begin == end)
        return;
    b.keys_out = keys_out + args.keys_out_offset + begin;
    b.keys_between = (__global KEY *)scratch + begin;
    b.keys = has_buckets ? b.keys_between : GIVEN_KEYS;
    b.are_given = !has_buckets;
#if VALUE_SIZE
    b.values_out = values_out + args.values_out_offset + begin;
    b.values_between = (__global VALUE *)(scratch + args.values_at) + begin;
    b.values = has_buckets ? b.values_between : GIVEN_VALUES;
    b.makes_values = INDICES && !has_buckets;
#endif
    const digits d = sort_digits(b, end - begin, digits_of(&b, end - begin, false),
                                 !has_buckets && (args.flags & IN_PLACE) != 0, has_buckets);
    bool are_sorted = d.rest == 0;
#if HAS_COLUMNS
    if (d.is_scaled)
        sort_columns(b.keys_out, end - begin);
    are_sorted = are_sorted && !d.is_scaled;
#endif
    if (!are_sorted)
        finish_runs(&b, end - begin, d);
}
