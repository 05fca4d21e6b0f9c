// SPDX-License-Identifier: MIT
/* balanced.cl: where two sorted arrays can be cut so that both sides of a cut can be processed independently, although
 * equal elements of the two arrays form pairs.
 *
 * If an element occurs m times in a and n times in b, the first occurrences form a pair, then the second ones, and so
 * on up to min(m, n). The balanced path goes through both arrays in order. Among equal elements, it first goes through
 * the pairs, an element of a and then its partner in b, and then through the others. A cut is given by a number of
 * elements of the path. If it would separate a pair, it is moved past the pair's second element.
 *
 *   balanced                       how many elements of a and of b are before a cut
 *   BALANCED_CUT(NUMBER, AT, NARROW)
 *       the body of a function that returns the cut at `place`, 0 .. a_count + b_count, of arrays a and b with a_count
 *       and b_count elements; these are its parameters. NUMBER: an unsigned integer type for their number; AT(a, i):
 *       the i-th item of a; NARROW: HALVE, or LANES_NARROW of lanes.cl for all lanes of a sub-group together
 *   HALVE(NUMBER, low, high, tried, holds)    like LANES_NARROW, but for each work-item independently
 *   cut_alone(a, a_count, b, b_count, place)  the cut of arrays in global memory, for each work-item independently
 *
 * The number of steps is logarithmic in the arrays' lengths, and in the numbers of equal elements before the cut. If
 * the arrays are not sorted, the cut is an arbitrary place inside them.
 *
 * Source: Baxter 2013, Modern GPU (balanced path); Green, McColl, Bader 2012 (merge path). */
#include "common/items.cl"
#include "set_operation/parts/sets.cl"

typedef struct {
    INDEX a, b;
} balanced;

#define HALVE(NUMBER, low, high, tried, holds)                                                                         \
    while ((low) < (high)) {                                                                                           \
        const NUMBER tried = (low) + ((high) - (low)) / 2;                                                             \
        if (holds)                                                                                                     \
            (low) = tried + 1;                                                                                         \
        else                                                                                                           \
            (high) = tried;                                                                                            \
    }

/* Compute in `run`, which must be 0, how many elements directly before the end-th are equal to x; none of them comes
 * after x. The first element of a window of 1, 33, 1057, ... elements tells whether the whole window is equal. Usually,
 * that of the first window is not. */
#define EQUAL_BEFORE(NUMBER, run, a, end, x, AT, NARROW)                                                               \
    for (NUMBER window_ = 0; window_ < (end);) {                                                                       \
        window_ = window_ == 0 || (end) / 32 > window_ ? 32 * window_ + 1 : (end);                                     \
        if (before(AT(a, (end)-window_), x)) {                                                                         \
            NUMBER high_ = window_ - 1;                                                                                \
            NARROW(NUMBER, run, high_, back_, !before(AT(a, (end)-1 - back_), x))                                      \
            break;                                                                                                     \
        }                                                                                                              \
        (run) = window_;                                                                                               \
    }

/* First find the merge path, which takes equal elements of a before those of b. Then divide the elements before the cut
 * that are equal to the next one, x: b gets half of them, as far as it has so many, and a gets the others. */
#define BALANCED_CUT(NUMBER, AT, NARROW)                                                                               \
    NUMBER i = place > b_count ? place - b_count : 0;                                                                  \
    NUMBER end = min(place, a_count);                                                                                  \
    NARROW(NUMBER, i, end, tried_, !before(AT(b, place - 1 - tried_), AT(a, tried_)))                                  \
    NUMBER k = place - i;                                                                                              \
    if (i < a_count || k < b_count) {                                                                                  \
        const bool is_a = k == b_count || (i < a_count && !before(AT(b, k), AT(a, i)));                                \
        const item x = is_a ? AT(a, i) : AT(b, k);                                                                     \
        NUMBER a_run = 0;                                                                                              \
        NUMBER b_run = 0;                                                                                              \
        EQUAL_BEFORE(NUMBER, a_run, a, i, x, AT, NARROW)                                                               \
        EQUAL_BEFORE(NUMBER, b_run, b, k, x, AT, NARROW)                                                               \
        const NUMBER half_run = (a_run + b_run) / 2;                                                                   \
        NUMBER b_more = 0;                                                                                             \
        end = a_run > 0 && half_run >= b_run ? min(half_run + 1 - b_run, b_count - k) : 0;                             \
        NARROW(NUMBER, b_more, end, more_, !before(x, AT(b, k + more_)))                                               \
        const NUMBER a_taken = min(a_run, a_run + b_run - min(half_run, b_run + b_more));                              \
        const NUMBER b_taken = a_run + b_run - a_taken;                                                                \
        const bool is_apart = a_taken == half_run + 1 && b_run + b_more > half_run; /* the partner is after the cut */ \
        i -= a_run - a_taken;                                                                                          \
        k = k - b_run + b_taken + (is_apart ? 1 : 0);                                                                  \
    }                                                                                                                  \
    return (balanced){i, k};

#define GLOBAL_AT(a, i) load(a, i) /* not the function's name itself, because calls of it may get more arguments */

ALWAYS_INLINE balanced cut_alone(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    BALANCED_CUT(INDEX, GLOBAL_AT, HALVE);
}
