/* test_unique.calls.c: how a plan behaves among other work: queues, events, lifetimes, memory of its own or of the
 * caller's; arrays on the host, and the reference itself. */
#include <clprim/reference.h>
#include <clprim/unique.h>
#include <stdlib.h>

#include "support.h"

/* A series of calls: growing and shrinking, with nothing to do in between. */
static const size_t counts[] = {20011, 1, 9001, 0, 16385, 256, 257, 4097, 12289, 2, 0, 20011};

enum { CALLS = sizeof counts / sizeof *counts, MAX_COUNT = 20011, MAX_OFFSET = 7, GAP = 64, POISON = 0xa5 };

/* What the calls read, where they write, and what must be there in the end. */
typedef struct series {
    clprim_runtime *runtime;
    clprim_unique *plan;
    cl_mem in, out, selected; /* the number of call i at CALLS - i, between guards */
    size_t places[CALLS];
    size_t room;
    int32_t *expected;
    int32_t *found;
    cl_ulong numbers[CALLS + 2];
} series;

/* False where the device cannot run it. */
static bool series_create(series *out, clprim_runtime *runtime, int variant)
{
    static int32_t data[MAX_COUNT + MAX_OFFSET];
    series self = {.runtime = runtime, .room = GAP};
    const clprim_unique_desc desc = {.variant = (clprim_select_variant)variant};
    const clprim_status status = clprim_unique_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("skipped: %s", clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s", clprim_last_error());
    for (size_t i = 0; i < CALLS; i++) {
        self.places[i] = self.room;
        self.room += counts[i] + GAP + i % 3;
    }
    test_fill(data, CLPRIM_I32, CLPRIM_MIN, TEST_RANDOM, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    test_make_runs(data, sizeof *data, TEST_RUNS_SHORT, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    self.expected = malloc(self.room * sizeof *self.expected);
    self.found = malloc(self.room * sizeof *self.found);
    cr_assert(self.expected != NULL && self.found != NULL);
    memset(self.expected, POISON, self.room * sizeof *self.expected);
    memset(self.numbers, POISON, sizeof self.numbers);
    for (size_t i = 0; i < CALLS; i++) {
        size_t runs = 0;
        ASSERT_OK(clprim_reference_unique(self.expected + self.places[i], &runs, sizeof *data, NULL,
                                          data + i % MAX_OFFSET, counts[i]));
        self.numbers[CALLS - i] = runs;
    }
    self.in = test_upload(runtime, data, sizeof data);
    self.out = test_buffer(runtime, self.room * sizeof *self.expected);
    self.selected = test_buffer(runtime, sizeof self.numbers);
    *out = self;
    return true;
}

static void series_destroy(series *self)
{
    clprim_unique_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    ASSERT_CL(clReleaseMemObject(self->selected));
    free(self->expected);
    free(self->found);
}

static void series_poison(const series *self)
{
    memset(self->found, POISON, self->room * sizeof *self->found);
    test_write(self->runtime, self->out, self->found, self->room * sizeof *self->found);
    test_write(self->runtime, self->selected, self->found, sizeof self->numbers);
}

static clprim_status series_call(const series *self, size_t i, cl_command_queue queue, cl_uint num_waits,
                                 const cl_event *waits, cl_event *done)
{
    return clprim_unique_enqueue(self->plan, queue, self->in, i % MAX_OFFSET, counts[i], self->out, self->places[i],
                                 self->selected, CALLS - i, num_waits, waits, done);
}

static void series_check(const series *self, const char *what)
{
    cl_ulong numbers[CALLS + 2];
    test_read(self->runtime, numbers, self->selected, sizeof numbers);
    test_expect_same(self->numbers, numbers, sizeof *numbers, CALLS + 2, what);
    test_read(self->runtime, self->found, self->out, self->room * sizeof *self->found);
    test_expect_same(self->expected, self->found, sizeof *self->found, self->room, what);
}

/* All calls at once on two queues, taking turns. */
static void series_run(const series *self, cl_command_queue first, cl_command_queue second, const char *what)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, 0, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, what);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_queues(const series *self, cl_command_queue in_order, cl_command_queue out_of_order)
{
    cl_command_queue other = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    series_run(self, in_order, in_order, "one in-order queue");
    series_run(self, in_order, out_of_order, "two queues");
    series_run(self, out_of_order, out_of_order, "one out-of-order queue");
    series_run(self, out_of_order, other, "two out-of-order queues");
    ASSERT_CL(clReleaseCommandQueue(other));
}

/* Nothing but the wait list holds a call back; its event comes when its result is there. */
static void check_waits(const series *self, cl_command_queue queue)
{
    cl_int code = CL_SUCCESS;
    cl_int state = CL_COMPLETE;
    cl_event start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    ASSERT_CL(code);
    for (size_t i = 0; i < CALLS; i += 3) { /* the second one, with i == 3, has no elements */
        cl_event done = NULL;
        cl_ulong number = 0;
        series_poison(self);
        ASSERT_OK(series_call(self, i, queue, 1, &start, &done));
        ASSERT_CL(clFlush(queue));
        ASSERT_CL(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done));
        ASSERT_CL(clReleaseEvent(done));
        ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(self->runtime), self->selected, CL_TRUE,
                                      (CALLS - i) * sizeof number, sizeof number, &number, 0, NULL, NULL));
        cr_assert_eq(number, self->numbers[CALLS - i], "call %zu", i);
        ASSERT_CL(clReleaseEvent(start));
        start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
        ASSERT_CL(code);
    }
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE)); /* NVIDIA's driver waits for those that are given up before */
    ASSERT_CL(clReleaseEvent(start));
}

/* Exactly as much of the caller's memory as it takes, in the middle of a buffer: nothing around it is written; one byte
 * less is refused, and nothing is written then; and back to the library's. */
static void check_scratch(const series *self, cl_command_queue first, cl_command_queue second)
{
    size_t bytes = 0;
    ASSERT_OK(clprim_unique_scratch_size(&bytes, self->plan, MAX_COUNT));
    cr_assert_gt(bytes, 0);
    const size_t unit = clprim_runtime_info(self->runtime)->base_address_alignment;
    const size_t parent_bytes = unit + bytes + 4096;
    unsigned char *before = malloc(parent_bytes);
    unsigned char *after = malloc(parent_bytes);
    cr_assert(before != NULL && after != NULL);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(self->runtime, before, parent_bytes);
    for (size_t missing = 0; missing < 2; missing++) {
        const cl_buffer_region region = {unit, bytes - missing};
        cl_int code = CL_SUCCESS;
        cl_event never = NULL;
        cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        ASSERT_CL(code);
        ASSERT_OK(clprim_unique_set_scratch(self->plan, scratch));
        ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
        if (missing == 0) {
            series_run(self, first, second, "supplied scratch");
            continue;
        }
        series_poison(self);
        ASSERT_STATUS(series_call(self, 0, first, 0, NULL, &never), CLPRIM_INVALID_SCRATCH);
        cr_assert_null(never);
        ASSERT_CL(clFinish(first));
        test_read(self->runtime, self->found, self->out, self->room * sizeof *self->found);
        for (size_t i = 0; i < self->room; i++)
            cr_assert_eq(self->found[i], (int32_t)0xa5a5a5a5, "a refusal wrote element %zu", i);
    }
    test_read(self->runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, "around the scratch");
    ASSERT_OK(clprim_unique_set_scratch(self->plan, NULL));
    series_run(self, first, second, "the library's scratch again");
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

Test(unique_calls, queues_events_and_scratch, .timeout = 120)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue in_order = test_queue(runtime, 0);
    cl_command_queue out_of_order = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        series calls;
        if (!test_is_full() && variant == CLPRIM_SELECT_COUNT_THEN_MOVE) /* launched like CPU_CHUNK */
            continue;
        if (!series_create(&calls, runtime, variant))
            continue;
        check_queues(&calls, in_order, out_of_order);
        check_waits(&calls, out_of_order);
        check_waits(&calls, in_order);
        check_scratch(&calls, in_order, out_of_order);
        series_destroy(&calls);
    }
    ASSERT_CL(clReleaseCommandQueue(in_order));
    ASSERT_CL(clReleaseCommandQueue(out_of_order));
    clprim_runtime_destroy(runtime);
}

/* The runtime is given up before the plan, the plan before its work has run. */
Test(unique_calls, everything_lives_as_long_as_it_is_needed)
{
    clprim_runtime *own = test_runtime(NULL);
    cl_command_queue queue = test_queue(own, 0);
    const clprim_runtime_desc desc = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&desc);
    cl_int code = CL_SUCCESS;
    cl_event start = clCreateUserEvent(clprim_runtime_context(own), &code);
    ASSERT_CL(code);
    series calls;
    cr_assert(series_create(&calls, runtime, CLPRIM_SELECT_AUTO));
    series_poison(&calls);
    clprim_runtime_destroy(runtime);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(&calls, i, NULL, i == 0 ? 1 : 0, i == 0 ? &start : NULL, NULL));
    clprim_unique_destroy(calls.plan);
    calls.plan = NULL;
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clFinish(queue));
    calls.runtime = own; /* of the same context, for reading */
    series_check(&calls, "after all was given up");
    series_destroy(&calls);
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(own);
}

/* Known by heart, so that not everything rests on one function. */
Test(unique_calls, reference)
{
    static const int16_t in[] = {5, 5, 5, -1, 5, 7, 7};
    static const int16_t expected[] = {5, -1, 5, 7, 77};
    int16_t out[5] = {77, 77, 77, 77, 77};
    size_t runs = 99;
    ASSERT_STATUS(clprim_reference_unique(NULL, &runs, 2, NULL, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, NULL, 2, NULL, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, &runs, 0, NULL, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, &runs, 2, NULL, NULL, 7), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && runs == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_unique(out, &runs, sizeof *in, NULL, in, 7));
    cr_assert_eq(runs, 4);
    cr_assert(memcmp(out, expected, sizeof out) == 0);
    ASSERT_OK(clprim_reference_unique(NULL, &runs, sizeof *in, NULL, NULL, 0));
    cr_assert_eq(runs, 0);
}

Test(unique_calls, arrays_on_the_host)
{
    static const size_t sizes[] = {0, 1, 2, 1000, MAX_COUNT};
    static float in[MAX_COUNT + 1];
    static float out[MAX_COUNT + 2];
    static float expected[MAX_COUNT + 2];
    const clprim_unique_desc desc = {.type = CLPRIM_F32};
    clprim_runtime *runtime = test_runtime(NULL);
    test_fill(in, CLPRIM_F32, CLPRIM_MIN, TEST_SPECIALS, MAX_COUNT + 1, TEST_SEED);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t runs = 99;
        size_t expected_runs = 0;
        memset(out, POISON, sizeof out);
        memset(expected, POISON, sizeof expected);
        ASSERT_OK(clprim_reference_unique(expected + 1, &expected_runs, sizeof *in, NULL, in + 1, sizes[i]));
        ASSERT_OK(clprim_unique_host(out + 1, &runs, i % 2 == 0 ? runtime : NULL, &desc, in + 1, sizes[i]));
        cr_assert_eq(runs, expected_runs, "%zu runs, not %zu", runs, expected_runs);
        test_expect_same(expected, out, sizeof *out, MAX_COUNT + 2, "the result");
    }
    size_t runs = 99;
    out[0] = 77;
    ASSERT_OK(clprim_unique_host(NULL, &runs, runtime, &desc, NULL, 0));
    cr_assert_eq(runs, 0);
    runs = 99;
    ASSERT_STATUS(clprim_unique_host(NULL, &runs, runtime, &desc, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_unique_host(out, NULL, runtime, &desc, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_unique_host(out, &runs, runtime, &desc, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert_neq((int)clprim_unique_host(out, &runs, runtime, &desc, in, SIZE_MAX), (int)CLPRIM_SUCCESS);
    cr_assert_neq((int)clprim_unique_host(out, &runs, runtime, &desc, in, SIZE_MAX / 4), (int)CLPRIM_SUCCESS);
    cr_assert(out[0] == 77 && runs == 99, "a refusal must not write");
    clprim_runtime_destroy(runtime);
}

/* The strings are the library's own copies. */
Test(unique_calls, the_texts_may_go_once_the_plan_is_made)
{
    static const int32_t data[] = {1, 2, 4, 5, 9};
    char equal[] = "b - a < STEP";
    char source[] = "#define STEP 2";
    int32_t result[3] = {0};
    cl_ulong number = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_unique *plan = NULL;
    clprim_unique_desc desc = {.equal = equal, .source = source};
    ASSERT_OK(clprim_unique_create(&plan, runtime, &desc));
    memset(equal, '?', sizeof equal);
    memset(source, '?', sizeof source);
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, sizeof data);
    test_output selected = test_output_create(runtime, sizeof number, 1);
    ASSERT_OK(clprim_unique_enqueue(plan, NULL, in, 0, 5, out, 0, selected.buffer, 1, 0, NULL, NULL));
    test_output_read(runtime, &selected, &number, "after the texts went");
    test_read(runtime, result, out, sizeof result);
    cr_assert(number == 3 && result[0] == 1 && result[1] == 4 && result[2] == 9);
    clprim_unique_destroy(plan);
    test_output_destroy(&selected);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}
