/* test_scan.calls.c: how a scan behaves among other work: events, queues, threads, lifetimes. Its memory from call to
 * call: test_scan.memory.c. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <pthread.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 50021, SLOT = 3, SLOTS = SLOT + COUNT + 5, POISON = 0xa5 };

/* The inclusive sums of COUNT elements of I32, all of them `value`, into elements among guards. */
typedef struct job {
    clprim_runtime *runtime;
    clprim_scan *plan;
    cl_mem in;
    cl_mem out;
} job;

static void job_poison(const job *self)
{
    static unsigned char poison[SLOTS * sizeof(int32_t)];
    memset(poison, POISON, sizeof poison);
    test_write(self->runtime, self->out, poison, sizeof poison);
}

static job job_create(clprim_runtime *runtime, clprim_scan_variant variant)
{
    job self = {.runtime = runtime};
    const clprim_scan_desc desc = {.variant = variant};
    ASSERT_OK(clprim_scan_create(&self.plan, runtime, &desc));
    self.in = test_buffer(runtime, COUNT * sizeof(int32_t));
    self.out = test_buffer(runtime, SLOTS * sizeof(int32_t));
    job_poison(&self);
    return self;
}

static void job_destroy(job *self)
{
    clprim_scan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
}

static void job_fill(const job *self, cl_command_queue queue, int32_t value, cl_uint num_waits, const cl_event *waits,
                     cl_event *done)
{
    ASSERT_CL(
        clEnqueueFillBuffer(queue, self->in, &value, sizeof value, 0, COUNT * sizeof value, num_waits, waits, done));
}

static void job_enqueue(const job *self, cl_command_queue queue, cl_uint num_waits, const cl_event *waits,
                        cl_event *done)
{
    ASSERT_OK(clprim_scan_enqueue(self->plan, queue, self->in, 0, COUNT, self->out, SLOT, num_waits, waits, done));
}

/* The sums of `value`; with 0 nothing at all was written. */
static void job_check(const job *self, int32_t value, const char *what)
{
    static int32_t expected[SLOTS];
    static int32_t got[SLOTS];
    memset(expected, POISON, sizeof expected);
    for (int32_t i = 0; i < COUNT && value != 0; i++)
        expected[SLOT + i] = value * (i + 1);
    test_read(self->runtime, got, self->out, sizeof got);
    test_expect_same(expected, got, sizeof *got, SLOTS, what);
}

/* Variants that work differently with queues: many launches, several levels, one launch with a state, the best. */
static const clprim_scan_variant kinds[] = {CLPRIM_SCAN_WORK_EFFICIENT, CLPRIM_SCAN_BLELLOCH,
                                            CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_AUTO};

enum { NUM_KINDS = sizeof kinds / sizeof *kinds };

static bool is_possible(clprim_runtime *runtime, clprim_scan_variant variant)
{
    clprim_scan *plan = NULL;
    const clprim_scan_desc desc = {.variant = variant};
    const clprim_status status = clprim_scan_create(&plan, runtime, &desc);
    clprim_scan_destroy(plan);
    return status != CLPRIM_UNSUPPORTED;
}

/* A chain on an out-of-order queue, held back at its start: fill waits for the test, the scan for fill, the next fill
 * for the scan. Nothing but the wait lists keeps the order. */
Test(scan_calls, wait_lists_and_events_chain_on_an_out_of_order_queue)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (size_t k = 0; k < NUM_KINDS; k++) {
        if (!is_possible(runtime, kinds[k]))
            continue;
        job work = job_create(runtime, kinds[k]);
        job_fill(&work, clprim_runtime_queue(runtime), 1, 0, NULL, NULL);
        ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        cl_event events[4] = {NULL};
        cl_int code = CL_SUCCESS;
        cl_int state = CL_COMPLETE;
        events[0] = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        job_fill(&work, queue, 2, 1, &events[0], &events[1]);
        job_enqueue(&work, queue, 1, &events[1], &events[2]);
        job_fill(&work, queue, 3, 1, &events[2], &events[3]);
        ASSERT_CL(clFlush(queue));
        ASSERT_CL(clGetEventInfo(events[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        job_check(&work, 0, "before the wait list is complete");
        ASSERT_CL(clSetUserEventStatus(events[0], CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &events[2]));
        job_check(&work, 2, "after the event");
        ASSERT_CL(clWaitForEvents(1, &events[3]));
        for (size_t i = 0; i < 4; i++)
            ASSERT_CL(clReleaseEvent(events[i]));
        job_destroy(&work);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
}

/* Nothing to scan still waits for its list, and still gives an event; arrays need not exist. */
Test(scan_calls, an_empty_scan_has_its_event)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (size_t k = 0; k < NUM_KINDS; k++) {
        if (!is_possible(runtime, kinds[k]))
            continue;
        job work = job_create(runtime, kinds[k]);
        cl_int code = CL_SUCCESS;
        cl_int state = CL_COMPLETE;
        cl_event done = NULL;
        cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        ASSERT_OK(clprim_scan_enqueue(work.plan, queue, NULL, 0, 0, NULL, 0, 1, &start, &done));
        cr_assert_not_null(done);
        ASSERT_CL(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done));
        ASSERT_CL(clReleaseEvent(done));
        ASSERT_CL(clReleaseEvent(start));
        ASSERT_OK(clprim_scan_enqueue(work.plan, NULL, work.in, 0, 0, work.out, SLOT, 0, NULL, NULL));
        job_check(&work, 0, "an empty scan");
        job_destroy(&work);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
}

/* Many events in one list, more than a fixed array is likely to hold. */
Test(scan_calls, long_wait_lists)
{
    enum { NUM_WAITS = 100 };
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (size_t k = 0; k < NUM_KINDS; k++) {
        if (!is_possible(runtime, kinds[k]))
            continue;
        job work = job_create(runtime, kinds[k]);
        cl_event waits[NUM_WAITS];
        const int32_t one = 1;
        for (int repetition = 0; repetition < 2; repetition++) { /* the second also waits for the plan's first use */
            job_fill(&work, clprim_runtime_queue(runtime), 5, 0, NULL, NULL);
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            for (size_t i = 0; i < NUM_WAITS; i++)
                ASSERT_CL(clEnqueueFillBuffer(queue, work.in, &one, sizeof one, i * COUNT / NUM_WAITS * sizeof one,
                                              ((i + 1) * COUNT / NUM_WAITS - i * COUNT / NUM_WAITS) * sizeof one, 0,
                                              NULL, &waits[i]));
            job_enqueue(&work, queue, NUM_WAITS, waits, NULL);
            ASSERT_CL(clFinish(queue));
            job_check(&work, 1, "after all fills");
            for (size_t i = 0; i < NUM_WAITS; i++)
                ASSERT_CL(clReleaseEvent(waits[i]));
        }
        job_destroy(&work);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
}

/* Each scan takes the one before it, in place, on a queue that keeps their order by itself: sums of sums of sums. */
Test(scan_calls, in_place_again_and_again)
{
    enum { TIMES = 5 };
    clprim_runtime *runtime = test_runtime(NULL);
    int32_t *expected = malloc(COUNT * sizeof *expected);
    int32_t *got = malloc(COUNT * sizeof *got);
    cr_assert(expected != NULL && got != NULL);
    for (size_t k = 0; k < NUM_KINDS; k++) {
        if (!is_possible(runtime, kinds[k]))
            continue;
        job work = job_create(runtime, kinds[k]);
        test_fill(expected, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
        test_write(runtime, work.in, expected, COUNT * sizeof *expected);
        for (int i = 0; i < TIMES; i++) {
            ASSERT_OK(clprim_reference_scan(expected, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, NULL, expected, COUNT));
            ASSERT_OK(clprim_scan_enqueue(work.plan, NULL, work.in, 0, COUNT, work.in, 0, 0, NULL, NULL));
        }
        test_read(runtime, got, work.in, COUNT * sizeof *got);
        test_expect_same(expected, got, sizeof *got, COUNT, "sums of sums");
        job_destroy(&work);
    }
    free(expected);
    free(got);
    clprim_runtime_destroy(runtime);
}

/* The caller's context and queue, given up as soon as the runtime has them; the runtime given up before the plan; the
 * plan given up before its work has run. */
static void check_lifetimes(clprim_runtime *own, clprim_scan_variant variant)
{
    cl_int code = CL_SUCCESS;
    cl_device_id device = clprim_runtime_device(own);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    ASSERT_CL(code);
    const clprim_runtime_desc desc = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&desc);
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseContext(context));

    job work = job_create(runtime, variant);
    cl_event start = clCreateUserEvent(context, &code);
    ASSERT_CL(code);
    cl_event done = NULL;
    job_fill(&work, queue, 7, 0, NULL, NULL);
    ASSERT_CL(clFinish(queue));
    ASSERT_CL(clRetainCommandQueue(queue)); /* for this test's reading of the result */
    clprim_runtime_destroy(runtime);
    job_enqueue(&work, NULL, 1, &start, &done);
    clprim_scan_destroy(work.plan);
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(1, &done));
    int32_t last = 0;
    ASSERT_CL(clEnqueueReadBuffer(queue, work.out, CL_TRUE, (SLOT + COUNT - 1) * sizeof last, sizeof last, &last, 0,
                                  NULL, NULL));
    cr_assert_eq(last, 7 * COUNT, "variant %d: %d", (int)variant, last);
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseEvent(done));
    ASSERT_CL(clReleaseMemObject(work.in));
    ASSERT_CL(clReleaseMemObject(work.out));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(scan_calls, everything_lives_as_long_as_it_is_needed)
{
    clprim_runtime *own = test_runtime(NULL);
    for (size_t k = 0; k < NUM_KINDS; k++)
        if (is_possible(own, kinds[k]))
            check_lifetimes(own, kinds[k]);
    clprim_runtime_destroy(own);
}

/* What threads do: a plan of their own, from one runtime, at the same time. */
typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    clprim_runtime *runtime;
    clprim_scan_variant variant;
    int32_t value;
    bool is_right;
} worker;

/* No assertions of Criterion here: they belong to the main thread. */
static void *work_in_thread(void *argument)
{
    worker *self = argument;
    int32_t *data = malloc(COUNT * sizeof *data);
    (void)pthread_barrier_wait(self->start);
    clprim_scan *plan = NULL;
    const clprim_scan_desc desc = {.variant = self->variant};
    self->is_right = data != NULL && clprim_scan_create(&plan, self->runtime, &desc) == CLPRIM_SUCCESS;
    clprim_scan_destroy(plan);
    for (int round = 0; self->is_right && round < 10; round++) {
        for (int32_t i = 0; i < COUNT; i++)
            data[i] = self->value;
        self->is_right = clprim_scan_host(data, self->runtime, &desc, data, NULL, COUNT) == CLPRIM_SUCCESS;
        for (int32_t i = 0; i < COUNT; i++)
            self->is_right = self->is_right && data[i] == self->value * (i + 1);
    }
    free(data);
    return NULL;
}

/* How many kernels a plan has that were not in the runtime before. */
static size_t kernels_made(const clprim_runtime *runtime)
{
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    return stats.built + stats.from_disk;
}

static void check_threads(clprim_scan_variant variant, size_t count, size_t kernels)
{
    worker workers[4] = {{0}};
    pthread_barrier_t start;
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_eq(pthread_barrier_init(&start, NULL, (unsigned)count), 0);
    for (size_t i = 0; i < count; i++) {
        workers[i] = (worker){.start = &start, .runtime = runtime, .variant = variant, .value = (int32_t)i + 1};
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work_in_thread, &workers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(pthread_join(workers[i].thread, NULL), 0);
        cr_assert(workers[i].is_right, "thread %zu of %zu, variant %d", i, count, (int)variant);
    }
    cr_assert_eq(kernels_made(runtime), kernels, "%zu threads made %zu kernels, one makes %zu", count,
                 kernels_made(runtime), kernels);
    (void)pthread_barrier_destroy(&start);
    clprim_runtime_destroy(runtime);
}

Test(scan_calls, threads_with_plans_of_their_own)
{
    for (size_t k = 0; k < NUM_KINDS; k++) {
        clprim_runtime *runtime = test_runtime(NULL);
        const bool possible = is_possible(runtime, kinds[k]);
        const size_t kernels = kernels_made(runtime);
        clprim_runtime_destroy(runtime);
        if (possible) {
            check_threads(kinds[k], 2, kernels);
            check_threads(kinds[k], 4, kernels);
        }
    }
}
