// SPDX-License-Identifier: MIT
/* radix_sort_bins, radix_sort_choose: whether an array is sorted in buckets (parts/in_buckets.cl), and where these begin.
 * The two launches before radix_sort_count.
 *
 * Each group of radix_sort_bins first takes the same sample of the keys. If many of them share buckets, some buckets
 * are too large for a group, or few have most of the keys: then nothing is counted, so that such arrays lose little
 * time. Otherwise the groups count how many keys each bucket has. A counter has 16 bits, so that all fit local memory.
 * If one overflows, the sum of all counts is not n.
 *
 * radix_sort_choose finds where buckets begin. If one has more than BUCKET keys, or the sum is not n, it says that the
 * array must be sorted by all digits.
 * Parameters: MOST_BUCKET_BITS; BUCKET; GROUP_SIZE, a power of two. */
#include "radix_sort/args.h"
#include "common/subgroup.cl"
#include "clprim/device/work_group_scan.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/in_buckets.cl"

#if !defined(MOST_BUCKET_BITS) || !defined(BUCKET)
#error "MOST_BUCKET_BITS and BUCKET must be given"
#endif
#define SAMPLE       4096                  /* keys */
#define SAMPLED      (SAMPLE / GROUP_SIZE) /* of a work-item */
#define BINS_AT_ONCE 8                     /* keys that a work-item loads */
#define BINS_TILE    (GROUP_SIZE * BINS_AT_ONCE)

CLPRIM_WORK_GROUP_SCAN(clprim__starts, uint, a + b, 0, GROUP_SIZE)

/* Two counters share a word. Returns the count before. */
static inline uint bin_add(__local uint *bins, uint bin)
{
    const uint low = bin % 2 * 16;
    return atomic_add(bins + bin / 2, 1u << low) >> low & 0xffff;
}

static inline uint bin_count(const __local uint *bins, uint bin)
{
    return bins[bin / 2] >> bin % 2 * 16 & 0xffff;
}

static inline uint bucket_of(const __global KEY *keys, ulong i, uint step, uint shift)
{
    return (uint)(image_of(key_at(keys, i, step, true)) >> shift);
}

/* The work-item's part of the number of pairs of sampled keys that share a bucket. */
ALWAYS_INLINE uint sample_bins(__local uint *bins, const __global KEY *keys, ulong n, uint shift)
{
    const ulong stride = n / SAMPLE;
    uint buckets[SAMPLED];
    uint pairs = 0;
#pragma unroll
    for (uint j = 0; j < SAMPLED; j++) {
        const uint k = j * GROUP_SIZE + (uint)get_local_id(0);
        const ulong off = (ulong)(k * 2654435769u) * stride >> 32; /* no sample of periodic keys has only one kind */
        buckets[j] = stride > 0 ? bucket_of(keys, k * stride + off, 0, shift) : 0;
    }
#pragma unroll
    for (uint j = 0; j < SAMPLED; j++)
        pairs += bin_add(bins, buckets[j]);
    return pairs;
}

ALWAYS_INLINE void count_bins_of_keys(__local uint *bins, const __global KEY *keys, ulong end, uint shift)
{
    const ulong step = (ulong)get_num_groups(0) * BINS_TILE;
    ulong first = (ulong)get_group_id(0) * BINS_TILE + get_local_id(0);
    for (; first + GROUP_SIZE * (BINS_AT_ONCE - 1) < end; first += step) {
        uint buckets[BINS_AT_ONCE];
#pragma unroll
        for (uint j = 0; j < BINS_AT_ONCE; j++)
            buckets[j] = bucket_of(keys, first, j * GROUP_SIZE, shift);
#pragma unroll
        for (uint j = 0; j < BINS_AT_ONCE; j++)
            (void)bin_add(bins, buckets[j]);
    }
    for (uint j = 0; j < BINS_AT_ONCE; j++)
        if (first + j * GROUP_SIZE < end)
            (void)bin_add(bins, bucket_of(keys, first, j * GROUP_SIZE, shift));
}

ALWAYS_INLINE void clear_bins(__local uint4 *bins)
{
    for (uint i = (uint)get_local_id(0); i < (1u << MOST_BUCKET_BITS) / 8; i += GROUP_SIZE)
        bins[i] = 0;
}

__kernel GROUP_OF(GROUP_SIZE) void radix_sort_bins(ARGS_OF(RADIX_SORT_BINS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint4 words[(1u << MOST_BUCKET_BITS) / 8];
    __local uint pairs;
    SORT_COUNT
    __local uint *const bins = (__local uint *)words;
    const __global KEY *keys = GIVEN_KEYS;
    const uint lid = (uint)get_local_id(0);
    const uint bits = args.bucket_bits;
    const uint shift = BUCKET_LOWEST(args);
    volatile __global uint *totals = state + SORT_BUCKET_TOTALS(args.epoch);
    if (lid == 0)
        pairs = 0;
    clear_bins(words);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the counters are 0 */
    const uint own_pairs = sample_bins(bins, keys, n, shift);
    if (own_pairs > 0)
        (void)atomic_add(&pairs, own_pairs);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for all pairs */
    /* Of keys that are spread evenly, as many pairs as there are pairs of keys for each bucket, which rarely are a
     * quarter more, or where they are few, half as many again. */
    const uint even_pairs = SAMPLE / 2 * SAMPLE >> bits;
    const bool is_even = n >= SAMPLE && pairs <= even_pairs + even_pairs / 4 + 32;
    if (is_even)
        clear_bins(words);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the counters are 0 */
    count_bins_of_keys(bins, keys, is_even ? n : 0, shift);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
    if (lid == 0 && get_group_id(0) == 0)
        state[SORT_UNEVEN] = 0;
    for (uint b = lid; b < 1u << bits && is_even; b += GROUP_SIZE) {
        const uint count = bin_count(bins, b);
        if (count > 0)
            (void)atomic_add(state + SORT_BUCKET_COUNTS + b, count);
    }
    for (uint digit = lid; digit < RADIX && is_even; digit += GROUP_SIZE) {
        const uint each = 1u << (bits - DIGIT_BITS); /* buckets with the same upper digit */
        uint lower = 0;
        uint upper = 0;
        for (uint k = 0; k < each; k++) { /* neighbours begin with other words: no bank conflicts */
            lower += bin_count(bins, k * RADIX + digit);
            upper += bin_count(bins, digit * each + (k + digit * 2) % each);
        }
        (void)atomic_add(totals + digit, lower);
        (void)atomic_add(totals + RADIX + digit, upper);
    }
}

/* Each group has the buckets with one upper digit. */
__kernel GROUP_OF(GROUP_SIZE) void radix_sort_choose(ARGS_OF(RADIX_SORT_SCRATCH_AND_STATE))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local clprim__starts_memory memory;
    __local uint sums[2]; /* of the smaller upper digits, and of all */
    SORT_COUNT
    const uint lid = (uint)get_local_id(0);
    const uint upper = (uint)get_group_id(0);
    const uint each = 1u << (args.bucket_bits - DIGIT_BITS);
    const uint per = (each + GROUP_SIZE - 1) / GROUP_SIZE;
    const uint begin = min(lid * per, each);
    const uint end = min(begin + per, each);
    volatile __global uint *totals = state + SORT_BUCKET_TOTALS(args.epoch) + RADIX;
    volatile __global uint *counts = state + SORT_BUCKET_COUNTS + upper * each;
    __global uint *starts = (__global uint *)(scratch + args.totals_at) + upper * each;
    if (lid < 2)
        sums[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the sums are 0 */
    uint smaller = 0;
    uint all = 0;
    for (uint digit = lid; digit < RADIX; digit += GROUP_SIZE) {
        const uint total = totals[digit];
        smaller += digit < upper ? total : 0;
        all += total;
    }
    if (smaller > 0)
        (void)atomic_add(sums, smaller);
    if (all > 0)
        (void)atomic_add(sums + 1, all);
    uint own = 0;
    uint largest = 0;
    for (uint b = begin; b < end; b++) {
        const uint count = counts[b];
        own += count;
        largest = max(largest, count);
    }
    uint of_group;
    uint place = clprim__starts_exclusive(own, &of_group, &memory); /* with a barrier */
    place += sums[0];
    for (uint b = begin; b < end; b++) {
        starts[b] = place;
        place += counts[b];
        counts[b] = 0; /* for the next call */
    }
    if (lid == 0 && upper == RADIX - 1)
        starts[each] = sums[1];
    if (largest > BUCKET || (lid == 0 && sums[1] != n))
        state[SORT_UNEVEN] = 1;
}
