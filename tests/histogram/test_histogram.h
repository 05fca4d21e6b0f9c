/* test_histogram.h: a plan for histograms, checked against the reference; test_histogram.c has the functions, the other
 * parts use them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_HISTOGRAM_H
#define CLPRIM_TEST_HISTOGRAM_H

#include <clprim/reference.h>

#include "cases.h"

#define HISTOGRAM_LAST_VARIANT test_last_variant(&clprim_histogram_operation)

/* How elements are spread over the bins and beyond them. */
typedef enum histogram_spread {
    SPREAD_UNIFORM = 0, /* over all bins, and a little more to either side */
    SPREAD_CONSTANT,
    SPREAD_TWO,
    SPREAD_SORTED,
    SPREAD_FEW,
    SPREAD_EDGES,    /* where bins begin, and the numbers next to that */
    SPREAD_BITS,     /* anything the type can hold */
    SPREAD_SPECIALS, /* extremes; of floats NaNs, infinities, zeros and denormals */
    SPREAD_END
} histogram_spread;

/* False where the device cannot run it; where the header promises that it can, that is an error. desc.bin_of NULL:
 * one that the host knows, too. */
bool histogram_create(test_call *out, clprim_runtime *runtime, clprim_histogram_desc desc);
/* One call or several in a row, without waiting. data: the elements; NULL: as spread says. */
void histogram_check(test_call *self, const void *data, histogram_spread spread, size_t count, unsigned repeat,
                     uint64_t seed);

#endif
