/* atomics.cl: add a weight to a table's word while others do the same. The result is not used, which lets a compiler
 * take an instruction that sends none back.
 *
 * With 8-byte words the device has cl_khr_int64_base_atomics. */
#include "histogram/modes.h"
#include "histogram/parts/slots.cl"

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* There is no atomic addition of floats: try until nobody came in between. `before` is then what was there. */
#define ADD(table, slot, amount)                                                                                       \
    WORD before = table[slot];                                                                                         \
    for (WORD seen; (seen = WORD_CMPXCHG(table + slot, before, word_sum(slot, before, amount))) != before;)            \
        before = seen;
#elif WEIGHT_KIND == WEIGHTS_INTEGERS
#define ADD(table, slot, amount) (void)WORD_ADD(table + slot, amount)
#endif

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* Returns what was there before. */
static inline WORD global_add_word(volatile __global WORD *table, uint slot, WORD amount)
{
    ADD(table, slot, amount)
    return before;
}

/* Has a sum grown so much that what it rounds away counts? Until then each element loses at most half a unit of so many
 * times itself. */
static inline bool is_long(WORD sum, WORD amount)
{
    return fabs(WEIGHT_OF(sum)) > 4096 * fabs(WEIGHT_OF(amount));
}

/* What sums round away is added up in a table of its own, behind theirs. Where that has grown long, too, it goes to its
 * sum, and what this rounds away takes its place. */
static inline void global_add(volatile __global WORD *table, uint slot, WORD amount)
{
    volatile __global WORD *errors = table + TABLE;
    const WORD sum = global_add_word(table, slot, amount);
    if (is_outside(slot) || !is_long(sum, amount))
        return;
    const WORD error = word_error(slot, sum, amount);
    if (WEIGHT_OF(error) == 0 || !isfinite(WEIGHT_OF(error)) || !is_long(global_add_word(errors, slot, error), error))
        return;
    const WORD all = WORD_XCHG(errors + slot, 0);
    const WORD left = word_error(slot, global_add_word(table, slot, all), all);
    if (isfinite(WEIGHT_OF(left)))
        (void)global_add_word(errors, slot, left);
}
#elif WEIGHT_KIND == WEIGHTS_INTEGERS
static inline void global_add(volatile __global WORD *table, uint slot, WORD amount)
{
    ADD(table, slot, amount);
}
#endif

#if WEIGHT_KIND != WEIGHTS_NONE
static inline void local_add(volatile __local WORD *table, uint slot, WORD amount)
{
    ADD(table, slot, amount);
}
#endif
