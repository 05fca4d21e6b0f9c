// SPDX-License-Identifier: MIT
/* test_reduce.sums.c: the error of a sum of floats does not grow with the number of elements, and zeros keep their signs. */
#include "sums.h"

#include <math.h>
#include <stdlib.h>

/* The sum of TEST_SUMMED elements of a type, in F32. */
static void sum_is_near(clprim_runtime *runtime, clprim_type type, clprim_reduce_variant variant, const char *what)
{
    float sum = 0;
    const clprim_reduce_desc desc = {.type = type, .accumulator_type = CLPRIM_F32, .variant = variant};
    const clprim_reduce_call call = {
        .in = {.host = (void *)test_summands(type)}, .count = TEST_SUMMED, .out = {.host = &sum}};
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    test_is_sum(type, sum, TEST_SUMMED, what);
}

TEST_BY_VARIANT(reduce, long_sums, clprim_reduce_operation)
{
    sum_is_near(runtime, CLPRIM_F32, (clprim_reduce_variant)variant, "F32");
}

TEST_WITH_RUNTIME(reduce, long_sums_of_types)
{
    sum_is_near(runtime, CLPRIM_F16, CLPRIM_REDUCE_AUTO, "F16");
    sum_is_near(runtime, CLPRIM_I32, CLPRIM_REDUCE_AUTO, "I32");
    sum_is_near(runtime, CLPRIM_F16, CLPRIM_REDUCE_SINGLE_PASS, "F16 by single_pass");
    sum_is_near(runtime, CLPRIM_I32, CLPRIM_REDUCE_SINGLE_PASS, "I32 by single_pass");
}

/* 16 times as many elements, which are computed and not stored in an array. */
TEST_WITH_RUNTIME(reduce, longer_sum_of_an_expression)
{
    static const clprim_reduce_variant variants[] = {CLPRIM_REDUCE_AUTO, CLPRIM_REDUCE_CPU_CHUNK,
                                                     CLPRIM_REDUCE_SINGLE_PASS};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        float sum = 0;
        const size_t count = (size_t)TEST_SUMMED << 4;
        const clprim_reduce_desc desc = {
            .type = CLPRIM_F32, .input = "1.0f + 0x1p-11f - 0x1p-20f", .variant = variants[v]};
        ASSERT_OK(clprim_reduce_run(runtime, &desc, &(clprim_reduce_call){.count = count, .out = {.host = &sum}}));
        test_is_sum(CLPRIM_F32, sum, count, "an expression");
    }
}

/* Infinities and NaNs are the same as without error compensation. */
TEST_BY_VARIANT(reduce, long_sums_that_are_not_finite, clprim_reduce_operation)
{
    float *data = test_allocate(TEST_SUMMED / 16 * sizeof *data);
    float sum = 0;
    const clprim_reduce_desc desc = {.type = CLPRIM_F32, .variant = (clprim_reduce_variant)variant};
    const clprim_reduce_call call = {.in = {.host = data}, .count = TEST_SUMMED / 16, .out = {.host = &sum}};
    for (size_t i = 0; i < call.count; i++)
        data[i] = TEST_SUMMAND;
    data[call.count / 3] = INFINITY;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    cr_assert(isinf(sum) && sum > 0, "with +inf it is %g", (double)sum);
    data[call.count / 2] = -INFINITY;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    cr_assert(isnan(sum), "with both infinities it is %g", (double)sum);
    for (size_t i = 0; i < call.count; i++)
        data[i] = 0x1p120F;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    cr_assert(isinf(sum) && sum > 0, "beyond the largest float it is %g", (double)sum);
    free(data);
}

/* The sum of -0.0 only; with +0.0; of no elements; of no elements, with an initial value; of no elements, if only the
 * device knows the count. */
TEST_BY_VARIANT(reduce, signs_of_zeros, clprim_reduce_operation)
{
    static float zeros[5000];
    static const float minus = -0.0F;
    static uint32_t none = 0;
    clprim_reduce_desc desc = {.type = CLPRIM_F32, .variant = (clprim_reduce_variant)variant};
    float got[6] = {1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < 5000; i++)
        zeros[i] = -0.0F;
    clprim_reduce_call call = {.in = {.host = zeros}, .count = 5000, .out = {.host = got}};
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    call.count = 1;
    call.out.host = got + 1;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    call.count = 0;
    call.out.host = got + 2;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    desc.initial = &minus;
    call.out.host = got + 3;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    desc.initial = NULL;
    desc.count_at_type = CLPRIM_U32;
    call.count = 5000;
    call.count_at = (clprim_array){.host = &none};
    call.out.host = got + 4;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    desc.count_at_type = CLPRIM_TYPE_DEFAULT;
    call.count_at = (clprim_array){0};
    zeros[4321] = 0.0F;
    call.out.host = got + 5;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    test_are_zeros((const float[]){-0.0F, -0.0F, 0.0F, -0.0F, 0.0F, 0.0F}, got, 6, "zeros");
}

/* Parts whose sums are all lost if each is added to the sum so far, because the first part's sum is so large. */
TEST_WITH_RUNTIME(reduce, sums_of_many_parts)
{
    enum { COUNT = 1 << 22 };
    static const double exact = 0x1p25 + (COUNT - 1) * 0x1p-12;
    float *data = test_allocate(COUNT * sizeof *data);
    float sum = 0;
    const clprim_reduce_desc desc = {.type = CLPRIM_F32};
    const clprim_reduce_call call = {.in = {.host = data}, .count = COUNT, .out = {.host = &sum}};
    data[0] = 0x1p25F;
    for (size_t i = 1; i < COUNT; i++)
        data[i] = 0x1p-12F;
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 40000}));
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    cr_assert(fabs((double)sum - exact) <= 8 * 0x1p-24 * exact, "%.9g, not %.9g", (double)sum, exact);
    ASSERT_OK(clprim_reduce_run(
        runtime, &(clprim_reduce_desc){.type = CLPRIM_F32, .output = "-r", .initial = &(float){0x1p25F}}, &call));
    cr_assert(fabs((double)sum + exact + 0x1p25) <= 8 * 0x1p-24 * exact, "%.9g with an output", (double)sum);
    data[COUNT / 2] = INFINITY;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    cr_assert(isinf(sum) && sum > 0, "with +inf it is %g", (double)sum);
    data[COUNT / 3] = NAN;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    cr_assert(isnan(sum), "with a NaN it is %g", (double)sum);
    for (size_t i = 0; i < COUNT; i++)
        data[i] = -0.0F;
    ASSERT_OK(clprim_reduce_run(runtime, &desc, &call));
    test_are_zeros((const float[]){-0.0F}, &sum, 1, "zeros");
    free(data);
}
