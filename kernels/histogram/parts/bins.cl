// SPDX-License-Identifier: MIT
/* bins.cl: find the bin of an element.
 *
 *   bin_of(x BINS_ARGUMENTS)               0 .. BINS - 1; BINS if none
 *   BIN_IN_CHANNEL(x, channel)             the same for a channel's element, where BINS_ARGUMENTS are in scope
 *   BINS_PARAMETERS, BINS_ARGUMENTS        in a parameter list, and to pass them on: the boundaries
 *
 * The prelude of a joint histogram contains this text once for each dimension, with another name for the function.
 * Elements are then numbers of joint bins. The prelude of a histogram whose channels differ contains it once for each
 * channel, and defines BINS_OF_CHANNEL(x, channel, boundaries). JOINT_BOUNDARIES: the boundaries of all dimensions or
 * channels, one after another.
 *
 * Parameters: the prelude, with ELEMENT, an unsigned integer type of the elements' size, and SEEN_OF(x), the element as
 * a number; BINS; MAPPING (clprim_histogram_mapping) 0 identity, 1 even, 2 boundaries, 3 the caller's text in
 * CALLERS_BIN(x). For even bins over integers: EVEN_INTEGERS; WIDE, the type of LOW, in which elements are compared
 * with LOW; OFFSET, the type of an element's distance from LOW, and of LAST, the largest distance inside; IS_NARROW, if
 * 32 bits are enough for both; MISSES 0 if no element is outside; FACTOR, 2^64 * BINS / width, where the width is LAST
 * + 1. FACTOR is rounded up unless the width is more than 2^32: then IS_WIDE, QUOTIENT and REMAINDER are those of width
 * / BINS, and x / BINS is mul_hi(x, RECIPROCAL) >> SHIFT for x up to BINS^2. With IS_EXACT, the width is a power of
 * two, and FACTOR is not rounded; if the width is at most 2^32, its lower word is 0. With IS_SMALL, the product of an
 * offset and FACTOR has 32 bits, and FACTOR is 2^SHIFT * BINS / width, rounded up. With IS_DENSE, there are more bins
 * than integers: FACTOR is that of BINS % width, and QUOTIENT is BINS / width. For even bins over floats: REAL, the
 * type in which bins are computed; UNIT, LOW and SCALE (lib/histogram/histogram_even.h); AT_LEAST and BELOW, the least
 * floats not below low and high. For boundaries: BOUND, their type. */
#if !defined(MAPPING) || !defined(BINS)
#error "MAPPING and BINS must be given"
#endif
#if !defined(ELEMENT) || !defined(SEEN_OF)
#error "ELEMENT and SEEN_OF must be given"
#endif
#if MAPPING == 1 && defined(EVEN_INTEGERS)
#if !defined(OFFSET) || !defined(WIDE) || !defined(LOW) || !defined(LAST) || !defined(FACTOR)
#error "OFFSET, WIDE, LOW, LAST and FACTOR must be given"
#endif
#if !defined(IS_NARROW) || !defined(IS_WIDE) || !defined(IS_SMALL) || !defined(IS_EXACT) || !defined(IS_DENSE) ||      \
    !defined(MISSES)
#error "IS_NARROW, IS_WIDE, IS_SMALL, IS_EXACT, IS_DENSE and MISSES must be given"
#endif
#if ((IS_WIDE || IS_DENSE) && !defined(QUOTIENT)) || (IS_WIDE && (!defined(REMAINDER) || !defined(RECIPROCAL))) ||     \
    ((IS_WIDE || IS_SMALL) && !defined(SHIFT))
#error "QUOTIENT, REMAINDER, RECIPROCAL and SHIFT must be given"
#endif
#elif MAPPING == 1
#if !defined(REAL) || !defined(UNIT) || !defined(LOW) || !defined(SCALE) || !defined(AT_LEAST) || !defined(BELOW)
#error "REAL, UNIT, LOW, SCALE, AT_LEAST and BELOW must be given"
#endif
#endif
#if MAPPING == 2 && !defined(BOUND)
#error "BOUND must be given"
#endif

#if MAPPING == 3 && !defined(CALLERS_BIN)
#error "CALLERS_BIN must be given"
#endif

#if MAPPING == 2
#define BINS_PARAMETERS , const __global BOUND *boundaries
#define BINS_ARGUMENTS  , boundaries
#elif defined(JOINT_BOUNDARIES)
#define BINS_PARAMETERS , const __global uchar *boundaries
#define BINS_ARGUMENTS  , boundaries
#else
#define BINS_PARAMETERS
#define BINS_ARGUMENTS
#endif

static inline uint bin_of(ELEMENT x BINS_PARAMETERS)
{
#if MAPPING == 0
    const ulong bin = (ulong)(long)SEEN_OF(x); /* a negative number becomes larger than any bin */
    return bin < BINS ? (uint)bin : BINS;
#elif MAPPING == 1 && defined(EVEN_INTEGERS)
    const WIDE value = (WIDE)SEEN_OF(x);
    const OFFSET offset = (OFFSET)value - (OFFSET)LOW;
#if MISSES
    if ((!IS_NARROW && value < LOW) || offset > LAST)
        return BINS;
#endif
#if IS_WIDE
    /* This is never too large, and at most 1 too small: bins begin at b * width / BINS, rounded up. */
    const ulong bin = mul_hi(offset, FACTOR);
#if IS_EXACT
    return (uint)bin;
#endif
    const ulong next = (bin + 1) * QUOTIENT + (mul_hi((bin + 1) * REMAINDER + BINS - 1, RECIPROCAL) >> SHIFT);
    return (uint)bin + (bin + 1 < BINS && next <= offset);
#elif IS_SMALL
    return (uint)offset * FACTOR >> SHIFT;
#else
    const ulong own = (uint)offset;
#if IS_EXACT
    const uint bin = (uint)(own * (uint)(FACTOR >> 32) >> 32);
#else
    const uint bin = (uint)((own * (uint)(FACTOR >> 32) + (own * (uint)FACTOR >> 32)) >> 32);
#endif
#if IS_DENSE
    return bin + (uint)own * QUOTIENT;
#else
    return bin;
#endif
#endif
#elif MAPPING == 1
    const REAL value = SEEN_OF(x);
    if (!(value >= AT_LEAST && value < BELOW)) /* NaNs too */
        return BINS;
    return (uint)fmin((value * UNIT - LOW) * SCALE, (REAL)(BINS - 1));
#elif MAPPING == 2
    const BOUND value = SEEN_OF(x);
    uint begin = 0;
    uint end = BINS + 1;
    while (begin < end) { /* find how many boundaries are not above the value */
        const uint middle = (begin + end) / 2;
        if (boundaries[middle] <= value)
            begin = middle + 1;
        else
            end = middle;
    }
    return min(begin - 1, (uint)BINS);
#else
    const ulong bin = (ulong)CALLERS_BIN(SEEN_OF(x));
    return bin < BINS ? (uint)bin : BINS;
#endif
}

#ifndef BINS_OF_CHANNEL
#define BIN_IN_CHANNEL(x, channel) bin_of(x BINS_ARGUMENTS)
#elif defined(JOINT_BOUNDARIES)
#define BIN_IN_CHANNEL(x, channel) min(BINS_OF_CHANNEL(x, channel, boundaries), (uint)BINS)
#else
#define BIN_IN_CHANNEL(x, channel) min(BINS_OF_CHANNEL(x, channel, 0), (uint)BINS)
#endif
