/* histogram_even.h: even bins of floats, of which what is computed is the definition: for kernels and for the reference. */
#ifndef CLPRIM_LIB_HISTOGRAM_EVEN_H
#define CLPRIM_LIB_HISTOGRAM_EVEN_H

#include <clprim/types.h>
#include <stdbool.h>

/* The bin of x is (x * unit - low) * scale, each operation rounded to the type in which the bin is computed (`low` and
 * `scale` are numbers of it), without its fraction, and never beyond the last bin. `unit` is a power of two: 1 where
 * neither the distance of two elements nor the scale is too large or too small for the type. */
typedef struct clprim__even {
    double unit, low, scale;
} clprim__even;

/* For finite low < high. False where there are no such numbers: F16 and F32 are computed in F32, whose elements cannot tell
 * bins apart that are so narrow. */
bool clprim__histogram_even(clprim__even *out, clprim_type type, double low, double high, size_t bins);

#endif
