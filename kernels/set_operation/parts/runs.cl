// SPDX-License-Identifier: MIT
/* runs.cl: find successive elements that the balanced path takes in the same way: from one array only, because they all
 * come before the next element of the other; or in pairs, because all are equal. If there are many, they can be taken
 * together.
 *
 *   RUN                                         the minimum length of a run
 *   next_run(a, i, a_end, b, k, b_end)          how many elements the path takes in this way from a, beginning at i,
 *                                               and from b, beginning at k; two equal numbers mean pairs. No elements:
 *                                               there is no run
 *
 * The number of steps is logarithmic in the run's length. If the arrays are not sorted, the result is an arbitrary
 * number within them. */
#include "common/items.cl"
#include "set_operation/parts/sets.cl"
#include "set_operation/parts/balanced.cl"

#define RUN 32

/* How many elements of `from`, from `first` to before `end`, do not come after x, or, if `are_before`, come before it.
 * For the first RUN elements this is already known. */
ALWAYS_INLINE INDEX run_up_to(array from, INDEX first, INDEX end, item x, const bool are_before)
{
    INDEX low = first + RUN;
    INDEX high = low;
#define IS_IN_RUN(i) (are_before ? before(load(from, i), x) : !before(x, load(from, i)))
    for (INDEX width = RUN; high < end && IS_IN_RUN(high); width *= 2) {
        low = high + 1;
        high = end - low > width ? low + width : end;
    }
    HALVE(INDEX, low, high, tried, IS_IN_RUN(tried))
    return low - first;
}

ALWAYS_INLINE balanced next_run(array a, INDEX i, INDEX a_end, array b, INDEX k, INDEX b_end)
{
    const bool has_a = a_end - i >= RUN && k < b_end;
    const bool has_b = b_end - k >= RUN && i < a_end;
    balanced run = {0, 0};
    if (has_a && before(load(a, i + RUN - 1), load(b, k))) {
        run.a = run_up_to(a, i, a_end, load(b, k), true);
    } else if (has_b && before(load(b, k + RUN - 1), load(a, i))) {
        run.b = run_up_to(b, k, b_end, load(a, i), true);
    } else if (has_a && has_b && !before(load(b, k), load(a, i + RUN - 1)) &&
               !before(load(a, i), load(b, k + RUN - 1))) {
        run.a = min(run_up_to(a, i, a_end, load(b, k), false), run_up_to(b, k, b_end, load(a, i), false));
        run.b = run.a;
    }
    return run;
}
