/* test_select.calls.c: how a selection behaves among other work: events, queues, threads, lifetimes. */
#include <clprim/reference.h>
#include <clprim/select.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 100003, POISON = 0xa5 };

/* Of I32 those that are even and whose index is no multiple of 3: of COUNT elements that are all even, two thirds. */
static const char even[] = "!(x & 1) && i % 3 != 0";

enum { OF_ALL_EVEN = COUNT - (COUNT + 2) / 3 };

typedef struct job {
    clprim_runtime *runtime;
    clprim_select *plan;
    cl_mem in;
    cl_mem out;
    test_output selected;
} job;

static job job_create(clprim_runtime *runtime, clprim_select_variant variant)
{
    job self = {.runtime = runtime};
    const clprim_select_desc desc = {.type = CLPRIM_I32, .predicate = even, .variant = variant};
    ASSERT_OK(clprim_select_create(&self.plan, runtime, &desc));
    self.in = test_buffer(runtime, COUNT * sizeof(int32_t));
    self.out = test_buffer(runtime, COUNT * sizeof(int32_t));
    self.selected = test_output_create(runtime, sizeof(cl_ulong), 3);
    return self;
}

static void job_destroy(job *self)
{
    clprim_select_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    test_output_destroy(&self->selected);
}

static void job_fill(const job *self, cl_command_queue queue, int32_t value, cl_uint num_waits, const cl_event *waits,
                     cl_event *done)
{
    ASSERT_CL(
        clEnqueueFillBuffer(queue, self->in, &value, sizeof value, 0, COUNT * sizeof value, num_waits, waits, done));
}

static void job_poison(const job *self)
{
    const unsigned char poison = POISON;
    test_output_poison(self->runtime, &self->selected);
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(self->runtime), self->out, &poison, 1, 0,
                                  COUNT * sizeof(int32_t), 0, NULL, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
}

static clprim_status job_enqueue(const job *self, cl_command_queue queue, cl_uint num_waits, const cl_event *waits,
                                 cl_event *done)
{
    return clprim_select_enqueue(self->plan, queue, self->in, 0, COUNT, self->out, 0, self->selected.buffer,
                                 self->selected.slot, num_waits, waits, done);
}

/* The input was `value` throughout when it was looked at. */
static void job_check(const job *self, int32_t value, const char *what)
{
    const size_t expected = value % 2 == 0 ? OF_ALL_EVEN : 0;
    cl_ulong selected = 0;
    test_output_read(self->runtime, &self->selected, &selected, what);
    cr_assert_eq(selected, expected, "%s: %llu selected, not %zu", what, (unsigned long long)selected, expected);
    int32_t *out = malloc(COUNT * sizeof *out);
    cr_assert_not_null(out);
    test_read(self->runtime, out, self->out, COUNT * sizeof *out);
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(out[i], i < expected ? value : (int32_t)0xa5a5a5a5, "%s: element %zu is %x", what, i,
                     (unsigned)out[i]);
    free(out);
}

static bool is_possible(clprim_runtime *runtime, clprim_select_variant variant)
{
    clprim_select *plan = NULL;
    const clprim_select_desc desc = {.type = CLPRIM_I32, .predicate = even, .variant = variant};
    const clprim_status status = clprim_select_create(&plan, runtime, &desc);
    clprim_select_destroy(plan);
    return status != CLPRIM_UNSUPPORTED;
}

/* A chain on an out-of-order queue, held back at its start: fill waits for the test, the selection for fill, the next
 * fill for the selection. Nothing but the wait lists keeps the order. */
Test(select_calls, wait_lists_and_events_chain_on_an_out_of_order_queue)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        if (!is_possible(runtime, (clprim_select_variant)variant))
            continue;
        job work = job_create(runtime, (clprim_select_variant)variant);
        job_poison(&work);
        job_fill(&work, clprim_runtime_queue(runtime), 1, 0, NULL, NULL);
        ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        cl_event events[4] = {NULL};
        cl_int code = CL_SUCCESS;
        cl_int state = CL_COMPLETE;
        events[0] = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        job_fill(&work, queue, 2, 1, &events[0], &events[1]);
        ASSERT_OK(job_enqueue(&work, queue, 1, &events[1], &events[2]));
        job_fill(&work, queue, 4, 1, &events[2], &events[3]);
        ASSERT_CL(clFlush(queue));
        ASSERT_CL(clGetEventInfo(events[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        test_output_is_untouched(runtime, &work.selected, "before the wait list is complete");
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

/* Nothing to select from waits all the same, and has an event of its own. */
Test(select_calls, no_elements_in_a_chain)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        if (!is_possible(runtime, (clprim_select_variant)variant))
            continue;
        job work = job_create(runtime, (clprim_select_variant)variant);
        cl_int code = CL_SUCCESS;
        cl_int state = CL_COMPLETE;
        cl_ulong selected = 99;
        cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        cl_event done = NULL;
        ASSERT_OK(clprim_select_enqueue(work.plan, queue, NULL, 0, 0, NULL, 0, work.selected.buffer, work.selected.slot,
                                        1, &start, &done));
        ASSERT_CL(clFlush(queue));
        ASSERT_CL(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        test_output_is_untouched(runtime, &work.selected, "before the wait list is complete");
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done));
        test_output_read(runtime, &work.selected, &selected, "no elements");
        cr_assert_eq(selected, 0);
        ASSERT_CL(clReleaseEvent(start));
        ASSERT_CL(clReleaseEvent(done));
        job_destroy(&work);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
}

/* Many events in one list, more than a fixed array is likely to hold. */
Test(select_calls, long_wait_lists)
{
    enum { NUM_WAITS = 100 };
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queue = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        if (!is_possible(runtime, (clprim_select_variant)variant))
            continue;
        job work = job_create(runtime, (clprim_select_variant)variant);
        cl_event waits[NUM_WAITS];
        const int32_t six = 6;
        for (int repetition = 0; repetition < 2; repetition++) { /* the second also waits for the plan's first use */
            job_poison(&work);
            job_fill(&work, clprim_runtime_queue(runtime), 5, 0, NULL, NULL);
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            for (size_t i = 0; i < NUM_WAITS; i++)
                ASSERT_CL(clEnqueueFillBuffer(queue, work.in, &six, sizeof six, i * COUNT / NUM_WAITS * sizeof six,
                                              ((i + 1) * COUNT / NUM_WAITS - i * COUNT / NUM_WAITS) * sizeof six, 0,
                                              NULL, &waits[i]));
            ASSERT_OK(job_enqueue(&work, queue, NUM_WAITS, waits, NULL));
            ASSERT_CL(clFinish(queue));
            job_check(&work, 6, "after all fills");
            for (size_t i = 0; i < NUM_WAITS; i++)
                ASSERT_CL(clReleaseEvent(waits[i]));
        }
        job_destroy(&work);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(runtime);
}

/* Several plans share the runtime's scratch memory, on queues of their own. */
Test(select_calls, plans_that_share_the_scratch_pool)
{
    enum { PLANS = 12, ROUNDS = 8 };
    clprim_runtime *runtime = test_runtime(NULL);
    job jobs[PLANS];
    cl_command_queue queues[PLANS];
    for (int32_t i = 0; i < PLANS; i++) {
        jobs[i] = job_create(runtime, i % 4 < 3 ? CLPRIM_SELECT_COUNT_THEN_MOVE : CLPRIM_SELECT_CPU_CHUNK);
        queues[i] = test_queue(runtime, i % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        job_poison(&jobs[i]);
        job_fill(&jobs[i], clprim_runtime_queue(runtime), i + 1, 0, NULL, NULL);
    }
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
    for (int32_t round = 0; round < ROUNDS; round++)
        for (int32_t i = 0; i < PLANS; i++)
            ASSERT_OK(job_enqueue(&jobs[i], queues[(i + round) % PLANS], 0, NULL, NULL));
    for (int32_t i = 0; i < PLANS; i++)
        ASSERT_CL(clFinish(queues[i]));
    for (int32_t i = 0; i < PLANS; i++) {
        job_check(&jobs[i], i + 1, "after all rounds");
        job_destroy(&jobs[i]);
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    }
    clprim_runtime_destroy(runtime);
}

/* The runtime is given up before the plan, the plan before its work has run. */
Test(select_calls, everything_lives_as_long_as_it_is_needed)
{
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        clprim_runtime *own = test_runtime(NULL);
        cl_command_queue queue = test_queue(own, 0);
        const clprim_runtime_desc desc = {.queue = queue};
        clprim_runtime *runtime = test_runtime(&desc);
        if (is_possible(runtime, (clprim_select_variant)variant)) {
            job work = job_create(runtime, (clprim_select_variant)variant);
            cl_int code = CL_SUCCESS;
            cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
            ASSERT_CL(code);
            cl_event done = NULL;
            job_poison(&work);
            job_fill(&work, queue, 8, 0, NULL, NULL);
            ASSERT_CL(clFinish(queue));
            clprim_runtime_destroy(runtime);
            runtime = NULL;
            ASSERT_OK(job_enqueue(&work, NULL, 1, &start, &done));
            clprim_select_destroy(work.plan);
            work.plan = NULL; /* which destroy takes, too */
            ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
            ASSERT_CL(clWaitForEvents(1, &done));
            work.runtime = own; /* of the same context, for reading */
            job_check(&work, 8, "after all was given up");
            ASSERT_CL(clReleaseEvent(start));
            ASSERT_CL(clReleaseEvent(done));
            job_destroy(&work);
        }
        clprim_runtime_destroy(runtime);
        ASSERT_CL(clReleaseCommandQueue(queue));
        clprim_runtime_destroy(own);
    }
}

/* What threads do: a plan of their own, from one runtime, at the same time. */
typedef struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    clprim_runtime *runtime;
    clprim_select_variant variant;
    uint32_t factor;
    bool is_right;
} worker;

/* Each thread has numbers of its own: multiples of its factor. */
static bool select_in_thread(const worker *self, const int32_t *data, int32_t *out)
{
    const clprim_select_desc desc = {.type = CLPRIM_I32, .predicate = even, .variant = self->variant};
    size_t selected = 0;
    if (clprim_select_host(out, &selected, self->runtime, &desc, data, NULL, COUNT) != CLPRIM_SUCCESS)
        return false;
    size_t expected = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (data[i] % 2 == 0 && i % 3 != 0 && (expected >= selected || out[expected++] != data[i]))
            return false;
    return expected == selected;
}

/* No assertions of Criterion here: they belong to the main thread. */
static void *work_in_thread(void *argument)
{
    worker *self = argument;
    int32_t *data = malloc(COUNT * sizeof *data);
    int32_t *out = malloc(COUNT * sizeof *out);
    for (uint32_t i = 0; data != NULL && i < COUNT; i++)
        data[i] = (int32_t)(i / 7 * (self->factor));
    (void)pthread_barrier_wait(self->start);
    clprim_select *plan = NULL;
    const clprim_select_desc desc = {.type = CLPRIM_I32, .predicate = even, .variant = self->variant};
    self->is_right = data != NULL && out != NULL && clprim_select_create(&plan, self->runtime, &desc) == CLPRIM_SUCCESS;
    clprim_select_destroy(plan);
    for (int i = 0; self->is_right && i < 10; i++)
        self->is_right = select_in_thread(self, data, out);
    free(data);
    free(out);
    return NULL;
}

/* How many programs were made. */
static size_t check_threads(clprim_select_variant variant, size_t count)
{
    worker workers[4] = {{0}};
    pthread_barrier_t start;
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_eq(pthread_barrier_init(&start, NULL, (unsigned)count), 0);
    for (size_t i = 0; i < count; i++) {
        workers[i] = (worker){.start = &start, .runtime = runtime, .variant = variant, .factor = (uint32_t)i + 3};
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work_in_thread, &workers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(pthread_join(workers[i].thread, NULL), 0);
        cr_assert(workers[i].is_right, "thread %zu of %zu, variant %d", i, count, (int)variant);
    }
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    (void)pthread_barrier_destroy(&start);
    clprim_runtime_destroy(runtime);
    return stats.built + stats.from_disk;
}

Test(select_calls, threads_with_plans_of_their_own)
{
    for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
        clprim_runtime *runtime = test_runtime(NULL);
        const bool possible = is_possible(runtime, (clprim_select_variant)variant);
        clprim_runtime_destroy(runtime);
        if (!possible)
            continue;
        const size_t alone = check_threads((clprim_select_variant)variant, 1);
        for (size_t count = 2; count <= 4; count += 2) {
            const size_t programs = check_threads((clprim_select_variant)variant, count);
            cr_assert_eq(programs, alone, "%zu threads made %zu programs, one %zu", count, programs, alone);
        }
    }
}
