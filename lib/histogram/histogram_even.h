// SPDX-License-Identifier: MIT
/* histogram_even.h: even bins for floats. They are defined by the computation below, which kernels and the reference
 * share. */
#ifndef CLPRIM_LIB_HISTOGRAM_EVEN_H
#define CLPRIM_LIB_HISTOGRAM_EVEN_H

#include <clprim/types.h>
#include <stdbool.h>

/* The bin of x is (x * unit - low) * scale without its fraction, but never higher than the last bin. Each operation is
 * rounded to the type in which the bin is computed; `low` and `scale` have that type. `unit` is a power of two. It is 1
 * unless the distance of two elements or the scale would be too large or too small for the type. */
typedef struct clprim__even {
    double unit, low, scale;
} clprim__even;

/* Compute them for finite low < high. Returns false if there are no such numbers: F16 and F32 bins are computed in F32,
 * whose elements cannot distinguish bins that are so narrow. */
bool clprim__histogram_even(clprim__even *out, clprim_type type, double low, double high, size_t bins);

#endif
