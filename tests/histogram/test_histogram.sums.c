// SPDX-License-Identifier: MIT
/* test_histogram.sums.c: the error of a bin's sum of floats does not grow with the number of its elements. */
#include "sums.h"

#include <stdlib.h>

enum { BINS = 300, HOT = 5, OUTSIDE = BINS };

/* On a GPU, all elements of a bin update one word in global_atomic. TEST_SUMMED of them would take minutes. */
static size_t count_for(const clprim_runtime *runtime, clprim_histogram_variant variant)
{
    const bool is_gpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_GPU;
    return variant == CLPRIM_HISTOGRAM_GLOBAL_ATOMIC && is_gpu && !test_is_full() ? TEST_SUMMED / 16 : TEST_SUMMED;
}

/* Most elements are in one bin; some are outside all bins. */
static size_t fill(uint32_t *in, size_t count, size_t counts[BINS + 1])
{
    for (size_t i = 0; i < count; i++) {
        in[i] = (uint32_t)(i % 7 == 0 ? i / 7 % (BINS + 1) : HOT);
        counts[in[i]]++;
    }
    return counts[OUTSIDE];
}

static void sums_are_near(clprim_runtime *runtime, clprim_type type, clprim_histogram_variant variant,
                          const void *weights, void *sums)
{
    uint32_t *in = test_allocate(TEST_SUMMED * sizeof *in);
    size_t counts[BINS + 1] = {0};
    uint64_t outside = 0;
    const size_t count = count_for(runtime, variant);
    const size_t expected_outside = fill(in, count, counts);
    const clprim_histogram_desc desc = {.type = CLPRIM_U32,
                                        .mapping = CLPRIM_HISTOGRAM_IDENTITY,
                                        .bins = BINS,
                                        .weights_type = type,
                                        .variant = variant};
    const clprim_histogram_call call = {.in = {.host = in},
                                        .weights = {.host = (void *)weights},
                                        .count = count,
                                        .out = {.host = sums},
                                        .outside_out = {.host = &outside}};
    const clprim_status status = clprim_histogram_run(runtime, &desc, &call);
    if (status != CLPRIM_UNSUPPORTED) { /* otherwise the variant takes no weights */
        ASSERT_OK(status);
        for (size_t bin = 0; bin < BINS; bin++)
            test_is_sum(CLPRIM_F32, type == CLPRIM_F64 ? (float)((double *)sums)[bin] : ((float *)sums)[bin],
                        counts[bin], "a bin");
        cr_assert_eq(outside, expected_outside);
    }
    free(in);
}

TEST_WITH_RUNTIME(histogram, long_sums)
{
    static const clprim_histogram_variant variants[] = {CLPRIM_HISTOGRAM_AUTO, CLPRIM_HISTOGRAM_CPU_CHUNK,
                                                        CLPRIM_HISTOGRAM_LOCAL_ATOMIC, CLPRIM_HISTOGRAM_GLOBAL_ATOMIC};
    double *wide = test_allocate(TEST_SUMMED * sizeof *wide);
    double sums[BINS];
    const void *narrow = test_summands(CLPRIM_F32);
    for (size_t i = 0; i < TEST_SUMMED; i++)
        wide[i] = test_summand(CLPRIM_F32);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        sums_are_near(runtime, CLPRIM_F32, variants[v], narrow, sums);
        sums_are_near(runtime, CLPRIM_F64, variants[v], wide, sums);
    }
    free(wide);
}
