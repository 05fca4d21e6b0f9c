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
#define MAX_DIGIT   10u         /* bits of a digit in a bucket, and */
#define MIN_DIGIT   6u          /* in one of few elements */
#define MOST_RUNS   16384       /* that sort_columns gets, of */
#define RUN_LENGTH  5           /* elements on average; if many runs have more than */
#define LONG_RUN    16          /* elements, the bucket is sorted otherwise */
#define SAMPLED     128         /* keys of a bucket, at most, to see that before */
#define SPARE_BITS  5           /* that are sorted beyond those which number the elements */
#define LEAST_REST  4           /* bits that are worth leaving to finish_runs */
#define ASCENDING   32          /* neighbours that it compares together */
#define INSERTED    48          /* elements of a run that it sorts by insertion, at most */
#define IN_CACHE    (96u << 10) /* elements of a bucket that are moved within a core's cache, at most */

/* Of all digits; smaller ones need fewer. */
#if HAS_COLUMNS
#define COUNTERS MOST_RUNS
#else
#define COUNTERS ((KEY_BITS + MAX_DIGIT - 1) / MAX_DIGIT << MAX_DIGIT)
#endif

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

/* How a bucket's keys are read: by their difference to the least of them, of which the lowest `rest` bits are left out,
 * in `passes` digits of `bits` bits. Where runs are sorted as columns, what is left is scaled to their number, which is
 * no power of two, by a factor of 1 / 2^SCALE_BITS; else the factor is 1. */
typedef struct {
    KEY least;
    uint range_bits; /* of the greatest difference */
    uint rest;
    uint passes;
    uint bits;
#if HAS_COLUMNS
    uint factor;
    bool is_scaled;
#endif
} digits;

#define SCALE_BITS 16

static inline KEY digits_in(KEY key, const digits *d)
{
    const KEY upper = (KEY)((KEY)(sorted_part(key) - d->least) >> d->rest);
#if HAS_COLUMNS
    return (KEY)(upper * d->factor) >> (d->is_scaled ? SCALE_BITS : 0);
#else
    return upper;
#endif
}

/* The elements of a bucket, or of the array. */
typedef struct {
    const __global KEY *keys;
    __global KEY *keys_out;
    __global KEY *keys_between;
    bool are_given; /* the keys are those of the call */
#if VALUE_SIZE
    const __global VALUE *values;
    __global VALUE *values_out;
    __global VALUE *values_between;
    bool makes_values; /* the elements' indices */
#endif
} bucket;

#if defined(__has_builtin) && !defined(__SPIR__) && !defined(__SPIR64__) /* which has no such instruction: Oclgrind */
#if __has_builtin(__builtin_prefetch)
#define FETCH_TO_WRITE(place) __builtin_prefetch((const void *)(ulong)(place), 1)
#endif
#endif
#ifndef FETCH_TO_WRITE
#define FETCH_TO_WRITE(place)
#endif

/* So many keys from i on, and their digits of all passes. */
ALWAYS_INLINE void next_digits(KEY *key, KEY *all, const bucket *b, ulong i, const uint count, const digits *d)
{
    for (uint k = 0; k < count; k++) {
        key[k] = key_at(b->keys, i, k, b->are_given);
        all[k] = digits_in(key[k], d);
    }
}

/* The same of the next keys, of which `some` are left. */
#define NEXT_DIGITS                                                                                                    \
    const uint some = (uint)min((ulong)STEP, count - i);                                                               \
    KEY key[STEP];                                                                                                     \
    KEY all[STEP];                                                                                                     \
    if (some == STEP)                                                                                                  \
        next_digits(key, all, b, i, STEP, &d);                                                                         \
    else                                                                                                               \
        next_digits(key, all, b, i, some, &d);

/* The counts of each pass, one pass after the other. An addition waits for the last one to the same count, but not for
 * those of other passes. Meanwhile the lines to which the first pass will move elements, in any order, come to the
 * cache in theirs, if there is room. */
static inline void count_digits(const bucket *b, ulong count, digits d, COUNT *counts)
{
    const uint mask = (1u << d.bits) - 1;
    const bool fetches = count <= IN_CACHE;
    COUNT *upper = counts + (1u << d.bits);
    for (uint i = 0; i < d.passes << d.bits; i++)
        counts[i] = 0;
    for (ulong i = 0; i < count && d.passes > 0; i += STEP) {
        NEXT_DIGITS
        if (fetches) {
#pragma unroll
            for (uint k = 0; k < STEP; k += LINE / sizeof(KEY))
                FETCH_TO_WRITE(b->keys_out + i + k);
#if VALUE_SIZE
#pragma unroll
            for (uint k = 0; k < STEP; k += LINE / sizeof(VALUE))
                FETCH_TO_WRITE(b->values_out + i + k);
#endif
        }
        if (d.passes == 1)
            for (uint k = 0; k < some; k++)
                counts[(uint)all[k] & mask]++;
        else if (d.passes == 2)
            for (uint k = 0; k < some; k++) {
                counts[(uint)all[k] & mask]++;
                upper[(uint)(all[k] >> d.bits) & mask]++;
            }
        else
            for (uint k = 0; k < some; k++)
                for (uint pass = 0; pass < d.passes; pass++)
                    counts[(pass << d.bits) + ((uint)(all[k] >> pass * d.bits) & mask)]++;
    }
}

static inline void move_by_digit(bucket *b, ulong count, digits d, uint pass, COUNT *next, bool to_out)
{
    __global KEY *keys_to = to_out ? b->keys_out : b->keys_between;
#if VALUE_SIZE
    const __global VALUE *values = b->values;
    __global VALUE *values_to = to_out ? b->values_out : b->values_between;
    const bool makes_values = b->makes_values;
#endif
    const uint shift = pass * d.bits;
    const uint mask = (1u << d.bits) - 1;
    const bool at_once = count <= IN_CACHE; /* beyond, stores wait for the caches, and more of them would wait longer */
    for (ulong i = 0; i < count && !at_once; i++) {
        const KEY key = key_at(b->keys, i, 0, b->are_given);
        const COUNT to = next[(uint)(digits_in(key, &d) >> shift) & mask]++;
        keys_to[to] = key;
#if VALUE_SIZE
        values_to[to] = makes_values ? first_value(values, i) : values[i];
#endif
    }
    for (ulong i = 0; i < count && at_once; i += STEP) {
        COUNT to[STEP];
        NEXT_DIGITS
        for (uint k = 0; k < some; k++)
            to[k] = next[(uint)(all[k] >> shift) & mask]++;
#pragma clang loop vectorize(disable) /* scattered vectors take longer than stores */
        for (uint k = 0; k < some; k++) {
            keys_to[to[k]] = key[k];
#if VALUE_SIZE
            values_to[to[k]] = makes_values ? first_value(values, i + k) : values[i + k];
#endif
        }
    }
    b->keys = keys_to;
    b->are_given = false;
#if VALUE_SIZE
    b->values = values_to;
    b->makes_values = false;
#endif
}

static inline void copy_out(const bucket *b, ulong count)
{
    for (ulong i = 0; i < count; i++) {
        b->keys_out[i] = key_at(b->keys, i, 0, b->are_given);
#if VALUE_SIZE
        b->values_out[i] = b->makes_values ? first_value(b->values, i) : b->values[i];
#endif
    }
}

static inline uint bits_of(ulong x)
{
    return 64 - (uint)clz(x);
}

/* As few passes as possible over the uppermost `taken` of `bits` bits. */
static inline digits digits_for(KEY least, uint bits, uint taken, ulong count)
{
    const uint widest = clamp(bits_of(count), MIN_DIGIT, MAX_DIGIT);
    digits d;
    d.least = least;
    d.range_bits = bits;
#if HAS_COLUMNS
    d.factor = 1;
    d.is_scaled = false;
#endif
    d.passes = (taken + widest - 1) / widest;
    d.bits = d.passes > 0 ? (taken + d.passes - 1) / d.passes : 0;
    d.rest = bits - min(bits, d.passes * d.bits);
    return d;
}

/* Of the bits, all, or only as many of the upper ones as tell random keys from each other, if that is less. */
static inline digits upper_digits(KEY least, uint bits, ulong count)
{
    const uint upper = bits_of(count) + SPARE_BITS;
    return digits_for(least, bits, bits < upper + LEAST_REST ? bits : upper, count);
}

#if HAS_COLUMNS
/* Whether a sample of the keys, as many as it takes to tell, has digits of runs like those of random keys. */
static inline bool are_spread(const bucket *b, ulong count, const digits *d, COUNT *counts)
{
    const uint runs = 1u << d->bits;
    const uint sampled = min(runs / 8, (uint)SAMPLED);
    const ulong stride = count / sampled;
    uint again = 0;
    for (uint i = 0; i < runs; i++)
        counts[i] = 0;
    for (uint i = 0; i < sampled; i++)
        again += counts[(uint)digits_in(key_at(b->keys, i * stride + i % stride, 0, b->are_given), d)]++ != 0;
    return again <= sampled / 8;
}

/* One pass, after which random keys are in runs of RUN_LENGTH. */
static inline digits digits_of_runs(KEY least, KEY range, ulong count)
{
    const uint runs = min((uint)count / RUN_LENGTH, (uint)MOST_RUNS);
    digits d;
    d.least = least;
    d.range_bits = bits_of(range);
    d.rest = d.range_bits - min(d.range_bits, (uint)SCALE_BITS);
    d.passes = 1;
    d.bits = bits_of(runs - 1);
    d.factor = (runs << SCALE_BITS) / ((uint)(range >> d.rest) + 1);
    d.is_scaled = true;
    return d;
}
#endif

/* The bits by which keys differ from the least of them; unless all are wanted, of runs or upper ones. */
static inline digits digits_of(const bucket *b, ulong count, bool all_bits)
{
    KEY least = LAST_IMAGE;
    KEY most = 0;
    for (ulong i = 0; i < count; i++) {
        const KEY part = sorted_part(key_at(b->keys, i, 0, b->are_given));
        least = min(least, part);
        most = max(most, part);
    }
    const uint bits = bits_of((ulong)(KEY)(most - least));
    if (all_bits)
        return digits_for(least, bits, bits, count);
#if HAS_COLUMNS
    if (bits > MAX_DIGIT && count >= BLOCK && count < MOST_RUNS * (RUN_LENGTH + 1))
        return digits_of_runs(least, most - least, count);
#endif
    return upper_digits(least, bits, count);
}

/* Counts become where the first of each digit goes. Returns how many digits there are; and how many elements are of a
 * digit that has more than LONG_RUN. */
static inline uint places_of(COUNT *counts, uint bits, COUNT *in_long)
{
    COUNT before = 0;
    COUNT sum = 0;
    uint used = 0;
    for (uint digit = 0; digit < 1u << bits; digit++) {
        const COUNT own = counts[digit];
        used += own != 0;
        sum += own > LONG_RUN ? own : 0;
        counts[digit] = before;
        before += own;
    }
    *in_long = sum;
    return used;
}

/* Count the digits; anew if they tell too few keys from each other: after those of runs the upper ones, after these
 * all. Returns which passes have more than one digit. */
static inline uint count_passes(const bucket *b, ulong count, digits *d, COUNT *next)
{
    uint needed;
    bool are_few;
#if HAS_COLUMNS
    if (d->is_scaled && !are_spread(b, count, d, next))
        *d = upper_digits(d->least, d->range_bits, count);
#endif
    do {
        uint used = 0;
        COUNT in_long = 0;
        needed = 0;
        count_digits(b, count, *d, next);
        for (uint pass = 0; pass < d->passes; pass++) {
            used = places_of(next + (pass << d->bits), d->bits, &in_long);
            needed |= (uint)(used > 1) << pass;
        }
#if HAS_COLUMNS
        if (d->is_scaled) {
            are_few = in_long > count / 8;
            if (are_few)
                *d = upper_digits(d->least, d->range_bits, count);
            continue;
        }
#endif
        are_few = d->rest > 0 && used * 4 < min(count, 1ul << d->bits);
        if (are_few)
            *d = digits_for(d->least, d->range_bits, d->range_bits, count);
    } while (are_few);
    return needed;
}

/* The first move writes not to where the elements come from, keys_out or keys_between or neither; what is sorted ends
 * in keys_out. Returns the digits that were taken. */
static inline digits sort_digits(bucket b, ulong count, digits d, bool from_out, bool from_between)
{
    COUNT next[COUNTERS];
    const uint needed = count_passes(&b, count, &d, next);
    const uint moves = popcount(needed);
    const bool ends_there = !(moves % 2 == 1 ? from_out : from_between);
    for (uint pass = 0, left = moves; pass < d.passes; pass++)
        if ((needed >> pass & 1) != 0) {
            left--;
            move_by_digit(&b, count, d, pass, next + (pass << d.bits), (left % 2 == 0) == ends_there);
        }
    if (moves == 0 || !ends_there)
        copy_out(&b, count);
    return d;
}

static inline void insert_elements(const bucket *b, ulong begin, ulong end)
{
    for (ulong i = begin + 1; i < end; i++) {
        const KEY key = b->keys_out[i];
        const KEY part = sorted_part(key);
#if VALUE_SIZE
        const VALUE value = b->values_out[i];
#endif
        ulong to = i;
        for (; to > begin && sorted_part(b->keys_out[to - 1]) > part; to--) {
            b->keys_out[to] = b->keys_out[to - 1];
#if VALUE_SIZE
            b->values_out[to] = b->values_out[to - 1];
#endif
        }
        b->keys_out[to] = key;
#if VALUE_SIZE
        b->values_out[to] = value;
#endif
    }
}

/* Sort the elements from `begin` to before `end`, which lie in keys_out, by all bits. */
static inline void sort_run(const bucket *b, ulong begin, ulong end)
{
    bucket run = *b;
    run.keys_out += begin;
    run.keys_between += begin;
    run.keys = run.keys_out;
    run.are_given = false;
#if VALUE_SIZE
    run.values_out += begin;
    run.values_between += begin;
    run.values = run.values_out;
    run.makes_values = false;
#endif
    (void)sort_digits(run, end - begin, digits_of(&run, end - begin, true), true, false);
}

static inline bool are_ascending(const __global KEY *keys, ulong begin, uint count)
{
    uint less = 0;
    for (uint k = 0; k < count; k++)
        less |= sorted_part(keys[begin + k + 1]) < sorted_part(keys[begin + k]);
    return less == 0;
}

/* The elements lie in keys_out in the order of their digits. Sort each run of equal digits that is not in order yet:
 * hardly any, and short ones, if the keys are random. */
static inline void finish_runs(const bucket *b, ulong count, digits d)
{
    const __global KEY *keys = b->keys_out;
    for (ulong i = 0; i + 1 < count;) {
        if (i + ASCENDING < count && are_ascending(keys, i, ASCENDING)) {
            i += ASCENDING;
            continue;
        }
        while (i + 1 < count && are_ascending(keys, i, 1))
            i++;
        if (i + 1 == count)
            break;
        const KEY same = digits_in(keys[i], &d);
        ulong begin = i;
        ulong end = i + 1;
        while (begin > 0 && digits_in(keys[begin - 1], &d) == same)
            begin--;
        while (end < count && digits_in(keys[end], &d) == same)
            end++;
        if (end - begin <= INSERTED)
            insert_elements(b, begin, end);
        else
            sort_run(b, begin, end);
        i = max(end - 1, i + 1); /* on, whatever the keys are */
    }
}

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
