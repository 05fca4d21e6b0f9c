// SPDX-License-Identifier: MIT
/* bucket_passes.cl: sort the elements of a bucket by some of their digits, one pass after the other, within a core's
 * cache. Keys that differ in few bits, or that are spread evenly, need few passes: those over the uppermost bits, after
 * which bucket_runs.cl sorts what is left.
 *
 * Parameters: keys.cl's; HAS_COLUMNS, whether columns.cl sorts short runs; LINE, bytes that are written together; STEP,
 * elements whose places are found before the first of them moves. cpu_buckets.cl has sorted_part(). */
#include "common/kernel.h"
#include "radix_sort/parts/keys.cl"

#if !defined(HAS_COLUMNS) || !defined(LINE) || !defined(STEP)
#error "HAS_COLUMNS, LINE and STEP must be given"
#endif
#if HAS_COLUMNS
#include "radix_sort/parts/columns.cl"
#endif

#define MAX_DIGIT  10u         /* bits of a digit in a bucket, and */
#define MIN_DIGIT  6u          /* in one of few elements */
#define MOST_RUNS  16384       /* that sort_columns gets, of */
#define RUN_LENGTH 5           /* elements on average; if many runs have more than */
#define LONG_RUN   16          /* elements, the bucket is sorted otherwise */
#define SAMPLED    128         /* keys of a bucket, at most, to see that before */
#define SPARE_BITS 5           /* that are sorted beyond those which number the elements */
#define LEAST_REST 4           /* bits that are worth leaving to finish_runs */
#define IN_CACHE   (96u << 10) /* elements of a bucket that are moved within a core's cache, at most */

/* Of all digits; smaller ones need fewer. */
#if HAS_COLUMNS
#define COUNTERS MOST_RUNS
#else
#define COUNTERS ((KEY_BITS + MAX_DIGIT - 1) / MAX_DIGIT << MAX_DIGIT)
#endif

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
