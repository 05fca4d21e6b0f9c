/* test_faults.calls.c: calls whose wait list fails, and calls whose scratch memory is too small, or more than there can
 * be. They fail, and nothing else does: neither what takes the runtime's scratch memory after them, nor the next call
 * of the same plan. */
#define _XOPEN_SOURCE 700
#include <criterion/parameterized.h>
#include <stdlib.h>

#include "faults/faults.h"
#include "support.h"
#include "test_faults.h"

enum { CALLS = 8 /* as many buffers as the runtime's pool keeps */, SLOTS = 3 };

typedef struct crowd {
    const faults_subject *subject;
    clprim_runtime *runtime;
    faults_arrays arrays;
    cl_mem in[SLOTS], out[SLOTS];
    size_t bytes; /* of each array */
    unsigned char *poison;
    unsigned char *expected[SLOTS];
    unsigned char *seen;
} crowd;

typedef struct caller {
    void *plan;
    cl_command_queue queue;
    cl_event done;
} caller;

static void crowd_create(crowd *c, const faults_subject *subject)
{
    uint64_t random = TEST_SEED;
    *c = (crowd){.subject = subject, .runtime = test_runtime(NULL)};
    c->bytes = (2 * FAULTS_AT + subject->n) * sizeof(uint64_t);
    c->poison = test_allocate(c->bytes);
    c->seen = test_allocate(c->bytes);
    for (int i = 0; i < SLOTS; i++) {
        uint32_t *data = (uint32_t *)(void *)c->seen;
        memset(c->seen, 0, c->bytes);
        for (size_t k = 0; k < subject->n; k++) /* in order, or any small numbers; or segments' offsets */
            data[FAULTS_AT + k] = subject->is_ordered ? (uint32_t)k : (uint32_t)test_random_below(&random, 100);
        for (size_t k = 0; i == 2 && k <= FAULTS_SEGMENTS; k++)
            data[FAULTS_AT + k] = (uint32_t)(subject->n * k / FAULTS_SEGMENTS);
        c->in[i] = test_upload(c->runtime, c->seen, c->bytes);
        c->out[i] = test_buffer(c->runtime, c->bytes);
        c->expected[i] = test_allocate(c->bytes);
    }
    memset(c->poison, 0xa5, c->bytes);
    c->arrays.n = subject->n;
    c->arrays.device.keys = c->in[0];
    c->arrays.device.values = c->in[1];
    c->arrays.device.offsets = c->in[2];
    c->arrays.device.keys_out = c->out[0];
    c->arrays.device.values_out = c->out[1];
    c->arrays.device.number = c->out[2];
}

static void crowd_destroy(crowd *c)
{
    for (int i = 0; i < SLOTS; i++) {
        ASSERT_CL(clReleaseMemObject(c->in[i]));
        ASSERT_CL(clReleaseMemObject(c->out[i]));
        free(c->expected[i]);
    }
    free(c->poison);
    free(c->seen);
    clprim_runtime_destroy(c->runtime);
}

static void poison_outputs(const crowd *c)
{
    for (int i = 0; i < SLOTS; i++)
        test_write(c->runtime, c->out[i], c->poison, c->bytes);
}

static void expect_outputs(const crowd *c, const char *what)
{
    for (int i = 0; i < SLOTS; i++) {
        test_read(c->runtime, c->seen, c->out[i], c->bytes);
        test_expect_same(c->expected[i], c->seen, 1, c->bytes, what);
    }
}

static caller caller_create(const crowd *c, bool in_order)
{
    caller self = {.queue = test_queue(c->runtime, in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    ASSERT_OK(c->subject->create(&self.plan, c->runtime));
    return self;
}

static void caller_destroy(const crowd *c, caller *self)
{
    c->subject->destroy(self->plan);
    if (self->done != NULL)
        ASSERT_CL(clReleaseEvent(self->done));
    ASSERT_CL(clReleaseCommandQueue(self->queue));
}

/* A call that fails, for its wait list does: nothing was written. */
static void call_in_vain(const crowd *c, caller *self)
{
    cl_int code = CL_SUCCESS;
    cl_int state = CL_COMPLETE;
    cl_event gate = clCreateUserEvent(clprim_runtime_context(c->runtime), &code);
    ASSERT_CL(code);
    ASSERT_OK(c->subject->enqueue(self->plan, self->queue, &c->arrays, 1, &gate, &self->done));
    ASSERT_CL(clFlush(self->queue));
    ASSERT_CL(clSetUserEventStatus(gate, -5));
    cr_assert_neq(clWaitForEvents(1, &self->done), CL_SUCCESS);
    ASSERT_CL(clGetEventInfo(self->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    cr_assert_lt(state, 0, "%s: the call does not fail", c->subject->name);
    ASSERT_CL(clReleaseEvent(gate));
}

/* A call that waits for nothing that has failed. That is looked at first: PoCL would wait without end. */
static void call_right(const crowd *c, caller *self, const char *what)
{
    cl_event done = NULL;
    poison_outputs(c);
    ASSERT_OK(c->subject->enqueue(self->plan, self->queue, &c->arrays, 0, NULL, &done));
    cr_assert_eq(faults_waits_for_failed(), 0, "%s, %s: it waits for a call that has failed", c->subject->name, what);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    expect_outputs(c, what);
}

static void learn(crowd *c)
{
    caller first = caller_create(c, false);
    poison_outputs(c);
    ASSERT_OK(c->subject->enqueue(first.plan, first.queue, &c->arrays, 0, NULL, &first.done));
    ASSERT_CL(clWaitForEvents(1, &first.done));
    for (int i = 0; i < SLOTS; i++)
        test_read(c->runtime, c->expected[i], c->out[i], c->bytes);
    caller_destroy(c, &first);
}

ParameterizedTestParameters(faults, a_failed_wait_list_harms_no_other_call)
{
    static size_t places[64];
    for (size_t i = 0; i < faults_num_subjects; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, faults_num_subjects);
}

/* The layer keeps all events, without which PoCL 3.1 aborts when a wait list fails (docs/reliability.md): what is tried
 * here is the library, not that. In turn on queues that keep order and on those that do not. */
ParameterizedTest(size_t *place, faults, a_failed_wait_list_harms_no_other_call, .timeout = 600)
{
    crowd c;
    caller failed[CALLS];
    if (faults_subjects[*place].is_costly && !test_is_full())
        cr_skip_test("%s: costly to compile", faults_subjects[*place].name);
    crowd_create(&c, &faults_subjects[*place]);
    learn(&c);
    poison_outputs(&c);
    faults_keep_events(true);
    for (size_t i = 0; i < CALLS; i++) {
        failed[i] = caller_create(&c, i % 2 == 1);
        call_in_vain(&c, &failed[i]);
    }
    for (int i = 0; i < SLOTS; i++) {
        test_read(c.runtime, c.seen, c.out[i], c.bytes);
        test_expect_same(c.poison, c.seen, 1, c.bytes, "a call that failed");
    }
    for (size_t i = 0; i < CALLS; i++) {
        caller fresh = caller_create(&c, i % 2 == 1);
        call_right(&c, &fresh, "a new plan");
        caller_destroy(&c, &fresh);
    }
    for (size_t i = 0; i < CALLS; i += 2)
        call_right(&c, &failed[i], "the same plan");
    for (size_t i = 0; i < CALLS; i++)
        caller_destroy(&c, &failed[i]);
    faults_keep_events(false);
    crowd_destroy(&c);
}

ParameterizedTestParameters(faults, scratch_memory_has_one_size)
{
    static size_t places[64];
    for (size_t i = 0; i < faults_num_subjects; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, faults_num_subjects);
}

/* From the subject's own count on: more elements never take less, and where the bytes fit no size_t, it says so. */
static void check_sizes(const crowd *c, const caller *self)
{
    enum { BITS = 8 * sizeof(size_t) };
    size_t counts[3 * BITS];
    size_t num_counts = 0;
    size_t before = 0;
    bool is_refused = false;
    for (unsigned bit = 0; bit < BITS; bit++)
        for (size_t more = 0; more < 3 && (size_t)1 << bit > c->subject->n; more++)
            counts[num_counts++] = ((size_t)1 << bit) + more - 1;
    counts[num_counts++] = SIZE_MAX - 1;
    counts[num_counts++] = SIZE_MAX;
    for (size_t i = 0; i < num_counts; i++) {
        const char *name = c->subject->name;
        size_t bytes = 77;
        const clprim_status status = c->subject->scratch_size(&bytes, self->plan, counts[i]);
        if (status != CLPRIM_SUCCESS) {
            cr_assert(status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_INVALID_RANGE, "%s", name);
            cr_assert_eq(bytes, 77, "%s: the size was written", name);
            cr_assert(strstr(clprim_last_error(), "scratch memory") != NULL ||
                          strstr(clprim_last_error(), "max_count") != NULL,
                      "%s: %s", name, clprim_last_error());
            is_refused = true;
            continue;
        }
        cr_assert_not(is_refused, "%s: %zu elements take %zu bytes, fewer were refused", name, counts[i], bytes);
        cr_assert_geq(bytes, before, "%s: %zu elements take %zu bytes, fewer take %zu", name, counts[i], bytes, before);
        before = bytes;
    }
}

/* With `bytes` bytes of the caller's. */
static clprim_status call_with(const crowd *c, caller *self, size_t bytes)
{
    cl_mem scratch = test_buffer(c->runtime, bytes);
    ASSERT_OK(c->subject->set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    poison_outputs(c);
    const clprim_status status = c->subject->enqueue(self->plan, self->queue, &c->arrays, 0, NULL, &self->done);
    ASSERT_CL(clFinish(self->queue));
    return status;
}

ParameterizedTest(size_t *place, faults, scratch_memory_has_one_size, .timeout = 600)
{
    crowd c;
    size_t bytes = 0;
    if (faults_subjects[*place].scratch_size == NULL || (faults_subjects[*place].is_costly && !test_is_full()))
        cr_skip_test("%s: no scratch memory, or costly to compile", faults_subjects[*place].name);
    crowd_create(&c, &faults_subjects[*place]);
    learn(&c);
    caller self = caller_create(&c, false);
    check_sizes(&c, &self);
    ASSERT_OK(c.subject->scratch_size(&bytes, self.plan, c.subject->n));
    if (bytes > 1) {
        ASSERT_STATUS(call_with(&c, &self, bytes - 1), CLPRIM_INVALID_SCRATCH);
        cr_assert_null(self.done);
        for (int i = 0; i < SLOTS; i++) {
            test_read(c.runtime, c.seen, c.out[i], c.bytes);
            test_expect_same(c.poison, c.seen, 1, c.bytes, "refused");
        }
        ASSERT_OK(call_with(&c, &self, bytes));
        expect_outputs(&c, "with just as much scratch memory as it takes");
    }
    caller_destroy(&c, &self);
    crowd_destroy(&c);
}
