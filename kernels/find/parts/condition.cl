/* condition.cl: what is looked for. From here on a VALUE is a place: that of the first element for which the condition
 * holds, of those looked at; NOWHERE if it holds for none. Folded, it is the least one.
 *
 * Parameters: the prelude, with ELEMENT and HOLDS(x, earlier, i), the condition on element x, of index i, and the
 * element before it; FIRST_PLACE, the least i: 1 where the condition reads `earlier`, else 0; RESULT, an unsigned
 * integer for the output; FIND_HINT, where groups share a word of `state`.
 * HOLDS_BY_ORDER, if the condition asks whether one element must come before another (items.cl, which has no values
 * here, and needs no VALUE any more). */
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

/* Does the condition hold for element begin + k? `own` begins with element `begin`. */
static inline bool holds_at(const __global ELEMENT *own, ulong begin, ulong k)
{
    const ELEMENT x = OWN_ELEMENT(own, begin, k);
#if FIRST_PLACE > 0
    const __global ELEMENT *before_own = own - 1;
    const ELEMENT earlier = OWN_ELEMENT(before_own, begin - 1, k);
#endif
    return HOLDS(x, earlier, begin + k);
}

/* What is written of n elements. */
static inline RESULT result_of(VALUE least, ulong n)
{
    return (RESULT)min(least, n);
}
