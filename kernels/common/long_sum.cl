/* long_sum.cl: a fold of as many VALUEs as there may be, one after the other. Each addition of floats rounds, so that a
 * sum of many would have an error that grows with their number: here what each addition has rounded away is summed up,
 * too, and added in the end. Then the sum is as good as the VALUEs that are added: of blocks of elements, mostly, that
 * are short enough to be added up in any way. Of other operators it is a plain fold.
 *
 *     long_sum s = long_begin(x);
 *     s = long_then(s, y);         // again and again, in the order of the elements
 *     ... long_value(s)            // the VALUE
 *
 * A compiler that may change the order of additions (-cl-fast-relaxed-math, by a caller's text) may leave nothing of
 * it.
 * Parameters: the operator's prelude.
 * Source: Knuth, The Art of Computer Programming 2, 4.2.2, theorem B; Ogita, Rump and Oishi 2005, Sum2. */
#ifndef FLOAT_SUM
#error "the operator's prelude must come before"
#endif

#if FLOAT_SUM
#define LONG_BLOCK 256 /* additions in a row that need no long_sum */

typedef struct {
    VALUE value;
    VALUE error; /* has been rounded away */
} long_sum;

static inline long_sum long_begin(VALUE x)
{
    const long_sum s = {x, 0};
    return s;
}

static inline long_sum long_then(long_sum a, VALUE b)
{
    const VALUE value = a.value + b;
    const VALUE added = value - a.value;
    const VALUE error = (a.value - (value - added)) + (b - added);
    const long_sum s = {value, a.error + error};
    return s;
}

/* The error is NaN once the sum is infinite. -0.0 stays what it is. */
static inline VALUE long_value(long_sum s)
{
    return s.error != 0 && isfinite(s.error) ? s.value + s.error : s.value;
}
#else
#define LONG_BLOCK 0xfffffffffffffffful

typedef VALUE long_sum;

static inline long_sum long_begin(VALUE x)
{
    return x;
}

static inline long_sum long_then(long_sum a, VALUE b)
{
    return COMBINE(a, b);
}

static inline VALUE long_value(long_sum s)
{
    return s;
}
#endif
