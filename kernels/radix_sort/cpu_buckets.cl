/* radix_sort_cpu_buckets: for devices whose work-groups run one after the other on a few cores, of one work-item each.
 * One pass through memory brings the elements into up to BUCKETS buckets by their upper bits, of nearly equal size
 * where the keys allow; each then fits a core's cache, where moving its elements digit by digit costs a quarter of what
 * it does in memory.
 *   radix_sort_survey       which bits are not the same in all keys, for each chunk of the array
 *   radix_sort_count_bins   of the uppermost of these, WINDOW bits: how many keys a chunk has of each value
 *   radix_sort_plan         neighbouring values share a bucket: which, and where each chunk's elements of it go
 *   radix_sort_to_buckets   there they go
 *   radix_sort_in_buckets   each bucket, or an array so small that it is one, by its lower bits, from the least digit
 *                           on
 * Source: Polychroniou, Ross 2014, A Comprehensive Study of Main-Memory Partitioning. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "common/own_chunk.cl"

#if !defined(WINDOW) || !defined(BUCKETS) || !defined(HAS_BUCKETS)
#error "WINDOW, BUCKETS and HAS_BUCKETS must be given"
#endif
#define BINS       (1u << WINDOW)
#define FEWEST     4096 /* elements worth a bucket */
#define MAX_DIGIT  10u  /* bits of a digit in a bucket */
#define MAX_PASSES ((KEY_BITS + MAX_DIGIT - 1) / MAX_DIGIT)

/* The parts of the tables, behind one another, for `chunks` chunks. */
/* of each bin, a chunk after the other; then where they go */
#define COUNTS(tables, chunks)    ((__global COUNT *)(tables))
#define BEGINS(tables, chunks)    (COUNTS(tables, chunks) + (chunks)*BINS) /* of each bucket, and the end of the last */
#define VARYING(tables, chunks)   ((__global ulong *)(BEGINS(tables, chunks) + BUCKETS + 8))
#define BUCKET_OF(tables, chunks) ((__global uchar *)(VARYING(tables, chunks) + 2 * (chunks))) /* of each bin */

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
    ulong i;
    ulong end;
    for (uint bin = 0; bin < BINS; bin++)
        bucket_of[bin] = from[bin];
    for (uint bucket = 0; bucket < BUCKETS; bucket++)
        next[bucket] = places[bucket];
    for (own_chunk(&i, &end, n); i < end; i++) {
        const KEY key = key_at(keys, i, 0, true);
        const COUNT to = next[bucket_of[bin_of(key, window)]]++;
        keys_to[to] = key;
#if VALUE_SIZE
        values_to[to] = first_value(values, i);
#endif
    }
}

/* How a bucket's keys are read: by their difference to the least, in `passes` digits of `bits` bits. */
typedef struct {
    KEY least;
    uint passes;
    uint bits;
} digits;

static inline uint digit_in(KEY key, KEY least, uint shift, uint mask)
{
    return (uint)((KEY)(sorted_part(key) - least) >> shift) & mask;
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

static inline void count_digits(const bucket *b, ulong count, digits d, uint pass, COUNT *counts)
{
    const __global KEY *keys = b->keys;
    const bool are_given = b->are_given;
    const uint shift = pass * d.bits;
    const uint mask = (1u << d.bits) - 1;
    for (uint digit = 0; digit <= mask; digit++)
        counts[digit] = 0;
    for (ulong i = 0; i < count; i++)
        counts[digit_in(key_at(keys, i, 0, are_given), d.least, shift, mask)]++;
}

static inline void move_by_digit(bucket *b, ulong count, digits d, uint pass, COUNT *next, bool to_out)
{
    const __global KEY *keys = b->keys;
    const bool are_given = b->are_given;
    __global KEY *keys_to = to_out ? b->keys_out : b->keys_between;
#if VALUE_SIZE
    const __global VALUE *values = b->values;
    __global VALUE *values_to = to_out ? b->values_out : b->values_between;
    const bool makes_values = b->makes_values;
#endif
    const uint shift = pass * d.bits;
    const uint mask = (1u << d.bits) - 1;
    for (ulong i = 0; i < count; i++) {
        const KEY key = key_at(keys, i, 0, are_given);
        const COUNT to = next[digit_in(key, d.least, shift, mask)]++;
        keys_to[to] = key;
#if VALUE_SIZE
        values_to[to] = makes_values ? first_value(values, i) : values[i];
#endif
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

/* As few passes as MAX_DIGIT allows over the bits by which keys differ from the least of them. */
static inline digits digits_of(const bucket *b, ulong count)
{
    KEY least = LAST_IMAGE;
    KEY most = 0;
    for (ulong i = 0; i < count; i++) {
        const KEY part = sorted_part(key_at(b->keys, i, 0, b->are_given));
        least = min(least, part);
        most = max(most, part);
    }
    const uint bits = 64 - (uint)clz((ulong)(KEY)(most - least));
    digits d;
    d.least = least;
    d.passes = (bits + MAX_DIGIT - 1) / MAX_DIGIT;
    d.bits = d.passes > 0 ? (bits + d.passes - 1) / d.passes : 0;
    return d;
}

/* Counts become where the first of each digit goes; false if all have the same digit. */
static inline bool places_of(COUNT *counts, uint bits, ulong count)
{
    COUNT before = 0;
    bool is_one = false;
    for (uint digit = 0; digit < 1u << bits; digit++) {
        const COUNT own = counts[digit];
        is_one = is_one || own == count;
        counts[digit] = before;
        before += own;
    }
    return !is_one;
}

/* The first move writes not to where the elements come from, keys_out or keys_between or neither; what is sorted ends
 * in keys_out. */
static inline void sort_bucket(bucket b, ulong count, bool from_out, bool from_between)
{
    COUNT next[MAX_PASSES << MAX_DIGIT];
    const digits d = digits_of(&b, count);
    uint needed = 0;
    for (uint pass = 0; pass < d.passes; pass++) {
        count_digits(&b, count, d, pass, next + (pass << d.bits));
        needed |= (uint)places_of(next + (pass << d.bits), d.bits, count) << pass;
    }
    const uint moves = popcount(needed);
    const bool ends_there = !(moves % 2 == 1 ? from_out : from_between);
    for (uint pass = 0, left = moves; pass < d.passes; pass++)
        if ((needed >> pass & 1) != 0) {
            left--;
            move_by_digit(&b, count, d, pass, next + (pass << d.bits), (left % 2 == 0) == ends_there);
        }
    if (moves == 0 || !ends_there)
        copy_out(&b, count);
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
    sort_bucket(b, end - begin, !has_buckets && (args.flags & IN_PLACE) != 0, has_buckets);
}
