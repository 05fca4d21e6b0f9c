// SPDX-License-Identifier: MIT
/* test_reduce_by_key.input.c: values from an expression: every variant gives the reference's result for the same values
 * in an array, also with the count on the device. */
#include "folds.h"

/* CPU_CHUNK runs all expressions. REDUCE_THEN_SCAN and LOOK_BACK run every third, because their kernels take a CPU's
 * compiler seconds. */
TEST_EACH_WITH_RUNTIME(reduce_by_key_input, is_folded_as_an_array_of_it_is, 3)
{
    for (size_t row = 0; row < TEST_INPUTS; row++)
        if (number == 0 || (row + number) % 3 == 0 || test_is_full())
            test_fold_input(
                runtime, &clprim_reduce_by_key_operation,
                &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U8,
                                             .index_type = row % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                             .count_at_type = row % 3 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                             .variant = (clprim_scan_variant)(CLPRIM_SCAN_CPU_CHUNK + number)},
                row);
}

Test(reduce_by_key_input, refusals)
{
    TEST_REFUSE_EACH(reduce_by_key,
                     TEST_INVALID(reduce_by_key, "text without", false, .text.parameters = {{.name = "a"}}));
}

/* A run's result is written elsewhere than its values are read: outputs must not overlap the arguments. */
TEST_WITH_RUNTIME(reduce_by_key_input, outputs_lie_apart_from_arguments)
{
    static int32_t x[] = {1, 2, 3};
    cl_mem values = test_upload(runtime, x, sizeof x);
    cl_mem keys = test_buffer(runtime, 6 * sizeof *x);
    cl_mem runs = test_buffer(runtime, sizeof(uint32_t));
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_reduce_by_key_create(
        &plan, runtime,
        &(clprim_reduce_by_key_desc){.input = "x[i]", .text.parameters = {{"x", CLPRIM_I32, .is_array = true}}}));
    ASSERT_REFUSED(clprim_reduce_by_key_enqueue(plan, NULL,
                                                &(clprim_reduce_by_key_call){.keys_in = {keys},
                                                                             .arguments = {{values}},
                                                                             .count = 3,
                                                                             .keys_out = {keys, .offset = 3},
                                                                             .values_out = {values},
                                                                             .out_count = {runs}},
                                                0, NULL, NULL),
                   CLPRIM_INVALID_OVERLAP, "overlap");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(values));
    ASSERT_CL(clReleaseMemObject(keys));
    ASSERT_CL(clReleaseMemObject(runs));
}
