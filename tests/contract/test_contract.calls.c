/* test_contract.calls.c: calls in every order, on both kinds of queues, held back by events, in place, of no elements,
 * from the host, in threads: each has the reference's result, and touches nothing else. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract.h"

enum { COUNT = 700, CALLS = 3, WAITS = 100, THREADS = 3, ROUNDS = 4 };

static const size_t sizes[] = {0, 1, 2, 63, 256, 1025, 5000};

static void wait_and_release(cl_event done)
{
    cr_assert_not_null(done);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
}

/* Each call with an event, also that of nothing. */
static bool call_by_sizes(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_call self;
        cl_event done = NULL;
        if (!contract_create(&self, runtime, subject, sample, variant, sizes[i], 10 + i))
            return false;
        ASSERT_OK(self.face->enqueue(self.plan, NULL, self.call.bytes, 0, NULL, &done));
        wait_and_release(done);
        test_call_expect_right(&self, "a call");
        test_call_reset(&self);
        ASSERT_OK(test_call_enqueue(&self, &self.call));
        ASSERT_OK(test_call_enqueue(&self, &self.call));
        ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        test_call_expect_right(&self, "two more");
        test_call_destroy(&self);
    }
    return true;
}

Test(contract_calls, sizes, .timeout = 900)
{
    contract_for_samples(call_by_sizes);
}

/* Overwrites the inputs; `writer` restores them after start, and each of the *count events says that an input is as it
 * was. */
static void spoil_inputs(const test_call *self, cl_command_queue writer, cl_event start, cl_event *events,
                         cl_uint *count)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        const cl_uchar other = 77;
        if (!array->is_there || array->is_output)
            continue;
        ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(self->runtime), array->memory, &other, 1, 0, array->bytes, 0,
                                      NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
        ASSERT_CL(clEnqueueWriteBuffer(writer, array->memory, CL_FALSE, 0, array->bytes, array->before, 1, &start,
                                       &events[(*count)++]));
    }
    ASSERT_CL(clFlush(writer));
}

static void expect_outputs_untouched(const test_call *self)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        if (!array->is_there || !array->is_output)
            continue;
        test_read(self->runtime, array->after, array->memory, array->bytes);
        test_expect_kept(array->before, array->after, 0, 0, array->bytes, self->name);
    }
}

/* Nothing is read or written before the wait list is complete, which is longer than a fixed array is likely to hold.
 * The plan is destroyed before that. */
static bool call_on_queues(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    for (int k = 0; k < 2; k++) {
        test_call self;
        cl_int code = CL_SUCCESS;
        cl_event done[CALLS] = {NULL};
        cl_event waits[WAITS];
        cl_uint num_written = 0;
        if (!contract_create(&self, runtime, subject, sample, variant, COUNT, 20 + (uint64_t)k))
            return false;
        cl_command_queue queue = test_queue(runtime, k == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        /* another queue: on the call's own, in-order one the restored inputs would come first by themselves */
        cl_command_queue writer = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        spoil_inputs(&self, writer, start, waits, &num_written);
        for (cl_uint i = num_written; i < WAITS; i++)
            waits[i] = start;
        for (int i = 0; i < CALLS; i++) /* each waits for the one before it: they write the same arrays */
            ASSERT_OK(self.face->enqueue(self.plan, queue, self.call.bytes, i == 0 ? WAITS : 1,
                                         i == 0 ? waits : &done[i - 1], &done[i]));
        ASSERT_CL(clFlush(queue));
        expect_outputs_untouched(&self);
        clprim_plan_destroy(self.plan);
        self.plan = NULL;
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done[CALLS - 1]));
        for (int i = 0; i < CALLS; i++)
            ASSERT_CL(clReleaseEvent(done[i]));
        for (cl_uint i = 0; i < num_written; i++)
            ASSERT_CL(clReleaseEvent(waits[i]));
        ASSERT_CL(clReleaseEvent(start));
        ASSERT_CL(clReleaseCommandQueue(writer));
        ASSERT_CL(clReleaseCommandQueue(queue));
        test_call_expect_right(&self, k == 0 ? "in order" : "out of order");
        test_call_destroy(&self);
    }
    return true;
}

Test(contract_calls, queues_waits_and_lifetimes, .timeout = 900)
{
    contract_for_variants(call_on_queues);
}

/* In a context and on a queue of the caller's. The runtime is destroyed before its plan is used, the plan before its
 * work has run. */
static bool call_given_up(clprim_runtime *source, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    cl_device_id device = clprim_runtime_device(source);
    cl_int code = CL_SUCCESS;
    cl_event done = NULL;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    const clprim_runtime_desc by_context = {.context = context, .device = device};
    clprim_runtime *own = test_runtime(&by_context);
    cl_command_queue queue = test_queue(own, 0);
    const clprim_runtime_desc by_queue = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&by_queue);
    cr_assert(clprim_runtime_context(own) == context && clprim_runtime_queue(runtime) == queue);
    const bool is_there = contract_create(&self, runtime, subject, sample, variant, 700, 95);
    clprim_runtime_destroy(runtime);
    if (is_there) {
        cl_event start = clCreateUserEvent(context, &code);
        ASSERT_CL(code);
        self.runtime = own; /* of the same context, for reading */
        ASSERT_OK(self.face->enqueue(self.plan, NULL, self.call.bytes, 1, &start, &done));
        clprim_plan_destroy(self.plan);
        self.plan = NULL;
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done));
        test_call_expect_right(&self, "after all was given up");
        ASSERT_CL(clReleaseEvent(start));
        ASSERT_CL(clReleaseEvent(done));
        test_call_destroy(&self);
    }
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(own);
    ASSERT_CL(clReleaseContext(context));
    return is_there;
}

Test(contract_calls, everything_lives_as_long_as_it_is_needed, .timeout = 900)
{
    contract_for_operations(call_given_up);
}

enum { FLIGHTS = 4 };

/* ROUNDS calls of each. `waits`: each call waits for the previous one on the same arrays; otherwise the queues are
 * finished between the rounds. */
static void fly(const test_call own[FLIGHTS], const cl_command_queue queues[2], bool has_own, bool waits)
{
    cl_event done[FLIGHTS] = {NULL};
    for (size_t k = 0; k < FLIGHTS; k++)
        test_call_reset(&own[k]);
    for (size_t i = 0; i < FLIGHTS * ROUNDS; i++) {
        const size_t k = i % FLIGHTS;
        const cl_event before = done[k];
        if (k == 0 && !waits) {
            ASSERT_CL(clFinish(queues[0]));
            ASSERT_CL(clFinish(queues[1]));
        }
        ASSERT_OK(own[k].face->enqueue(own[has_own ? k : 0].plan, queues[(k + i / FLIGHTS) % 2], own[k].call.bytes,
                                       before != NULL, before != NULL ? &before : NULL, waits ? &done[k] : NULL));
        if (before != NULL)
            ASSERT_CL(clReleaseEvent(before));
    }
    for (size_t k = 0; k < FLIGHTS && waits; k++)
        ASSERT_CL(clReleaseEvent(done[k]));
    ASSERT_CL(clFinish(queues[0]));
    ASSERT_CL(clFinish(queues[1]));
    for (size_t k = 0; k < FLIGHTS; k++)
        test_call_expect_right(&own[k], has_own ? "plans in flight" : "one plan in flight");
}

/* Many calls under way at once on queues of two kinds: of one plan, which must not use its memory for two calls at a
 * time, or of a plan each, which share the runtime's pool. Each call runs alone first: PoCL 3.1 sometimes aborts if
 * something else is under way when a kernel first runs with a certain number of groups. */
static bool call_in_flight(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const size_t counts[FLIGHTS] = {3000, 1, 900, 2500};
    test_call own[FLIGHTS];
    for (size_t k = 0; k < FLIGHTS; k++)
        if (!contract_create(&own[k], runtime, subject, sample, variant, counts[k], 80 + k)) {
            cr_assert_eq(k, 0, "%s: %zu elements are refused", own[0].name, counts[k]);
            return false;
        }
    for (size_t k = 0; k < FLIGHTS; k++) {
        ASSERT_OK(own[0].face->enqueue(own[0].plan, NULL, own[k].call.bytes, 0, NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        test_call_expect_right(&own[k], "by itself");
        test_call_reset(&own[k]);
        test_call_check(&own[k], "by itself with its own plan");
    }
    cl_command_queue queues[2] = {test_queue(runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    for (int way = 0; way < 4; way++)
        fly(own, queues, way / 2 == 1, way % 2 == 1);
    for (size_t k = 0; k < FLIGHTS; k++)
        test_call_destroy(&own[k]);
    ASSERT_CL(clReleaseCommandQueue(queues[0]));
    ASSERT_CL(clReleaseCommandQueue(queues[1]));
    return true;
}

Test(contract_calls, many_in_flight, .timeout = 900)
{
    contract_for_variants(call_in_flight);
}

/* Every output that may be written in place. */
static bool call_in_place(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    if (!contract_create(&self, runtime, subject, sample, variant, COUNT, 30))
        return false;
    self.in_place = true;
    contract_fill(&self, COUNT, 30);
    test_call_check(&self, "in place");
    contract_fill(&self, COUNT + 1, 31);
    test_call_check_run(&self, "in place, on the host");
    test_call_destroy(&self);
    return true;
}

Test(contract_calls, in_place, .timeout = 900)
{
    contract_for_samples(call_in_place);
}

/* From the host, by the default runtime, and every other array from the host; what is behind the written elements stays
 * as it is. */
static bool call_from_host(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const size_t counts[] = {COUNT, COUNT + 1, COUNT + 2, 0};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const bool is_mixed = k == 1 || k == 2;
        test_call self;
        if (!contract_create(&self, runtime, subject, sample, variant, counts[k], 50 + k))
            return false;
        test_struct call = self.call;
        for (size_t i = 0; i < self.num_arrays; i++) {
            test_array *array = &self.arrays[i];
            if (!array->is_there || (is_mixed && (i + k) % 2 == 0))
                continue;
            memcpy(array->after, array->before, array->bytes);
            *test_array_of(&self, &call, i) = (clprim_array){.offset = array->offset, .host = array->after};
        }
        ASSERT_OK(self.face->run(is_mixed ? runtime : NULL, self.desc.bytes, call.bytes));
        for (size_t i = 0; i < self.num_arrays; i++) /* to where results are looked for */
            if (test_array_of(&self, &call, i)->host != NULL)
                test_write(runtime, self.arrays[i].memory, self.arrays[i].after, self.arrays[i].bytes);
        test_call_expect_right(&self, "from the host");
        test_call_destroy(&self);
    }
    return true;
}

Test(contract_calls, run, .timeout = 900)
{
    contract_for_samples(call_from_host);
}

/* Plans of one runtime in several threads, which share its scratch memory. */
static void *calls_of_a_thread(void *argument)
{
    test_call *self = argument;
    for (int i = 0; i < ROUNDS; i++)
        if (test_call_enqueue(self, &self->call) != CLPRIM_SUCCESS)
            return self;
    return NULL;
}

static bool call_in_threads(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call own[THREADS];
    pthread_t threads[THREADS];
    if (!contract_create(&own[0], runtime, subject, sample, variant, COUNT, 60))
        return false;
    for (size_t i = 1; i < THREADS; i++)
        cr_assert(contract_create(&own[i], runtime, subject, sample, variant, COUNT + 100 * i, 60 + i));
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, calls_of_a_thread, &own[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = NULL;
        cr_assert_eq(pthread_join(threads[i], &failed), 0);
        cr_assert_null(failed, "%s", own[i].name);
    }
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
    for (size_t i = 0; i < THREADS; i++) {
        test_call_expect_right(&own[i], "in threads");
        test_call_destroy(&own[i]);
    }
    return true;
}

Test(contract_calls, threads, .timeout = 900)
{
    contract_for_operations(call_in_threads);
}

/* No description is a zeroed one, for a plan and for run. */
static bool call_without_description(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                                     int variant)
{
    test_call self;
    test_call zeroed;
    const test_struct nothing = {.bytes = {0}};
    (void)sample, (void)variant;
    const clprim_status expected = test_call_try(&zeroed, runtime, subject->operation->face, nothing.bytes);
    cr_assert_eq((int)test_call_try(&self, runtime, subject->operation->face, NULL), (int)expected, "%s",
                 subject->stem);
    if (expected != CLPRIM_SUCCESS)
        return true;
    cr_assert(subject->variants == NULL || clprim_plan_variant(self.plan) == clprim_plan_variant(zeroed.plan));
    contract_fill(&self, COUNT, 60);
    test_call_check(&self, "no description");
    test_call_reset(&self);
    contract_fill(&zeroed, COUNT, 61);
    test_call_check(&zeroed, "a zeroed description");
    test_call_check_run(&zeroed, "a zeroed description");
    for (size_t i = 0; i < self.num_arrays; i++)
        cr_assert_eq(self.arrays[i].size, zeroed.arrays[i].size, "%s: array %zu", subject->stem, i);
    ASSERT_OK(self.face->run(runtime, NULL, self.call.bytes));
    test_call_expect_right(&self, "no description");
    test_call_destroy(&self);
    test_call_destroy(&zeroed);
    return true;
}

Test(contract_calls, descriptions_left_out, .timeout = 600)
{
    contract_for_operations(call_without_description);
}
