/* finish.cl: a slot's sum goes where the caller wants it.
 *
 * Parameters: COUNTER, the type of the histogram's counters (of weights: theirs), COUNTER_OF(word) the number in a
 * word; OUTPUT and OUTPUT_OF(c, i), what is written for counter c, the i-th (lib/runtime/program/expression.h); with
 * HAS_OUTPUT nothing accumulates. */
#include "histogram/parts/slots.cl"

#if !defined(ACCUMULATE) || !defined(HAS_OUTSIDE) /* flags: add to what is there; somebody wants to know how many are in no bin */
#error "ACCUMULATE and HAS_OUTSIDE must be given"
#endif

#define OUTPUT_PARAMETERS                                                                                              \
    __global OUTPUT *out, ulong out_offset, __global ulong *outside, ulong outside_offset, uint flags
#define OUTPUT_ARGUMENTS out, out_offset, outside, outside_offset, flags

static inline void finish(uint slot, WORD sum, OUTPUT_PARAMETERS)
{
    const uint channel = slot / SLOTS;
    const uint bin = slot % SLOTS;
    if (bin < BINS) {
        const ulong i = (ulong)channel * BINS + bin;
        const ulong at = out_offset + i;
#if HAS_OUTPUT
        out[at] = OUTPUT_OF(COUNTER_OF(sum), i);
#else
        out[at] = (flags & ACCUMULATE) != 0 ? out[at] + COUNTER_OF(sum) : COUNTER_OF(sum);
#endif
    }
    if ((flags & HAS_OUTSIDE) != 0 && bin == (MAY_MISS ? BINS : 0)) {
        const ulong missed = MAY_MISS ? (ulong)sum : 0;
        const ulong at = outside_offset + channel;
        outside[at] = (flags & ACCUMULATE) != 0 ? outside[at] + missed : missed;
    }
}
