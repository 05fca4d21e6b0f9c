/* test_histogram.calls.c: calls that add to one histogram, in order and each after the one before it. */
#include "test_histogram.h"

enum { BINS = 200, CALLS = 9, MAX_COUNT = 70001 };

static const size_t counts[CALLS] = {MAX_COUNT, 1, 0, 257, 4096, 33333, 0, 3, 65536};

/* All calls' elements, of the first of the given ones, in one histogram that held something. */
static void check(clprim_runtime *runtime, clprim_plan *plan, const clprim_histogram_desc *desc, bool in_order)
{
    static unsigned char data[MAX_COUNT];
    const clprim_reference_histogram_how how = histogram_how(desc);
    uint32_t expected[BINS];
    uint32_t found[BINS];
    uint64_t expected_outside = 7;
    uint64_t outside = 7;
    cl_event done[CALLS] = {NULL};
    cl_command_queue queue = test_queue(runtime, in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    test_fill(data, CLPRIM_U8, CLPRIM_MIN, TEST_RANDOM, MAX_COUNT, TEST_SEED);
    for (uint32_t i = 0; i < BINS; i++)
        expected[i] = 3 * i;
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_upload(runtime, expected, sizeof expected);
    cl_mem outside_out = test_upload(runtime, &outside, sizeof outside);
    for (size_t i = 0; i < CALLS; i++) {
        const bool waits = !in_order && i > 0;
        const clprim_histogram_call call = {.in = {in}, .count = counts[i], .out = {out}, .outside_out = {outside_out}};
        ASSERT_OK(clprim_histogram_enqueue(plan, queue, &call, waits ? 1 : 0, waits ? &done[i - 1] : NULL, &done[i]));
        ASSERT_OK(clprim_reference_histogram(expected, &expected_outside, &how, data, NULL, counts[i]));
    }
    ASSERT_CL(clWaitForEvents(1, &done[CALLS - 1]));
    test_read(runtime, found, out, sizeof found);
    test_read(runtime, &outside, outside_out, sizeof outside);
    test_expect_same(expected, found, sizeof *found, BINS, histogram_variant_name(desc->variant));
    cr_assert_eq(outside, expected_outside);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_CL(clReleaseEvent(done[i]));
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    ASSERT_CL(clReleaseMemObject(outside_out));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(histogram_calls, accumulation, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++) {
        const clprim_histogram_desc desc = {
            .bins = BINS, .accumulate = true, .variant = (clprim_histogram_variant)variant};
        clprim_plan *plan = NULL;
        const clprim_status status = clprim_histogram_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED && variant != CLPRIM_HISTOGRAM_AUTO)
            continue;
        ASSERT_OK(status);
        check(runtime, plan, &desc, true);
        check(runtime, plan, &desc, false);
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}
