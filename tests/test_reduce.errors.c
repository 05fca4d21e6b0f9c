/* test_reduce.errors.c: every documented error of a reduction, and that it leaves everything as it was. */
#include <clprim/reduce.h>

#include "support.h"

enum { COUNT = 1000 };

/* A plan for the sum of I32 with arrays that fit, to which each test does one thing wrong. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_reduce *plan;
    cl_mem in;
    test_output out;
} setting;

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    ASSERT_OK(clprim_reduce_create(&self.plan, self.runtime, NULL));
    self.in = test_buffer(self.runtime, COUNT * sizeof(int32_t));
    const int32_t one = 1;
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(self.runtime), self.in, &one, sizeof one, 0, COUNT * sizeof one,
                                  0, NULL, NULL));
    self.out = test_output_create(self.runtime, sizeof(int32_t), 2);
    return self;
}

/* The plan still works, whatever was refused before. */
static void setting_destroy(setting *self)
{
    int32_t result = 0;
    ASSERT_OK(
        clprim_reduce_enqueue(self->plan, NULL, self->in, 0, COUNT, self->out.buffer, self->out.slot, 0, NULL, NULL));
    test_output_read(self->runtime, &self->out, &result, "after refusals");
    cr_assert_eq(result, COUNT);
    clprim_reduce_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    test_output_destroy(&self->out);
    clprim_runtime_destroy(self->runtime);
}

/* A call that is refused: neither the output nor *done changes. */
#define REFUSED(setting, expected, queue, from, from_offset, count, to, to_offset, num_waits, waits)                   \
    do {                                                                                                               \
        cl_event never = NULL;                                                                                         \
        ASSERT_STATUS(clprim_reduce_enqueue((setting).plan, queue, from, from_offset, count, to, to_offset, num_waits, \
                                            waits, &never),                                                            \
                      expected);                                                                                       \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched((setting).runtime, &(setting).out, #expected);                                        \
    } while (0)

Test(reduce_errors, null_arguments)
{
    setting s = setting_create();
    clprim_reduce *none = NULL;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, NULL, 0, COUNT, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, s.in, 0, COUNT, NULL, 2, 0, NULL);
    ASSERT_STATUS(clprim_reduce_enqueue(NULL, NULL, s.in, 0, COUNT, s.out.buffer, 2, 0, NULL, NULL),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reduce_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reduce_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    size_t bytes = 77;
    ASSERT_STATUS(clprim_reduce_scratch_size(NULL, s.plan, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reduce_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_reduce_set_scratch(NULL, s.in), CLPRIM_INVALID_ARGUMENT);
    setting_destroy(&s);
}

Test(reduce_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT + 1, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 1, COUNT, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, COUNT + 1, 0, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, s.out.buffer, s.out.slots, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, s.out.buffer, SIZE_MAX, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, s.out.buffer, SIZE_MAX / 4 + 1, 0, NULL);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 1, SIZE_MAX, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, SIZE_MAX, 1, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, SIZE_MAX, SIZE_MAX, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, SIZE_MAX / 4 + 2, s.out.buffer, 2, 0, NULL);
    setting_destroy(&s);
}

/* An element that does not fit whole does not count. */
Test(reduce_errors, buffers_that_end_within_an_element)
{
    setting s = setting_create();
    cl_mem odd = test_buffer(s.runtime, 4 * sizeof(int32_t) + 3);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, odd, 0, 5, s.out.buffer, 2, 0, NULL);
    cl_mem tiny = test_buffer(s.runtime, 3);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, s.in, 0, COUNT, tiny, 0, 0, NULL);
    ASSERT_CL(clReleaseMemObject(odd));
    ASSERT_CL(clReleaseMemObject(tiny));
    setting_destroy(&s);
}

Test(reduce_errors, overlap)
{
    setting s = setting_create();
    int32_t result = 0;
    cl_mem both = test_buffer(s.runtime, COUNT * sizeof(int32_t));
    const int32_t two = 2;
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(s.runtime), both, &two, sizeof two, 0, COUNT * sizeof two, 0,
                                  NULL, NULL));
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 0, COUNT, both, 0, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 0, COUNT, both, COUNT - 1, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 5, 10, both, 5, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, both, 5, 10, both, 14, 0, NULL);
    /* beside each other in one buffer is fine, before and behind; and so is an empty range */
    ASSERT_OK(clprim_reduce_enqueue(s.plan, NULL, both, 5, 10, both, 4, 0, NULL, NULL));
    ASSERT_OK(clprim_reduce_enqueue(s.plan, NULL, both, 5, 10, both, 15, 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(s.runtime), both, CL_TRUE, 15 * sizeof result, sizeof result,
                                  &result, 0, NULL, NULL));
    cr_assert_eq(result, 20);
    ASSERT_OK(clprim_reduce_enqueue(s.plan, NULL, both, 5, 0, both, 5, 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(s.runtime), both, CL_TRUE, 5 * sizeof result, sizeof result,
                                  &result, 0, NULL, NULL));
    cr_assert_eq(result, 0);
    ASSERT_CL(clReleaseMemObject(both));
    setting_destroy(&s);
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
Test(reduce_errors, sub_buffers_of_one_parent)
{
    setting s = setting_create();
    const size_t unit = clprim_runtime_info(s.runtime)->base_address_alignment;
    const size_t elements = unit / sizeof(int32_t);
    cl_mem parent = test_buffer(s.runtime, 4 * unit);
    const int32_t three = 3;
    ASSERT_CL(
        clEnqueueFillBuffer(clprim_runtime_queue(s.runtime), parent, &three, sizeof three, 0, 4 * unit, 0, NULL, NULL));
    cl_mem front = sub_buffer(parent, CL_MEM_READ_WRITE, 0, 2 * unit);
    cl_mem middle = sub_buffer(parent, CL_MEM_READ_WRITE, unit, 2 * unit);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, front, 0, 2 * elements, middle, 0, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, parent, 0, 4 * elements, middle, 1, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, NULL, middle, 0, 1, parent, elements, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_RANGE, NULL, middle, 0, 2 * elements + 1, s.out.buffer, 2, 0, NULL);
    int32_t result = 0;
    ASSERT_OK(clprim_reduce_enqueue(s.plan, NULL, front, 0, elements, middle, elements, 0, NULL, NULL));
    ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(s.runtime), parent, CL_TRUE, 2 * unit, sizeof result, &result, 0,
                                  NULL, NULL));
    cr_assert_eq(result, 3 * (int32_t)elements);
    ASSERT_CL(clReleaseMemObject(front));
    ASSERT_CL(clReleaseMemObject(middle));
    ASSERT_CL(clReleaseMemObject(parent));
    setting_destroy(&s);
}

Test(reduce_errors, buffers_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, COUNT * sizeof(int32_t));
    REFUSED(s, CLPRIM_INVALID_BUFFER, NULL, foreign, 0, COUNT, s.out.buffer, 2, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_BUFFER, NULL, s.in, 0, COUNT, foreign, 0, 0, NULL);
    ASSERT_STATUS(clprim_reduce_set_scratch(s.plan, foreign), CLPRIM_INVALID_BUFFER);
    cl_mem read_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_READ_ONLY, 64, NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_WRITE_ONLY, 64, NULL, &code);
    ASSERT_CL(code);
    REFUSED(s, CLPRIM_INVALID_BUFFER, NULL, s.in, 0, COUNT, read_only, 0, 0, NULL);
    REFUSED(s, CLPRIM_INVALID_BUFFER, NULL, write_only, 0, 8, s.out.buffer, 2, 0, NULL);
    ASSERT_STATUS(clprim_reduce_set_scratch(s.plan, read_only), CLPRIM_INVALID_BUFFER);
    /* the right way round they serve */
    ASSERT_OK(clprim_reduce_enqueue(s.plan, NULL, read_only, 0, 8, write_only, 1, 0, NULL, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(reduce_errors, wait_lists_that_are_none)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    cl_event event = clCreateUserEvent(clprim_runtime_context(s.runtime), &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    const cl_event holed[] = {event, NULL};
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, s.in, 0, COUNT, s.out.buffer, 2, 1, NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, s.in, 0, COUNT, s.out.buffer, 2, 0, &event);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, NULL, s.in, 0, COUNT, s.out.buffer, 2, 2, holed);
    ASSERT_CL(clReleaseEvent(event));
    setting_destroy(&s);
}

Test(reduce_errors, queues_of_another_context)
{
    setting s = setting_create();
    clprim_runtime *other = test_runtime(NULL);
    cl_command_queue queue = clprim_runtime_queue(other);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, queue, s.in, 0, COUNT, s.out.buffer, 2, 0, NULL);
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(reduce_errors, descriptions_that_make_no_sense)
{
    static const struct {
        clprim_reduce_desc desc;
        clprim_status expected;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
        {{.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT},
        {{.op = CLPRIM_OP_END}, CLPRIM_INVALID_ARGUMENT},
        {{.op = (clprim_op)-1}, CLPRIM_INVALID_ARGUMENT},
        {{.variant = (clprim_reduce_variant)(CLPRIM_REDUCE_FIXED_TREE + 1)}, CLPRIM_INVALID_ARGUMENT},
        {{.variant = (clprim_reduce_variant)-1}, CLPRIM_INVALID_ARGUMENT},
        {{.accumulator_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT},
        {{.work_group_size = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT},
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
    };
    clprim_runtime *runtime = test_runtime(NULL);
    const int32_t in[] = {1, 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_reduce *plan = NULL;
        uint64_t result[2] = {77, 77};
        const clprim_status status = clprim_reduce_create(&plan, runtime, &rows[i].desc);
        cr_assert_eq((int)status, (int)rows[i].expected, "row %zu: %s (%s)", i, clprim_status_string(status),
                     clprim_last_error());
        cr_assert_null(plan);
        cr_assert_eq((int)clprim_reduce_host(result, runtime, &rows[i].desc, in, 0), (int)rows[i].expected);
        cr_assert(result[0] == 77 && result[1] == 77, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

Test(reduce_errors, host_arrays_that_are_not_there)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const int32_t in[] = {1, 2};
    int32_t result = 77;
    ASSERT_STATUS(clprim_reduce_host(NULL, runtime, NULL, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reduce_host(&result, runtime, NULL, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert_neq((int)clprim_reduce_host(&result, runtime, NULL, in, SIZE_MAX), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)clprim_reduce_host(&result, runtime, NULL, in, SIZE_MAX / 4), (int)CLPRIM_SUCCESS);
    cr_assert_eq(result, 77);
    ASSERT_OK(clprim_reduce_host(&result, runtime, NULL, NULL, 0));
    cr_assert_eq(result, 0, "nothing sums up to 0");
    ASSERT_OK(clprim_reduce_host(&result, NULL, NULL, in, 2));
    cr_assert_eq(result, 3, "by the default runtime");
    clprim_runtime_destroy(runtime);
}
