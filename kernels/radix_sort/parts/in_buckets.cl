// SPDX-License-Identifier: MIT
/* in_buckets.cl: whether a call of onesweep is sorted in buckets: two passes bring all keys to the buckets of their upper
 * `bucket_bits` bits, each of which a work-group then sorts. The state says so (bins.cl).
 *
 *     IS_IN_BUCKETS(state, args)       the same for all of a launch; without buckets 0
 *     BUCKET_LOWEST(args)              the lowest bit that tells buckets apart
 *     bucket_shift(args, pass)         the shift of the digit of pass 0 or 1; the digits may have bits in common
 *
 * Parameters: MOST_BUCKET_BITS, if there may be buckets; SORT_SUMS, where the sums of count.cl begin; SORT_UNEVEN. */
#include "radix_sort/args.h"
#include "radix_sort/parts/keys.cl"

#ifdef MOST_BUCKET_BITS
#if !defined(SORT_SUMS) || !defined(SORT_UNEVEN) || !defined(HAS_BUCKETS)
#error "SORT_SUMS, SORT_UNEVEN and HAS_BUCKETS must be given"
#endif
/* In words, behind what count.cl has: the totals of both digits, for calls with even and with odd epochs, and how many
 * keys each bucket has, which is 0 between calls. */
#define SORT_BUCKET_TOTALS(epoch) (SORT_SUMS + 3 * PASSES * RADIX + (epoch) % 2 * 2 * RADIX)
#define SORT_BUCKET_COUNTS        (SORT_SUMS + 3 * PASSES * RADIX + 4 * RADIX)
/* An earlier launch has written it, so that it may come from a cache: groups that have nothing to do leave sooner. */
#define IS_IN_BUCKETS(state, args)                                                                                     \
    (((args).flags & HAS_BUCKETS) != 0 && ((const __global uint *)(state))[SORT_UNEVEN] == 0)
#define BUCKET_LOWEST(args) (KEY_BITS - (args).bucket_bits)

static inline uint bucket_shift(const radix_sort_args args, uint pass)
{
    return pass == 0 ? BUCKET_LOWEST(args) : KEY_BITS - DIGIT_BITS;
}
#else
#define IS_IN_BUCKETS(state, args) false
#endif
