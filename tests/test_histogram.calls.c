/* test_histogram.calls.c: how a histogram behaves among other work: queues, events, lifetimes, and memory of its own or
 * of the caller's, in calls that follow each other without waiting. */
#include <stdio.h>
#include <stdlib.h>

#include "test_histogram.h"

/* A series of calls: growing and shrinking, with nothing to do in between. */
static const size_t counts[] = {100003, 1, 50000, 0, 70001, 256, 257, 33333, 65537, 2, 0, 100003};

enum {
    CALLS = sizeof counts / sizeof *counts,
    MAX_COUNT = 100003,
    MAX_OFFSET = 7,
    BINS = 60,
    STRIDE = BINS + 5, /* of the calls' results, between guards */
    CELLS = CALLS * STRIDE + 5,
    SLOTS = CALLS + 2
};

/* What the calls read, where they write, and what must be there in the end. */
typedef struct series {
    clprim_runtime *runtime;
    clprim_histogram *plan;
    const char *name;
    bool accumulate; /* all calls to the place of the first */
    cl_mem in;
    cl_mem out;
    cl_mem outside; /* of call i at CALLS - i */
    uint32_t expected[CELLS];
    uint64_t expected_outside[SLOTS];
} series;

static size_t place_of(const series *self, size_t call)
{
    return 3 + (self->accumulate ? 0 : call * STRIDE);
}

static size_t slot_of(const series *self, size_t call)
{
    return self->accumulate ? 1 : CALLS - call;
}

static void expect(series *self, const unsigned char *data)
{
    const clprim_reference_histogram_how how = {.bins = BINS, .accumulate = self->accumulate};
    memset(self->expected, HISTOGRAM_POISON, sizeof self->expected);
    memset(self->expected_outside, HISTOGRAM_POISON, sizeof self->expected_outside);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(clprim_reference_histogram(self->expected + place_of(self, i),
                                             self->expected_outside + slot_of(self, i), &how, data + i % MAX_OFFSET,
                                             NULL, counts[i]));
}

/* Bytes, of which a good part belongs to no bin. False where the device cannot run it. */
static bool series_create(series *out, clprim_runtime *runtime, int variant, bool accumulate)
{
    static unsigned char data[MAX_COUNT + MAX_OFFSET];
    series self = {.runtime = runtime, .accumulate = accumulate};
    const clprim_histogram_desc desc = {
        .bins = BINS, .accumulate = accumulate, .variant = (clprim_histogram_variant)variant};
    const clprim_status status = clprim_histogram_create(&self.plan, runtime, &desc);
    self.name = histogram_variant_name(desc.variant);
    if (status == CLPRIM_UNSUPPORTED && variant != CLPRIM_HISTOGRAM_AUTO) {
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    test_fill(data, CLPRIM_U8, CLPRIM_MIN, TEST_RANDOM, sizeof data, TEST_SEED);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] %= 90;
    expect(&self, data);
    self.in = test_upload(runtime, data, sizeof data);
    self.out = test_buffer(runtime, sizeof self.expected);
    self.outside = test_buffer(runtime, sizeof self.expected_outside);
    *out = self;
    return true;
}

static void series_destroy(series *self)
{
    clprim_histogram_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    ASSERT_CL(clReleaseMemObject(self->outside));
}

static void series_poison(const series *self)
{
    unsigned char poison[CELLS * sizeof(uint32_t)];
    memset(poison, HISTOGRAM_POISON, sizeof poison);
    test_write(self->runtime, self->out, poison, sizeof self->expected);
    test_write(self->runtime, self->outside, poison, sizeof self->expected_outside);
}

static clprim_status series_call(const series *self, size_t i, cl_command_queue queue, const cl_event *wait,
                                 cl_event *done)
{
    return clprim_histogram_enqueue(self->plan, queue, self->in, i % MAX_OFFSET, counts[i], self->out,
                                    place_of(self, i), self->outside, slot_of(self, i), wait != NULL, wait, done);
}

static void series_check(const series *self, const char *what)
{
    uint32_t found[CELLS];
    uint64_t found_outside[SLOTS];
    char name[128];
    (void)snprintf(name, sizeof name, "%s: %s", self->name, what);
    test_read(self->runtime, found, self->out, sizeof found);
    test_expect_same(self->expected, found, sizeof *found, CELLS, name);
    test_read(self->runtime, found_outside, self->outside, sizeof found_outside);
    test_expect_same(self->expected_outside, found_outside, sizeof *found_outside, SLOTS, name);
}

/* All calls at once on two queues, taking turns. */
static void series_run(const series *self, cl_command_queue first, cl_command_queue second, const char *what)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, what);
}

/* Every variant, and AUTO. */
static void for_all_variants(bool accumulate, void (*body)(series *self))
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_HISTOGRAM_AUTO; variant < HISTOGRAM_VARIANTS; variant++) {
        series self;
        if (!series_create(&self, runtime, variant, accumulate))
            continue;
        body(&self);
        series_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_pairs_of_queues(series *self)
{
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue queues[4] = {test_queue(self->runtime, 0), test_queue(self->runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(self->runtime, out_of_order), test_queue(self->runtime, out_of_order)};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            series_run(self, queues[a], queues[b], "on two queues");
    for (size_t i = 0; i < 4; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
}

Test(histogram_calls, a_plan_again_and_again_without_waiting, .timeout = 240)
{
    for_all_variants(false, check_pairs_of_queues);
}

/* All calls add to one histogram: in order, or each after the one before it. */
static void check_accumulation(series *self)
{
    cl_command_queue queue = test_queue(self->runtime, 0);
    cl_event events[CALLS] = {NULL};
    series_run(self, queue, queue, "accumulated in order");
    ASSERT_CL(clReleaseCommandQueue(queue));
    queue = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, queue, i > 0 ? &events[i - 1] : NULL, &events[i]));
    ASSERT_CL(clWaitForEvents(1, &events[CALLS - 1]));
    series_check(self, "accumulated in a chain");
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(histogram_calls, accumulation)
{
    for_all_variants(true, check_accumulation);
}

/* Held back by an event: nothing is read or written before. The plan may go before its work has run. */
static void check_waiting(series *self)
{
    cl_command_queue queue = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    unsigned char data[MAX_OFFSET + 2] = {0};
    uint32_t out[CELLS];
    cl_int code = CL_SUCCESS;
    cl_event events[CALLS + 2] = {NULL};
    const cl_event start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    ASSERT_CL(code);
    test_read(self->runtime, data, self->in, sizeof data);
    const cl_uchar other = 255;
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(self->runtime), self->in, &other, 1, 0, sizeof data, 0, NULL,
                                  NULL)); /* which is put right only once the calls may start */
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    series_poison(self);
    ASSERT_CL(clEnqueueWriteBuffer(queue, self->in, CL_FALSE, 0, sizeof data, data, 1, &start, &events[CALLS]));
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, queue, &events[CALLS], &events[i]));
    ASSERT_CL(clFlush(queue));
    for (size_t i = 0; i < CALLS; i++) { /* those without elements, too */
        cl_int state = CL_COMPLETE;
        ASSERT_CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "%s: call %zu is done before what it waits for", self->name, i);
    }
    test_read(self->runtime, out, self->out, sizeof out);
    for (size_t i = 0; i < CELLS; i++)
        cr_assert_eq(out[i], 0xa5a5a5a5U, "%s: written before the wait list is complete", self->name);
    clprim_histogram_destroy(self->plan);
    self->plan = NULL; /* which destroy takes, too */
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(CALLS, events));
    series_check(self, "after the events");
    for (size_t i = 0; i <= CALLS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(histogram_calls, wait_lists_and_lifetimes)
{
    for_all_variants(false, check_waiting);
}

/* A part of a larger buffer, whose content is not zero, as the plan's scratch memory; nothing around it is written. */
static void check_exact_scratch(series *self, size_t bytes, cl_command_queue first, cl_command_queue second)
{
    const size_t unit = clprim_runtime_info(self->runtime)->base_address_alignment;
    const size_t parent_bytes = unit + bytes + 4096;
    unsigned char *before = malloc(parent_bytes);
    unsigned char *after = malloc(parent_bytes);
    cr_assert(before != NULL && after != NULL);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(self->runtime, before, parent_bytes);
    const cl_buffer_region region = {unit, bytes};
    cl_int code = CL_SUCCESS;
    cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    ASSERT_OK(clprim_histogram_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    series_run(self, first, second, "with the caller's scratch memory");
    series_run(self, first, second, "with the caller's scratch memory again");
    test_read(self->runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, self->name);
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* One byte less than the first call needs: it is refused and writes nothing, again and again. */
static void check_too_small(series *self, size_t bytes)
{
    uint32_t out[CELLS];
    cl_mem small = test_buffer(self->runtime, bytes - 1);
    ASSERT_OK(clprim_histogram_set_scratch(self->plan, small));
    ASSERT_CL(clReleaseMemObject(small));
    series_poison(self);
    for (int again = 0; again < 2; again++) {
        cl_event never = NULL;
        ASSERT_STATUS(series_call(self, 0, NULL, NULL, &never), CLPRIM_INVALID_SCRATCH);
        cr_assert_null(never);
    }
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    test_read(self->runtime, out, self->out, sizeof out);
    for (size_t i = 0; i < CELLS; i++)
        cr_assert_eq(out[i], 0xa5a5a5a5U, "%s: a refusal wrote counter %zu", self->name, i);
}

/* From the library's memory to the caller's and to another of the caller's and back. */
static void check_scratch(series *self)
{
    cl_command_queue in_order = test_queue(self->runtime, 0);
    cl_command_queue out_of_order = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    size_t largest = 0;
    size_t first = 0;
    for (size_t i = CALLS; i-- > 0; largest = first > largest ? first : largest)
        ASSERT_OK(clprim_histogram_scratch_size(&first, self->plan, counts[i]));
    series_run(self, in_order, out_of_order, "with the library's scratch memory");
    if (largest > 0) {
        check_exact_scratch(self, largest, in_order, in_order);
        check_exact_scratch(self, largest, out_of_order, in_order);
    }
    if (first > 0)
        check_too_small(self, first);
    ASSERT_OK(clprim_histogram_set_scratch(self->plan, NULL));
    series_run(self, out_of_order, out_of_order, "with the library's scratch memory again");
    ASSERT_CL(clReleaseCommandQueue(in_order));
    ASSERT_CL(clReleaseCommandQueue(out_of_order));
}

Test(histogram_calls, scratch_memory_of_the_callers, .timeout = 240)
{
    for_all_variants(false, check_scratch);
}
