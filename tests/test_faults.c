/* test_faults.c: whatever call of OpenCL's or of the C library's fails, each operation says so in a status and a
 * sentence, keeps what its header promises, leaks nothing, and is right the next time. */
#define _XOPEN_SOURCE 700
#include "test_faults.h"

#include <criterion/parameterized.h>
#include <stdlib.h>

#include "faults/sweep.h"
#include "support.h"

enum {
    SLOTS = 3,
    MANY_WAITS = 20 /* more than fit the library's stack */,
    POISON = 0xa5,
    OTHER_POISON = 0x3c,
    GUARD = 64 /* bytes around arrays on the host */
};

/* A subject at work. Slots of inputs: keys, values, offsets; of outputs: keys_out, values_out, number. */
typedef struct bench {
    const faults_subject *subject;
    clprim_runtime *runtime;
    cl_command_queue queues[2]; /* in-order: the runtime's (NULL), and out-of-order */
    faults_arrays arrays;
    cl_mem buffers[2][SLOTS];
    unsigned char *host[2][SLOTS];
    unsigned char *inputs[SLOTS];   /* what the inputs hold */
    unsigned char *expected[SLOTS]; /* what the outputs hold afterwards... */
    bool *is_written[SLOTS];        /* ... of which these bytes were written */
    unsigned char *seen;
    size_t bytes; /* of each array */
    void *plan;
    cl_mem scratch;
    cl_mem zeros; /* as many bytes */
    /* How the call at hand is made. */
    int queue;
    cl_uint num_waits; /* for the gate, as often */
    bool wants_event;
    bool is_lost; /* the device */
    cl_event gate;
    cl_event done;
    clprim_status status;
} bench;

static char no_event; /* its address is no event's */

static void *allocate(size_t bytes)
{
    void *block = calloc(1, bytes);
    cr_assert_not_null(block);
    return block;
}

/* Keys are small and come in short runs; of no number is any byte that of a poison, but by addition. */
static void fill_inputs(bench *b)
{
    uint64_t random = TEST_SEED;
    const size_t n = b->subject->n;
    uint32_t *keys = (uint32_t *)b->inputs[0] + FAULTS_AT;
    uint32_t *values = (uint32_t *)b->inputs[1] + FAULTS_AT;
    uint32_t *offsets = (uint32_t *)b->inputs[2] + FAULTS_AT;
    for (size_t i = 0; i < n; i++) {
        const uint32_t key = (uint32_t)test_random_below(&random, 7);
        /* For sorts two digits with opposite orders, also as 16 bits. */
        const uint32_t high = b->subject->sorts ? (6 - key) << 8 | key << 16 | (6 - key) << 24 : 0;
        keys[i] = i > 0 && test_random_below(&random, 3) == 0 ? keys[i - 1] : high + key;
        if (b->subject->is_ordered)
            keys[i] = (uint32_t)(7 * i / n);
        values[i] = (uint32_t)test_random(&random) & 0x03030303U;
    }
    for (size_t i = 0; i <= FAULTS_SEGMENTS; i++)
        offsets[i] = (uint32_t)(n * i / FAULTS_SEGMENTS);
}

static void bench_create(bench *b, const faults_subject *subject)
{
    *b = (bench){.subject = subject, .runtime = test_runtime(NULL)};
    b->bytes = (2 * FAULTS_AT + subject->n) * sizeof(uint64_t);
    b->queues[1] = test_queue(b->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    b->seen = allocate(b->bytes);
    for (int i = 0; i < SLOTS; i++) {
        b->inputs[i] = allocate(b->bytes);
        b->expected[i] = allocate(b->bytes);
        b->is_written[i] = allocate(b->bytes * sizeof(bool));
        b->host[0][i] = allocate(b->bytes + 2 * GUARD);
        b->host[1][i] = allocate(b->bytes + 2 * GUARD);
    }
    b->zeros = test_upload(b->runtime, b->seen, b->bytes);
    fill_inputs(b);
    for (int i = 0; i < SLOTS; i++) {
        b->buffers[0][i] = test_upload(b->runtime, b->inputs[i], b->bytes);
        b->buffers[1][i] = test_buffer(b->runtime, b->bytes);
    }
    b->arrays.n = subject->n;
    b->arrays.device.keys = b->buffers[0][0];
    b->arrays.device.values = b->buffers[0][1];
    b->arrays.device.offsets = b->buffers[0][2];
    b->arrays.device.keys_out = b->buffers[1][0];
    b->arrays.device.values_out = b->buffers[1][1];
    b->arrays.device.number = b->buffers[1][2];
    b->arrays.host.keys = b->host[0][0] + GUARD;
    b->arrays.host.values = b->host[0][1] + GUARD;
    b->arrays.host.offsets = b->host[0][2] + GUARD;
    b->arrays.host.keys_out = b->host[1][0] + GUARD;
    b->arrays.host.values_out = b->host[1][1] + GUARD;
    b->arrays.host.number = (size_t *)(void *)(b->host[1][2] + GUARD);
}

static void bench_destroy(bench *b)
{
    if (b->plan != NULL)
        b->subject->destroy(b->plan);
    for (int i = 0; i < SLOTS; i++) {
        free(b->inputs[i]);
        free(b->expected[i]);
        free(b->is_written[i]);
        for (int out = 0; out < 2; out++) {
            free(b->host[out][i]);
            ASSERT_CL(clReleaseMemObject(b->buffers[out][i]));
        }
    }
    if (b->scratch != NULL)
        ASSERT_CL(clReleaseMemObject(b->scratch));
    ASSERT_CL(clReleaseMemObject(b->zeros));
    free(b->seen);
    ASSERT_CL(clReleaseCommandQueue(b->queues[1]));
    clprim_runtime_destroy(b->runtime);
}

/* What is wrong between `create` of a bench and its end: nothing leaks. */
static void expect_no_leaks(const char *name)
{
    const char *wrong = sweep_leaks(name, 0, 0);
    cr_assert_null(wrong, "%s", wrong);
}

static void expect_sweep(const sweep *s)
{
    unsigned calls = 0;
    const char *wrong = sweep_run(s, &calls);
    cr_assert_null(wrong, "%s", wrong);
    cr_assert_gt(calls, 0, "%s: no call was made to fail", s->name);
}

/* Enqueueing. */

static void poison_outputs(bench *b, unsigned char poison)
{
    memset(b->seen, poison, b->bytes);
    for (int i = 0; i < SLOTS; i++)
        test_write(b->runtime, b->buffers[1][i], b->seen, b->bytes);
}

static void prepare_call(void *self)
{
    bench *b = self;
    cl_int code = CL_SUCCESS;
    poison_outputs(b, POISON);
    b->done = (cl_event)(void *)&no_event;
    if (b->num_waits > 0) {
        b->gate = clCreateUserEvent(clprim_runtime_context(b->runtime), &code);
        ASSERT_CL(code);
    }
}

static clprim_status run_call(void *self)
{
    bench *b = self;
    cl_event waits[MANY_WAITS];
    for (cl_uint i = 0; i < b->num_waits; i++)
        waits[i] = b->gate;
    b->status = b->subject->enqueue(b->plan, b->queues[b->queue], &b->arrays, b->num_waits,
                                    b->num_waits > 0 ? waits : NULL, b->wants_event ? &b->done : NULL);
    return b->status;
}

/* The operation's own event says when it is complete. */
static void finish_call(void *self)
{
    bench *b = self;
    const bool has_event = b->done != (cl_event)(void *)&no_event;
    if (b->gate != NULL) {
        ASSERT_CL(clSetUserEventStatus(b->gate, CL_COMPLETE));
        ASSERT_CL(clReleaseEvent(b->gate));
        b->gate = NULL;
    }
    if (has_event)
        ASSERT_CL(clWaitForEvents(1, &b->done));
    if (!has_event || b->status != CLPRIM_SUCCESS) {
        ASSERT_CL(clFinish(clprim_runtime_queue(b->runtime)));
        ASSERT_CL(clFinish(b->queues[1]));
    }
    if (has_event)
        ASSERT_CL(clReleaseEvent(b->done));
}

static const unsigned char *read_slot(bench *b, int out, int slot)
{
    test_read(b->runtime, b->seen, b->buffers[out][slot], b->bytes);
    return b->seen;
}

static bool inputs_are_kept(bench *b)
{
    for (int i = 0; i < SLOTS; i++)
        if (memcmp(read_slot(b, 0, i), b->inputs[i], b->bytes) != 0)
            return sweep_wrong("input %d has changed", i);
    return true;
}

static bool is_right(void *self)
{
    bench *b = self;
    if ((b->done == (cl_event)(void *)&no_event) == b->wants_event)
        return sweep_wrong("it gives %s event", b->wants_event ? "no" : "an");
    for (int i = 0; i < SLOTS; i++) {
        const unsigned char *is = read_slot(b, 1, i);
        for (size_t k = 0; k < b->bytes; k++)
            if (is[k] != (b->is_written[i][k] ? b->expected[i][k] : POISON))
                return sweep_wrong("byte %zu of output %d is not right", k, i);
    }
    return inputs_are_kept(b);
}

/* What a failed call may have written is what a successful one writes. */
static bool is_kept(void *self, const faults_report *report)
{
    bench *b = self;
    (void)report;
    if (b->done != (cl_event)(void *)&no_event)
        return sweep_wrong("the event was written");
    for (int i = 0; i < SLOTS; i++) {
        const unsigned char *is = read_slot(b, 1, i);
        for (size_t k = 0; k < b->bytes; k++)
            if (is[k] != POISON && (b->subject->keeps_output || !b->is_written[i][k]))
                return sweep_wrong("byte %zu of output %d was written", k, i);
    }
    return inputs_are_kept(b);
}

/* In the other queue, so that the call has what came before to wait for; and then in the same one with other elements,
 * so that what a plan keeps of one call shows where it stays for the next. */
static bool recover_call(void *self)
{
    bench *b = self;
    const faults_arrays arrays = b->arrays;
    bool right = true;
    for (int calls = 0; calls < 2 && right; calls++) {
        b->queue = !b->queue;
        if (calls == 1)
            b->arrays.device.keys = b->arrays.device.values = b->zeros;
        prepare_call(b);
        const clprim_status status = run_call(b);
        finish_call(b);
        right =
            status != CLPRIM_SUCCESS ? sweep_wrong("then fails: %s", clprim_last_error()) : calls == 1 || is_right(b);
    }
    b->arrays = arrays;
    return right;
}

/* Twice, with other bytes underneath: what is the same was written. */
static void learn_result(bench *b)
{
    for (int pass = 0; pass < 2; pass++) {
        poison_outputs(b, pass == 0 ? POISON : OTHER_POISON);
        ASSERT_OK(run_call(b));
        ASSERT_CL(clFinish(clprim_runtime_queue(b->runtime)));
        for (int i = 0; i < SLOTS; i++) {
            const unsigned char *is = read_slot(b, 1, i);
            for (size_t k = 0; k < b->bytes; k++)
                b->is_written[i][k] = pass == 0 ? is[k] != POISON : is[k] == b->expected[i][k];
            if (pass == 0)
                memcpy(b->expected[i], is, b->bytes);
        }
    }
}

static clprim_status create(bench *b)
{
    const clprim_status status = b->subject->create(&b->plan, b->runtime);
    cr_assert(status == CLPRIM_SUCCESS || status == CLPRIM_UNSUPPORTED, "%s: %s", b->subject->name,
              clprim_last_error());
    return status;
}

static void supply_scratch(bench *b)
{
    size_t size = 0;
    ASSERT_OK(b->subject->scratch_size(&size, b->plan, b->subject->n));
    if (size == 0)
        return;
    b->scratch = test_buffer(b->runtime, size);
    ASSERT_OK(b->subject->set_scratch(b->plan, b->scratch));
}

/* References that are taken once the work is under way: where they are refused the library finds another way. So it
 * does where it asks for more scratch memory than it needs. */
static const char *const replaced[] = {"clRetainEvent", "clRetainCommandQueue", "clCreateBuffer", NULL};

static sweep sweep_of(bench *b, const char *const *tolerated)
{
    return (sweep){.name = b->subject->name,
                   .tolerated = tolerated,
                   .self = b,
                   .prepare = prepare_call,
                   .run = run_call,
                   .finish = finish_call,
                   .is_kept = is_kept,
                   .is_right = is_right,
                   .recover = recover_call};
}

static void sweep_enqueue(bench *b)
{
    static const struct {
        int queue;
        cl_uint num_waits;
        bool wants_event, is_supplied, is_forever;
        faults_group group;
    } rows[] = {
        {0, 0, false, false, false, FAULTS_OPENCL}, {1, 1, true, false, false, FAULTS_OPENCL},
        {0, 1, true, false, true, FAULTS_OPENCL},   {1, MANY_WAITS, false, false, false, FAULTS_MEMORY},
        {1, 1, false, true, false, FAULTS_OPENCL},  {0, 0, true, true, true, FAULTS_OPENCL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sweep s = sweep_of(b, replaced);
        s.group = rows[i].group;
        s.is_forever = rows[i].is_forever;
        b->queue = rows[i].queue;
        b->num_waits = rows[i].num_waits;
        b->wants_event = rows[i].wants_event;
        if (rows[i].is_supplied && b->subject->set_scratch == NULL)
            continue;
        if (rows[i].is_supplied && b->scratch == NULL)
            supply_scratch(b);
        if (rows[i].is_supplied && b->scratch == NULL)
            continue; /* it takes none */
        const char *wrong = sweep_run(&s, NULL);
        cr_assert_null(wrong, "way %zu: %s", i, wrong);
    }
}

/* Setting scratch memory. */

static clprim_status run_set_scratch(void *self)
{
    bench *b = self;
    return b->subject->set_scratch(b->plan, b->scratch);
}

static void sweep_set_scratch(bench *b)
{
    const sweep s = {.name = b->subject->name, .self = b, .run = run_set_scratch, .recover = recover_call};
    if (b->subject->set_scratch == NULL)
        return;
    if (b->scratch == NULL)
        supply_scratch(b);
    if (b->scratch == NULL)
        return;
    expect_sweep(&s);
    ASSERT_OK(b->subject->set_scratch(b->plan, NULL));
}

/* Making plans, of which the programs are in memory. */

static clprim_status run_create(void *self)
{
    bench *b = self;
    b->plan = &no_event;
    return b->subject->create(&b->plan, b->runtime);
}

static bool plan_is_untouched(void *self, const faults_report *report)
{
    bench *b = self;
    (void)report;
    return b->plan == (void *)&no_event || sweep_wrong("the plan was written");
}

static bool plan_works(void *self)
{
    bench *b = self;
    const bool works = recover_call(b);
    b->subject->destroy(b->plan);
    b->plan = NULL;
    return works;
}

static bool recover_create(void *self)
{
    bench *b = self;
    b->plan = NULL;
    return create(b) == CLPRIM_SUCCESS && plan_works(b);
}

static void sweep_create(bench *b, faults_group group, bool is_forever)
{
    const sweep s = {.name = b->subject->name,
                     .group = group,
                     .is_forever = is_forever,
                     .self = b,
                     .run = run_create,
                     .is_kept = plan_is_untouched,
                     .is_right = plan_works,
                     .recover = is_forever ? NULL : recover_create};
    expect_sweep(&s);
}

/* From the host to the host. */

static void prepare_host(void *self)
{
    bench *b = self;
    for (int i = 0; i < SLOTS; i++) {
        memcpy(b->host[0][i] + GUARD, b->inputs[i] + FAULTS_AT * sizeof(uint32_t), b->bytes / 2);
        memset(b->host[1][i], POISON, b->bytes + 2 * GUARD);
        if (b->subject->sorts)
            memcpy(b->host[1][i] + GUARD, b->host[0][i] + GUARD, b->subject->n * sizeof(uint32_t));
    }
}

static clprim_status run_host(void *self)
{
    bench *b = self;
    return b->subject->host(b->runtime, &b->arrays);
}

static void learn_host(bench *b)
{
    prepare_host(b);
    ASSERT_OK(run_host(b));
    for (int i = 0; i < SLOTS; i++) {
        memcpy(b->expected[i], b->host[1][i] + GUARD, b->bytes);
        for (size_t k = 0; k < GUARD; k++)
            cr_assert_eq(b->host[1][i][k], POISON, "%s: a byte before output %d was written", b->subject->name, i);
    }
}

/* Of a device that is lost nothing runs any more; of one that only seems to be, what was enqueued still reads the
 * arrays that are written next. A sort whose keys change under its hands writes anywhere. */
static void finish_host(void *self)
{
    bench *b = self;
    ASSERT_CL(clFinish(clprim_runtime_queue(b->runtime)));
}

static bool host_inputs_are_kept(bench *b)
{
    for (int i = 0; i < SLOTS; i++)
        if (memcmp(b->host[0][i] + GUARD, b->inputs[i] + FAULTS_AT * sizeof(uint32_t), b->bytes / 2) != 0)
            return sweep_wrong("input %d has changed", i);
    return true;
}

static bool host_is_right(void *self)
{
    bench *b = self;
    for (int i = 0; i < SLOTS; i++)
        if (memcmp(b->host[1][i] + GUARD, b->expected[i], b->bytes) != 0)
            return sweep_wrong("output %d is not right", i);
    return host_inputs_are_kept(b);
}

/* Only where copying back fails may a part of it be there. */
static bool host_is_kept(void *self, const faults_report *report)
{
    bench *b = self;
    if (report->pending > 0 && !b->is_lost)
        return sweep_wrong("%u commands may still use the arrays", report->pending);
    for (int i = 0; i < SLOTS && strcmp(report->name, "clEnqueueReadBuffer") != 0; i++) {
        const size_t copied = b->subject->sorts ? b->subject->n * sizeof(uint32_t) : 0;
        if (memcmp(b->host[1][i] + GUARD, b->host[0][i] + GUARD, copied) != 0)
            return sweep_wrong("array %d was written", i);
        for (size_t k = copied; k < b->bytes; k++)
            if (b->host[1][i][GUARD + k] != POISON)
                return sweep_wrong("byte %zu of output %d was written", k, i);
    }
    return host_inputs_are_kept(b);
}

static bool recover_host(void *self)
{
    bench *b = self;
    prepare_host(b);
    return (run_host(b) == CLPRIM_SUCCESS || sweep_wrong("then fails: %s", clprim_last_error())) && host_is_right(b);
}

static void sweep_host(bench *b, faults_group group, bool is_forever)
{
    static const char *const tolerated[] = {"clWaitForEvents", "clRetainEvent", "clRetainCommandQueue",
                                            "clCreateBuffer", NULL};
    b->is_lost = is_forever;
    const sweep s = {.name = b->subject->name,
                     .group = group,
                     .is_forever = is_forever,
                     .tolerated = tolerated,
                     .self = b,
                     .prepare = prepare_host,
                     .run = run_host,
                     .finish = finish_host,
                     .is_kept = host_is_kept,
                     .is_right = host_is_right,
                     .recover = recover_host};
    expect_sweep(&s);
}

ParameterizedTestParameters(faults, every_operation_survives)
{
    static size_t places[64];
    for (size_t i = 0; i < faults_num_subjects; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, faults_num_subjects);
}

ParameterizedTest(size_t *place, faults, every_operation_survives, .timeout = 1700)
{
    bench b;
    if (faults_subjects[*place].is_costly && !test_is_full())
        cr_skip_test("%s: costly to compile", faults_subjects[*place].name);
    faults_forget();
    bench_create(&b, &faults_subjects[*place]);
    if (create(&b) == CLPRIM_SUCCESS) {
        learn_result(&b);
        sweep_enqueue(&b);
        sweep_set_scratch(&b);
        b.subject->destroy(b.plan);
        b.num_waits = 0;
        b.wants_event = false;
        sweep_create(&b, FAULTS_OPENCL, false);
        sweep_create(&b, FAULTS_MEMORY, false);
        sweep_create(&b, FAULTS_OPENCL, true);
        learn_host(&b);
        sweep_host(&b, FAULTS_OPENCL, false);
        sweep_host(&b, FAULTS_MEMORY, false);
        sweep_host(&b, FAULTS_OPENCL, true);
    }
    bench_destroy(&b);
    expect_no_leaks(faults_subjects[*place].name);
}
