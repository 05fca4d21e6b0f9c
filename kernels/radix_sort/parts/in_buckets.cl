// SPDX-License-Identifier: MIT
/* in_buckets.cl: whether a call of onesweep is sorted in buckets: the passes of the two upper digits, the only ones,
 * order all keys by these. Keys that agree in the upper `bucket_bits` bits then lie together, in a bucket, which a
 * work-group sorts. radix_sort_count says whether keys are spread evenly enough.
 *
 *     IS_IN_BUCKETS(same, flags)       from SORT_SAME_PASSES: the same for all launches of a call behind
 *                                      radix_sort_count; without buckets 0. By few digits keys are sorted sooner
 *     UPPER_PASSES                     a bit for each of the two passes
 *     LOWEST_UPPER                     the lowest bit of their digits
 *     bucket_of(image, bits)
 *     is_too_frequent(total, n)        says of the number of keys with one value of an upper digit that they are
 *                                      not spread evenly: it is above the average by more than eight times the standard
 *                                      deviation
 *
 * Words of the table of buckets, in scratch memory, with the number of bits:
 *     TABLE_BUCKETS, TABLE_LARGE       how many buckets there are to be sorted, if any; how many of these have more keys
 *                                      than a group has room for
 *     TABLE_STARTS                     from here on, where each bucket begins, and behind the last one n
 *     TABLE_LARGE_ONES(bits)           from here on, the numbers of those that are too large
 *
 * Parameters: MOST_BUCKET_BITS, if there may be buckets: then there are atomics of 64 bits; HAS_BUCKETS. */
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/state.cl"

#ifdef MOST_BUCKET_BITS
#if !defined(HAS_BUCKETS) || !defined(SORT_PAIRS)
#error "HAS_BUCKETS and SORT_PAIRS must be given"
#endif
#define SORT_UNEVEN                (1u << 31)
#define SORT_SAMPLED               (SORT_SUMS + 3 * ALL_COUNTS) /* how many sampled keys each bucket has; 0 between calls */
#define IS_IN_BUCKETS(same, flags) (((flags)&HAS_BUCKETS) != 0 && (same) < SORT_UNEVEN && popcount(same) + 3 < PASSES)
#define UPPER_PASSES               (3ul << (PASSES - 2))
#define LOWEST_UPPER               (KEY_BITS - 2 * DIGIT_BITS)
#define TABLE_BUCKETS              0
#define TABLE_LARGE                1
#define TABLE_STARTS               2
#define TABLE_LARGE_ONES(bits)     (TABLE_STARTS + (1u << (bits)) + 1)

static inline uint bucket_of(KEY image, uint bits)
{
    return (uint)(image >> (KEY_BITS - bits));
}

static inline bool is_too_frequent(uint total, ulong n)
{
    const ulong average = n >> DIGIT_BITS;
    return total > average && (total - average) * (total - average) > 64 * average;
}
#else
#define IS_IN_BUCKETS(same, flags) false
#define UPPER_PASSES               0
#define LOWEST_UPPER               0
#endif
