// SPDX-License-Identifier: MIT
/* test_contract.calls.c: calls in any order, on both kinds of queues, delayed by events, in place, without elements,
 * from the host, in threads. Each must have the reference's result, and change nothing else. */
#include <pthread.h>

#include "contract.h"

enum { COUNT = 700, CALLS = 3, WAITS = 100, THREADS = 3, ROUNDS = 4 };

/* Each call has an event, even a call without elements. */
CONTRACT_TEST(contract_calls, sizes, CONTRACT_SAMPLES, COUNT, 10)
{
    static const size_t sizes[] = {0, 1, 2, 63, 256, 1025, 5000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_call sized;
        cl_event done = NULL;
        contract_again(&sized, self, sizes[i], 10 + i);
        ASSERT_OK(sized.face->enqueue(sized.plan, NULL, sized.call.bytes, 0, NULL, &done));
        test_wait(done);
        test_call_expect_right(&sized, "a call");
        test_call_reset(&sized);
        ASSERT_OK(test_call_enqueue(&sized, &sized.call));
        ASSERT_OK(test_call_enqueue(&sized, &sized.call));
        test_call_expect_right(&sized, "two more");
        test_call_destroy(&sized);
    }
}

/* Overwrite the inputs. After `start`, `writer` restores them; each of the *count events says that an input is
 * restored. */
static void spoil_inputs(const test_call *self, cl_command_queue writer, cl_event start, cl_event *events,
                         cl_uint *count)
{
    const cl_command_queue queue = clprim_runtime_queue(self->runtime);
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        const cl_uchar other = 77;
        if (!array->is_there || array->is_output)
            continue;
        ASSERT_CL(clEnqueueFillBuffer(queue, array->memory, &other, 1, 0, array->bytes, 0, NULL, NULL));
        ASSERT_CL(clFinish(queue));
        ASSERT_CL(clEnqueueWriteBuffer(writer, array->memory, CL_FALSE, 0, array->bytes, array->before, 1, &start,
                                       &events[(*count)++]));
    }
    ASSERT_CL(clFlush(writer));
}

static void expect_outputs_untouched(const test_call *self)
{
    test_call outputs = *self;
    for (size_t i = 0; i < self->num_arrays; i++)
        outputs.arrays[i].is_there = self->arrays[i].is_there && self->arrays[i].is_output;
    test_call_expect_untouched(&outputs, "before its events");
}

/* Nothing may be read or written before the wait list is complete. The list is longer than any fixed array is likely to
 * be. The plan is destroyed before that. */
CONTRACT_TEST(contract_calls, queues_waits_and_lifetimes, CONTRACT_VARIANTS, COUNT, 20)
{
    for (int k = 0; k < 2; k++) {
        test_call held;
        cl_event done[CALLS] = {NULL};
        cl_event waits[WAITS];
        cl_uint num_written = 0;
        contract_again(&held, self, COUNT, 20 + (uint64_t)k);
        cl_command_queue queue = test_queue(self->runtime, k == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        /* another queue: on the call's own in-order queue, the restored inputs would come first anyway */
        cl_command_queue writer = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        cl_event start = test_gate(self->runtime);
        spoil_inputs(&held, writer, start, waits, &num_written);
        for (cl_uint i = num_written; i < WAITS; i++)
            waits[i] = start;
        for (int i = 0; i < CALLS; i++) /* each call waits for the one before it, because they write the same arrays */
            ASSERT_OK(held.face->enqueue(held.plan, queue, held.call.bytes, i == 0 ? WAITS : 1,
                                         i == 0 ? waits : &done[i - 1], &done[i]));
        ASSERT_CL(clFlush(queue));
        expect_outputs_untouched(&held);
        clprim_plan_destroy(held.plan);
        held.plan = NULL;
        test_gate_open(start);
        for (int i = CALLS; i-- > 0;)
            test_wait(done[i]);
        for (cl_uint i = 0; i < num_written; i++)
            ASSERT_CL(clReleaseEvent(waits[i]));
        ASSERT_CL(clReleaseCommandQueue(writer));
        ASSERT_CL(clReleaseCommandQueue(queue));
        test_call_expect_right(&held, k == 0 ? "in order" : "out of order");
        test_call_destroy(&held);
    }
}

/* Use a context and a queue of the caller. The runtime is destroyed before its plan is used, and the plan before its
 * work has run. */
CONTRACT_TEST(contract_calls, everything_lives_as_long_as_it_is_needed, CONTRACT_OPERATIONS, 0, 95)
{
    test_call given_up;
    cl_device_id device = clprim_runtime_info(self->runtime)->device;
    cl_int code = CL_SUCCESS;
    cl_event done = NULL;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    clprim_runtime *own = test_runtime(&(clprim_runtime_desc){.context = context, .device = device});
    cl_command_queue queue = test_queue(own, 0);
    clprim_runtime *runtime = test_runtime(&(clprim_runtime_desc){.queue = queue});
    cr_assert(clprim_runtime_context(own) == context && clprim_runtime_queue(runtime) == queue);
    test_call_make(&given_up, runtime, self->face, self->desc.bytes);
    contract_fill(&given_up, COUNT, 95);
    clprim_runtime_destroy(runtime);
    cl_event start = test_gate(own);
    given_up.runtime = own; /* in the same context, for reading */
    ASSERT_OK(self->face->enqueue(given_up.plan, NULL, given_up.call.bytes, 1, &start, &done));
    clprim_plan_destroy(given_up.plan);
    given_up.plan = NULL;
    test_gate_open(start);
    test_wait(done);
    test_call_expect_right(&given_up, "after all was given up");
    test_call_destroy(&given_up);
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(own);
    ASSERT_CL(clReleaseContext(context));
}

enum { FLIGHTS = 4 };

/* Make ROUNDS calls of each. waits: each call waits for the previous one on the same arrays; otherwise, the queues are
 * finished between rounds. */
static void fly(const test_call own[FLIGHTS], const cl_command_queue queues[2], bool has_own, bool waits)
{
    cl_event done[FLIGHTS] = {NULL};
    for (size_t k = 0; k < FLIGHTS; k++)
        test_call_reset(&own[k]);
    for (size_t i = 0; i < FLIGHTS * ROUNDS; i++) {
        const size_t k = i % FLIGHTS;
        const cl_event before = done[k];
        for (size_t q = 0; q < 2 && k == 0 && !waits; q++)
            ASSERT_CL(clFinish(queues[q]));
        ASSERT_OK(own[k].face->enqueue(own[has_own ? k : 0].plan, queues[(k + i / FLIGHTS) % 2], own[k].call.bytes,
                                       before != NULL, before != NULL ? &before : NULL, waits ? &done[k] : NULL));
        if (before != NULL)
            ASSERT_CL(clReleaseEvent(before));
    }
    for (size_t q = 0; q < 2; q++)
        ASSERT_CL(clFinish(queues[q]));
    for (size_t k = 0; k < FLIGHTS; k++) {
        if (waits)
            test_wait(done[k]);
        test_call_expect_right(&own[k], has_own ? "plans in flight" : "one plan in flight");
    }
}

/* Many calls are in progress at once, on both kinds of queues: calls of one plan, which must not use its memory for two
 * calls at a time; or calls of different plans, which share the runtime's pool. Each call first runs alone: PoCL 3.1
 * sometimes aborts if other work is in progress when a kernel first runs with a certain number of groups. */
CONTRACT_TEST(contract_calls, many_in_flight, CONTRACT_VARIANTS, 3000, 80)
{
    static const size_t counts[FLIGHTS] = {3000, 1, 900, 2500};
    test_call own[FLIGHTS];
    for (size_t k = 0; k < FLIGHTS; k++)
        contract_again(&own[k], self, counts[k], 80 + k);
    for (size_t k = 0; k < FLIGHTS; k++) {
        ASSERT_OK(test_call_enqueue(self, &own[k].call));
        test_call_expect_right(&own[k], "by itself");
        test_call_reset(&own[k]);
        test_call_check(&own[k], "by itself with its own plan");
    }
    cl_command_queue queues[2] = {test_queue(self->runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    for (int way = 0; way < 4; way++)
        fly(own, queues, way / 2 == 1, way % 2 == 1);
    for (size_t k = 0; k < FLIGHTS; k++)
        test_call_destroy(&own[k]);
    for (size_t q = 0; q < 2; q++)
        ASSERT_CL(clReleaseCommandQueue(queues[q]));
}

/* Test every output that may overwrite an input in place. */
CONTRACT_TEST(contract_calls, in_place, CONTRACT_SAMPLES, COUNT, 30)
{
    self->replaced = UINT64_MAX;
    contract_fill(self, COUNT, 30);
    test_call_check(self, "in place");
    contract_fill(self, COUNT + 1, 31);
    test_call_check_run(self, "in place, on the host");
}

/* Arrays from the host with the default runtime; then every other array from the host. What follows the written
 * elements must not change. */
CONTRACT_TEST(contract_calls, run, CONTRACT_SAMPLES, COUNT, 50)
{
    static const size_t counts[] = {COUNT, COUNT + 1, COUNT + 2, 0};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const bool is_mixed = k == 1 || k == 2;
        contract_fill(self, counts[k], 50 + k);
        test_struct call = test_call_on_host(self);
        for (size_t i = k % 2; is_mixed && i < self->num_arrays; i += 2)
            *test_array_of(self, &call, i) = *test_array_of(self, &self->call, i);
        ASSERT_OK(self->face->run(is_mixed ? self->runtime : NULL, self->desc.bytes, call.bytes));
        for (size_t i = 0; i < self->num_arrays; i++) { /* copied to where the checks read results */
            const clprim_array *array = test_array_of(self, &call, i);
            if (array->host != NULL)
                test_write(self->runtime, self->arrays[i].memory, array->host, self->arrays[i].bytes);
        }
        test_call_expect_right(self, "from the host");
    }
}

/* Plans of one runtime in several threads share its scratch memory. */
static void *calls_of_a_thread(void *argument)
{
    test_call *self = argument;
    for (int i = 0; i < ROUNDS; i++)
        if (test_call_enqueue(self, &self->call) != CLPRIM_SUCCESS)
            return self;
    return NULL;
}

CONTRACT_TEST(contract_calls, threads, CONTRACT_OPERATIONS, COUNT, 60)
{
    test_call own[THREADS];
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        contract_again(&own[i], self, COUNT + 100 * i, 60 + i);
    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, calls_of_a_thread, &own[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = NULL;
        cr_assert_eq(pthread_join(threads[i], &failed), 0);
        cr_assert_null(failed, "%s", own[i].name);
    }
    for (size_t i = 0; i < THREADS; i++) {
        test_call_expect_right(&own[i], "in threads");
        test_call_destroy(&own[i]);
    }
}

/* A missing description means a zeroed one, for a plan and for run. */
CONTRACT_TEST(contract_calls, descriptions_left_out, CONTRACT_OPERATIONS, COUNT, 60)
{
    test_call calls[2]; /* without a description, and with a zeroed one */
    const test_struct nothing = {.bytes = {0}};
    const clprim_status expected = test_call_try(&calls[1], self->runtime, self->face, nothing.bytes);
    test_expect_status(test_call_try(&calls[0], self->runtime, self->face, NULL), expected,
                       expected != CLPRIM_SUCCESS ? "desc is NULL" : "", self->name);
    if (expected != CLPRIM_SUCCESS) {
        test_expect_status(self->face->run(self->runtime, NULL, self->call.bytes), expected, "desc is NULL",
                           self->name);
        return;
    }
    cr_assert(clprim_plan_variant(calls[0].plan) == clprim_plan_variant(calls[1].plan) || self->face->variants == NULL);
    for (size_t k = 0; k < 2; k++) {
        contract_fill(&calls[k], COUNT, 60 + k);
        test_call_check(&calls[k], "description %zu", k);
        test_call_check_run(&calls[k], "description %zu", k);
    }
    for (size_t i = 0; i < calls[0].num_arrays; i++)
        cr_assert_eq(calls[0].arrays[i].size, calls[1].arrays[i].size, "%s: array %zu", self->name, i);
    test_call_reset(&calls[0]);
    ASSERT_OK(self->face->run(self->runtime, NULL, calls[0].call.bytes));
    test_call_expect_right(&calls[0], "no description");
    for (size_t k = 0; k < 2; k++)
        test_call_destroy(&calls[k]);
}
