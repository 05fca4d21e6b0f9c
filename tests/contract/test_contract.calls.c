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
static void call_by_sizes(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_call self;
        cl_event done = NULL;
        if (!contract_create(&self, runtime, subject, sample, 0, sizes[i], 10 + i))
            return;
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
}

Test(contract_calls, sizes, .timeout = 900)
{
    contract_for_all(call_by_sizes);
}

/* Overwrites the inputs; they are as they were once the events are complete, of which there are *count, after start. */
static void spoil_inputs(const test_call *self, cl_command_queue queue, cl_event start, cl_event *events,
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
        ASSERT_CL(clEnqueueWriteBuffer(queue, array->memory, CL_FALSE, 0, array->bytes, array->before, 1, &start,
                                       &events[(*count)++]));
    }
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

/* Nothing is read or written before the wait list is complete, which is longer than a fixed array is likely to hold. The
 * plan is destroyed before that. */
static void call_on_queues(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    for (int k = 0; k < 2; k++) {
        test_call self;
        cl_int code = CL_SUCCESS;
        cl_event done[CALLS] = {NULL};
        cl_event waits[WAITS];
        cl_uint num_written = 0;
        if (!contract_create(&self, runtime, subject, sample, variant, COUNT, 20 + (uint64_t)k))
            return;
        cl_command_queue queue = test_queue(runtime, k == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_event start = clCreateUserEvent(clprim_runtime_context(runtime), &code);
        ASSERT_CL(code);
        spoil_inputs(&self, queue, start, waits, &num_written);
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
        ASSERT_CL(clReleaseCommandQueue(queue));
        test_call_expect_right(&self, k == 0 ? "in order" : "out of order");
        test_call_destroy(&self);
    }
}

Test(contract_calls, queues_waits_and_lifetimes, .timeout = 900)
{
    contract_for_variants(call_on_queues);
}

/* In a context and on a queue of the caller's. The runtime is destroyed before its plan is used, the plan before its
 * work has run. */
static void call_given_up(clprim_runtime *source, const clprim__trial_subject *subject, size_t sample)
{
    test_call self;
    cl_device_id device = clprim_runtime_device(source);
    cl_int code = CL_SUCCESS;
    cl_event done = NULL;
    if (sample > 0)
        return;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    const clprim_runtime_desc by_context = {.context = context, .device = device};
    clprim_runtime *own = test_runtime(&by_context);
    cl_command_queue queue = test_queue(own, 0);
    const clprim_runtime_desc by_queue = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&by_queue);
    cr_assert(clprim_runtime_context(own) == context && clprim_runtime_queue(runtime) == queue);
    const bool is_there = contract_create(&self, runtime, subject, sample, 0, 700, 95);
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
}

Test(contract_calls, everything_lives_as_long_as_it_is_needed, .timeout = 900)
{
    contract_for_all(call_given_up);
}

/* Many calls under way at once on queues of two kinds: of one plan, which must not use its memory for two of them at a
 * time, or of a plan each, which share the runtime's pool. */
static void call_in_flight(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    enum { CONTRACTS = 4 };
    test_call own[CONTRACTS];
    cl_command_queue queues[2] = {test_queue(runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    size_t count = 0;
    while (count < CONTRACTS &&
           contract_create(&own[count], runtime, subject, sample, variant, 4 * COUNT - 900 * count, 80 + count))
        count++;
    for (int has_own = 0; has_own < 2; has_own++) {
        for (size_t i = 0; i < count; i++)
            test_call_reset(&own[i]);
        cl_event done[CONTRACTS] = {NULL};
        for (size_t i = 0; i < count * ROUNDS; i++) { /* each waits for the one before it that has the same arrays */
            const size_t k = i % count;
            const cl_event before = done[k];
            ASSERT_OK(own[k].face->enqueue(own[has_own ? k : 0].plan, queues[k % 2], own[k].call.bytes, before != NULL,
                                           before != NULL ? &before : NULL, &done[k]));
            if (before != NULL)
                ASSERT_CL(clReleaseEvent(before));
        }
        for (size_t k = 0; k < count; k++)
            ASSERT_CL(clReleaseEvent(done[k]));
        ASSERT_CL(clFinish(queues[0]));
        ASSERT_CL(clFinish(queues[1]));
        for (size_t i = 0; i < count; i++)
            test_call_expect_right(&own[i], has_own ? "plans in flight" : "one plan in flight");
    }
    for (size_t i = 0; i < count; i++)
        test_call_destroy(&own[i]);
    ASSERT_CL(clReleaseCommandQueue(queues[0]));
    ASSERT_CL(clReleaseCommandQueue(queues[1]));
}

Test(contract_calls, many_in_flight, .timeout = 900)
{
    contract_for_variants(call_in_flight);
}

/* Every output that may be written in place. */
static void call_in_place(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    test_call self;
    if (!contract_create(&self, runtime, subject, sample, 0, COUNT, 30))
        return;
    self.in_place = true;
    contract_fill(&self, COUNT, 30);
    test_call_check(&self, "in place");
    contract_fill(&self, COUNT + 1, 31);
    test_call_check_run(&self, "in place, on the host");
    test_call_destroy(&self);
}

Test(contract_calls, in_place, .timeout = 900)
{
    contract_for_all(call_in_place);
}

/* From the host, by the default runtime, and every other array from the host; what is behind the written elements stays
 * as it is. */
static void call_from_host(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    static const size_t counts[] = {COUNT, COUNT + 1, COUNT + 2, 0};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const bool is_mixed = k == 1 || k == 2;
        test_call self;
        if (!contract_create(&self, runtime, subject, sample, 0, counts[k], 50 + k))
            return;
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
}

Test(contract_calls, run, .timeout = 900)
{
    contract_for_all(call_from_host);
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

static void call_in_threads(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    test_call own[THREADS];
    pthread_t threads[THREADS];
    if (sample > 0 || !contract_create(&own[0], runtime, subject, sample, 0, COUNT, 60))
        return;
    for (size_t i = 1; i < THREADS; i++)
        cr_assert(contract_create(&own[i], runtime, subject, sample, 0, COUNT + 100 * i, 60 + i));
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
}

Test(contract_calls, threads, .timeout = 900)
{
    contract_for_all(call_in_threads);
}

/* No description is a zeroed one, for a plan and for run. */
static void call_without_description(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample)
{
    test_call self;
    test_call zeroed;
    const test_struct nothing = {.bytes = {0}};
    if (sample > 0)
        return;
    const clprim_status expected = test_call_try(&zeroed, runtime, subject->operation->face, nothing.bytes);
    cr_assert_eq((int)test_call_try(&self, runtime, subject->operation->face, NULL), (int)expected, "%s",
                 subject->stem);
    if (expected != CLPRIM_SUCCESS)
        return;
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
}

Test(contract_calls, descriptions_left_out, .timeout = 600)
{
    contract_for_all(call_without_description);
}
