/* balanced.cl: where two sorted arrays can be cut so that both sides of a cut can be worked on independently, although
 * equal elements of the two arrays belong together in pairs.
 *
 * Of an element that occurs m times in a and n times in b, the first ones form a pair, the second ones, and so on up to
 * min(m, n). The balanced path goes through both arrays in order; among equal elements first through the pairs, an
 * element of a and then its partner in b, and then through the others. A cut at a number of elements of the path is
 * moved behind the next one where it would separate a pair.
 *
 *   balanced                       how many elements of a and of b are before a cut
 *   BALANCED_CUT(NUMBER, AT, NARROW)
 *       what a function does that returns the cut at `place`, 0 .. a_count + b_count, of arrays a and b with a_count
 *       and b_count elements: these are its parameters. NUMBER: an unsigned integer in which they can be counted;
 *       AT(a, i): the i-th item of a; NARROW: HALVE, or LANES_NARROW of lanes.cl, by the lanes of a sub-group together
 *   HALVE(NUMBER, low, high, tried, holds)    as LANES_NARROW, by each work-item itself
 *   cut_alone(a, a_count, b, b_count, place)  the cut of arrays in global memory, by each work-item itself
 *
 * The number of steps is logarithmic in the arrays, and in the numbers of equal elements before the cut. Of arrays that
 * are not in order, the cut is some place in them.
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

/* How many elements right before the end-th are equal to x, none of which comes after x: run, which is 0 before. The
 * first element of a window of 1, 33, 1057, ... elements says whether all of the window are. Most often the first
 * window's is not. */
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

/* First the merge path, which takes equal elements of a before those of b. Then of the elements that are equal to the
 * next one, x, and before the cut, b gets half, as far as it has so many, and a the others. */
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
        const bool is_apart = a_taken == half_run + 1 && b_run + b_more > half_run; /* a partner is behind it */       \
        i -= a_run - a_taken;                                                                                          \
        k = k - b_run + b_taken + (is_apart ? 1 : 0);                                                                  \
    }                                                                                                                  \
    return (balanced){i, k};

#define GLOBAL_AT(a, i) load(a, i) /* not the function's name itself: calls of it may be handed more */

ALWAYS_INLINE balanced cut_alone(array a, INDEX a_count, array b, INDEX b_count, INDEX place)
{
    BALANCED_CUT(INDEX, GLOBAL_AT, HALVE);
}
