/* test_reduce.calls.c: how a reduction behaves among other work: events, queues, threads, scratch memory, lifetimes;
 * and that every documented error leaves everything as it was. */
#include <clprim/reduce.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 100003 };

/* An I32 sum of COUNT elements, all of them `value`. */
typedef struct job {
    clprim_runtime *runtime;
    clprim_reduce *plan;
    cl_mem in;
    test_output out;
} job;

static job job_create(clprim_runtime *runtime, clprim_reduce_variant variant)
{
    job self = {.runtime = runtime};
    const clprim_reduce_desc desc = {.variant = variant};
    ASSERT_OK(clprim_reduce_create(&self.plan, runtime, &desc));
    self.in = test_buffer(runtime, COUNT * sizeof(int32_t));
    self.out = test_output_create(runtime, sizeof(int32_t), 3);
    return self;
}

static void job_destroy(job *self)
{
    clprim_reduce_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    test_output_destroy(&self->out);
}

static void job_fill(const job *self, cl_command_queue queue, int32_t value, cl_uint num_waits, const cl_event *waits,
                     cl_event *done)
{
    ASSERT_CL(
        clEnqueueFillBuffer(queue, self->in, &value, sizeof value, 0, COUNT * sizeof value, num_waits, waits, done));
}

static void job_check(const job *self, int32_t value, const char *what)
{
    int32_t result = 0;
    test_output_read(self->runtime, &self->out, &result, what);
    cr_assert_eq(result, value * COUNT, "%s: %d, not %d", what, result, value * COUNT);
}

/* Variants that work differently with queues: several passes with scratch memory, one launch with a state, the best. */
static const clprim_reduce_variant kinds[] = {CLPRIM_REDUCE_SEQUENTIAL, CLPRIM_REDUCE_SINGLE_PASS, CLPRIM_REDUCE_AUTO};

enum { NUM_KINDS = sizeof kinds / sizeof *kinds };

static bool is_possible(clprim_runtime *runtime, clprim_reduce_variant variant)
{
    clprim_reduce *plan = NULL;
    const clprim_reduce_desc desc = {.variant = variant};
    const clprim_status status = clprim_reduce_create(&plan, runtime, &desc);
    clprim_reduce_destroy(plan);
    return status != CLPRIM_UNSUPPORTED;
}

/* A chain on an out-of-order queue, held back at its start: fill waits for the test, the reduction for fill, the next
 * fill for the reduction. Nothing but the wait lists keeps the order. */
Test(reduce_calls, wait_lists_and_events_chain_on_an_out_of_order_queue)
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
        ASSERT_OK(clprim_reduce_enqueue(work.plan, queue, work.in, 0, COUNT, work.out.buffer, work.out.slot, 1,
                                        &events[1], &events[2]));
        job_fill(&work, queue, 3, 1, &events[2], &events[3]);
        ASSERT_CL(clFlush(queue));
        ASSERT_CL(clGetEventInfo(events[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        test_output_is_untouched(runtime, &work.out, "before the wait list is complete");
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

/* Many events in one list, more than a fixed array is likely to hold. */
Test(reduce_calls, long_wait_lists)
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
            ASSERT_OK(clprim_reduce_enqueue(work.plan, queue, work.in, 0, COUNT, work.out.buffer, work.out.slot,
                                            NUM_WAITS, waits, NULL));
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

/* One plan many times in flight: its own memory must not be shared by two of them, whatever the queues. */
static void check_many_in_flight(clprim_runtime *runtime, clprim_reduce_variant variant, cl_command_queue first,
                                 cl_command_queue second)
{
    enum { CALLS = 24 };
    int32_t results[CALLS];
    job work = job_create(runtime, variant);
    cl_mem out = test_buffer(runtime, sizeof results);
    uint32_t *data = malloc(COUNT * sizeof *data);
    cr_assert_not_null(data);
    test_fill(data, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    test_write(runtime, work.in, data, COUNT * sizeof *data);
    for (size_t i = 0; i < CALLS; i++) /* each over another range */
        ASSERT_OK(clprim_reduce_enqueue(work.plan, i % 2 == 0 ? first : second, work.in, i * 3,
                                        COUNT - i * 1000 - i * 3, out, i, 0, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    test_read(runtime, results, out, sizeof results);
    for (size_t i = 0; i < CALLS; i++) {
        int32_t expected = 0;
        ASSERT_OK(clprim_reference_reduce(&expected, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, data + i * 3,
                                          COUNT - i * 1000 - i * 3));
        cr_assert_eq(results[i], expected, "variant %d, call %zu: %d, not %d", (int)variant, i, results[i], expected);
    }
    free(data);
    ASSERT_CL(clReleaseMemObject(out));
    job_destroy(&work);
}

Test(reduce_calls, a_plan_again_and_again_without_waiting)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue queues[4] = {test_queue(runtime, 0), test_queue(runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(runtime, out_of_order), test_queue(runtime, out_of_order)};
    for (size_t k = 0; k < NUM_KINDS; k++) {
        if (!is_possible(runtime, kinds[k]))
            continue;
        for (size_t a = 0; a < 4; a++)
            for (size_t b = 0; b < 4; b++)
                check_many_in_flight(runtime, kinds[k], queues[a], queues[b]);
    }
    for (size_t i = 0; i < 4; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    clprim_runtime_destroy(runtime);
}

/* Two plans of several passes share the runtime's scratch memory, on queues of their own. */
Test(reduce_calls, plans_that_share_the_scratch_pool)
{
    enum { PLANS = 12, ROUNDS = 8 };
    clprim_runtime *runtime = test_runtime(NULL);
    job jobs[PLANS];
    cl_command_queue queues[PLANS];
    for (int32_t i = 0; i < PLANS; i++) {
        jobs[i] = job_create(runtime, CLPRIM_REDUCE_FIRST_ADD);
        queues[i] = test_queue(runtime, i % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        job_fill(&jobs[i], clprim_runtime_queue(runtime), i + 1, 0, NULL, NULL);
    }
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
    for (int32_t round = 0; round < ROUNDS; round++)
        for (int32_t i = 0; i < PLANS; i++)
            ASSERT_OK(clprim_reduce_enqueue(jobs[i].plan, queues[(i + round) % PLANS], jobs[i].in, 0, COUNT,
                                            jobs[i].out.buffer, jobs[i].out.slot, 0, NULL, NULL));
    for (int32_t i = 0; i < PLANS; i++)
        ASSERT_CL(clFinish(queues[i]));
    for (int32_t i = 0; i < PLANS; i++) {
        job_check(&jobs[i], i + 1, "after all rounds");
        job_destroy(&jobs[i]);
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    }
    clprim_runtime_destroy(runtime);
}

/* The caller's context and queue, given up as soon as the runtime has them; the runtime given up before the plan; the
 * plan given up before its work has run. */
Test(reduce_calls, everything_lives_as_long_as_it_is_needed)
{
    clprim_runtime *own = test_runtime(NULL);
    cl_int code = CL_SUCCESS;
    cl_device_id device = clprim_runtime_device(own);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    ASSERT_CL(code);
    const clprim_runtime_desc desc = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&desc);
    cr_assert_eq(clprim_runtime_context(runtime), context);
    cr_assert_eq(clprim_runtime_queue(runtime), queue);
    ASSERT_CL(clReleaseCommandQueue(queue));
    ASSERT_CL(clReleaseContext(context));

    job work = job_create(runtime, CLPRIM_REDUCE_SEQUENTIAL);
    cl_event start = clCreateUserEvent(context, &code);
    ASSERT_CL(code);
    cl_event done = NULL;
    job_fill(&work, queue, 7, 0, NULL, NULL);
    ASSERT_CL(clFinish(queue));
    ASSERT_CL(clRetainCommandQueue(queue)); /* for this test's reading of the result */
    clprim_runtime_destroy(runtime);
    ASSERT_OK(
        clprim_reduce_enqueue(work.plan, NULL, work.in, 0, COUNT, work.out.buffer, work.out.slot, 1, &start, &done));
    clprim_reduce_destroy(work.plan);
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(1, &done));
    int32_t result = 0;
    ASSERT_CL(clEnqueueReadBuffer(queue, work.out.buffer, CL_TRUE, work.out.slot * sizeof result, sizeof result,
                                  &result, 0, NULL, NULL));
    cr_assert_eq(result, 7 * COUNT);
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseEvent(done));
    ASSERT_CL(clReleaseMemObject(work.in));
    test_output_destroy(&work.out);
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(own);
    clprim_reduce_destroy(NULL);
}

/* What threads do: a plan of their own, from one runtime, at the same time. */
typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    clprim_runtime *runtime;
    clprim_reduce_variant variant;
    int32_t value;
    bool is_right;
} worker;

/* No assertions of Criterion here: they belong to the main thread. */
static void *work_in_thread(void *argument)
{
    worker *self = argument;
    int32_t *data = malloc(COUNT * sizeof *data);
    for (size_t i = 0; data != NULL && i < COUNT; i++)
        data[i] = self->value;
    (void)pthread_barrier_wait(self->start);
    clprim_reduce *plan = NULL;
    const clprim_reduce_desc desc = {.variant = self->variant};
    self->is_right = data != NULL && clprim_reduce_create(&plan, self->runtime, &desc) == CLPRIM_SUCCESS;
    clprim_reduce_destroy(plan);
    for (int i = 0; self->is_right && i < 10; i++) {
        int32_t result = 0;
        self->is_right = clprim_reduce_host(&result, self->runtime, &desc, data, COUNT) == CLPRIM_SUCCESS &&
                         result == self->value * COUNT;
    }
    free(data);
    return NULL;
}

static void check_threads(clprim_reduce_variant variant, size_t count)
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
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    cr_assert_eq(stats.built + stats.from_disk, 1, "%zu threads made one kernel %zu times", count,
                 stats.built + stats.from_disk);
    (void)pthread_barrier_destroy(&start);
    clprim_runtime_destroy(runtime);
}

Test(reduce_calls, threads_with_plans_of_their_own)
{
    for (size_t k = 0; k < NUM_KINDS; k++) {
        clprim_runtime *runtime = test_runtime(NULL);
        const bool possible = is_possible(runtime, kinds[k]);
        clprim_runtime_destroy(runtime);
        if (possible) {
            check_threads(kinds[k], 2);
            check_threads(kinds[k], 4);
        }
    }
}

/* Scratch memory of the caller's: used where it suffices, refused where not, given back with NULL. */
Test(reduce_calls, scratch_memory_of_the_callers)
{
    clprim_runtime *runtime = test_runtime(NULL);
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_reduce_variants(&num_variants);
    for (size_t v = 0; v < num_variants; v++) {
        const clprim_reduce_variant variant = (clprim_reduce_variant)variants[v].id;
        if (!is_possible(runtime, variant))
            continue;
        job work = job_create(runtime, variant);
        size_t bytes = 1;
        ASSERT_OK(clprim_reduce_scratch_size(&bytes, work.plan, 0));
        cr_assert_eq(bytes, 0, "%s needs %zu bytes for nothing", variants[v].name, bytes);
        ASSERT_OK(clprim_reduce_scratch_size(&bytes, work.plan, COUNT));
        job_fill(&work, clprim_runtime_queue(runtime), 3, 0, NULL, NULL);
        if (bytes > 0) {
            cl_mem small = test_buffer(runtime, bytes - 1);
            cl_event done = NULL;
            ASSERT_OK(clprim_reduce_set_scratch(work.plan, small));
            ASSERT_STATUS(clprim_reduce_enqueue(work.plan, NULL, work.in, 0, COUNT, work.out.buffer, work.out.slot, 0,
                                                NULL, &done),
                          CLPRIM_INVALID_SCRATCH);
            cr_assert_null(done);
            test_output_is_untouched(runtime, &work.out, variants[v].name);
            ASSERT_CL(clReleaseMemObject(small));
        }
        cl_mem enough = test_buffer(runtime, bytes);
        ASSERT_OK(clprim_reduce_set_scratch(work.plan, enough));
        ASSERT_CL(clReleaseMemObject(enough)); /* the plan keeps a reference */
        for (int i = 0; i < 3; i++) {
            test_output_poison(runtime, &work.out);
            ASSERT_OK(clprim_reduce_enqueue(work.plan, NULL, work.in, 0, COUNT, work.out.buffer, work.out.slot, 0, NULL,
                                            NULL));
            job_check(&work, 3, variants[v].name);
        }
        ASSERT_OK(clprim_reduce_set_scratch(work.plan, NULL));
        test_output_poison(runtime, &work.out);
        ASSERT_OK(
            clprim_reduce_enqueue(work.plan, NULL, work.in, 0, COUNT, work.out.buffer, work.out.slot, 0, NULL, NULL));
        job_check(&work, 3, variants[v].name);
        job_destroy(&work);
    }
    clprim_runtime_destroy(runtime);
}
