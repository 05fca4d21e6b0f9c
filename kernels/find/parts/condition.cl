// SPDX-License-Identifier: MIT
/* condition.cl: the condition of a search. From here on, a VALUE is a place: that of the first element, among those
 * that were tested, for which the condition holds; NOWHERE if it holds for none. The fold of places is their minimum.
 *
 * Parameters: the prelude, with ELEMENT and HOLDS(x, earlier, i), the condition on element x, which has index i, and
 * the element before it; FIRST_PLACE, the least i: 1 if the condition reads `earlier`, otherwise 0; RESULT, an unsigned
 * integer type for the output; FIND_HINT, the index of a word in `state` that groups share. HOLDS_BY_ORDER, if the
 * condition asks whether one element must come before another (items.cl, which has no values here, and does not need
 * VALUE any more). */
#ifdef HOLDS_BY_ORDER
#include "common/items.cl"
#endif

#if !defined(HOLDS) || !defined(FIRST_PLACE) || !defined(RESULT) || !defined(FIND_HINT)
#error "HOLDS, FIRST_PLACE, RESULT and FIND_HINT must be given"
#endif
#undef VALUE_SIZE
#define VALUE         ulong
#define VALUE_SIZE    8
#define NOWHERE       (~0ul)
#define IDENTITY      NOWHERE
#define COMBINE(a, b) min(a, b)

/* A word that groups share while a kernel runs. */
#define HINT_OF(state) ((volatile __global uint *)((state) + FIND_HINT))

#ifdef INPUT_AT
#define OWN_ELEMENT(own, begin, k) INPUT_AT((begin) + (k))
#else
#define OWN_ELEMENT(own, begin, k) ((own)[k])
#endif

/* Whether the condition holds for element begin + k. `own` points to element `begin`. */
static inline bool holds_at(const __global ELEMENT *own, ulong begin, ulong k)
{
    const ELEMENT x = OWN_ELEMENT(own, begin, k);
#if FIRST_PLACE > 0
    const __global ELEMENT *before_own = own - 1;
    const ELEMENT earlier = OWN_ELEMENT(before_own, begin - 1, k);
#endif
    return HOLDS(x, earlier, begin + k);
}

/* The output for n elements. */
static inline RESULT result_of(VALUE least, ulong n)
{
    return (RESULT)min(least, n);
}
