// SPDX-License-Identifier: MIT
/* test_faults.calls.c: calls whose wait list fails. They fail, and nothing else does: neither calls that use the
 * runtime's scratch memory after them, nor the next call of the same plan. The file also checks how often successful
 * calls call the driver. */
#include <clprim/radix_sort.h>
#include <clprim/reduce.h>

#include "contract.h"
#include "sweep.h"

enum { CALLS = 8 /* as many buffers as the runtime's pool keeps */, COUNT = 5000 };

typedef struct caller {
    clprim_plan *plan;
    cl_command_queue queue;
    cl_event done;
} caller;

static caller caller_create(const test_call *call, bool in_order)
{
    caller self = {.queue = test_queue(call->runtime, in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    ASSERT_OK(call->face->create(&self.plan, call->runtime, call->desc.bytes));
    return self;
}

static void caller_destroy(caller *self)
{
    clprim_plan_destroy(self->plan);
    if (self->done != NULL)
        ASSERT_CL(clReleaseEvent(self->done));
    ASSERT_CL(clReleaseCommandQueue(self->queue));
}

/* A call that fails because its wait list does. */
static void call_in_vain(const test_call *call, caller *self)
{
    faults_hold_back(clprim_runtime_context(call->runtime));
    ASSERT_OK(call->face->enqueue(self->plan, self->queue, call->call.bytes, 0, NULL, &self->done));
    faults_fail_held_back();
    cl_int state = CL_COMPLETE; /* the event is queried because NVIDIA's driver reports success after waiting for failed
                                 * events */
    ASSERT_CL(clGetEventInfo(self->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    cr_assert_lt(state, 0, "%s: the call does not fail", call->name);
}

/* A call that does not wait for anything that has failed. The test checks this before it waits, because PoCL would wait
 * forever. */
static void call_right(const test_call *call, caller *self, const char *what)
{
    cl_event done = NULL;
    test_call_reset(call);
    ASSERT_OK(call->face->enqueue(self->plan, self->queue, call->call.bytes, 0, NULL, &done));
    cr_assert_eq(faults_waits_for_failed(), 0, "%s, %s: it waits for a call that has failed", call->name, what);
    test_wait(done);
    test_call_expect_right(call, what);
}

/* Use queues that keep order and queues that do not, alternately. */
static bool fail_wait_lists(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call call;
    caller callers[CALLS];
    if (!contract_create(&call, runtime, subject, sample, variant, COUNT, 7))
        return false;
    for (size_t i = 0; i < CALLS; i++) {
        callers[i] = caller_create(&call, i % 2 == 1);
        call_in_vain(&call, &callers[i]);
    }
    for (size_t i = 0; i < CALLS; i++) {
        caller fresh = caller_create(&call, i % 2 == 1);
        call_right(&call, &fresh, "a new plan");
        caller_destroy(&fresh);
    }
    for (size_t i = 0; i < CALLS; i += 2)
        call_right(&call, &callers[i], "the same plan");
    for (size_t i = 0; i < CALLS; i++)
        caller_destroy(&callers[i]);
    test_call_destroy(&call);
    return true;
}

FAULTS_TEST(a_failed_wait_list_harms_no_other_call)
{
    contract_for_each(CONTRACT_VARIANTS, fail_wait_lists);
}

/* A call that is made again, with new buffers, whose handles may equal those of released ones. */
typedef struct again {
    clprim_runtime *runtime;
    clprim_plan *plan;
    cl_mem in, out;
} again;

static faults_report call_again(again *self, const void *call, size_t size)
{
    const faults_order none = {.group = FAULTS_OPENCL};
    const clprim_operation *face = clprim_plan_operation(self->plan);
    cl_mem *buffers[] = {&self->in, &self->out};
    test_struct copy;
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    for (size_t i = 0; i < 2; i++) {
        if (*buffers[i] != NULL)
            ASSERT_CL(clReleaseMemObject(*buffers[i]));
        *buffers[i] = test_buffer(self->runtime, COUNT * sizeof(cl_uint));
    }
    memcpy(copy.bytes, call, size);
    for (const clprim_member *m = face->call_members; m->name != NULL; m++) {
        clprim_array *array = (clprim_array *)(void *)(copy.bytes + m->place);
        if (strcmp(m->name, "in") == 0 || strcmp(m->name, "keys_in") == 0)
            array->buffer = self->in;
        else if (strcmp(m->name, "out") == 0 || strcmp(m->name, "keys_out") == 0)
            array->buffer = self->out;
    }
    faults_arm(&none);
    const clprim_status status = face->enqueue(self->plan, NULL, copy.bytes, 0, NULL, NULL);
    const faults_report report = faults_disarm();
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s", clprim_last_error());
    return report;
}

static void again_destroy(again *self)
{
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    clprim_plan_destroy(self->plan);
}

enum {
    QUERIES = 2 * 5, /* queries of two arrays */
    CALLS_BEFORE = 5 /* until a plan's state has run out of epochs and was cleared */
};

/* Kernels get the caller's buffers as arguments in each call, because an equal handle may denote another buffer than
 * before. But they get them only once per call, and get the plan's own memory only once. */
FAULTS_TEST(calls_set_only_arguments_that_may_be_others)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_reduce_desc sum = {.variant = CLPRIM_REDUCE_SINGLE_PASS};
    const clprim_reduce_call sum_of = {.count = COUNT};
    const clprim_radix_sort_desc sort = {.variant = CLPRIM_RADIX_SORT_ONESWEEP};
    const clprim_radix_sort_call sort_of = {.count = COUNT};
    again sums = {.runtime = runtime};
    again sorts = {.runtime = runtime};
    if (clprim_reduce_create(&sums.plan, runtime, &sum) != CLPRIM_SUCCESS ||
        clprim_radix_sort_create(&sorts.plan, runtime, &sort) != CLPRIM_SUCCESS) {
        clprim_plan_destroy(sums.plan);
        clprim_runtime_destroy(runtime);
        cr_skip_test("a device without these variants");
    }
    for (int i = 0; i < CALLS_BEFORE + 3; i++) {
        const faults_report once = call_again(&sums, &sum_of, sizeof sum_of);
        const faults_report passes = call_again(&sorts, &sort_of, sizeof sort_of);
        if (i < CALLS_BEFORE)
            continue;
        cr_assert_eq(once.pending, 1);
        cr_assert_eq(once.calls, QUERIES + 2 + 2 /* the numbers */ + 1, "%u calls of a sum", once.calls);
        /* The input of a count of the keys; input and output of the passes; the numbers of each launch. */
        cr_assert_eq(passes.calls, QUERIES + 1 + 2 + 2 * passes.pending + passes.pending,
                     "%u calls of a sort of %u launches", passes.calls, passes.pending);
    }
    again_destroy(&sums);
    again_destroy(&sorts);
    clprim_runtime_destroy(runtime);
}
