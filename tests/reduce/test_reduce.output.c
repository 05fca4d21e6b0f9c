// SPDX-License-Identifier: MIT
/* test_reduce.output.c: an output that an expression computes from the result. Every variant writes what the
 * reference's result gives, also if there are several launches, an initial value, or a count on the device. */
#include "folds.h"

#include <math.h>

/* Each variant meets each third expression. */
TEST_BY_VARIANT(reduce_output, is_made_of_the_result, clprim_reduce_operation)
{
    const bool keeps_order = clprim_reduce_operation.variants(NULL)[variant - 1].keeps_order;
    for (size_t row = 0; row < (keeps_order ? TEST_OUTPUTS : TEST_COMMUTING_OUTPUTS); row++) {
        const size_t how = row / 3 + row + (size_t)variant;
        if ((row + (size_t)variant) % 3 == 0 || test_is_full())
            test_fold_output(runtime, &clprim_reduce_operation,
                             &(clprim_reduce_desc){.variant = (clprim_reduce_variant)variant,
                                                   .has_initial_at = how % 2 == 0,
                                                   .count_at_type = how % 4 < 2 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT},
                             row);
    }
}

/* The expressions that the header names: a norm and a mean, in one launch; the mean of no numbers is a NaN. */
Test(reduce_output, known_by_heart)
{
    static float x[] = {3, 4, 12};
    float n = 3;
    float got = 0;
    const clprim_reduce_desc norm = {.type = CLPRIM_F32,
                                     .input = "x[i] * x[i]",
                                     .output = "sqrt(r)",
                                     .text.parameters = {{"x", CLPRIM_F32, .is_array = true}}};
    const clprim_reduce_desc mean = {
        .type = CLPRIM_F32, .output = "r / n", .text.parameters = {{"n", CLPRIM_F32}}, .has_initial_at = true};
    ASSERT_OK(clprim_reduce_run(NULL, &norm,
                                &(clprim_reduce_call){.arguments = {{.host = x}}, .count = 3, .out = {.host = &got}}));
    cr_assert_float_eq(got, 13.0F, 1e-5F, "%g", (double)got);
    float initial = 8;
    ASSERT_OK(clprim_reduce_run(NULL, &mean,
                                &(clprim_reduce_call){.in = {.host = x},
                                                      .arguments = {{.host = &n}},
                                                      .count = 3,
                                                      .initial_at = {.host = &initial},
                                                      .out = {.host = &got}}));
    cr_assert_float_eq(got, 9.0F, 1e-5F, "%g", (double)got);
    n = initial = 0;
    ASSERT_OK(clprim_reduce_run(
        NULL, &mean,
        &(clprim_reduce_call){.arguments = {{.host = &n}}, .initial_at = {.host = &initial}, .out = {.host = &got}}));
    cr_assert(isnan(got), "%g", (double)got);
}

/* An output of another size than the initial value must not overwrite it. */
TEST_WITH_RUNTIME(reduce_output, in_place_of_values_of_its_size_only)
{
    static const double zeros[4];
    cl_mem memory = test_upload(runtime, zeros, sizeof zeros);
    for (size_t i = 0; i < 2; i++) {
        clprim_plan *plan = NULL;
        ASSERT_OK(clprim_reduce_create(&plan, runtime,
                                       &(clprim_reduce_desc){.type = CLPRIM_U32,
                                                             .has_initial_at = true,
                                                             .output = "r",
                                                             .output_type = i == 0 ? CLPRIM_F32 : CLPRIM_U64}));
        const clprim_status status = clprim_reduce_enqueue(
            plan, NULL,
            &(clprim_reduce_call){.in = {memory, .offset = 4}, .count = 2, .initial_at = {memory}, .out = {memory}}, 0,
            NULL, NULL);
        test_expect_status(status, i == 0 ? CLPRIM_SUCCESS : CLPRIM_INVALID_OVERLAP, "out",
                           i == 0 ? "its size" : "a larger one");
        ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(memory));
}
