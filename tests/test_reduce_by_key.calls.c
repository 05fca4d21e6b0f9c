/* test_reduce_by_key.calls.c: how a plan behaves among other work: queues, events, lifetimes, memory of its own or
 * of the caller's; arrays on the host, and the reference itself. */
#include <clprim/reduce_by_key.h>
#include <clprim/reference.h>
#include <stdlib.h>

#include "support.h"

/* A series of calls: growing and shrinking, with nothing to do in between. */
static const size_t counts[] = {20011, 1, 9001, 0, 16385, 256, 257, 4097, 12289, 2, 0, 20011};

enum { CALLS = sizeof counts / sizeof *counts, MAX_COUNT = 20011, MAX_OFFSET = 7, GAP = 64, POISON = 0xa5 };

/* What the calls read, where they write, and what must be there in the end. */
typedef struct series {
    clprim_runtime *runtime;
    clprim_reduce_by_key *plan;
    cl_mem keys_in, values_in, keys_out, values_out;
    cl_mem runs;          /* the number of call i at CALLS - i, between guards */
    size_t places[CALLS]; /* of both outputs */
    size_t room;
    uint8_t *expected_keys;
    uint64_t *expected_values;
    uint64_t *found;
    cl_ulong numbers[CALLS + 2];
} series;

/* False where the device cannot run it. */
static bool series_create(series *out, clprim_runtime *runtime, int variant)
{
    static uint8_t keys[MAX_COUNT + MAX_OFFSET];
    static uint16_t values[MAX_COUNT + MAX_OFFSET];
    series self = {.runtime = runtime, .room = GAP};
    const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U8,
                                            .type = CLPRIM_U16,
                                            .accumulator_type = CLPRIM_U64,
                                            .variant = (clprim_scan_variant)variant};
    const clprim_status status = clprim_reduce_by_key_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("skipped: %s", clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s", clprim_last_error());
    for (size_t i = 0; i < CALLS; i++) {
        self.places[i] = self.room;
        self.room += counts[i] + GAP + i % 3;
    }
    test_fill(keys, CLPRIM_U8, CLPRIM_MIN, TEST_RANDOM, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    test_make_runs(keys, sizeof *keys, TEST_RUNS_SHORT, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    test_fill(values, CLPRIM_U16, CLPRIM_SUM, TEST_RANDOM, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    self.expected_keys = malloc(self.room * sizeof *self.expected_keys);
    self.expected_values = malloc(self.room * sizeof *self.expected_values);
    self.found = malloc(self.room * sizeof *self.found);
    cr_assert(self.expected_keys != NULL && self.expected_values != NULL && self.found != NULL);
    memset(self.expected_keys, POISON, self.room * sizeof *self.expected_keys);
    memset(self.expected_values, POISON, self.room * sizeof *self.expected_values);
    memset(self.numbers, POISON, sizeof self.numbers);
    for (size_t i = 0; i < CALLS; i++) {
        size_t runs = 0;
        ASSERT_OK(clprim_reference_reduce_by_key(
            self.expected_keys + self.places[i], self.expected_values + self.places[i], &runs, sizeof *keys, CLPRIM_U16,
            CLPRIM_SUM, CLPRIM_U64, keys + i % MAX_OFFSET, values + i % 3, counts[i]));
        self.numbers[CALLS - i] = runs;
    }
    self.keys_in = test_upload(runtime, keys, sizeof keys);
    self.values_in = test_upload(runtime, values, sizeof values);
    self.keys_out = test_buffer(runtime, self.room * sizeof *self.expected_keys);
    self.values_out = test_buffer(runtime, self.room * sizeof *self.expected_values);
    self.runs = test_buffer(runtime, sizeof self.numbers);
    *out = self;
    return true;
}

static void series_destroy(series *self)
{
    clprim_reduce_by_key_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->keys_in));
    ASSERT_CL(clReleaseMemObject(self->values_in));
    ASSERT_CL(clReleaseMemObject(self->keys_out));
    ASSERT_CL(clReleaseMemObject(self->values_out));
    ASSERT_CL(clReleaseMemObject(self->runs));
    free(self->expected_keys);
    free(self->expected_values);
    free(self->found);
}

static void series_poison(const series *self)
{
    memset(self->found, POISON, self->room * sizeof *self->found);
    test_write(self->runtime, self->keys_out, self->found, self->room * sizeof *self->expected_keys);
    test_write(self->runtime, self->values_out, self->found, self->room * sizeof *self->found);
    test_write(self->runtime, self->runs, self->found, sizeof self->numbers);
}

static clprim_status series_call(const series *self, size_t i, cl_command_queue queue, cl_uint num_waits,
                                 const cl_event *waits, cl_event *done)
{
    return clprim_reduce_by_key_enqueue(self->plan, queue, self->keys_in, i % MAX_OFFSET, self->values_in, i % 3,
                                        counts[i], self->keys_out, self->places[i], self->values_out, self->places[i],
                                        self->runs, CALLS - i, num_waits, waits, done);
}

static void series_check(const series *self, const char *what)
{
    cl_ulong numbers[CALLS + 2];
    test_read(self->runtime, numbers, self->runs, sizeof numbers);
    test_expect_same(self->numbers, numbers, sizeof *numbers, CALLS + 2, what);
    test_read(self->runtime, self->found, self->keys_out, self->room * sizeof *self->expected_keys);
    test_expect_same(self->expected_keys, self->found, sizeof *self->expected_keys, self->room, what);
    test_read(self->runtime, self->found, self->values_out, self->room * sizeof *self->found);
    test_expect_same(self->expected_values, self->found, sizeof *self->found, self->room, what);
}

/* All calls at once on two queues, taking turns. */
static void series_run(const series *self, cl_command_queue first, cl_command_queue second, const char *what)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, 0, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, what);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_queues(const series *self, cl_command_queue in_order, cl_command_queue out_of_order)
{
    cl_command_queue other = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    series_run(self, in_order, in_order, "one in-order queue");
    series_run(self, in_order, out_of_order, "two queues");
    series_run(self, out_of_order, out_of_order, "one out-of-order queue");
    series_run(self, out_of_order, other, "two out-of-order queues");
    ASSERT_CL(clReleaseCommandQueue(other));
}

/* Nothing but the wait list holds a call back; its event comes when its result is there. */
static void check_waits(const series *self, cl_command_queue queue)
{
    cl_int code = CL_SUCCESS;
    cl_int state = CL_COMPLETE;
    cl_event start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    ASSERT_CL(code);
    for (size_t i = 0; i < CALLS; i += 3) { /* the second one, with i == 3, has no elements */
        cl_event done = NULL;
        cl_ulong number = 0;
        series_poison(self);
        ASSERT_OK(series_call(self, i, queue, 1, &start, &done));
        ASSERT_CL(clFlush(queue));
        ASSERT_CL(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "done before what it waits for");
        ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
        ASSERT_CL(clWaitForEvents(1, &done));
        ASSERT_CL(clReleaseEvent(done));
        ASSERT_CL(clEnqueueReadBuffer(clprim_runtime_queue(self->runtime), self->runs, CL_TRUE,
                                      (CALLS - i) * sizeof number, sizeof number, &number, 0, NULL, NULL));
        cr_assert_eq(number, self->numbers[CALLS - i], "call %zu", i);
        ASSERT_CL(clReleaseEvent(start));
        start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
        ASSERT_CL(code);
    }
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE)); /* NVIDIA's driver waits for those that are given up before */
    ASSERT_CL(clReleaseEvent(start));
}

/* Exactly as much of the caller's memory as it takes, in the middle of a buffer: nothing around it is written; one byte
 * less is refused, and nothing is written then; and back to the library's. */
static void check_scratch(const series *self, cl_command_queue first, cl_command_queue second)
{
    size_t bytes = 0;
    ASSERT_OK(clprim_reduce_by_key_scratch_size(&bytes, self->plan, MAX_COUNT));
    cr_assert_gt(bytes, 0);
    const size_t unit = clprim_runtime_info(self->runtime)->base_address_alignment;
    const size_t parent_bytes = unit + bytes + 4096;
    unsigned char *before = malloc(parent_bytes);
    unsigned char *after = malloc(parent_bytes);
    cr_assert(before != NULL && after != NULL);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(self->runtime, before, parent_bytes);
    for (size_t missing = 0; missing < 2; missing++) {
        const cl_buffer_region region = {unit, bytes - missing};
        cl_int code = CL_SUCCESS;
        cl_event never = NULL;
        cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        ASSERT_CL(code);
        ASSERT_OK(clprim_reduce_by_key_set_scratch(self->plan, scratch));
        ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
        if (missing == 0) {
            series_run(self, first, second, "supplied scratch");
            continue;
        }
        series_poison(self);
        ASSERT_STATUS(series_call(self, 0, first, 0, NULL, &never), CLPRIM_INVALID_SCRATCH);
        cr_assert_null(never);
        ASSERT_CL(clFinish(first));
        test_read(self->runtime, self->found, self->values_out, self->room * sizeof *self->found);
        for (size_t i = 0; i < self->room; i++)
            cr_assert_eq(self->found[i], UINT64_C(0xa5a5a5a5a5a5a5a5), "a refusal wrote value %zu", i);
    }
    test_read(self->runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, "around the scratch");
    ASSERT_OK(clprim_reduce_by_key_set_scratch(self->plan, NULL));
    series_run(self, first, second, "the library's scratch again");
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

Test(reduce_by_key_calls, queues_events_and_scratch, .timeout = 120)
{
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue in_order = test_queue(runtime, 0);
    cl_command_queue out_of_order = test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    static const int variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_LOOK_BACK};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        series calls;
        if (!series_create(&calls, runtime, variants[v]))
            continue;
        check_queues(&calls, in_order, out_of_order);
        check_waits(&calls, out_of_order);
        check_waits(&calls, in_order);
        check_scratch(&calls, in_order, out_of_order);
        series_destroy(&calls);
    }
    ASSERT_CL(clReleaseCommandQueue(in_order));
    ASSERT_CL(clReleaseCommandQueue(out_of_order));
    clprim_runtime_destroy(runtime);
}

/* The runtime is given up before the plan, the plan before its work has run. */
Test(reduce_by_key_calls, everything_lives_as_long_as_it_is_needed)
{
    clprim_runtime *own = test_runtime(NULL);
    cl_command_queue queue = test_queue(own, 0);
    const clprim_runtime_desc desc = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&desc);
    cl_int code = CL_SUCCESS;
    cl_event start = clCreateUserEvent(clprim_runtime_context(own), &code);
    ASSERT_CL(code);
    series calls;
    cr_assert(series_create(&calls, runtime, CLPRIM_SCAN_AUTO));
    series_poison(&calls);
    clprim_runtime_destroy(runtime);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(&calls, i, NULL, i == 0 ? 1 : 0, i == 0 ? &start : NULL, NULL));
    clprim_reduce_by_key_destroy(calls.plan);
    calls.plan = NULL;
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clFinish(queue));
    calls.runtime = own; /* of the same context, for reading */
    series_check(&calls, "after all was given up");
    series_destroy(&calls);
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(own);
}

/* Known by heart, so that not everything rests on one function. */
Test(reduce_by_key_calls, reference)
{
    static const int16_t keys[] = {5, 5, 5, -1, 5, 7, 7};
    static const uint8_t values[] = {200, 100, 1, 3, 9, 4, 6};
    static const int16_t expected_keys[] = {5, -1, 5, 7, 77};
    static const uint32_t sums[] = {301, 3, 9, 10, 99};
    int16_t keys_out[5] = {77, 77, 77, 77, 77};
    uint32_t out[5] = {99, 99, 99, 99, 99};
    clprim_indexed lowest[4];
    size_t runs = 99;
#define REFERENCE(keys_out, out, runs, size, op, in)                                                                   \
    clprim_reference_reduce_by_key(keys_out, out, runs, size, CLPRIM_U8, op, CLPRIM_U32, in, values, 7)
    ASSERT_STATUS(REFERENCE(NULL, out, &runs, 2, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, NULL, &runs, 2, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, NULL, 2, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 0, CLPRIM_SUM, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 2, CLPRIM_MIN, keys), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 2, CLPRIM_SUM, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(REFERENCE(keys_out, out, &runs, 2, CLPRIM_SUM, keys));
    cr_assert_eq(runs, 4);
    cr_assert(memcmp(keys_out, expected_keys, sizeof keys_out) == 0);
    cr_assert(memcmp(out, sums, sizeof out) == 0);
    ASSERT_OK(clprim_reference_reduce_by_key(keys_out, lowest, &runs, 2, CLPRIM_U8, CLPRIM_ARGMIN, CLPRIM_TYPE_DEFAULT,
                                             keys, values, 7));
    cr_assert(lowest[0].index == 2 && lowest[0].value.u8 == 1 && lowest[3].index == 5 && lowest[3].value.u8 == 4);
    ASSERT_OK(clprim_reference_reduce_by_key(NULL, NULL, &runs, 2, CLPRIM_U8, CLPRIM_SUM, CLPRIM_U8, NULL, NULL, 0));
    cr_assert_eq(runs, 0);
}

static void append(void *accumulated, const void *element)
{
    uint32_t digits = 0;
    uint32_t digit = 0;
    memcpy(&digits, accumulated, sizeof digits);
    memcpy(&digit, element, sizeof digit);
    digits = digits * 10 + digit;
    memcpy(accumulated, &digits, sizeof digits);
}

Test(reduce_by_key_calls, reference_of_custom_operators)
{
    static const uint8_t keys[] = {5, 5, 5, 1, 5};
    static const uint32_t values[] = {1, 2, 3, 4, 5};
    uint8_t keys_out[4] = {77, 77, 77, 77};
    uint32_t out[4] = {99, 99, 99, 99};
    size_t runs = 99;
#define CUSTOM(size, combine)                                                                                          \
    clprim_reference_reduce_by_key_custom(keys_out, out, &runs, 1, size, combine, keys, values, 5)
    ASSERT_STATUS(CUSTOM(0, append), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(CUSTOM(4, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(CUSTOM(4, append));
    cr_assert(runs == 3 && keys_out[0] == 5 && keys_out[1] == 1 && keys_out[2] == 5 && keys_out[3] == 77);
    cr_assert(out[0] == 123 && out[1] == 4 && out[2] == 5 && out[3] == 99);
}

Test(reduce_by_key_calls, arrays_on_the_host)
{
    static const size_t sizes[] = {0, 1, 2, 1000, MAX_COUNT};
    static uint8_t keys[MAX_COUNT + 1];
    static uint16_t values[MAX_COUNT + 1];
    static uint8_t keys_out[MAX_COUNT + 2];
    static uint64_t out[MAX_COUNT + 2];
    static uint8_t expected_keys[MAX_COUNT + 2];
    static uint64_t expected[MAX_COUNT + 2];
    const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U8, .type = CLPRIM_U16, .accumulator_type = CLPRIM_U64};
    clprim_runtime *runtime = test_runtime(NULL);
    test_fill(keys, CLPRIM_U8, CLPRIM_MIN, TEST_FEW_DISTINCT, MAX_COUNT + 1, TEST_SEED);
    test_fill(values, CLPRIM_U16, CLPRIM_SUM, TEST_RANDOM, MAX_COUNT + 1, TEST_SEED);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t runs = 99;
        size_t expected_runs = 0;
        memset(keys_out, POISON, sizeof keys_out);
        memset(expected_keys, POISON, sizeof expected_keys);
        memset(out, POISON, sizeof out);
        memset(expected, POISON, sizeof expected);
        ASSERT_OK(clprim_reference_reduce_by_key(expected_keys + 1, expected + 1, &expected_runs, 1, CLPRIM_U16,
                                                 CLPRIM_SUM, CLPRIM_U64, keys + 1, values + 1, sizes[i]));
        ASSERT_OK(clprim_reduce_by_key_host(keys_out + 1, out + 1, &runs, i % 2 == 0 ? runtime : NULL, &desc, keys + 1,
                                            values + 1, sizes[i]));
        cr_assert_eq(runs, expected_runs, "%zu runs, not %zu", runs, expected_runs);
        test_expect_same(expected_keys, keys_out, sizeof *keys, MAX_COUNT + 2, "the keys");
        test_expect_same(expected, out, sizeof *out, MAX_COUNT + 2, "the sums");
    }
    size_t runs = 99;
    keys_out[0] = 77;
#define REFUSED(keys_out, out, runs, keys, values, count)                                                              \
    cr_assert_neq((int)clprim_reduce_by_key_host(keys_out, out, runs, runtime, &desc, keys, values, count),            \
                  (int)CLPRIM_SUCCESS)
    ASSERT_OK(clprim_reduce_by_key_host(NULL, NULL, &runs, runtime, &desc, NULL, NULL, 0));
    cr_assert_eq(runs, 0);
    runs = 99;
    REFUSED(NULL, out, &runs, keys, values, 2);
    REFUSED(keys_out, NULL, &runs, keys, values, 2);
    REFUSED(keys_out, out, NULL, keys, values, 2);
    REFUSED(keys_out, out, &runs, NULL, values, 2);
    REFUSED(keys_out, out, &runs, keys, NULL, 2);
    REFUSED(keys_out, out, &runs, keys, values, SIZE_MAX);
    REFUSED(keys_out, out, &runs, keys, values, SIZE_MAX / 16); /* more than any device has */
    cr_assert(keys_out[0] == 77 && runs == 99, "a refusal must not write");
    clprim_runtime_destroy(runtime);
}
