// SPDX-License-Identifier: MIT
/* long_sum.cl: folds any number of VALUEs, one after the other. Each addition of floats rounds, so the error of a long
 * sum would grow with the number of additions. Here, what each addition rounds away is summed up, too, and added at the
 * end. So the sum is as accurate as the VALUEs that are added. These are mostly sums of blocks that are short enough to
 * be added up in any order. For other operators it is a plain fold.
 *
 *     long_sum s = long_begin(x);
 *     s = long_then(s, y);         // again and again, in the order of the elements
 *     ... long_value(s)            // the VALUE
 *
 * If a caller's text lets the compiler reorder additions (-cl-fast-relaxed-math), the compiler may remove the
 * correction.
 * Parameters: the operator's prelude.
 * Source: Knuth, The Art of Computer Programming 2, 4.2.2, theorem B; Ogita, Rump and Oishi 2005, Sum2. */
#ifndef FLOAT_SUM
#error "the operator's prelude must come before"
#endif

#if FLOAT_SUM
#define LONG_BLOCK 256 /* additions in a row that need no correction */

typedef struct {
    VALUE value;
    VALUE error; /* the sum of what was rounded away */
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

/* Once the sum is infinite, the error is NaN and is not added. -0.0 stays -0.0. */
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
