// SPDX-License-Identifier: MIT
/* test_histogram.h: a plan for histograms, checked against the reference. test_histogram.c defines the functions, and
 * the other files use them. All functions check their results with assertions. */
#ifndef CLPRIM_TEST_HISTOGRAM_H
#define CLPRIM_TEST_HISTOGRAM_H

#include <clprim/reference.h>

#include "cases.h"

#define HISTOGRAM_LAST_VARIANT test_last_variant(&clprim_histogram_operation)

/* How elements are distributed over the bins and beyond them. */
typedef enum histogram_spread {
    SPREAD_UNIFORM = 0, /* over all bins, and a little beyond either end */
    SPREAD_CONSTANT,
    SPREAD_TWO,
    SPREAD_SORTED,
    SPREAD_FEW,
    SPREAD_EDGES,    /* the beginnings of bins, and the numbers next to them */
    SPREAD_BITS,     /* any bits */
    SPREAD_SPECIALS, /* extremes; for floats, NaNs, infinities, zeros and denormals */
    SPREAD_END
} histogram_spread;

/* False if the device cannot run it, which is an error if the header promises that it can. desc.bin_of NULL: use a
 * mapping that the host knows, too. */
bool histogram_create(test_call *out, clprim_runtime *runtime, clprim_histogram_desc desc);
/* One call or several in a row, without waiting. data: the elements; NULL: generate them as `spread` says. */
void histogram_check(test_call *self, const void *data, histogram_spread spread, size_t count, unsigned repeat,
                     uint64_t seed);

#endif
