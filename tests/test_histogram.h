/* test_histogram.h: a plan for histograms with all its arrays, checked against the reference; test_histogram.c has the
 * functions, the other parts use them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_HISTOGRAM_H
#define CLPRIM_TEST_HISTOGRAM_H

#include <clprim/histogram.h>
#include <clprim/reference.h>
#include <clprim/types.h>

#include "support.h"

enum { HISTOGRAM_POISON = 0xa5, HISTOGRAM_VARIANTS = CLPRIM_HISTOGRAM_CPU_CHUNK + 1 };

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

typedef struct histogram_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_histogram_desc desc; /* resolved: nothing is left to defaults but variant and work_group_size */
    clprim_reference_histogram_how how;
    char name[192];
    size_t counter_size;
    unsigned char *in;
    unsigned char *weights;
    unsigned char *expected;
    unsigned char *found;
    cl_mem in_memory;
    cl_mem weights_memory;
    cl_mem out_memory;
    cl_mem outside_memory;
} histogram_subject;

typedef struct histogram_call {
    size_t count;
    size_t in_offset;
    size_t weights_offset;
    size_t out_offset;
    size_t outside_offset;
    bool without_outside;
    unsigned repeat; /* calls in a row, without waiting; 0: one */
    histogram_spread spread;
    uint64_t seed;
    const void *data; /* the elements; NULL: as spread says */
} histogram_call;

const char *histogram_variant_name(clprim_histogram_variant variant);
/* The same for the reference; bin_of is histogram_bin_of(). */
clprim_reference_histogram_how histogram_how(const clprim_histogram_desc *desc);
/* The mapping to use for CUSTOM: an expression for elements of a type, and the same on the host, for those of the type
 * last asked for. */
const char *histogram_bin_of_text(clprim_type type);
int64_t histogram_bin_of(const void *element);

/* Make the plan and arrays for `max_count` elements a channel. False where the device cannot run it, and says so;
 * where the header promises that it can, that is an error. desc.bin_of NULL: histogram_bin_of_text(). */
bool histogram_create(histogram_subject *out, clprim_runtime *runtime, clprim_histogram_desc desc, size_t max_count);
void histogram_destroy(histogram_subject *self);
/* The result is the reference's, guards are intact, inputs unchanged. */
void histogram_check(histogram_subject *self, const histogram_call *c);

#endif
