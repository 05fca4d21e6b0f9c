// SPDX-License-Identifier: MIT
/* radix_sort_count: the first launch of onesweep. It counts the digits of all passes at once, and clears the status
 * words, over which the passes look back.
 *
 * With atomics of 64 bits, a group adds its counts to words that also count the groups. A group that finds that all
 * others have added theirs has the digit's total, and knows whether all keys have the digit; it resets the word to 0.
 * Without these atomics, calls with even and with odd epochs have separate totals. Groups mark the passes in which
 * their keys differ from the first key, and the first pass notes the other passes.
 *
 * The totals of the upper digits, EVEN_DIGITS of them, and a sample of keys say whether keys are spread evenly enough to be sorted in
 * buckets (parts/in_buckets.cl). In the sample, pairs of keys that share a bucket are counted: of keys that are spread
 * evenly, there are as many as there are pairs of keys for each bucket, and rarely a quarter more.
 * Parameters: for all passes; CLPRIM_INT64_ATOMICS; STATUS, the type of status words; state.cl with its parameters. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"
#include "radix_sort/parts/route.cl"
#include "radix_sort/parts/state.cl"
#include "radix_sort/parts/in_buckets.cl"
#include "radix_sort/parts/counters.cl"

#define ONE_GROUP (1ul << 32) /* in a sum; the bits below count keys */

#if CLPRIM_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

#ifdef MOST_BUCKET_BITS
#define SAMPLED 32 /* consecutive keys, for each group */

/* An even sample has some pairs more where they are few. */
static inline void sample_buckets(const __global KEY *keys, ulong n, uint bits, uint epoch,
                                  volatile __global uint *state)
{
    const uint lid = (uint)get_local_id(0);
    const ulong stride = n / get_num_groups(0);
    const uint sampled = (uint)get_num_groups(0) * SAMPLED;
    const uint even = (uint)((ulong)sampled * sampled / 2 >> bits);
    if (lid < SAMPLED && stride >= SAMPLED) {
        const KEY image = image_of(key_at(keys, get_group_id(0) * stride, lid, true));
        const uint pairs = atomic_inc(state + SORT_SAMPLED + bucket_of(image, bits));
        if (pairs > 0 && atomic_add(state + SORT_PAIRS, pairs) + pairs > even + even / 4 + 32)
            (void)atomic_or(state + SORT_SAME + epoch % 2, SORT_UNEVEN);
    }
}
#endif

__kernel GROUP_OF(COUNT_GROUP_SIZE) void radix_sort_count(ARGS_OF(RADIX_SORT_COUNT))
{
    const radix_sort_args args = ARGS(RADIX_SORT_NUMBERS);
    __local uint counters[COUNTERS * COPIES];
    SORT_COUNT
    __global uint *status = (__global uint *)(scratch + args.counts_at);
    const ulong status_words = args.status_words;
    const uint epoch = args.epoch;
    const __global KEY *keys = GIVEN_KEYS;
    const uint lid = (uint)get_local_id(0);
    const ulong stride = (ulong)get_num_groups(0) * COUNT_TILE;
    const ulong first = (ulong)get_group_id(0) * COUNT_TILE + lid;
    counters_clear(counters);
    for (ulong i = get_global_id(0); i < status_words; i += get_global_size(0))
        status[i] = 0;
#ifdef MOST_BUCKET_BITS
    const bool has_buckets = (args.flags & HAS_BUCKETS) != 0;
    if (has_buckets && get_global_id(0) == 0)
        ((__global uint *)(scratch + args.totals_at))[TABLE_LARGE] = 0;
    if (has_buckets)
        sample_buckets(keys, n, args.bucket_bits, epoch, state);
#endif
#if CLPRIM_INT64_ATOMICS
    const KEY like = LAST_IMAGE; /* any key will do */
    if (get_global_id(0) == 0)
        state[SORT_SAME + (epoch + 1) % 2] = 0; /* for the next call */
#else
    const KEY like = n > 0 ? counted_image(key_at(keys, 0, 0, true), true) : LAST_IMAGE;
    for (ulong i = get_global_id(0); i < ALL_COUNTS; i += get_global_size(0))
        state[SORT_TOTALS(epoch + 1) + i] = 0; /* for the next call */
    if (get_global_id(0) == 0)
        state[SORT_DIFFERING(epoch + 1)] = 0;
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until the counters are 0 */
    const KEY bits = counters_add(counters, keys, first, n, stride, true, 0, like);
    barrier(CLK_LOCAL_MEM_FENCE); /* wait until all is counted */
#if CLPRIM_INT64_ATOMICS
    volatile __global ulong *sums = (volatile __global ulong *)(state + SORT_SUMS);
    for (uint slot = lid; slot < COUNTERS; slot += COUNT_GROUP_SIZE) {
        const uint sum = counters_sum(counters, slot);
        const ulong before = atom_add(sums + slot, ONE_GROUP + sum);
        if (before / ONE_GROUP == get_num_groups(0) - 1) {
            const uint total = (uint)before + sum;
            (void)atom_xchg(sums + slot, 0ul); /* for the next launch, which cannot begin before this one ends */
            state[SORT_TOTALS(epoch) + slot] = total;
            if (total == n)
                (void)atomic_or(state + SORT_SAME + epoch % 2, 1u << slot / RADIX);
#ifdef MOST_BUCKET_BITS
            if (slot >= (PASSES - EVEN_DIGITS) * RADIX && is_too_frequent(total, n))
                (void)atomic_or(state + SORT_SAME + epoch % 2, SORT_UNEVEN);
#endif
        }
    }
#else
    for (uint slot = lid; slot < COUNTERS; slot += COUNT_GROUP_SIZE) {
        const uint sum = counters_sum(counters, slot);
        if (sum > 0)
            (void)atomic_add(state + SORT_TOTALS(epoch) + slot, sum);
    }
    const uint differing = passes_of(bits);
    if (differing != 0)
        (void)atomic_or(state + SORT_DIFFERING(epoch), differing);
#endif
}
