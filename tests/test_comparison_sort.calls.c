/* test_comparison_sort.calls.c: how a sort behaves among other work: queues, events and lifetimes, in calls that follow
 * each other without waiting, for more and for fewer elements. */
#include <stdio.h>
#include <stdlib.h>

#include "test_comparison_sort.h"

/* A series of calls: growing and shrinking, with nothing to do in between. */
static const size_t counts[] = {20011, 1, 9001, 0, 16385, 256, 257, 4097, 12289, 2, 0, 20011};

enum {
    CALLS = sizeof counts / sizeof *counts,
    MAX_COUNT = 20011,
    MAX_OFFSET = 7,
    GAP = 64 /* elements between the outputs */
};

typedef uint16_t sort_key;
typedef uint16_t sort_value; /* of a key's type, so that one may be taken for the other */

/* What the calls read, where they write, and what must be there in the end. */
typedef struct series {
    clprim_runtime *runtime;
    clprim_comparison_sort *plan;
    const char *name;
    size_t counts[CALLS];
    size_t places[CALLS]; /* of the outputs of each */
    size_t room;
    cl_mem keys, values, keys_out, values_out;
    sort_key *expected_keys;
    sort_value *expected_values;
    void *found;
} series;

static void expect(series *self, const sort_key *keys, const sort_value *values)
{
    const clprim_reference_sort_how how = {.key_type = CLPRIM_U16, .value_size = sizeof *values};
    memset(self->expected_keys, COMPARISON_POISON, self->room * sizeof *keys);
    memset(self->expected_values, COMPARISON_POISON, self->room * sizeof *values);
    for (size_t i = 0; i < CALLS; i++) {
        sort_key *sorted_keys = self->expected_keys + self->places[i];
        sort_value *sorted_values = self->expected_values + self->places[i];
        memcpy(sorted_keys, keys + i % MAX_OFFSET, self->counts[i] * sizeof *keys);
        memcpy(sorted_values, values + i % MAX_OFFSET, self->counts[i] * sizeof *values);
        ASSERT_OK(clprim_reference_sort(sorted_keys, sorted_values, &how, self->counts[i]));
    }
}

static void series_create(series *out, clprim_runtime *runtime, int variant)
{
    static sort_key keys[MAX_COUNT + MAX_OFFSET];
    static sort_value values[MAX_COUNT + MAX_OFFSET];
    series self = {.runtime = runtime, .room = GAP};
    const clprim_comparison_sort_desc desc = {.type = CLPRIM_U16,
                                              .less = variant == CLPRIM_COMPARISON_SORT_RADIX ? NULL : "a < b",
                                              .value_size = sizeof *values,
                                              .stable = variant == CLPRIM_COMPARISON_SORT_MERGE_PATH,
                                              .variant = (clprim_comparison_sort_variant)variant};
    const clprim_status status = clprim_comparison_sort_create(&self.plan, runtime, &desc);
    self.name = comparison_variant_name(desc.variant);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    for (size_t i = 0; i < CALLS; i++) {
        self.counts[i] = counts[i];
        self.places[i] = self.room;
        self.room += self.counts[i] + GAP + i % 3;
    }
    test_fill_elements(keys, CLPRIM_U16, sizeof *keys, TEST_DATA_RANDOM, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    for (size_t i = 0; i < MAX_COUNT + MAX_OFFSET; i++) /* where keys are equal, so are values */
        values[i] = (sort_value)(keys[i] * 31 + 7);
    self.expected_keys = test_allocate(self.room * sizeof *keys);
    self.expected_values = test_allocate(self.room * sizeof *values);
    self.found = test_allocate(self.room * sizeof *values);
    expect(&self, keys, values);
    self.keys = test_upload(runtime, keys, sizeof keys);
    self.values = test_upload(runtime, values, sizeof values);
    self.keys_out = test_buffer(runtime, self.room * sizeof *keys);
    self.values_out = test_buffer(runtime, self.room * sizeof *values);
    *out = self;
}

static void series_destroy(series *self)
{
    clprim_comparison_sort_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->keys));
    ASSERT_CL(clReleaseMemObject(self->values));
    ASSERT_CL(clReleaseMemObject(self->keys_out));
    ASSERT_CL(clReleaseMemObject(self->values_out));
    free(self->expected_keys);
    free(self->expected_values);
    free(self->found);
}

static void series_poison(const series *self)
{
    memset(self->found, COMPARISON_POISON, self->room * sizeof(sort_value));
    test_write(self->runtime, self->keys_out, self->found, self->room * sizeof(sort_key));
    test_write(self->runtime, self->values_out, self->found, self->room * sizeof(sort_value));
}

static clprim_status series_call(const series *self, size_t i, cl_command_queue queue, const cl_event *wait,
                                 cl_event *done)
{
    return clprim_comparison_sort_enqueue_pairs(self->plan, queue, self->keys, i % MAX_OFFSET, self->values,
                                                i % MAX_OFFSET, self->counts[i], self->keys_out, self->places[i],
                                                self->values_out, self->places[i], wait != NULL, wait, done);
}

/* Of the outputs the calls from `first` to before `end` are there, and nothing else. */
static void series_check(const series *self, size_t first, size_t end, const char *what)
{
    const size_t sizes[2] = {sizeof(sort_key), sizeof(sort_value)};
    const cl_mem outputs[2] = {self->keys_out, self->values_out};
    const void *const expected[2] = {self->expected_keys, self->expected_values};
    const size_t begin = first < end ? self->places[first] : 0;
    const size_t beyond = first < end ? self->places[end - 1] + self->counts[end - 1] : 0;
    for (int a = 0; a < 2; a++) {
        const unsigned char *found = self->found;
        char name[128];
        (void)snprintf(name, sizeof name, "%s, %s: %s", self->name, a == 0 ? "keys" : "values", what);
        test_read(self->runtime, self->found, outputs[a], self->room * sizes[a]);
        test_expect_same((const char *)expected[a] + begin * sizes[a], found + begin * sizes[a], sizes[a],
                         beyond - begin, name);
        for (size_t i = 0; i < self->room * sizes[a]; i++)
            cr_assert(found[i] == COMPARISON_POISON || (i >= begin * sizes[a] && i < beyond * sizes[a]),
                      "%s: byte %zu was written", name, i);
    }
}

/* All calls at once on two queues, taking turns. */
static void series_run(const series *self, cl_command_queue first, cl_command_queue second, const char *what)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, 0, CALLS, what);
}

/* Each call by itself. What runs a kernel for the first time with another number of groups is not under way with others
 * later on then, over which PoCL 3.1 aborts now and then (pocl_release_dlhandle_cache). */
static void series_begin(const series *self)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++) {
        ASSERT_OK(series_call(self, i, NULL, NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    }
    series_check(self, 0, CALLS, "one by one");
}

/* Every variant, and AUTO. */
static void for_all_variants(void (*body)(series *self))
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = CLPRIM_COMPARISON_SORT_AUTO; variant < COMPARISON_VARIANTS; variant++) {
        series self;
        series_create(&self, runtime, variant);
        series_begin(&self);
        body(&self);
        series_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_pairs_of_queues(series *self)
{
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue queues[4] = {test_queue(self->runtime, 0), test_queue(self->runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(self->runtime, out_of_order), test_queue(self->runtime, out_of_order)};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            series_run(self, queues[a], queues[b], "on two queues");
    for (size_t i = 0; i < 4; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
}

Test(comparison_sort_calls, a_plan_again_and_again_without_waiting, .timeout = 240)
{
    for_all_variants(check_pairs_of_queues);
}

/* Held back by an event: nothing is read or written before. The plan may go before its work has run. */
static void check_waiting(series *self)
{
    cl_command_queue queue = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_command_queue own = clprim_runtime_queue(self->runtime);
    unsigned char keys[256 * sizeof(sort_key)];
    const cl_uchar other = 77;
    cl_int code = CL_SUCCESS;
    cl_event events[CALLS + 1] = {NULL};
    const cl_event start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    ASSERT_CL(code);
    test_read(self->runtime, keys, self->keys, sizeof keys);
    ASSERT_CL(clEnqueueFillBuffer(own, self->keys, &other, 1, 0, sizeof keys, 0, NULL, NULL));
    ASSERT_CL(clFinish(own)); /* what is put right only once the calls may start */
    series_poison(self);
    ASSERT_CL(clEnqueueWriteBuffer(queue, self->keys, CL_FALSE, 0, sizeof keys, keys, 1, &start, &events[CALLS]));
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, queue, &events[CALLS], &events[i]));
    ASSERT_CL(clFlush(queue));
    for (size_t i = 0; i < CALLS; i++) { /* those without elements, too */
        cl_int state = CL_COMPLETE;
        ASSERT_CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "%s: call %zu is done before what it waits for", self->name, i);
    }
    series_check(self, 0, 0, "before the wait list is complete");
    clprim_comparison_sort_destroy(self->plan);
    self->plan = NULL; /* which destroy takes, too */
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(CALLS, events));
    series_check(self, 0, CALLS, "after the events");
    for (size_t i = 0; i <= CALLS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(comparison_sort_calls, wait_lists_and_lifetimes, .timeout = 120)
{
    for_all_variants(check_waiting);
}

/* In a context and on a queue of the caller's. The runtime is given up before its plan is used, the plan before its
 * work has run. */
static void check_given_up(int variant)
{
    clprim_runtime *source = test_runtime(NULL);
    cl_device_id device = clprim_runtime_device(source);
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ASSERT_CL(code);
    const clprim_runtime_desc by_context = {.context = context, .device = device};
    clprim_runtime *own = test_runtime(&by_context);
    cl_command_queue queue = test_queue(own, 0);
    const clprim_runtime_desc by_queue = {.queue = queue};
    clprim_runtime *runtime = test_runtime(&by_queue);
    series self;
    cr_assert(clprim_runtime_context(own) == context && clprim_runtime_queue(runtime) == queue);
    series_create(&self, runtime, variant);
    cl_event start = clCreateUserEvent(context, &code);
    ASSERT_CL(code);
    cl_event done = NULL;
    series_begin(&self);
    series_poison(&self);
    clprim_runtime_destroy(runtime);
    self.runtime = own; /* of the same context, for reading */
    ASSERT_OK(series_call(&self, 0, NULL, &start, &done));
    clprim_comparison_sort_destroy(self.plan);
    self.plan = NULL;
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(1, &done));
    series_check(&self, 0, 1, "after all was given up");
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseEvent(done));
    series_destroy(&self);
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(own);
    ASSERT_CL(clReleaseContext(context));
    clprim_runtime_destroy(source);
}

Test(comparison_sort_calls, everything_lives_as_long_as_it_is_needed, .timeout = 120)
{
    for (int variant = CLPRIM_COMPARISON_SORT_AUTO; variant < COMPARISON_VARIANTS; variant++)
        check_given_up(variant);
}

/* With just as much scratch memory as the neediest call takes, in a part of a larger buffer whose content is not zero;
 * nothing around it is written. */
static void check_exact_scratch(const series *self, cl_command_queue first, cl_command_queue second)
{
    const size_t unit = clprim_runtime_info(self->runtime)->base_address_alignment;
    size_t bytes = 0;
    ASSERT_OK(clprim_comparison_sort_scratch_size(&bytes, self->plan, MAX_COUNT));
    if (bytes == 0)
        return;
    const size_t parent_bytes = unit + bytes + 4096;
    const cl_buffer_region region = {unit, bytes};
    cl_int code = CL_SUCCESS;
    unsigned char *before = test_allocate(parent_bytes);
    unsigned char *after = test_allocate(parent_bytes);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(self->runtime, before, parent_bytes);
    cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    ASSERT_OK(clprim_comparison_sort_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    for (int again = 0; again < 2; again++)
        series_run(self, first, second, "with the caller's scratch memory");
    test_read(self->runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, "around the scratch memory");
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* One byte less than the first call needs: it is refused and writes nothing, again and again; one that needs less is
 * served in between. */
static void check_too_small(const series *self)
{
    size_t bytes = 0;
    ASSERT_OK(clprim_comparison_sort_scratch_size(&bytes, self->plan, counts[0]));
    if (bytes == 0)
        return;
    cl_mem small = test_buffer(self->runtime, bytes - 1);
    ASSERT_OK(clprim_comparison_sort_set_scratch(self->plan, small));
    ASSERT_CL(clReleaseMemObject(small));
    for (int again = 0; again < 3; again++) {
        cl_event never = NULL;
        series_poison(self);
        ASSERT_STATUS(series_call(self, 0, NULL, NULL, &never), CLPRIM_INVALID_SCRATCH);
        cr_assert_null(never);
        ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
        series_check(self, 0, 0, "refused");
        ASSERT_OK(series_call(self, 2, NULL, NULL, NULL));
        ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
        series_check(self, 2, 3, "after a refusal");
    }
}

static void check_scratch(series *self)
{
    cl_command_queue in_order = test_queue(self->runtime, 0);
    cl_command_queue out_of_order = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    check_exact_scratch(self, in_order, in_order);
    check_exact_scratch(self, out_of_order, in_order);
    check_too_small(self);
    ASSERT_OK(clprim_comparison_sort_set_scratch(self->plan, NULL));
    series_run(self, out_of_order, out_of_order, "with the library's scratch memory again");
    ASSERT_CL(clReleaseCommandQueue(in_order));
    ASSERT_CL(clReleaseCommandQueue(out_of_order));
}

Test(comparison_sort_calls, scratch_memory_of_the_callers, .timeout = 240)
{
    for_all_variants(check_scratch);
}
