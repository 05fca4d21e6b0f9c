// SPDX-License-Identifier: MIT
/* bitonic_sort_ladder.h: the steps of the course's article, one after another. It is included once for each kind of
 * array.
 *
 * Parameters: LADDER(name), the functions' names; ARRAY, the type of what is sorted; EXCHANGE(a, i, j, down), the
 * comparator: it orders elements i and j > i of ARRAY a, ascending or, if down, descending. They are undefined at the
 * end.
 *
 * The article sorts arrays of 2^k elements. Of two blocks, it sorts the left one in the order of the whole, and the
 * right one in the opposite order. Here, the left block is sorted in descending order, and only if there is a right
 * one. An array of n elements is then sorted as if it were padded with largest elements. These would never move, so the
 * padding need not exist. */

static inline bool LADDER(descends)(size_t i, size_t block, size_t n)
{
    return (i & block) == 0 && (i | (block - 1)) < n - 1;
}

/* Merge up to `size` elements from `begin` on, which form a bitonic sequence. */
static void LADDER(merge)(ARRAY a, size_t begin, size_t size, size_t n, bool down)
{
    if (size == 1)
        return;
    const size_t half = size / 2;
    if (begin + half >= n) { /* the second half is empty */
        LADDER(merge)(a, begin, half, n, down);
        return;
    }
    const size_t end = begin + half < n - half ? begin + half : n - half;
    for (size_t i = begin; i < end; i++)
        EXCHANGE(a, i, i + half, down);
    LADDER(merge)(a, begin, half, n, down);
    LADDER(merge)(a, begin + half, half, n, down);
}

static void LADDER(sort)(ARRAY a, size_t begin, size_t size, size_t n, bool down)
{
    if (size == 1)
        return;
    const size_t half = size / 2;
    const bool has_right = begin + half < n;
    LADDER(sort)(a, begin, half, n, has_right);
    if (!has_right)
        return;
    LADDER(sort)(a, begin + half, half, n, false);
    LADDER(merge)(a, begin, size, n, down);
}

/* block: the length of the sequences that a stage makes; distance: the distance of the elements that it compares. */

static void LADDER(recursive)(ARRAY a, size_t n)
{
    size_t size = 1;
    while (size < n)
        size *= 2;
    LADDER(sort)(a, 0, size, n, false);
}

static void LADDER(partner_test)(ARRAY a, size_t n)
{
    for (size_t block = 2; block / 2 < n; block *= 2)
        for (size_t distance = block / 2; distance > 0; distance /= 2)
            for (size_t i = 0; i < n; i++) {
                const size_t partner = i ^ distance;
                if (partner > i && partner < n)
                    EXCHANGE(a, i, partner, LADDER(descends)(i, block, n));
            }
}

static void LADDER(two_loops)(ARRAY a, size_t n)
{
    for (size_t block = 2; block / 2 < n; block *= 2)
        for (size_t distance = block / 2; distance > 0; distance /= 2)
            for (size_t begin = 0; begin + distance < n; begin += 2 * distance) {
                const size_t end = begin + distance < n - distance ? begin + distance : n - distance;
                for (size_t i = begin; i < end; i++)
                    EXCHANGE(a, i, i ^ distance, LADDER(descends)(i, block, n));
            }
}

/* The number of pairs at this distance of which both elements exist. */
static inline size_t LADDER(pairs)(size_t n, size_t distance)
{
    const size_t rest = n % (2 * distance);
    return n / (2 * distance) * distance + (rest > distance ? rest - distance : 0);
}

static void LADDER(division)(ARRAY a, size_t n)
{
    for (size_t block = 2; block / 2 < n; block *= 2)
        for (size_t distance = block / 2; distance > 0; distance /= 2) {
            const size_t pairs = LADDER(pairs)(n, distance);
            for (size_t pair = 0; pair < pairs; pair++) {
                const size_t i = pair + pair / distance * distance;
                EXCHANGE(a, i, i ^ distance, LADDER(descends)(i, block, n));
            }
        }
}

static void LADDER(shifts)(ARRAY a, size_t n)
{
    for (unsigned stage = 1; (size_t)1 << (stage - 1) < n; stage++)
        for (unsigned shift = stage; shift-- > 0;) {
            const size_t distance = (size_t)1 << shift;
            const size_t pairs = LADDER(pairs)(n, distance);
            for (size_t pair = 0; pair < pairs; pair++) {
                const size_t i = pair + (pair >> shift << shift);
                EXCHANGE(a, i, i ^ distance, LADDER(descends)(i, (size_t)1 << stage, n));
            }
        }
}

static void LADDER(by_step)(clprim_reference_bitonic_step step, ARRAY a, size_t n)
{
    switch (step) {
    case CLPRIM_REFERENCE_BITONIC_PARTNER_TEST: LADDER(partner_test)(a, n); break;
    case CLPRIM_REFERENCE_BITONIC_TWO_LOOPS: LADDER(two_loops)(a, n); break;
    case CLPRIM_REFERENCE_BITONIC_DIVISION: LADDER(division)(a, n); break;
    case CLPRIM_REFERENCE_BITONIC_SHIFTS: LADDER(shifts)(a, n); break;
    default: LADDER(recursive)(a, n); break;
    }
}

#undef LADDER
#undef ARRAY
#undef EXCHANGE
