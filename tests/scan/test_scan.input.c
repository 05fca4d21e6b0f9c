// SPDX-License-Identifier: MIT
/* test_scan.input.c: elements from an expression: every variant gives the reference's result for the same elements in
 * an array, inclusive and exclusive, with segments, and with the count on the device. */
#include "folds.h"

/* CPU_CHUNK runs all expressions, the others every sixth: a CPU's compiler takes seconds for kernels with tiles. */
TEST_BY_VARIANT(scan_input, is_scanned_as_an_array_of_it_is, clprim_scan_operation)
{
    static const clprim_scan_desc hows[] = {
        {.exclusive = false},
        {.exclusive = true},
        {.segments = CLPRIM_SEGMENTS_BY_FLAG},
        {.segments = CLPRIM_SEGMENTS_BY_FLAG, .exclusive = true, .count_at_type = CLPRIM_U32},
    };
    for (size_t row = 0; row < TEST_INPUTS; row++) {
        if (variant != CLPRIM_SCAN_CPU_CHUNK && (row + (size_t)variant) % 6 != 0 && !test_is_full())
            continue;
        clprim_scan_desc desc = hows[(row + (size_t)variant) % (sizeof hows / sizeof *hows)];
        desc.variant = (clprim_scan_variant)variant;
        test_fold_input(runtime, &clprim_scan_operation, &desc, row);
    }
}

/* Each prefix replaces the element that the expression has read. */
TEST_BY_VARIANT(scan_input, may_be_where_the_output_is, clprim_scan_operation)
{
    enum { COUNT = 40001 };
    static int32_t x[COUNT], expected[COUNT];
    const clprim_scan_desc desc = {.input = "x[i] ^ (int)i",
                                   .text.parameters = {{"x", CLPRIM_I32, .is_array = true}},
                                   .exclusive = variant % 2 == 0,
                                   .variant = (clprim_scan_variant)variant};
    uint32_t sum = 0;
    clprim_plan *plan = NULL;
    if ((variant == CLPRIM_SCAN_FIXED_LOOK_BACK && !test_can_wait(runtime)) ||
        variant == CLPRIM_SCAN_NATIVE) /* it has no texts */
        return;
    test_fill(x, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    for (int32_t i = 0; i < COUNT; i++) {
        const uint32_t before = sum;
        sum += (uint32_t)(x[i] ^ i);
        expected[i] = (int32_t)(desc.exclusive ? before : sum);
    }
    cl_mem buffer = test_upload(runtime, x, sizeof x);
    const clprim_scan_call call = {.arguments = {{buffer}}, .count = COUNT, .out = {buffer}};
    ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
    ASSERT_OK(clprim_scan_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_read(runtime, x, buffer, sizeof x);
    test_expect_same(expected, x, sizeof *x, COUNT, "in place of the argument");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(buffer));
}

Test(scan_input, refusals)
{
    static const uint64_t some_value[2] = {1};
    TEST_REFUSE_EACH(scan, TEST_INVALID(scan, "text without", false, .text.source = "int f(void);"),
                     TEST_INVALID(scan, "argmin", false, .input = "i", .op = CLPRIM_ARGMIN, .initial = some_value));
}
