/* test_is_sorted.errors.c: what is refused, by its status and a sentence that names it, with nothing written; scratch
 * memory of the caller's; calls held back by an event, on queues of both kinds. */
#include <clprim/is_sorted.h>
#include <clprim/reference.h>

#include "support.h"

enum { COUNT = 200000 };

static void expect_refusal(clprim_is_sorted *plan, const test_output *out, clprim_runtime *runtime, cl_mem in,
                           size_t offset, size_t count, cl_mem to, size_t to_offset, clprim_status expected,
                           const char *culprit)
{
    cl_event never = NULL;
    ASSERT_STATUS(clprim_is_sorted_enqueue(plan, NULL, in, offset, count, to, to_offset, 0, NULL, &never), expected);
    cr_assert_not_null(strstr(clprim_last_error(), culprit), "%s", clprim_last_error());
    cr_assert_null(never);
    test_output_is_untouched(runtime, out, culprit);
}

Test(is_sorted_errors, refusals)
{
    static const struct {
        clprim_is_sorted_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.index_type = CLPRIM_I32}, CLPRIM_INVALID_ARGUMENT, "index_type"},
        {{.type_size = 4, .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.variant = (clprim_is_sorted_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.less = "a.x < b"}, CLPRIM_BUILD_FAILED, "less"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_is_sorted *plan = NULL;
    bool sorted = false;
    size_t bytes = 0;
    const uint32_t two[2] = {2, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ASSERT_STATUS(clprim_is_sorted_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    ASSERT_STATUS(clprim_is_sorted_create(NULL, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_is_sorted_create(&plan, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_is_sorted_create(&plan, runtime, NULL));
    test_output out = test_output_create(runtime, 4, 1);
    test_output_poison(runtime, &out);
    cl_mem in = test_buffer(runtime, 400);
    expect_refusal(NULL, &out, runtime, in, 0, 100, out.buffer, 1, CLPRIM_INVALID_ARGUMENT, "plan");
    expect_refusal(plan, &out, runtime, NULL, 0, 100, out.buffer, 1, CLPRIM_INVALID_ARGUMENT, "in is NULL");
    expect_refusal(plan, &out, runtime, in, 0, 100, NULL, 1, CLPRIM_INVALID_ARGUMENT, "out is NULL");
    expect_refusal(plan, &out, runtime, in, 1, 100, out.buffer, 1, CLPRIM_INVALID_RANGE, "in has room");
    expect_refusal(plan, &out, runtime, in, 0, 100, out.buffer, SIZE_MAX, CLPRIM_INVALID_RANGE, "out");
    expect_refusal(plan, &out, runtime, in, 0, (size_t)1 << 32, out.buffer, 1, CLPRIM_INVALID_RANGE, "U64");
    expect_refusal(plan, &out, runtime, out.buffer, 0, 2, out.buffer, 1, CLPRIM_INVALID_OVERLAP, "overlap");
    ASSERT_STATUS(clprim_is_sorted_scratch_size(NULL, plan, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_is_sorted_scratch_size(&bytes, NULL, 1), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_is_sorted_set_scratch(NULL, in), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_is_sorted_host(NULL, NULL, runtime, NULL, two, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_is_sorted_host(&sorted, NULL, runtime, NULL, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_is_sorted(NULL, NULL, two, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_is_sorted_host(&sorted, NULL, NULL, NULL, NULL, 0));
    cr_assert(sorted, "no elements are in order");
    ASSERT_CL(clReleaseMemObject(in));
    test_output_destroy(&out);
    clprim_is_sorted_destroy(plan);
    clprim_is_sorted_destroy(NULL);
    clprim_runtime_destroy(runtime);
}

/* The plan's own memory, then the caller's, of just the size, and of a byte less; many calls at once. */
Test(is_sorted_errors, scratch_and_queues, .timeout = 120)
{
    static uint32_t data[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queues[2] = {test_queue(runtime, 0), test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i;
    data[150001] = 7;
    cl_mem in = test_upload(runtime, data, sizeof data);
    for (int variant = CLPRIM_IS_SORTED_AUTO; variant <= CLPRIM_IS_SORTED_CPU_CHUNK; variant++) {
        const clprim_is_sorted_desc desc = {.variant = (clprim_is_sorted_variant)variant};
        clprim_is_sorted *plan = NULL;
        size_t bytes = 0;
        uint32_t found[12] = {0};
        cl_int code = CL_SUCCESS;
        cl_event done[12] = {NULL};
        if (clprim_is_sorted_create(&plan, runtime, &desc) == CLPRIM_UNSUPPORTED)
            continue;
        cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        ASSERT_OK(clprim_is_sorted_scratch_size(&bytes, plan, COUNT));
        cl_mem scratch = test_buffer(runtime, bytes);
        cl_mem less = test_buffer(runtime, bytes > 0 ? bytes - 1 : 0);
        cl_mem out = test_upload(runtime, found, sizeof found);
        ASSERT_OK(clprim_is_sorted_set_scratch(plan, less));
        if (bytes > 1)
            ASSERT_STATUS(clprim_is_sorted_enqueue(plan, NULL, in, 0, COUNT, out, 0, 0, NULL, NULL),
                          CLPRIM_INVALID_SCRATCH);
        for (cl_uint i = 0; i < 12; i++) {
            ASSERT_OK(clprim_is_sorted_set_scratch(plan, i % 4 == 3 ? NULL : scratch));
            ASSERT_OK(clprim_is_sorted_enqueue(plan, queues[i % 2], in, i % 3 == 0 ? 0 : 150000,
                                               i % 3 == 2 ? 1 : 50000 + 100001 * (i % 3 == 0), out, i, 1, &start,
                                               &done[i]));
        }
        test_read(runtime, found, out, sizeof found);
        for (int i = 0; i < 12; i++)
            cr_assert_eq(found[i], 0, "before the wait list is complete");
        clprim_is_sorted_destroy(plan);
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        for (cl_uint i = 0; i < 12; i++) {
            ASSERT_CL(clWaitForEvents(1, &done[i]));
            ASSERT_CL(clReleaseEvent(done[i]));
        }
        test_read(runtime, found, out, sizeof found);
        for (int i = 0; i < 12; i++)
            cr_assert_eq(found[i], i % 3 == 0 ? 150001U : 1U, "variant %d, call %d: %u", variant, i, found[i]);
        ASSERT_CL(clReleaseMemObject(scratch));
        ASSERT_CL(clReleaseMemObject(less));
        ASSERT_CL(clReleaseMemObject(out));
        ASSERT_CL(clReleaseEvent(start));
    }
    ASSERT_CL(clReleaseMemObject(in));
    for (int i = 0; i < 2; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    clprim_runtime_destroy(runtime);
}
