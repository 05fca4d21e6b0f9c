// SPDX-License-Identifier: MIT
/* test_top_k.input.c: the first k of keys from an expression, with every variant, for fewer elements than k, for as
 * many and for more, with the count on the host and on the device. */
#include "ordered.h"

enum { MAX_COUNT = 40001, K = 300 };

static const size_t counts[] = {0, 1, K - 1, K, K + 1, 4097, MAX_COUNT};

static float x[MAX_COUNT], keys[MAX_COUNT];
static uint64_t values[MAX_COUNT], sorted[K];
static float found[K];

static void check(test_call *self, const clprim_top_k_desc *desc, size_t count, size_t there)
{
    const clprim_reference_top_k_how how = {
        .key_type = CLPRIM_F32, .k = K, .smallest = desc->smallest, .value_size = 8, .unsorted = desc->unsorted};
    uint32_t at_most = (uint32_t)there;
    float sign = -1;
    there = there < count ? there : count;
    test_fill(x, CLPRIM_F32, CLPRIM_MAX, TEST_EXACT, count, count);
    for (size_t i = 0; i < count; i++) {
        keys[i] = x[i] * sign;
        values[i] = i * 3;
    }
    ASSERT_OK(clprim_reference_top_k(found, sorted, &how, keys, values, there));
    test_call_fill(self,
                   &(clprim_top_k_call){.arguments = {{.host = x}, {.host = &sign}},
                                        .values_in = {.host = values},
                                        .count_at = {.host = &at_most},
                                        .count = count,
                                        .keys_out = {.host = found},
                                        .values_out = {.host = sorted}},
                   count);
    test_call_check(self, "%zu of %zu elements", there, count);
}

TEST_BY_VARIANT(top_k_input, is_chosen_from_as_from_an_array_of_it, clprim_top_k_operation)
{
    for (int unsorted = 0; unsorted < (variant == CLPRIM_TOP_K_SORT ? 1 : 2); unsorted++) {
        const clprim_top_k_desc desc = {.key_type = CLPRIM_F32,
                                        .k = K,
                                        .input = "x[i] * sign",
                                        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {"sign", CLPRIM_F32}},
                                        .smallest = unsorted != 0,
                                        .unsorted = unsorted != 0,
                                        .value_size = 8,
                                        .count_at_type = CLPRIM_U32,
                                        .variant = (clprim_top_k_variant)variant};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_top_k_operation, &desc))
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                check(&self, &desc, counts[c], counts[c]);
                check(&self, &desc, counts[c], counts[c] / 2);
                check(&self, &desc, counts[c], K);
            }
    }
}

/* Kernels write the result while others still read the argument. */
TEST_WITH_RUNTIME(top_k_input, no_output_may_be_an_argument)
{
    const clprim_top_k_desc desc = {
        .key_type = CLPRIM_F32, .k = K, .input = "-x[i]", .text.parameters = {{"x", CLPRIM_F32, .is_array = true}}};
    clprim_plan *plan = NULL;
    memset(x, 0, sizeof x);
    cl_mem both = test_upload(runtime, x, sizeof x);
    ASSERT_OK(clprim_top_k_create(&plan, runtime, &desc));
    ASSERT_REFUSED(clprim_top_k_enqueue(
                       plan, NULL, &(clprim_top_k_call){.arguments = {{both}}, .count = MAX_COUNT, .keys_out = {both}},
                       0, NULL, NULL),
                   CLPRIM_INVALID_OVERLAP, "argument");
    test_read(runtime, keys, both, sizeof keys);
    test_expect_same(x, keys, sizeof *x, MAX_COUNT, "untouched");
    ASSERT_CL(clReleaseMemObject(both));
    clprim_plan_destroy(plan);
}
