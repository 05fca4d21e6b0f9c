// SPDX-License-Identifier: MIT
/* test_faults.c: whichever call of OpenCL or of the C library fails, each operation reports it with a status and an
 * error sentence, keeps the promises of clprim/plan.h, leaks nothing, and gives the right result the next time.
 * Operations, variants and data come from the operations' tables (contract/contract.h). */
#include "contract.h"
#include "shared.h"
#include "sweep.h"

enum {
    MANY_WAITS = 20 /* more events than fit the array that the library has on its stack */,
    MOST_CALLS = 120 /* calls of OpenCL at most, so that each of them can be made to fail */
};

/* A call, another call of the same plan, and what both are made from. */
typedef struct bench {
    test_call call;
    test_call other;
    const test_call *which; /* the call in use */
    test_shared shared[2];  /* the arrays of both calls in shared virtual memory */
    bool is_shared;         /* whether calls use these arrays */
    clprim_runtime *runtime;
    cl_command_queue queues[2]; /* the runtime's in-order queue (NULL), and an out-of-order queue */
    test_struct on_host;
    cl_mem scratch;
    int queue;
    cl_uint num_waits; /* the wait list: the gate's event, this many times */
    bool wants_event;
    cl_event gate;
    cl_event done;
} bench;

/* Enqueueing. */

static const test_shared *shared_of(const bench *b)
{
    return &b->shared[b->which == &b->other];
}

static void prepare_call(void *self)
{
    bench *b = self;
    test_call_reset(b->which);
    if (b->is_shared)
        test_shared_bring(shared_of(b));
    if (b->num_waits > 0)
        b->gate = test_gate(b->runtime);
}

static clprim_status run_call(void *self)
{
    bench *b = self;
    cl_event waits[MANY_WAITS];
    for (cl_uint i = 0; i < b->num_waits; i++)
        waits[i] = b->gate;
    const test_struct *call = b->is_shared ? &shared_of(b)->call : &b->which->call;
    return b->call.face->enqueue(b->call.plan, b->queues[b->queue], call->bytes, b->num_waits,
                                 b->num_waits > 0 ? waits : NULL, b->wants_event ? &b->done : NULL);
}

/* The operation's own event says when it is complete. A lost device runs nothing any more. A device that only seems to
 * be lost still runs the commands that were enqueued, and they read the arrays that the test writes next. A sort whose
 * keys change while it runs writes to arbitrary places. */
static void finish_call(void *self)
{
    bench *b = self;
    if (b->gate != NULL) {
        test_gate_open(b->gate);
        b->gate = NULL;
    }
    if (b->done != NULL) {
        test_wait(b->done);
        b->done = NULL;
    } else {
        ASSERT_CL(clFinish(clprim_runtime_queue(b->runtime)));
        ASSERT_CL(clFinish(b->queues[1]));
    }
    if (b->is_shared)
        test_shared_return(shared_of(b));
}

static bool is_right(void *self)
{
    const bench *b = self;
    test_call_expect_right(b->which, sweep_fault());
    return true;
}

/* Adjust what is expected of a failed call: it writes at most to the places to which a successful one writes. */
static test_call failed(const test_call *call)
{
    test_call copy = *call;
    copy.is_unspecified = true;
    return copy;
}

static bool is_kept(void *self, const faults_report *report)
{
    const bench *b = self;
    const test_call without_result = failed(&b->call);
    (void)report;
    test_call_expect_right(&without_result, sweep_fault());
    return true;
}

/* Call the plan in the other queue, so that the call has to wait for the earlier commands. Then call it in the same
 * queue with other elements, which shows whether state that a plan keeps for one call is still there in the next. */
static bool recover_call(void *self)
{
    bench *b = self;
    for (int i = 0; i < 2; i++) {
        b->which = i == 0 ? &b->call : &b->other;
        b->queue = !b->queue;
        prepare_call(b);
        const clprim_status status = run_call(b);
        const bool has_event = b->done != NULL;
        finish_call(b);
        if (status != CLPRIM_SUCCESS)
            return sweep_wrong("then fails%s: %s", i == 1 ? " with other elements" : "", clprim_last_error());
        if (has_event != b->wants_event)
            return sweep_wrong("then gives %s event", b->wants_event ? "no" : "an");
        (void)is_right(b);
    }
    b->which = &b->call;
    return true;
}

static bool supply_scratch(bench *b)
{
    size_t size = 0;
    if (b->scratch == NULL) {
        ASSERT_OK(clprim_plan_scratch_size(&size, b->call.plan, b->call.call.bytes));
        b->scratch = size > 0 ? test_buffer(b->runtime, size) : NULL;
    }
    ASSERT_OK(clprim_plan_set_scratch(b->call.plan, b->scratch));
    return b->scratch != NULL;
}

static void sweep_enqueue(bench *b, bool all)
{
    static const struct {
        int queue;
        cl_uint num_waits;
        bool wants_event, is_supplied, is_shared;
        unsigned way;
    } rows[] = {{1, 1, true, false, false, SWEEP_CALLS},  {1, MANY_WAITS, false, false, false, SWEEP_MEMORY},
                {0, 0, false, false, false, SWEEP_CALLS}, {0, 1, true, false, false, SWEEP_LOST},
                {1, 1, true, false, true, SWEEP_CALLS},   {0, 0, false, false, true, SWEEP_LOST},
                {1, 1, false, true, false, SWEEP_CALLS},  {0, 0, true, true, false, SWEEP_LOST}};
    for (size_t i = 0; i < (all ? sizeof rows / sizeof *rows : 2); i++) {
        /* These references are taken after the commands were enqueued. If they are refused, the library finds another
         * way. The same holds if it asks for more scratch memory than it needs. */
        const sweep s = {.name = b->call.name,
                         .ways = rows[i].way,
                         .may_make_none = rows[i].way == SWEEP_MEMORY,
                         .tolerated = "clRetainEvent clRetainCommandQueue clCreateBuffer",
                         .self = b,
                         .out = rows[i].wants_event ? &b->done : NULL,
                         .prepare = prepare_call,
                         .run = run_call,
                         .finish = finish_call,
                         .is_kept = is_kept,
                         .is_right = is_right,
                         .recover = recover_call};
        b->queue = rows[i].queue;
        b->num_waits = rows[i].num_waits;
        b->wants_event = rows[i].wants_event;
        b->is_shared = rows[i].is_shared;
        if ((b->is_shared && b->shared[0].self == NULL) || (rows[i].is_supplied && !supply_scratch(b)))
            continue;
        const char *wrong = sweep_run(&s);
        cr_assert_null(wrong, "way %zu: %s", i, wrong);
    }
    b->num_waits = 0;
    b->wants_event = false;
    b->is_shared = false;
}

/* Setting scratch memory. */

static clprim_status run_set_scratch(void *self)
{
    bench *b = self;
    return clprim_plan_set_scratch(b->call.plan, b->scratch);
}

/* Creating plans whose programs are in memory. */

static clprim_status run_create(void *self)
{
    bench *b = self;
    return b->call.face->create(&b->call.plan, b->runtime, b->call.desc.bytes);
}

static void clear_plan(void *self)
{
    bench *b = self;
    clprim_plan_destroy(b->call.plan);
    b->call.plan = NULL;
}

/* Calls with arrays on the host. */

static void prepare_host(void *self)
{
    bench *b = self;
    b->on_host = test_call_on_host(&b->call);
}

static clprim_status run_host(void *self)
{
    bench *b = self;
    return test_call_run(&b->call, &b->on_host);
}

static bool host_is_right(void *self)
{
    bench *b = self;
    test_call_expect_on_host(&b->call, sweep_fault(), true);
    return true;
}

/* A part of the result may be there only if copying it back failed. */
static bool host_is_kept(void *self, const faults_report *report)
{
    bench *b = self;
    const test_call without_result = failed(&b->call);
    if (report->pending > 0 && !report->is_lost)
        return sweep_wrong("%u commands may still use the arrays", report->pending);
    test_call_expect_on_host(&without_result, sweep_fault(), strcmp(report->name, "clEnqueueReadBuffer") == 0);
    return true;
}

/* The same with arrays in shared virtual memory. */

static clprim_status run_shared(void *self)
{
    bench *b = self;
    return test_call_run(&b->call, &b->shared[0].call);
}

static bool shared_is_kept(void *self, const faults_report *report)
{
    if (report->pending > 0 && !report->is_lost)
        return sweep_wrong("%u commands may still use the arrays", report->pending);
    return is_kept(self, report);
}

static void sweep_shared(bench *b)
{
    const sweep s = {.name = b->call.name,
                     .ways = SWEEP_CALLS | SWEEP_LOST,
                     .tolerated = "clWaitForEvents clRetainEvent clRetainCommandQueue clCreateBuffer",
                     .self = b,
                     .prepare = prepare_call,
                     .run = run_shared,
                     .finish = finish_call,
                     .is_kept = shared_is_kept,
                     .is_right = is_right};
    if (b->shared[0].self == NULL)
        return;
    b->is_shared = true;
    sweep_expect(&s);
    b->is_shared = false;
}

/* All of these checks. */

/* How many calls of OpenCL a call of the plan makes when its scratch memory is already there. */
static unsigned calls_of(const test_call *call)
{
    const faults_order none = {.group = FAULTS_OPENCL};
    test_call_check(call, "before any fault");
    test_call_reset(call);
    faults_arm(&none);
    const clprim_status status = test_call_enqueue(call, &call->call);
    const unsigned calls = faults_disarm().calls;
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", call->name, clprim_last_error());
    ASSERT_CL(clFinish(clprim_runtime_queue(call->runtime)));
    return calls;
}

/* The call has few elements if one with more elements makes too many calls of OpenCL, but very many if these take
 * another path. */
static bool create_calls(bench *b, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static const size_t counts[] = {100, 5000, 40000};
    size_t best = 0;
    unsigned before = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!contract_create(&b->call, b->runtime, subject, sample, variant, counts[i], 5))
            return false;
        const unsigned calls = calls_of(&b->call);
        test_call_destroy(&b->call);
        if (calls <= (test_is_full() ? 2 : 1) * MOST_CALLS && (i == 1 || calls > before))
            best = i;
        before = calls;
    }
    cr_assert(contract_create(&b->call, b->runtime, subject, sample, variant, counts[best], 5));
    cr_assert(contract_create(&b->other, b->runtime, subject, sample, variant, counts[best] - 3, 6));
    return true;
}

static bool survives(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static bench b;
    const bool all = (variant == 0 && sample == 0) || test_is_full();
    b = (bench){.runtime = runtime, .which = &b.call};
    if (!create_calls(&b, subject, sample, variant))
        return false;
    b.queues[1] = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int i = 0; i < 2 && all && test_has_svm(runtime, false); i++)
        test_shared_create(&b.shared[i], i == 0 ? &b.call : &b.other, false, false);
    sweep_enqueue(&b, all);
    const sweep set_scratch = {.name = b.call.name, .self = &b, .run = run_set_scratch, .recover = recover_call};
    if (supply_scratch(&b))
        sweep_expect(&set_scratch);
    clear_plan(&b);
    const sweep create = {.name = b.call.name,
                          .ways = SWEEP_CALLS | SWEEP_MEMORY | (all ? SWEEP_LOST : 0),
                          .self = &b,
                          .out = &b.call.plan,
                          .run = run_create,
                          .is_right = recover_call,
                          .clear = clear_plan};
    sweep_expect(&create);
    const sweep host = {.name = b.call.name,
                        .ways = SWEEP_CALLS | (all ? SWEEP_MEMORY | SWEEP_LOST : 0),
                        .tolerated = "clWaitForEvents clRetainEvent clRetainCommandQueue clCreateBuffer",
                        .self = &b,
                        .prepare = prepare_host,
                        .run = run_host,
                        .finish = finish_call,
                        .is_kept = host_is_kept,
                        .is_right = host_is_right};
    sweep_expect(&host);
    sweep_shared(&b);
    for (int i = 0; i < 2; i++)
        test_shared_destroy(&b.shared[i]);
    test_call_destroy(&b.other);
    test_call_destroy(&b.call);
    if (b.scratch != NULL)
        ASSERT_CL(clReleaseMemObject(b.scratch));
    ASSERT_CL(clReleaseCommandQueue(b.queues[1]));
    return true;
}

TEST_EACH(faults, every_operation_survives, contract_num_cases(), .timeout = 1700)
{
    const contract_case at = contract_case_at(*number);
    clprim_runtime *runtime = test_runtime(NULL);
    (void)contract_run_case(runtime, &at, survives);
    clprim_runtime_destroy(runtime);
    sweep_expect_no_leaks();
}

#define ONE(name) 1 +

/* These calls have other arrays in addition: one that an expression reads, and a count that is read on the device. */
TEST_EACH(faults, every_operation_survives_with_expressions_and_counts, CLPRIM_OPERATIONS(ONE) 0, .timeout = 1700)
{
    size_t count = 0;
    const clprim__trial_subject *subject = clprim__operation_subjects(&count)[*number];
    clprim_runtime *runtime = test_runtime(NULL);
    if (test_is_sampled(subject->stem))
        (void)survives(runtime, subject, CONTRACT_GIVEN, 0);
    clprim_runtime_destroy(runtime);
    sweep_expect_no_leaks();
}
