/* test_top_k.calls.c: how the first k behave among other work: queues, events, lifetimes, and memory of its own or of
 * the caller's, in calls that follow each other without waiting, for more and for fewer elements. */
#include <stdio.h>
#include <stdlib.h>

#include "test_top_k.h"

/* A series of calls: growing and shrinking, with nothing to do in between. */
static const size_t counts[] = {20011, 1, 9001, 0, 16385, 256, 257, 4097, 12289, 2, 0, 20011};

enum { CALLS = sizeof counts / sizeof *counts, MAX_COUNT = 20011, K = 300, STEP = K + 64 };

/* What the calls read, where they write, and what must be there in the end. */
typedef struct series {
    clprim_runtime *runtime;
    clprim_top_k *plan;
    const char *name;
    cl_mem keys, values, outs[2]; /* keys and values of call i from i * STEP on */
    uint16_t expected[2][CALLS * STEP];
    uint16_t found[CALLS * STEP];
} series;

static series *series_create(clprim_runtime *runtime, int variant)
{
    static uint16_t keys[MAX_COUNT + TOP_K_MAX_OFFSET], values[MAX_COUNT + TOP_K_MAX_OFFSET];
    series *self = test_allocate(sizeof *self);
    const clprim_top_k_desc desc = {
        .key_type = CLPRIM_U16, .k = K, .smallest = true, .value_size = 2, .variant = (clprim_top_k_variant)variant};
    const clprim_reference_top_k_how how = top_k_how(&desc);
    *self = (series){.runtime = runtime, .name = top_k_variant_name(desc.variant)};
    ASSERT_OK(clprim_top_k_create(&self->plan, runtime, &desc));
    top_k_fill(keys, CLPRIM_U16, TOP_K_RANDOM, MAX_COUNT + TOP_K_MAX_OFFSET, TEST_SEED);
    top_k_fill_values(values, sizeof *values, MAX_COUNT + TOP_K_MAX_OFFSET);
    memset(self->expected, TOP_K_POISON, sizeof self->expected);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(clprim_reference_top_k(self->expected[0] + i * STEP, self->expected[1] + i * STEP, &how,
                                         keys + i % TOP_K_MAX_OFFSET, values + i % 3, counts[i]));
    self->keys = test_upload(runtime, keys, sizeof keys);
    self->values = test_upload(runtime, values, sizeof values);
    for (int a = 0; a < 2; a++)
        self->outs[a] = test_buffer(runtime, sizeof self->found);
    return self;
}

static void series_destroy(series *self)
{
    clprim_top_k_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->keys));
    ASSERT_CL(clReleaseMemObject(self->values));
    for (int a = 0; a < 2; a++)
        ASSERT_CL(clReleaseMemObject(self->outs[a]));
    free(self);
}

static void series_poison(series *self)
{
    memset(self->found, TOP_K_POISON, sizeof self->found);
    for (int a = 0; a < 2; a++)
        test_write(self->runtime, self->outs[a], self->found, sizeof self->found);
}

static clprim_status series_call(const series *self, size_t i, cl_command_queue queue, const cl_event *wait,
                                 cl_event *done)
{
    return clprim_top_k_enqueue_pairs(self->plan, queue, self->keys, i % TOP_K_MAX_OFFSET, self->values, i % 3,
                                      counts[i], self->outs[0], i * STEP, self->outs[1], i * STEP, wait != NULL, wait,
                                      done);
}

/* Of the outputs the first `calls` are there, and nothing else. */
static void series_check(series *self, size_t calls, const char *what)
{
    for (int a = 0; a < 2; a++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s, %s: %s", self->name, a == 0 ? "keys" : "values", what);
        test_read(self->runtime, self->found, self->outs[a], sizeof self->found);
        test_expect_same(self->expected[a], self->found, sizeof *self->found, calls * STEP, name);
        for (size_t i = 2 * calls * STEP; i < sizeof self->found; i++)
            cr_assert_eq(((const unsigned char *)self->found)[i], TOP_K_POISON, "%s: byte %zu was written", name, i);
    }
}

/* All calls at once on two queues, taking turns. */
static void series_run(series *self, cl_command_queue first, cl_command_queue second, const char *what)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, CALLS, what);
}

/* Each call by itself. What runs a kernel for the first time with another number of groups is not under way with others
 * later on then, over which PoCL 3.1 aborts now and then (pocl_release_dlhandle_cache). */
static void series_begin(series *self)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++) {
        ASSERT_OK(series_call(self, i, NULL, NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    }
    series_check(self, CALLS, "one by one");
}

/* Every variant, and AUTO. */
static void for_all_variants(void (*body)(series *self))
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_TOP_K_AUTO; variant < TOP_K_VARIANTS; variant++) {
        series *self = series_create(runtime, variant);
        series_begin(self);
        body(self);
        series_destroy(self);
    }
    clprim_runtime_destroy(runtime);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_pairs_of_queues(series *self)
{
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue queues[3] = {test_queue(self->runtime, 0), test_queue(self->runtime, out_of_order),
                                  test_queue(self->runtime, out_of_order)};
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            series_run(self, queues[a], queues[b], "on two queues");
    for (size_t i = 0; i < 3; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
}

Test(top_k_calls, a_plan_again_and_again_without_waiting, .timeout = 240)
{
    for_all_variants(check_pairs_of_queues);
}

/* Held back by an event: nothing is read or written before. The plan may go before its work has run. */
static void check_waiting(series *self)
{
    cl_command_queue queue = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue own = clprim_runtime_queue(self->runtime);
    unsigned char keys[512];
    const cl_uchar other = 77;
    cl_int code = CL_SUCCESS;
    cl_event events[CALLS + 1] = {NULL};
    const cl_event start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    ASSERT_CL(code);
    test_read(self->runtime, keys, self->keys, sizeof keys);
    ASSERT_CL(clEnqueueFillBuffer(own, self->keys, &other, 1, 0, sizeof keys, 0, NULL, NULL));
    ASSERT_CL(clFinish(own)); /* what is put right only once the calls may start */
    series_poison(self);
    ASSERT_CL(clEnqueueWriteBuffer(queue, self->keys, CL_FALSE, 0, sizeof keys, keys, 1, &start, &events[CALLS]));
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, queue, &events[CALLS], &events[i]));
    ASSERT_CL(clFlush(queue));
    for (size_t i = 0; i < CALLS; i++) { /* those without elements, too */
        cl_int state = CL_COMPLETE;
        ASSERT_CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "%s: call %zu is done before what it waits for", self->name, i);
    }
    series_check(self, 0, "before the wait list is complete");
    clprim_top_k_destroy(self->plan);
    self->plan = NULL; /* which destroy takes, too */
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(CALLS, events));
    series_check(self, CALLS, "after the events");
    for (size_t i = 0; i <= CALLS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(top_k_calls, wait_lists_and_lifetimes, .timeout = 120)
{
    for_all_variants(check_waiting);
}

/* A part of a larger buffer, whose content is not zero, becomes the plan's scratch memory: of the size that is asked
 * for, around which nothing is written; a byte less is refused, before anything is. */
static void check_scratch(series *self)
{
    const size_t align = clprim_runtime_info(self->runtime)->base_address_alignment;
    size_t needed = 0;
    cl_int code = CL_SUCCESS;
    cl_command_queue queues[2] = {test_queue(self->runtime, 0),
                                  test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    ASSERT_OK(clprim_top_k_scratch_size(&needed, self->plan, MAX_COUNT));
    cr_assert_gt(needed, 0);
    const size_t bytes = needed + 2 * align;
    unsigned char *before = test_allocate(bytes);
    unsigned char *after = test_allocate(bytes);
    memset(before, TOP_K_POISON, bytes);
    cl_mem whole = test_upload(self->runtime, before, bytes);
    for (size_t missing = 0; missing < 2; missing++) {
        const cl_buffer_region region = {align, needed - missing};
        cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        ASSERT_CL(code);
        ASSERT_OK(clprim_top_k_set_scratch(self->plan, part));
        ASSERT_CL(clReleaseMemObject(part));
        if (missing == 0) {
            series_run(self, queues[0], queues[1], "in the caller's scratch memory");
            test_read(self->runtime, after, whole, bytes);
            test_expect_kept(before, after, align, align + needed, bytes, self->name);
        } else {
            series_poison(self);
            ASSERT_STATUS(series_call(self, 0, NULL, NULL, NULL), CLPRIM_INVALID_SCRATCH);
            series_check(self, 0, "too little scratch memory");
        }
    }
    ASSERT_OK(clprim_top_k_set_scratch(self->plan, NULL));
    series_run(self, queues[0], queues[1], "in memory of its own again");
    for (int i = 0; i < 2; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    ASSERT_CL(clReleaseMemObject(whole));
    free(before);
    free(after);
}

Test(top_k_calls, scratch_memory_of_the_callers, .timeout = 120)
{
    for_all_variants(check_scratch);
}
