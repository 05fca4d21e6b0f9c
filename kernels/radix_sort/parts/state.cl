// SPDX-License-Identifier: MIT
/* state.cl: what the launches of onesweep leave for one another in `state`, memory that only this plan uses, 0 before
 * the first launch. In words of 32 bits; the ticket of the passes has its own cache line.
 *
 *     SORT_SAME_PASSES(state, epoch)   a bit for each pass in which all keys have the same digit; calls with even and
 *                                      with odd epochs have words of their own. With atomics of 64 bits also
 *                                      SORT_UNEVEN (in_buckets.cl)
 *     SORT_TOTALS(epoch)               from here on, how many keys have each digit of each pass
 *
 * Another word says whether atomics were found to return places in no order (SORT_UNORDERED). From SORT_SUMS on are
 * sums of radix_sort_count, then totals.
 * Parameters: SORT_SUMS, SORT_SAME, SORT_UNORDERED; CLPRIM_INT64_ATOMICS. */
#include "radix_sort/parts/keys.cl"

#if !defined(SORT_SUMS) || !defined(SORT_SAME) || !defined(SORT_UNORDERED)
#error "SORT_SUMS, SORT_SAME and SORT_UNORDERED must be given"
#endif
#define ALL_COUNTS (PASSES * RADIX)
#if CLPRIM_INT64_ATOMICS
#define SORT_TOTALS(epoch)             (SORT_SUMS + 2 * ALL_COUNTS)
#define SORT_SAME_PASSES(state, epoch) (state)[SORT_SAME + (epoch) % 2]
#else
#define SORT_TOTALS(epoch)             (SORT_SUMS + (epoch) % 2 * ALL_COUNTS)
#define SORT_DIFFERING(epoch)          (SORT_SAME + 2 + (epoch) % 2)
#define SORT_SAME_PASSES(state, epoch) (~(state)[SORT_DIFFERING(epoch)])
#endif
