// SPDX-License-Identifier: MIT
/* test_histogram.cumulative.c: cumulative counters, each the sum of those before it, with every variant: one bin and
 * many, around the number that a work-group adds up at a time; channels, weights, no elements; results of the reference
 * known in advance; and calls that are refused. */
#include "ordered.h"

enum { MAX_COUNT = 20011 };

typedef clprim_histogram_desc description;

static const size_t counts[] = {0, 1, 63, 64, 65, 1023, 1025, MAX_COUNT};
static uint16_t elements[4 * MAX_COUNT];
static double weights[MAX_COUNT];

static void check(clprim_runtime *runtime, const description *desc, uint64_t seed)
{
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_histogram_operation, desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const clprim_histogram_call call = {
                .in = {.host = elements},
                .weights = {.host = desc->weights_type != CLPRIM_TYPE_DEFAULT ? weights : NULL},
                .count = counts[i]};
            test_fill(elements, CLPRIM_U16, CLPRIM_SUM, i % 2 == 0 ? TEST_RANDOM : TEST_FEW_DISTINCT, 4 * counts[i],
                      seed + i);
            if (desc->weights_type != CLPRIM_TYPE_DEFAULT)
                test_fill(weights, desc->weights_type, CLPRIM_SUM, TEST_EXACT, counts[i], seed + i);
            test_call_fill(&self, &call, seed + i);
            test_call_check(&self, "%zu elements", counts[i]);
            if (i % 3 == 0)
                test_call_check_run(&self, "%zu elements on the host", counts[i]);
        }
}

TEST_BY_VARIANT(histogram_cumulative, as_the_reference_does, clprim_histogram_operation)
{
    static const size_t bins[] = {1, 2, 15, 16, 17, 60, 1023, 1024, 1025, 4096, 4097, 70000};
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        description desc = {.type = CLPRIM_U16,
                            .mapping = CLPRIM_HISTOGRAM_EVEN,
                            .high = 65536,
                            .low = i % 2 == 0 ? 0 : 1000,
                            .bins = bins[i],
                            .channels = i % 3 == 0 ? 4 : 1,
                            .active_channels = i % 3 == 0 ? 3 : 1,
                            .counter_type = i % 4 == 1 ? CLPRIM_U64 : CLPRIM_U32,
                            .cumulative = true,
                            .variant = (clprim_histogram_variant)variant,
                            .work_group_size = i % 2 == 0 ? 0 : 64};
        check(runtime, &desc, TEST_SEED + i);
        if (i % 3 == 0 || (variant != CLPRIM_HISTOGRAM_AUTO && variant != CLPRIM_HISTOGRAM_CPU_CHUNK &&
                           variant != CLPRIM_HISTOGRAM_GLOBAL_ATOMIC))
            continue;
        desc.weights_type = i % 2 == 0 ? CLPRIM_I32 : CLPRIM_F64;
        desc.counter_type = CLPRIM_TYPE_DEFAULT;
        check(runtime, &desc, TEST_SEED + i);
    }
}

Test(histogram_cumulative, by_heart)
{
    static const uint8_t in[] = {3, 0, 9, 3, 1, 4, 4, 4};
    static const uint32_t wanted[] = {1, 2, 2, 4, 7};
    uint32_t got[5];
    uint64_t outside = 0;
    ASSERT_OK(clprim_reference_histogram(
        got, &outside, &(clprim_reference_histogram_how){.type = CLPRIM_U8, .bins = 5, .cumulative = true}, in, NULL,
        sizeof in));
    test_expect_same(wanted, got, sizeof *got, 5, "by heart");
    cr_assert_eq(outside, 1);
}

#define INVALID(culprit, by_reference, ...) TEST_INVALID(histogram, culprit, by_reference, __VA_ARGS__)

Test(histogram_cumulative, refusals)
{
    TEST_REFUSE_EACH(
        histogram, INVALID("accumulate", false, .cumulative = true, .accumulate = true),
        INVALID("output", false, .cumulative = true, .output = "r"),
        INVALID("several dimensions", false, .cumulative = true, .input = "i", .second = {.input = "i", .bins = 2}));
}
