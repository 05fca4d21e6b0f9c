// SPDX-License-Identifier: MIT
/* networks.cl: sorting networks for elements in a work-item's registers. They are macros, because an array can be in
 * registers only if its indices are constant. EXCHANGE(i, j) puts elements i and j, i < j, in order.
 *
 *     SORT_32(i)     sort the elements from i to i + 31: Batcher's odd-even merge sort; also for 16, 8, 4, 2 and 1
 *     BITONIC_16(i)  sort elements that ascend and then descend, or descend and then ascend: Batcher's bitonic merge;
 *                    also for 8, 4, 2 and 1
 * Parameters: EXCHANGE.
 * Source: Batcher 1968, Sorting Networks and Their Applications. */
#ifndef EXCHANGE
#error "EXCHANGE must be given"
#endif

#define MERGE_2(i, r) EXCHANGE(i, (i) + (r))
#define MERGE_4(i, r) MERGE_2(i, 2 * (r)) MERGE_2((i) + (r), 2 * (r)) EXCHANGE((i) + (r), (i) + 2 * (r))
#define PAIRS_2(i, r) EXCHANGE(i, (i) + (r)) EXCHANGE((i) + 2 * (r), (i) + 3 * (r))
#define PAIRS_4(i, r) PAIRS_2(i, r) PAIRS_2((i) + 4 * (r), r)
#define PAIRS_8(i, r) PAIRS_4(i, r) PAIRS_4((i) + 8 * (r), r)
#define MERGE_8(i, r)                                                                                                  \
    MERGE_4(i, 2 * (r)) MERGE_4((i) + (r), 2 * (r)) PAIRS_2((i) + (r), r) EXCHANGE((i) + 5 * (r), (i) + 6 * (r))
#define MERGE_16(i, r)                                                                                                 \
    MERGE_8(i, 2 * (r))                                                                                                \
    MERGE_8((i) + (r), 2 * (r)) PAIRS_4((i) + (r), r) PAIRS_2((i) + 9 * (r), r) EXCHANGE((i) + 13 * (r), (i) + 14 * (r))
#define MERGE_32(i, r)                                                                                                 \
    MERGE_16(i, 2 * (r))                                                                                               \
    MERGE_16((i) + (r), 2 * (r))                                                                                       \
    PAIRS_8((i) + (r), r) PAIRS_4((i) + 17 * (r), r) PAIRS_2((i) + 25 * (r), r) EXCHANGE((i) + 29 * (r), (i) + 30 * (r))
#define SORT_1(i)
#define SORT_2(i)      EXCHANGE(i, (i) + 1)
#define SORT_4(i)      SORT_2(i) SORT_2((i) + 2) MERGE_4(i, 1)
#define SORT_8(i)      SORT_4(i) SORT_4((i) + 4) MERGE_8(i, 1)
#define SORT_16(i)     SORT_8(i) SORT_8((i) + 8) MERGE_16(i, 1)
#define SORT_32(i)     SORT_16(i) SORT_16((i) + 16) MERGE_32(i, 1)

#define HALVES_2(i, r) EXCHANGE(i, (i) + (r)) EXCHANGE((i) + 1, (i) + 1 + (r))
#define HALVES_4(i, r) HALVES_2(i, r) HALVES_2((i) + 2, r)
#define HALVES_8(i, r) HALVES_4(i, r) HALVES_4((i) + 4, r)
#define BITONIC_1(i)
#define BITONIC_2(i)  EXCHANGE(i, (i) + 1)
#define BITONIC_4(i)  HALVES_2(i, 2) BITONIC_2(i) BITONIC_2((i) + 2)
#define BITONIC_8(i)  HALVES_4(i, 4) BITONIC_4(i) BITONIC_4((i) + 4)
#define BITONIC_16(i) HALVES_8(i, 8) BITONIC_8(i) BITONIC_8((i) + 8)
