/* test_unique.errors.c: every documented error, and that it leaves everything as it was. */
#include <clprim/unique.h>

#include "support.h"

enum { COUNT = 1000, TO = 2 };

/* A plan for I32 with arrays that fit, to which each test does one thing wrong. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_unique *plan;
    cl_mem in;       /* 0, 0, 1, 1, 2, 2, ... */
    test_output out; /* all of it poisoned; there is room for COUNT elements from TO on, and for no more */
    test_output selected;
} setting;

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    int32_t data[COUNT];
    for (int32_t i = 0; i < COUNT; i++)
        data[i] = i / 2;
    ASSERT_OK(clprim_unique_create(&self.plan, self.runtime, NULL));
    self.in = test_upload(self.runtime, data, sizeof data);
    self.out = test_output_create(self.runtime, sizeof(int32_t), 0);
    self.out.slots = TO + COUNT;
    ASSERT_CL(clReleaseMemObject(self.out.buffer));
    self.out.buffer = test_buffer(self.runtime, self.out.slots * self.out.size);
    test_output_poison(self.runtime, &self.out);
    self.selected = test_output_create(self.runtime, sizeof(cl_ulong), 2);
    return self;
}

/* The arguments of a call. Those of good_call() are right. */
typedef struct call {
    clprim_unique *plan;
    cl_command_queue queue;
    cl_mem in;
    size_t in_offset;
    size_t count;
    cl_mem out;
    size_t out_offset;
    cl_mem selected;
    size_t selected_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static call good_call(const setting *s)
{
    return (call){.plan = s->plan,
                  .in = s->in,
                  .count = COUNT,
                  .out = s->out.buffer,
                  .out_offset = TO,
                  .selected = s->selected.buffer,
                  .selected_offset = 2};
}

static clprim_status enqueue(const call *c, cl_event *done)
{
    return clprim_unique_enqueue(c->plan, c->queue, c->in, c->in_offset, c->count, c->out, c->out_offset, c->selected,
                                 c->selected_offset, c->num_waits, c->waits, done);
}

/* The plan still works, whatever was refused before. */
static void setting_destroy(setting *self)
{
    static int32_t out[TO + COUNT];
    cl_ulong selected = 0;
    const call right = good_call(self);
    test_output_poison(self->runtime, &self->out);
    test_output_poison(self->runtime, &self->selected);
    ASSERT_OK(enqueue(&right, NULL));
    test_output_read(self->runtime, &self->selected, &selected, "after refusals");
    cr_assert_eq(selected, COUNT / 2);
    test_read(self->runtime, out, self->out.buffer, sizeof out);
    for (int32_t i = 0; i < TO + COUNT; i++)
        cr_assert_eq(out[i], i < TO || i >= TO + COUNT / 2 ? (int32_t)0xa5a5a5a5 : i - TO, "after refusals: %d", i);
    clprim_unique_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    test_output_destroy(&self->out);
    test_output_destroy(&self->selected);
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
        test_output_is_untouched((setting).runtime, &(setting).selected, #expected ": " #__VA_ARGS__);                 \
    } while (0)

Test(unique_errors, null_arguments)
{
    setting s = setting_create();
    clprim_unique *none = NULL;
    size_t bytes = 77;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.plan = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.selected = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.selected = NULL, wrong.count = 0);
    ASSERT_STATUS(clprim_unique_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_unique_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    ASSERT_STATUS(clprim_unique_scratch_size(NULL, s.plan, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_unique_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_unique_set_scratch(NULL, s.in), CLPRIM_INVALID_ARGUMENT);
    clprim_unique_destroy(NULL);
    setting_destroy(&s);
}

Test(unique_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = SIZE_MAX / 4 + 2);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = SIZE_MAX / 4 + 1, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = s.selected.slots);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = SIZE_MAX / 8 + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = s.selected.slots, wrong.count = 0);
    setting_destroy(&s);
}

Test(unique_errors, buffers_of_the_wrong_kind)
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
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.selected = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = write_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.selected = read_only);
    ASSERT_STATUS(clprim_unique_set_scratch(s.plan, foreign), CLPRIM_INVALID_BUFFER);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.queue = clprim_runtime_queue(other));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

/* One array may begin where another ends. */
Test(unique_errors, overlaps)
{
    setting s = setting_create();
    cl_mem large = test_buffer(s.runtime, 3 * COUNT * sizeof(int32_t));
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.out = s.in, wrong.out_offset = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = large, wrong.out = large, wrong.out_offset = COUNT - 1);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.in = large, wrong.selected = large, wrong.selected_offset = 0);
    REFUSED(s, CLPRIM_INVALID_OVERLAP, wrong.out = large, wrong.selected = large, wrong.selected_offset = 1);
    call right = good_call(&s);
    right.in = right.out = right.selected = large;
    right.out_offset = COUNT;
    right.selected_offset = COUNT;
    ASSERT_OK(enqueue(&right, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(large));
    setting_destroy(&s);
}

Test(unique_errors, wait_lists_that_are_none)
{
    setting s = setting_create();
    cl_event none = NULL;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.waits = &none);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1, wrong.waits = &none);
    setting_destroy(&s);
}

/* The number 0 is all that is written, and there is an event. */
Test(unique_errors, no_elements_need_no_arrays)
{
    setting s = setting_create();
    cl_event done = NULL;
    cl_ulong selected = 99;
    call nothing = good_call(&s);
    nothing.count = 0;
    nothing.in = nothing.out = NULL;
    ASSERT_OK(enqueue(&nothing, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    test_output_read(s.runtime, &s.selected, &selected, "no elements");
    cr_assert_eq(selected, 0);
    test_output_is_untouched(s.runtime, &s.out, "no elements");
    setting_destroy(&s);
}

static void check_desc(const setting *s, clprim_unique_desc desc, clprim_status expected, const char *word)
{
    clprim_unique *none = NULL;
    ASSERT_STATUS(clprim_unique_create(&none, s->runtime, &desc), expected);
    cr_assert_null(none);
    cr_assert_not_null(strstr(clprim_last_error(), word), "\"%s\" does not say \"%s\"", clprim_last_error(), word);
}

Test(unique_errors, descriptions)
{
    setting s = setting_create();
    check_desc(&s, (clprim_unique_desc){.type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(&s, (clprim_unique_desc){.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT, "-1");
    check_desc(&s, (clprim_unique_desc){.variant = (clprim_select_variant)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(&s, (clprim_unique_desc){.type_size = 4}, CLPRIM_INVALID_ARGUMENT, "type_name");
    check_desc(&s, (clprim_unique_desc){.type_name = "int"}, CLPRIM_INVALID_ARGUMENT, "type_size");
    check_desc(&s, (clprim_unique_desc){.type_name = "int", .type_size = 8}, CLPRIM_BUILD_FAILED, "differs");
    check_desc(&s, (clprim_unique_desc){.equal = "a == missing"}, CLPRIM_BUILD_FAILED, "equal");
    check_desc(&s, (clprim_unique_desc){.equal = "1", .source = "typedef missing number;"}, CLPRIM_BUILD_FAILED,
               "source");
    setting_destroy(&s);
}
