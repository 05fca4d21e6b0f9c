/* test_select.errors.c: every documented error of a selection, and that it leaves everything as it was. */
#include <clprim/select.h>

#include "support.h"

enum { COUNT = 1000, TO = 2 };

/* A plan by predicate and one by flags of U16, both for I32 and both of which select every element, with arrays that
 * fit, to which each test does one thing wrong. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_select *plan;
    clprim_select *flagged;
    cl_mem in;
    cl_mem flags;
    test_output out; /* all of it poisoned; there is room for COUNT elements from TO on, and for no more */
    test_output selected;
} setting;

static cl_mem filled(const clprim_runtime *runtime, int32_t value, size_t bytes)
{
    cl_mem buffer = test_buffer(runtime, bytes);
    ASSERT_CL(
        clEnqueueFillBuffer(clprim_runtime_queue(runtime), buffer, &value, sizeof value, 0, bytes, 0, NULL, NULL));
    return buffer;
}

static setting setting_create(void)
{
    setting self = {.runtime = test_runtime(NULL)};
    const clprim_select_desc by_predicate = {.predicate = "x > 0"};
    const clprim_select_desc by_flags = {.flags_type = CLPRIM_U16};
    ASSERT_OK(clprim_select_create(&self.plan, self.runtime, &by_predicate));
    ASSERT_OK(clprim_select_create(&self.flagged, self.runtime, &by_flags));
    self.in = filled(self.runtime, 7, COUNT * sizeof(int32_t));
    self.flags = filled(self.runtime, 0x10001, COUNT * sizeof(uint16_t));
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
    cl_command_queue queue;
    cl_mem in;
    size_t in_offset;
    size_t count;
    cl_mem flags;
    size_t flags_offset;
    cl_mem out;
    size_t out_offset;
    cl_mem selected;
    size_t selected_offset;
    cl_uint num_waits;
    const cl_event *waits;
} call;

static call good_call(const setting *s)
{
    return (call){.in = s->in,
                  .count = COUNT,
                  .flags = s->flags,
                  .out = s->out.buffer,
                  .out_offset = TO,
                  .selected = s->selected.buffer,
                  .selected_offset = 2};
}

static clprim_status by_predicate(clprim_select *plan, const call *c, cl_event *done)
{
    return clprim_select_enqueue(plan, c->queue, c->in, c->in_offset, c->count, c->out, c->out_offset, c->selected,
                                 c->selected_offset, c->num_waits, c->waits, done);
}

static clprim_status by_flags(clprim_select *plan, const call *c, cl_event *done)
{
    return clprim_select_enqueue_flagged(plan, c->queue, c->in, c->in_offset, c->count, c->flags, c->flags_offset,
                                         c->out, c->out_offset, c->selected, c->selected_offset, c->num_waits, c->waits,
                                         done);
}

/* The plans still work, whatever was refused before. */
static void check_right(const setting *self, bool flagged)
{
    static int32_t out[TO + COUNT];
    cl_ulong selected = 0;
    const call right = good_call(self);
    test_output_poison(self->runtime, &self->out);
    test_output_poison(self->runtime, &self->selected);
    ASSERT_OK(flagged ? by_flags(self->flagged, &right, NULL) : by_predicate(self->plan, &right, NULL));
    test_output_read(self->runtime, &self->selected, &selected, "after refusals");
    cr_assert_eq(selected, COUNT);
    test_read(self->runtime, out, self->out.buffer, sizeof out);
    for (size_t i = 0; i < TO + COUNT; i++)
        cr_assert_eq(out[i], i < TO ? (int32_t)0xa5a5a5a5 : 7, "after refusals: element %zu", i);
}

static void setting_destroy(setting *self)
{
    check_right(self, false);
    check_right(self, true);
    clprim_select_destroy(self->plan);
    clprim_select_destroy(self->flagged);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->flags));
    test_output_destroy(&self->out);
    test_output_destroy(&self->selected);
    clprim_runtime_destroy(self->runtime);
}

/* The good call with one thing changed is refused, by flags and, unless it is only about these, by predicate: neither
 * the outputs nor *done change. */
#define REFUSED_BY(way, plan, setting, expected, ...)                                                                  \
    do {                                                                                                               \
        call wrong = good_call(&(setting));                                                                            \
        cl_event never = NULL;                                                                                         \
        __VA_ARGS__;                                                                                                   \
        ASSERT_STATUS(way(plan, &wrong, &never), expected);                                                            \
        cr_assert_null(never);                                                                                         \
        test_output_is_untouched((setting).runtime, &(setting).out, #expected ": " #__VA_ARGS__);                      \
        test_output_is_untouched((setting).runtime, &(setting).selected, #expected ": " #__VA_ARGS__);                 \
    } while (0)

#define FLAGS_REFUSED(setting, expected, ...) REFUSED_BY(by_flags, (setting).flagged, setting, expected, __VA_ARGS__)

#define REFUSED(setting, expected, ...)                                                                                \
    do {                                                                                                               \
        REFUSED_BY(by_predicate, (setting).plan, setting, expected, __VA_ARGS__);                                      \
        FLAGS_REFUSED(setting, expected, __VA_ARGS__);                                                                 \
    } while (0)

Test(select_errors, null_arguments)
{
    setting s = setting_create();
    clprim_select *none = NULL;
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.in = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.out = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.selected = NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.selected = NULL, wrong.count = 0);
    FLAGS_REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.flags = NULL);
    REFUSED_BY(by_predicate, NULL, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    REFUSED_BY(by_flags, NULL, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    ASSERT_STATUS(clprim_select_create(NULL, s.runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_select_create(&none, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(none);
    size_t bytes = 77;
    ASSERT_STATUS(clprim_select_scratch_size(NULL, s.plan, COUNT), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_select_scratch_size(&bytes, NULL, COUNT), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(bytes, 77);
    ASSERT_STATUS(clprim_select_set_scratch(NULL, s.in), CLPRIM_INVALID_ARGUMENT);
    setting_destroy(&s);
}

/* Each enqueue is for plans of its kind. */
Test(select_errors, flags_for_a_predicate_and_none_for_flags)
{
    setting s = setting_create();
    REFUSED_BY(by_predicate, s.flagged, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    REFUSED_BY(by_flags, s.plan, s, CLPRIM_INVALID_ARGUMENT, (void)0);
    REFUSED_BY(by_predicate, s.flagged, s, CLPRIM_INVALID_ARGUMENT, wrong.count = 0);
    REFUSED_BY(by_flags, s.plan, s, CLPRIM_INVALID_ARGUMENT, wrong.count = 0);
    setting_destroy(&s);
}

/* The number 0 is all that is written, and there is an event. */
Test(select_errors, no_elements_need_no_arrays)
{
    setting s = setting_create();
    for (int flagged = 0; flagged < 2; flagged++)
        for (int with_arrays = 0; with_arrays < 2; with_arrays++) {
            cl_event done = NULL;
            cl_ulong selected = 99;
            call nothing = good_call(&s);
            nothing.count = 0;
            if (!with_arrays)
                nothing.in = nothing.flags = nothing.out = NULL;
            test_output_poison(s.runtime, &s.selected);
            ASSERT_OK(flagged ? by_flags(s.flagged, &nothing, &done) : by_predicate(s.plan, &nothing, &done));
            cr_assert_not_null(done);
            ASSERT_CL(clWaitForEvents(1, &done));
            ASSERT_CL(clReleaseEvent(done));
            test_output_read(s.runtime, &s.selected, &selected, "no elements");
            cr_assert_eq(selected, 0);
            test_output_is_untouched(s.runtime, &s.out, "no elements");
            ASSERT_OK(flagged ? by_flags(s.flagged, &nothing, NULL) : by_predicate(s.plan, &nothing, NULL));
        }
    setting_destroy(&s);
}

Test(select_errors, ranges_past_the_end)
{
    setting s = setting_create();
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = COUNT + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = COUNT + 1, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = TO + 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = TO + COUNT, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = s.selected.slots);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = s.selected.slots, wrong.count = 0);
    FLAGS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.flags_offset = 1);
    FLAGS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.flags_offset = COUNT, wrong.count = 1);
    /* sums and products that would wrap around to something that fits */
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = 1, wrong.count = SIZE_MAX);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = SIZE_MAX);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.count = SIZE_MAX / 4 + 2);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = SIZE_MAX, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out_offset = SIZE_MAX / 4 + 1, wrong.count = 1);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = SIZE_MAX);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected_offset = SIZE_MAX / 8 + 1);
    FLAGS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.flags_offset = SIZE_MAX, wrong.count = 1);
    FLAGS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.flags_offset = SIZE_MAX / 2 + 1, wrong.count = 1);
    setting_destroy(&s);
}

/* An element, flag or count that does not fit whole does not count. */
Test(select_errors, buffers_that_end_within_an_element)
{
    setting s = setting_create();
    cl_mem odd = test_buffer(s.runtime, 4 * sizeof(int32_t) + 3);
    cl_mem tiny = test_buffer(s.runtime, 7);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.in = odd, wrong.count = 5);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.out = odd, wrong.out_offset = 0, wrong.count = 5);
    REFUSED(s, CLPRIM_INVALID_RANGE, wrong.selected = tiny, wrong.selected_offset = 0);
    FLAGS_REFUSED(s, CLPRIM_INVALID_RANGE, wrong.flags = tiny, wrong.count = 4);
    ASSERT_CL(clReleaseMemObject(odd));
    ASSERT_CL(clReleaseMemObject(tiny));
    setting_destroy(&s);
}

Test(select_errors, buffers_of_the_wrong_kind)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    clprim_runtime *other = test_runtime(NULL);
    cl_mem foreign = test_buffer(other, (TO + COUNT) * sizeof(int32_t));
    cl_context context = clprim_runtime_context(s.runtime);
    const size_t bytes = (TO + COUNT) * sizeof(int32_t);
    cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    ASSERT_CL(code);
    cl_mem write_only = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    ASSERT_CL(code);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.selected = foreign);
    FLAGS_REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.flags = foreign);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.out = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.selected = read_only);
    REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.in = write_only);
    FLAGS_REFUSED(s, CLPRIM_INVALID_BUFFER, wrong.flags = write_only);
    ASSERT_STATUS(clprim_select_set_scratch(s.plan, foreign), CLPRIM_INVALID_BUFFER);
    ASSERT_STATUS(clprim_select_set_scratch(s.plan, read_only), CLPRIM_INVALID_BUFFER);
    /* the right way round they serve */
    call right = good_call(&s);
    right.in = right.flags = read_only;
    right.flags_offset = COUNT; /* in units of 2 bytes: the other half */
    right.in_offset = right.out_offset = 0;
    right.count = COUNT / 2;
    right.out = write_only;
    ASSERT_OK(by_predicate(s.plan, &right, NULL));
    ASSERT_OK(by_flags(s.flagged, &right, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(s.runtime)));
    ASSERT_CL(clReleaseMemObject(foreign));
    ASSERT_CL(clReleaseMemObject(read_only));
    ASSERT_CL(clReleaseMemObject(write_only));
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}

Test(select_errors, wait_lists_that_are_none)
{
    setting s = setting_create();
    cl_int code = CL_SUCCESS;
    cl_event event = clCreateUserEvent(clprim_runtime_context(s.runtime), &code);
    ASSERT_CL(code);
    ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
    const cl_event holed[] = {event, NULL};
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.waits = &event);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 2, wrong.waits = holed);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.num_waits = 1, wrong.count = 0);
    ASSERT_CL(clReleaseEvent(event));
    setting_destroy(&s);
}

Test(select_errors, queues_of_another_context)
{
    setting s = setting_create();
    clprim_runtime *other = test_runtime(NULL);
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.queue = clprim_runtime_queue(other));
    REFUSED(s, CLPRIM_INVALID_ARGUMENT, wrong.queue = clprim_runtime_queue(other), wrong.count = 0);
    clprim_runtime_destroy(other);
    setting_destroy(&s);
}
