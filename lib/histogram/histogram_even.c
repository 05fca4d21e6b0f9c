// SPDX-License-Identifier: MIT
/* histogram_even.c: even bins for floats. */
#include "histogram_even.h"

#include <float.h>
#include <math.h>

static double rounded(clprim_type type, double x)
{
    return type == CLPRIM_F64 ? x : (double)(float)x;
}

/* A unit that scales the range to a width of about 1, as far as that is possible with normal powers of two. Only near 0
 * are elements so close together that a range can be narrow, so nothing becomes too large. */
static double unit_for(double low, double high, int largest_exponent)
{
    const int exponent = -ilogb(high - low <= DBL_MAX ? high - low : DBL_MAX);
    return ldexp(1, exponent > largest_exponent       ? largest_exponent
                    : exponent < 1 - largest_exponent ? 1 - largest_exponent
                                                      : exponent);
}

bool clprim__histogram_even(clprim__even *out, clprim_type type, double low, double high, size_t bins)
{
    const bool is_double = type == CLPRIM_F64;
    const double most = is_double ? DBL_MAX : (double)FLT_MAX;
    const double least = is_double ? DBL_MIN : (double)FLT_MIN;
    const double width = high - low;
    *out = (clprim__even){1, rounded(type, low), (double)bins / width};
    if (!(width <= most / 2 && out->scale >= least && out->scale <= most)) {
        out->unit = unit_for(low, high, is_double ? DBL_MAX_EXP - 1 : FLT_MAX_EXP - 1);
        out->low = rounded(type, out->low * out->unit);
        if (fabs(out->low) < least) /* it would be denormal, which devices need not support */
            out->low = 0;
        out->scale = (double)bins / (width <= DBL_MAX ? width * out->unit : high * out->unit - low * out->unit);
    }
    out->scale = rounded(type, out->scale);
    return out->scale <= most;
}
