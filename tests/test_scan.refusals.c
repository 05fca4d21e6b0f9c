/* test_scan.refusals.c: buffers, queues, wait lists and descriptions that a scan refuses. */
#include <clprim/scan.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 1000 };

/* A plan for inclusive sums of I32, ones to scan, and an output that nothing may write to. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_scan *plan;
    cl_mem in;
    cl_mem out;
} setting;

static void fill(const clprim_runtime *runtime, cl_mem buffer, size_t count, int32_t value)
{
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(runtime), buffer, &value, sizeof value, 0, count * sizeof value,
                                  0, NULL, NULL));
}

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    ASSERT_OK(clprim_scan_create(&self.plan, self.runtime, NULL));
    self.in = test_buffer(self.runtime, COUNT * sizeof(int32_t));
    self.out = test_buffer(self.runtime, COUNT * sizeof(int32_t));
    fill(self.runtime, self.in, COUNT, 1);
    fill(self.runtime, self.out, COUNT, 77);
    return self;
}

static void expect_untouched(const setting *self, const char *what)
{
    int32_t expected[COUNT];
    int32_t got[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = 77;
    test_read(self->runtime, got, self->out, sizeof got);
    test_expect_same(expected, got, sizeof *got, COUNT, what);
}

/* The plan still works, whatever was refused before. */
static void setting_destroy(setting *self)
{
    int32_t got[COUNT];
    ASSERT_OK(clprim_scan_enqueue(self->plan, NULL, self->in, 0, COUNT, self->out, 0, 0, NULL, NULL));
    test_read(self->runtime, got, self->out, sizeof got);
    for (int32_t i = 0; i < COUNT; i++)
        cr_assert_eq(got[i], i + 1, "after refusals: element %d is %d", i, got[i]);
    clprim_scan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    clprim_runtime_destroy(self->runtime);
}

/* A call that is refused: neither the output nor *done changes. */
static void refused(setting *self, clprim_status expected, cl_command_queue queue, cl_mem in, size_t in_offset,
                    size_t count, cl_mem out, size_t out_offset, const char *what)
{
    cl_event never = NULL;
    const clprim_status got =
        clprim_scan_enqueue(self->plan, queue, in, in_offset, count, out, out_offset, 0, NULL, &never);
    cr_assert_eq((int)got, (int)expected, "%s: %s", what, clprim_status_string(got));
    cr_assert_gt(strlen(clprim_last_error()), 0, "%s fails without a sentence", what);
    cr_assert_null(never);
    expect_untouched(self, what);
}

static cl_mem sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size)
{
    cl_int code = CL_SUCCESS;
    const cl_buffer_region region = {origin, size};
    cl_mem result = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    return result;
}

/* Sub-buffers of one parent overlap by where they lie in it, not by what they are called. */
Test(scan_refusals, sub_buffers_of_one_parent)
{
    setting s = setting_create();
    const size_t unit = clprim_runtime_info(s.runtime)->base_address_alignment;
    const size_t elements = unit / sizeof(int32_t);
    cl_mem parent = test_buffer(s.runtime, 4 * unit);
    fill(s.runtime, parent, 4 * elements, 3);
    cl_mem front = sub_buffer(parent, CL_MEM_READ_WRITE, 0, 2 * unit);
    cl_mem middle = sub_buffer(parent, CL_MEM_READ_WRITE, unit, 2 * unit);
    refused(&s, CLPRIM_INVALID_OVERLAP, NULL, front, 0, 2 * elements, middle, 0, "a sub-buffer and the next");
    refused(&s, CLPRIM_INVALID_OVERLAP, NULL, middle, 0, elements + 1, front, 0, "a sub-buffer and the one before");
    refused(&s, CLPRIM_INVALID_OVERLAP, NULL, parent, 1, 2 * elements, middle, 0, "a sub-buffer and all");
    refused(&s, CLPRIM_INVALID_OVERLAP, NULL, middle, 0, 2 * elements, parent, 1, "all and a sub-buffer");
    refused(&s, CLPRIM_INVALID_RANGE, NULL, middle, 0, 2 * elements + 1, s.out, 0, "past a sub-buffer's end");
    refused(&s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, 2 * elements + 1, middle, 0, "past a sub-buffer's end");
    int32_t last = 0;
    ASSERT_OK(clprim_scan_enqueue(s.plan, NULL, front, 0, elements, middle, 0, 0, NULL, NULL));
    ASSERT_OK(clprim_scan_enqueue(s.plan, NULL, middle, 0, elements, middle, 0, 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(s.runtime), parent, CL_TRUE, 2 * unit - sizeof last, sizeof last,
                                  &last, 0, NULL, NULL));
    cr_assert_eq((size_t)last, 3 * elements * (elements + 1) / 2, "sums of sums: %d", last);
    ASSERT_CL(clReleaseMemObject(front));
    ASSERT_CL(clReleaseMemObject(middle));
    ASSERT_CL(clReleaseMemObject(parent));
    setting_destroy(&s);
}

Test(scan_refusals, buffers_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, COUNT * sizeof(int32_t));
    refused(&s, CLPRIM_INVALID_BUFFER, NULL, foreign, 0, COUNT, s.out, 0, "an input of another context");
    refused(&s, CLPRIM_INVALID_BUFFER, NULL, s.in, 0, COUNT, foreign, 0, "an output of another context");
    ASSERT_STATUS(clprim_scan_set_scratch(s.plan, foreign), CLPRIM_INVALID_BUFFER);
    cl_mem read_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_READ_ONLY, 64, NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_WRITE_ONLY, 64, NULL, &code);
    ASSERT_CL(code);
    refused(&s, CLPRIM_INVALID_BUFFER, NULL, s.in, 0, 8, read_only, 0, "an output that can only be read");
    refused(&s, CLPRIM_INVALID_BUFFER, NULL, read_only, 0, 8, read_only, 0, "the same in place");
    refused(&s, CLPRIM_INVALID_BUFFER, NULL, write_only, 0, 8, s.out, 0, "an input that can only be written");
    refused(&s, CLPRIM_INVALID_BUFFER, NULL, write_only, 0, 8, write_only, 0, "the same in place");
    ASSERT_STATUS(clprim_scan_set_scratch(s.plan, read_only), CLPRIM_INVALID_BUFFER);
    /* the right way round they serve */
    ASSERT_OK(clprim_scan_enqueue(s.plan, NULL, read_only, 0, 8, write_only, 1, 0, NULL, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(scan_refusals, flags_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_scan *by_flags = NULL;
    cl_event never = NULL;
    const clprim_scan_desc flagged = {.segments = CLPRIM_SCAN_HEAD_FLAGS};
    ASSERT_OK(clprim_scan_create(&by_flags, s.runtime, &flagged));
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, COUNT);
    cl_mem write_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_WRITE_ONLY, COUNT, NULL, &code);
    ASSERT_CL(code);
    ASSERT_STATUS(clprim_scan_enqueue_segments(by_flags, NULL, s.in, 0, COUNT, foreign, 0, s.out, 0, 0, NULL, &never),
                  CLPRIM_INVALID_BUFFER);
    ASSERT_STATUS(
        clprim_scan_enqueue_segments(by_flags, NULL, s.in, 0, COUNT, write_only, 0, s.out, 0, 0, NULL, &never),
        CLPRIM_INVALID_BUFFER);
    cr_assert_null(never);
    expect_untouched(&s, "flags of the wrong kind");
    /* where there is nothing to scan no array need exist */
    ASSERT_OK(clprim_scan_enqueue_segments(by_flags, NULL, NULL, 0, 0, NULL, 0, NULL, 0, 0, NULL, &never));
    ASSERT_CL(clWaitForEvents(1, &never));
    ASSERT_CL(clReleaseEvent(never));
    clprim_scan_destroy(by_flags);
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(scan_refusals, queues_and_wait_lists_that_are_none)
{
    setting s = setting_create();
    clprim_runtime *other = test_runtime(NULL);
    refused(&s, CLPRIM_INVALID_ARGUMENT, clprim_runtime_queue(other), s.in, 0, COUNT, s.out, 0,
            "a queue of another context");
    clprim_runtime_destroy(other);
    cl_int code = CL_SUCCESS;
    cl_event never = NULL;
    cl_event event = clCreateUserEvent(clprim_runtime_context(s.runtime), &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    const cl_event holed[] = {event, NULL};
    const struct {
        cl_uint count;
        const cl_event *waits;
    } rows[] = {{1, NULL}, {0, &event}, {2, holed}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ASSERT_STATUS(clprim_scan_enqueue(s.plan, NULL, s.in, 0, COUNT, s.out, 0, rows[i].count, rows[i].waits, &never),
                      CLPRIM_INVALID_ARGUMENT);
        cr_assert_null(never);
        expect_untouched(&s, "wait lists that are none");
    }
    ASSERT_CL(clReleaseEvent(event));
    setting_destroy(&s);
}

static const uint64_t some_value = 1;

/* What is wrong with each, whatever else there is. */
static const struct {
    clprim_scan_desc desc;
    clprim_status expected;
} senseless[] = {
    {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.op = CLPRIM_OP_END}, CLPRIM_INVALID_ARGUMENT},
    {{.op = (clprim_op)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = (clprim_scan_variant)(CLPRIM_SCAN_FIXED_TREE + 1)}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = (clprim_scan_variant)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.accumulator_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.accumulator_type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = (clprim_scan_segments)(CLPRIM_SCAN_BY_KEY + 1)}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = (clprim_scan_segments)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = CLPRIM_SCAN_BY_KEY, .segments_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = CLPRIM_SCAN_BY_KEY, .segments_type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
    {{.segments = CLPRIM_SCAN_HEAD_FLAGS, .segments_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
    {{.reproducible = true, .segments = CLPRIM_SCAN_BY_KEY, .type = CLPRIM_F32, .variant = CLPRIM_SCAN_LOOK_BACK},
     CLPRIM_INVALID_ARGUMENT},
    {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT},
    {{.work_group_size = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT},
    {{.items_per_work_item = 1025}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = 33}, CLPRIM_INVALID_ARGUMENT},
    {{.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT},
    {{.op = CLPRIM_ARGMIN, .initial = &some_value}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F64, .op = CLPRIM_ARGMAX, .initial = &some_value}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F16, .op = CLPRIM_AND}, CLPRIM_INVALID_OPERATOR},
    {{.type = CLPRIM_F32, .op = CLPRIM_OR}, CLPRIM_INVALID_OPERATOR},
    {{.type = CLPRIM_F64, .op = CLPRIM_XOR}, CLPRIM_INVALID_OPERATOR},
    {{.type = CLPRIM_I32, .op = CLPRIM_MIN, .accumulator_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I32, .op = CLPRIM_ARGMAX, .accumulator_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I16, .accumulator_type = CLPRIM_U16}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I16, .accumulator_type = CLPRIM_U64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I32, .accumulator_type = CLPRIM_F16}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_I64, .op = CLPRIM_MAX, .accumulator_type = CLPRIM_F64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F64, .accumulator_type = CLPRIM_F32}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F32, .accumulator_type = CLPRIM_I64}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F32, .reproducible = true, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN}, CLPRIM_INVALID_ARGUMENT},
    {{.type = CLPRIM_F32, .reproducible = true, .variant = CLPRIM_SCAN_LOOK_BACK}, CLPRIM_INVALID_ARGUMENT},
};

Test(scan_refusals, descriptions_that_make_no_sense)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const int32_t in[] = {1, 2};
    const uint64_t heads[] = {1, 1};
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        const clprim_scan_desc *desc = &senseless[i].desc;
        clprim_scan *plan = NULL;
        uint64_t result[4] = {77, 77, 77, 77};
        const clprim_status status = clprim_scan_create(&plan, runtime, desc);
        cr_assert_eq((int)status, (int)senseless[i].expected, "row %zu: %s (%s)", i, clprim_status_string(status),
                     clprim_last_error());
        cr_assert_null(plan);
        for (size_t count = 0; count < 3; count += 2)
            cr_assert_eq((int)clprim_scan_host(result, runtime, desc, in,
                                               desc->segments != CLPRIM_SCAN_WHOLE ? heads : NULL, count),
                         (int)senseless[i].expected, "row %zu on the host", i);
        cr_assert(result[0] == 77 && result[1] == 77 && result[3] == 77, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

Test(scan_refusals, host_arrays_that_are_not_there)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const int32_t in[] = {1, 2};
    const uint8_t flags[] = {1, 1};
    int32_t out[2] = {77, 77};
    const clprim_scan_desc flagged = {.segments = CLPRIM_SCAN_HEAD_FLAGS};
    ASSERT_STATUS(clprim_scan_host(NULL, runtime, NULL, in, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_host(out, runtime, NULL, NULL, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_host(out, runtime, &flagged, in, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_scan_host(out, runtime, NULL, in, flags, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert_neq((int)clprim_scan_host(out, runtime, NULL, in, NULL, SIZE_MAX), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)clprim_scan_host(out, runtime, NULL, in, NULL, SIZE_MAX / 4), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)clprim_scan_host(out, runtime, &flagged, in, flags, SIZE_MAX / 4 + 1), (int)CLPRIM_SUCCESS);
    cr_assert(out[0] == 77 && out[1] == 77, "a refusal must not write");
    ASSERT_OK(clprim_scan_host(out, runtime, &flagged, NULL, NULL, 0));
    cr_assert(out[0] == 77 && out[1] == 77, "nothing to scan writes nothing");
    clprim_runtime_destroy(runtime);
}
