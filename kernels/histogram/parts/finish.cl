// SPDX-License-Identifier: MIT
/* finish.cl: write a slot's sum to the output.
 *
 * Parameters: COUNTER, the type of the histogram's counters (for weights, that of their sums), and COUNTER_OF(word),
 * the number in a word; OUTPUT and OUTPUT_OF(c, i), the output for counter c, which has index i
 * (lib/runtime/program/expression.h). With HAS_OUTPUT, results are never accumulated. */
#include "histogram/parts/slots.cl"

/* flags: add to the old contents; the caller wants the number of elements that are in no bin */
#if !defined(ACCUMULATE) || !defined(HAS_OUTSIDE)
#error "ACCUMULATE and HAS_OUTSIDE must be given"
#endif

static inline void finish(uint slot, WORD sum, __global OUTPUT *out, __global ulong *outside, uint flags)
{
    const uint c = slot / SLOTS; /* the channel */
    const uint bin = slot % SLOTS;
    if (bin < BINS) {
        const ulong i = (ulong)c * BINS + bin;
#if HAS_OUTPUT
        out[i] = OUTPUT_OF(COUNTER_OF(sum), i);
#else
        out[i] = (flags & ACCUMULATE) != 0 ? out[i] + COUNTER_OF(sum) : COUNTER_OF(sum);
#endif
    }
    if ((flags & HAS_OUTSIDE) != 0 && bin == (MAY_MISS ? BINS : 0)) {
        const ulong missed = MAY_MISS ? (ulong)sum : 0;
        outside[c] = (flags & ACCUMULATE) != 0 ? outside[c] + missed : missed;
    }
}
