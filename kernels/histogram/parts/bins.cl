/* bins.cl: which bin an element belongs to.
 *
 *   bin_of(x BINS_ARGUMENTS)               0 .. BINS - 1; BINS if none
 *   BINS_PARAMETERS, BINS_ARGUMENTS        in a parameter list, and to hand them on: the boundaries
 *
 * The prelude of a joint histogram has this text once for each dimension, with another name of the function. Elements
 * are then numbers of joint bins; JOINT_BOUNDARIES: what makes them needs the boundaries of all dimensions.
 *
 * Parameters: the prelude, with ELEMENT, an unsigned integer type of the elements' size, and SEEN_OF(x), the element as
 * a number; BINS; MAPPING (clprim_histogram_mapping) 0 identity, 1 even, 2 boundaries, 3 the caller's text in
 * CALLERS_BIN(x). For even bins over integers: OFFSET, the type in which it is computed; WIDE, one that holds elements
 * and LOW; LOW; LAST, the width less 1; and IS_WIDE, where (width - 1) * BINS overflows OFFSET; then also FACTOR, 2^64 *
 * BINS / width, and QUOTIENT and REMAINDER of width / BINS. For floats: LOW and SCALE; AT_LEAST and BELOW, the least
 * floats not below low and high. For boundaries: BOUND, their type. */
#if !defined(MAPPING) || !defined(BINS)
#error "MAPPING and BINS must be given"
#endif
#if !defined(ELEMENT) || !defined(SEEN_OF)
#error "ELEMENT and SEEN_OF must be given"
#endif
#if MAPPING == 1 && defined(LAST) && (!defined(OFFSET) || !defined(WIDE) || !defined(LOW) || !defined(IS_WIDE))
#error "OFFSET, WIDE, LOW and IS_WIDE must be given"
#endif
#if MAPPING == 1 && !defined(LAST) && (!defined(REAL) || !defined(LOW) || !defined(SCALE) || !defined(AT_LEAST) || !defined(BELOW))
#error "REAL, LOW, SCALE, AT_LEAST and BELOW must be given"
#endif
#if MAPPING == 2 && !defined(BOUND)
#error "BOUND must be given"
#endif

#if MAPPING == 3 && !defined(CALLERS_BIN)
#error "CALLERS_BIN must be given"
#endif

#if MAPPING == 2
#define BINS_PARAMETERS , const __global BOUND *boundaries
#define BINS_ARGUMENTS , boundaries
#elif defined(JOINT_BOUNDARIES)
#define BINS_PARAMETERS , const __global uchar *boundaries
#define BINS_ARGUMENTS , boundaries
#else
#define BINS_PARAMETERS
#define BINS_ARGUMENTS
#endif

static inline uint bin_of(ELEMENT x BINS_PARAMETERS)
{
#if MAPPING == 0
    const ulong bin = (ulong)(long)SEEN_OF(x); /* negative: larger than any */
    return bin < BINS ? (uint)bin : BINS;
#elif MAPPING == 1 && defined(LAST)
    const WIDE value = SEEN_OF(x);
    const ulong offset = (ulong)value - (ulong)LOW;
    if (value < LOW || offset > LAST)
        return BINS;
#if !IS_WIDE
    return (uint)((OFFSET)offset * BINS / ((OFFSET)LAST + 1));
#else
    /* Never too large, and too small by 1 at most: bins begin at b * width / BINS, rounded up. */
    const ulong bin = mul_hi(offset, FACTOR);
    const ulong next = (bin + 1) * QUOTIENT + ((bin + 1) * REMAINDER + BINS - 1) / BINS;
    return (uint)bin + (bin + 1 < BINS && next <= offset);
#endif
#elif MAPPING == 1
    const REAL value = SEEN_OF(x);
    if (!(value >= AT_LEAST && value < BELOW)) /* NaNs too */
        return BINS;
    return (uint)fmin((value - LOW) * SCALE, (REAL)(BINS - 1));
#elif MAPPING == 2
    const BOUND value = SEEN_OF(x);
    uint begin = 0;
    uint end = BINS + 1;
    while (begin < end) { /* how many boundaries are not above the value */
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
