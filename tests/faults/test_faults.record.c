// SPDX-License-Identifier: MIT
/* test_faults.record.c: whichever call fails while an operation is recorded into a command buffer, the operation
 * reports it and leaks nothing. The plan can then be recorded into another command buffer, whose replays are right. */
#include "commands.h"
#include "contract.h"
#include "sweep.h"

enum { COUNT = 5000 };

typedef struct recorder {
    test_call call;
    cl_command_queue queue;
    test_commands commands;
    bool is_recorded; /* the plan was recorded, and takes no more calls */
    union {
        cl_uint point;
        void *whole;
    } done;
} recorder;

static void drop_commands(void *self)
{
    recorder *r = self;
    test_commands_release(&r->commands);
}

/* Make a plan and a new command buffer, unless the last plan can still be used. */
static void prepare(void *self)
{
    recorder *r = self;
    if (r->is_recorded) {
        clprim_plan_destroy(r->call.plan);
        r->call.plan = NULL;
        ASSERT_OK(r->call.face->create(&r->call.plan, r->call.runtime, r->call.desc.bytes));
    }
    r->is_recorded = false;
    r->commands = test_commands_begin(r->call.runtime, r->queue);
}

static clprim_status run(void *self)
{
    recorder *r = self;
    const clprim_status status =
        clprim_plan_record(r->call.plan, r->commands.buffer, r->call.call.bytes, 0, NULL, &r->done.point);
    r->is_recorded = status == CLPRIM_SUCCESS;
    return status;
}

static bool is_right(void *self)
{
    recorder *r = self;
    test_commands_finalize(&r->commands);
    for (int i = 0; i < 2; i++) {
        test_call_reset(&r->call);
        test_commands_replay(&r->commands);
        test_call_expect_right(&r->call, sweep_fault());
    }
    return true;
}

/* The plan is first enqueued: what the failed recording left in the plan's memory must not have an effect. */
static bool recover(void *self)
{
    recorder *r = self;
    if (r->is_recorded)
        return true;
    test_call_reset(&r->call);
    if (test_call_enqueue(&r->call, &r->call.call) != CLPRIM_SUCCESS)
        return sweep_wrong("then cannot be enqueued: %s", clprim_last_error());
    ASSERT_CL(clFinish(clprim_runtime_queue(r->call.runtime)));
    test_call_expect_right(&r->call, sweep_fault());
    prepare(r);
    const bool good = run(r) == CLPRIM_SUCCESS ? is_right(r) : sweep_wrong("then fails: %s", clprim_last_error());
    drop_commands(r);
    return good;
}

static bool survives(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    static recorder r;
    r = (recorder){.queue = test_queue(runtime, 0)};
    const bool is_there = contract_create(&r.call, runtime, subject, sample, variant, COUNT, 8);
    const sweep s = {.name = r.call.name,
                     .ways = SWEEP_CALLS | SWEEP_LOST | SWEEP_MEMORY,
                     .instead = CLPRIM_UNSUPPORTED, /* if a function of the extension is missing */
                     .self = &r,
                     .out = &r.done,
                     .prepare = prepare,
                     .run = run,
                     .is_right = is_right,
                     .clear = drop_commands,
                     .recover = recover};
    if (is_there) {
        sweep_expect(&s);
        test_call_destroy(&r.call);
    }
    ASSERT_CL(clReleaseCommandQueue(r.queue));
    return is_there;
}

FAULTS_TEST(recordings_survive)
{
    clprim_runtime *runtime = test_runtime(NULL);
    const bool has_commands = clprim_runtime_info(runtime)->has_command_buffers;
    clprim_runtime_destroy(runtime);
    if (has_commands)
        contract_for_each(CONTRACT_OPERATIONS, survives);
}
