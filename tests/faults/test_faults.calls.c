/* test_faults.calls.c: calls whose wait list fails. They fail, and nothing else does: neither what takes the runtime's
 * scratch memory after them, nor the next call of the same plan. */
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

/* A call that fails, for its wait list does. */
static void call_in_vain(const test_call *call, caller *self)
{
    faults_hold_back(clprim_runtime_context(call->runtime));
    ASSERT_OK(call->face->enqueue(self->plan, self->queue, call->call.bytes, 0, NULL, &self->done));
    faults_fail_held_back();
    cr_assert_neq(clWaitForEvents(1, &self->done), CL_SUCCESS, "%s: the call does not fail", call->name);
}

/* A call that waits for nothing that has failed. That is looked at first: PoCL would wait without end. */
static void call_right(const test_call *call, caller *self, const char *what)
{
    cl_event done = NULL;
    test_call_reset(call);
    ASSERT_OK(call->face->enqueue(self->plan, self->queue, call->call.bytes, 0, NULL, &done));
    cr_assert_eq(faults_waits_for_failed(), 0, "%s, %s: it waits for a call that has failed", call->name, what);
    test_wait(done);
    test_call_expect_right(call, what);
}

/* In turn on queues that keep order and on those that do not. */
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
