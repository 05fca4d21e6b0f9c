// SPDX-License-Identifier: MIT
/* atomics.cl: add a weight to a word of a table while other work-items may do the same. The old value is not used, so a
 * compiler can choose an instruction that does not return it.
 *
 * For 8-byte words, the device must have cl_khr_int64_base_atomics. */
#include "histogram/modes.h"
#include "histogram/parts/slots.cl"

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* There is no atomic addition of floats. So this tries until no other work-item came in between. `before` is then the
 * old value. */
#define ADD(table, slot, amount)                                                                                       \
    WORD before = table[slot];                                                                                         \
    for (WORD seen; (seen = WORD_CMPXCHG(table + slot, before, word_sum(slot, before, amount))) != before;)            \
        before = seen;
#elif WEIGHT_KIND == WEIGHTS_INTEGERS
#define ADD(table, slot, amount) (void)WORD_ADD(table + slot, amount)
#endif

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* Returns the old value. */
static inline WORD global_add_word(volatile __global WORD *table, uint slot, WORD amount)
{
    ADD(table, slot, amount)
    return before;
}

/* Whether a sum has become so large that its rounding errors matter. Until then, each element loses at most half a unit
 * in the last place of this multiple of itself. */
static inline bool is_long(WORD sum, WORD amount)
{
    return fabs(WEIGHT_OF(sum)) > 4096 * fabs(WEIGHT_OF(amount));
}

/* The rounding errors of sums are accumulated in a second table, which follows the first. If such an error sum has
 * become large, too, it is added to its sum, and the rounding error of that addition replaces it. */
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
