/* test_reduce_by_key.errors.c: every documented error, and that it leaves everything as it was. */
#include <clprim/reduce_by_key.h>

#include "support.h"

enum { COUNT = 1000, TO = 2 };

/* A plan for sums of I32 by keys of I32 with arrays that fit, to which each test does one thing wrong. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_reduce_by_key *plan;
    cl_mem in;        /* keys and values: 0, 0, 1, 1, 2, 2, ... */
    test_output out;  /* all of it poisoned; there is room for COUNT elements from TO on, and for no more */
    test_output sums; /* the same */
    test_output runs;
} setting;

static test_output output_create(const clprim_runtime *runtime)
{
    test_output self = test_output_create(runtime, sizeof(int32_t), 0);
    self.slots = TO + COUNT;
    ASSERT_CL(clReleaseMemObject(self.buffer));
    self.buffer = test_buffer(runtime, self.slots * self.size);
    test_output_poison(runtime, &self);
    return self;
}

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    int32_t data[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        data[i] = i / 2;
    ASSERT_OK(clprim_reduce_by_key_create(&self.plan, self.runtime, NULL));
    self.in = test_upload(self.runtime, data, sizeof data);
    self.out = output_create(self.runtime);
    self.sums = output_create(self.runtime);
    self.runs = test_output_create(self.runtime, sizeof(cl_ulong), 2);
    return self;
}

/* The arguments of a call. Those of good_call() are right. */
typedef struct call {
    clprim_reduce_by_key *plan;
    cl_command_queue queue;
    cl_mem in;
    size_t in_offset;
    cl_mem values;
    size_t values_offset;
    size_t count;
    cl_mem out;
    size_t out_offset;
    cl_mem sums;
    size_t sums_offset;
    cl_mem runs;
    size_t runs_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static call good_call(const setting *s)
{
    return (call){.plan = s->plan,
                  .in = s->in,
                  .values = s->in,
                  .count = COUNT,
                  .out = s->out.buffer,
                  .out_offset = TO,
                  .sums = s->sums.buffer,
                  .sums_offset = TO,
                  .runs = s->runs.buffer,
                  .runs_offset = 2};
}

static clprim_status enqueue(const call *c, cl_event *done)
{
    return clprim_reduce_by_key_enqueue(c->plan, c->queue, c->in, c->in_offset, c->values, c->values_offset, c->count,
                                        c->out, c->out_offset, c->sums, c->sums_offset, c->runs, c->runs_offset,
                                        c->num_waits, c->waits, done);
}

/* The plan still works, whatever was refused before. */
static void setting_destroy(setting *self)
{
    static int32_t out[TO + COUNT];
    static int32_t sums[TO + COUNT];
    cl_ulong runs = 0;
    const call right = good_call(self);
    test_output_poison(self->runtime, &self->out);
    test_output_poison(self->runtime, &self->sums);
    test_output_poison(self->runtime, &self->runs);
    ASSERT_OK(enqueue(&right, NULL));
    test_output_read(self->runtime, &self->runs, &runs, "after refusals");
    cr_assert_eq(runs, COUNT / 2);
    test_read(self->runtime, out, self->out.buffer, sizeof out);
    test_read(self->runtime, sums, self->sums.buffer, sizeof sums);
    for (int32_t i = 0; i < TO + COUNT; i++) {
        const bool is_written = i >= TO && i < TO + COUNT / 2;
        cr_assert_eq(out[i], is_written ? i - TO : (int32_t)0xa5a5a5a5, "after refusals: %d", i);
        cr_assert_eq(sums[i], is_written ? 2 * (i - TO) : (int32_t)0xa5a5a5a5, "after refusals: sum %d", i);
    }
    clprim_reduce_by_key_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    test_output_destroy(&self->out);
    test_output_destroy(&self->sums);
    test_output_destroy(&self->runs);
    clprim_runtime_destroy(self->runtime);
}

/* The good call with one thing changed is refused: neither the outputs nor *done change. */
#define REFUSED(setting, expected, ...)                                                                                \
    do {                                                                                                               \
        call wrong = good_call(&(setting));                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(enqueue(&wrong, &never), expected);                                                              \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched((setting).runtime, &(setting).out, #expected ": " #__VA_ARGS__);                      \
        test_output_is_untouched((setting).runtime, &(setting).sums, #expected ": " #__VA_ARGS__);                     \
        test_output_is_untouched((setting).runtime, &(setting).runs, #expected ": " #__VA_ARGS__);                     \
    } while (0)

Test(reduce_by_key_errors, null_arguments)
{
    setting s = setting_create();
    clprim_reduce_by_key *none = NULL;
    size_t bytes = 77;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.plan = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.values = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.sums = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.runs = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.runs = NULL, wrong.count = 0);
    ASSERT_STATUS(clprim_reduce_by_key_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reduce_by_key_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    ASSERT_STATUS(clprim_reduce_by_key_scratch_size(NULL, s.plan, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reduce_by_key_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_reduce_by_key_set_scratch(NULL, s.in), CLPRIM_INVALID_ARGUMENT);
    clprim_reduce_by_key_destroy(NULL);
    setting_destroy(&s);
}

Test(reduce_by_key_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = SIZE_MAX / 4 + 2);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.values_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.values_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = SIZE_MAX / 4 + 1, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.sums_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.sums_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.runs_offset = s.runs.slots);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.runs_offset = SIZE_MAX / 8 + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.runs_offset = s.runs.slots, wrong.count = 0);
    setting_destroy(&s);
}

Test(reduce_by_key_errors, buffers_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    const size_t bytes = (TO + COUNT) * sizeof(int32_t);
    cl_mem foreign = test_buffer(other, bytes);
    cl_mem read_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_READ_ONLY, bytes, NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(clprim_runtime_context(s.runtime), CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    ASSERT_CL(code);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.values = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.sums = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.runs = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.values = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.sums = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.runs = read_only);
    ASSERT_STATUS(clprim_reduce_by_key_set_scratch(s.plan, foreign), CLPRIM_INVALID_BUFFER);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.queue = clprim_runtime_queue(other));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

/* One array may begin where another ends. */
Test(reduce_by_key_errors, overlaps)
{
    setting s = setting_create();
    cl_mem large = test_buffer(s.runtime, 4 * COUNT * sizeof(int32_t));
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.out = s.in, wrong.out_offset = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = large, wrong.out = large, wrong.out_offset = COUNT - 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = large, wrong.sums = large, wrong.sums_offset = COUNT - 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.values = large, wrong.out = large, wrong.out_offset = COUNT - 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.sums = s.in, wrong.sums_offset = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.out = wrong.sums = large);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = large, wrong.runs = large, wrong.runs_offset = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.out = large, wrong.runs = large, wrong.runs_offset = 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.sums = large, wrong.runs = large, wrong.runs_offset = 1);
    call right = good_call(&s);
    right.in = right.values = right.out = right.sums = right.runs = large;
    right.out_offset = COUNT;
    right.sums_offset = 2 * COUNT;
    right.runs_offset = 3 * COUNT / 2;
    ASSERT_OK(enqueue(&right, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(large));
    setting_destroy(&s);
}

Test(reduce_by_key_errors, wait_lists_that_are_none)
{
    setting s = setting_create();
    cl_event none = NULL;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.waits = &none);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1, wrong.waits = &none);
    setting_destroy(&s);
}

/* The number 0 is all that is written, and there is an event. */
Test(reduce_by_key_errors, no_elements_need_no_arrays)
{
    setting s = setting_create();
    cl_event done = NULL;
    cl_ulong runs = 99;
    call nothing = good_call(&s);
    nothing.count = 0;
    nothing.in = nothing.values = nothing.out = nothing.sums = NULL;
    ASSERT_OK(enqueue(&nothing, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    test_output_read(s.runtime, &s.runs, &runs, "no elements");
    cr_assert_eq(runs, 0);
    test_output_is_untouched(s.runtime, &s.out, "no elements");
    test_output_is_untouched(s.runtime, &s.sums, "no elements");
    setting_destroy(&s);
}

static void check_desc(const setting *s, clprim_reduce_by_key_desc desc, clprim_status expected, const char *word)
{
    clprim_reduce_by_key *none = NULL;
    ASSERT_STATUS(clprim_reduce_by_key_create(&none, s->runtime, &desc), expected);
    cr_assert_null(none);
    cr_assert_not_null(strstr(clprim_last_error(), word), "\"%s\" does not say \"%s\"", clprim_last_error(), word);
}

Test(reduce_by_key_errors, descriptions)
{
    typedef clprim_reduce_by_key_desc desc;
    setting s = setting_create();
    const clprim_custom_op broken = {.combine = "a + missing", .identity = "0"};
    const clprim_custom_op halved = {.combine = "a + b"};
    check_desc(&s, (desc){.key_type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "key_type 99");
    check_desc(&s, (desc){.type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(&s, (desc){.op = (clprim_op)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(&s, (desc){.type = CLPRIM_F32, .op = CLPRIM_AND}, CLPRIM_INVALID_OPERATOR, "and");
    check_desc(&s, (desc){.accumulator_type = CLPRIM_I16}, CLPRIM_INVALID_ARGUMENT, "accumulator_type");
    check_desc(&s, (desc){.custom = &halved}, CLPRIM_INVALID_ARGUMENT, "identity");
    check_desc(&s, (desc){.custom = &broken}, CLPRIM_BUILD_FAILED, "combine");
    check_desc(&s, (desc){.variant = (clprim_scan_variant)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(&s, (desc){.variant = CLPRIM_SCAN_NAIVE}, CLPRIM_INVALID_ARGUMENT, "naive");
    setting_destroy(&s);
}

/* More elements than was said are refused before anything is looked at. */
Test(reduce_by_key_errors, more_than_max_count)
{
    setting s = setting_create();
    const clprim_reduce_by_key_desc desc = {.max_count = COUNT - 1};
    clprim_reduce_by_key *plan = NULL;
    ASSERT_OK(clprim_reduce_by_key_create(&plan, s.runtime, &desc));
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.plan = plan);
    call right = good_call(&s);
    right.plan = plan;
    right.count = COUNT - 1;
    ASSERT_OK(enqueue(&right, NULL));
    clprim_reduce_by_key_destroy(plan);
    setting_destroy(&s);
}
