// SPDX-License-Identifier: MIT
/* radix_sort_starts: where buckets begin, once the passes have ordered the keys by their upper bits (parts/in_buckets.cl),
 * and which of them are too large for a group. Each group has the buckets with one upper digit, whose keys lie where the
 * totals of digits say, and looks for where each begins. It also clears what the sample of the keys was
 * counted in.
 * Parameters: MOST_BUCKET_BITS; BUCKET, the most keys of a bucket that a group has room for. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/state.cl"
#include "radix_sort/parts/in_buckets.cl"

#if !defined(MOST_BUCKET_BITS) || !defined(BUCKET)
#error "MOST_BUCKET_BITS and BUCKET must be given"
#endif

static inline bool is_before(const __global KEY *keys, uint at, uint bucket, uint bits)
{
    return bucket_of(image_of(keys[at]), bits) < bucket;
}

/* The first key from `begin` to before `end` that belongs to the bucket, or to one behind it; else `end`. It is likely to be
 * near `likely`. */
static inline uint first_of(const __global KEY *keys, uint begin, uint end, uint likely, uint bucket, uint bits)
{
    const uint below = likely - min(likely - begin, BUCKET / 2u);
    const uint above = likely + min(end - likely, BUCKET / 2u);
    const bool is_above = below < end && is_before(keys, below, bucket, bits);
    const bool is_below = above < end && !is_before(keys, above, bucket, bits);
    begin = is_above ? below : begin;
    end = is_below ? above : end;
    while (begin < end) {
        const uint middle = begin + (end - begin) / 2;
        const bool comes_before = is_before(keys, middle, bucket, bits);
        begin = comes_before ? middle + 1 : begin;
        end = comes_before ? end : middle;
    }
    return begin;
}

__kernel GROUP_OF(GROUP_SIZE) void radix_sort_starts(ARGS_OF(RADIX_SORT_STARTS))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint starts[(1u << (MOST_BUCKET_BITS - DIGIT_BITS)) + 1];
    __local uint smaller; /* keys with smaller upper digits */
    SORT_COUNT
    const __global KEY *keys = keys_out + args.keys_out_offset;
    __global uint *table = (__global uint *)(scratch + args.totals_at);
    volatile __global uint *totals = state + SORT_TOTALS(args.epoch) + (PASSES - 1) * RADIX;
    const bool is_in_buckets = IS_IN_BUCKETS(SORT_SAME_PASSES(state, args.epoch), args.flags);
    const uint lid = (uint)get_local_id(0);
    const uint upper = (uint)get_group_id(0);
    const uint bits = args.bucket_bits;
    const uint each = 1u << (bits - DIGIT_BITS);
    for (uint k = lid; k < each; k += GROUP_SIZE)
        state[SORT_SAMPLED + upper * each + k] = 0;
    if (lid == 0)
        smaller = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until it is 0 */
    uint own = 0;
    for (uint digit = lid; digit < upper; digit += GROUP_SIZE)
        own += totals[digit];
    if (own > 0)
        (void)atomic_add(&smaller, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait for the sum */
    const uint begin = smaller;
    const uint end = begin + totals[upper];
    for (uint k = lid; k <= each && is_in_buckets; k += GROUP_SIZE)
        starts[k] = k < each ? first_of(keys, begin, end, begin + (uint)((ulong)(end - begin) * k / each),
                                        upper * each + k, bits)
                             : end;
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all are found */
    for (uint k = lid; k < each && is_in_buckets; k += GROUP_SIZE) {
        table[TABLE_STARTS + upper * each + k] = starts[k];
        if (starts[k + 1] - starts[k] > BUCKET)
            table[TABLE_LARGE_ONES(bits) + atomic_inc(table + TABLE_LARGE)] = upper * each + k;
    }
    if (lid == 0 && upper == RADIX - 1) {
        state[SORT_PAIRS] = 0; /* for the next call */
        table[TABLE_BUCKETS] = is_in_buckets ? 1u << bits : 0;
        table[TABLE_STARTS + (1u << bits)] = (uint)n;
    }
}
