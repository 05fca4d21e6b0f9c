/* test_sort_by_key.calls.c: how a sort of arrays behaves among other work: queues, events, lifetimes, and memory of its
 * own or of the caller's, in calls that follow each other without waiting, in place and not. */
#include <stdio.h>
#include <stdlib.h>

#include "test_sort_by_key.h"

/* A series of calls: growing and shrinking, with nothing to do in between. Every other one is in place. */
static const size_t counts[] = {20011, 20011, 1, 9001, 0, 256, 16385, 257, 4097, 2, 0, 12289};

enum { CALLS = sizeof counts / sizeof *counts, GAP = 9 /* elements between the calls */, ALL = CALLS, MAX_ARRAYS = 3 };

/* Plans for U32 keys with one array that goes along and with arrays that are gathered. */
static const clprim_sort_by_key_desc plans[] = {
    {0},
    {.num_arrays = 3, .element_sizes = {4, 12, 64}},
};

enum { PLANS = sizeof plans / sizeof *plans };

/* Each call has a place in all arrays, the keys first. */
typedef struct series {
    clprim_runtime *runtime;
    clprim_sort_by_key *plan;
    size_t num_arrays; /* with the keys */
    size_t sizes[1 + MAX_ARRAYS];
    size_t places[CALLS];
    size_t room;
    cl_mem memory[1 + MAX_ARRAYS][2]; /* in, out */
    unsigned char *before[1 + MAX_ARRAYS][2];
    unsigned char *after[1 + MAX_ARRAYS][2];
} series;

static bool is_in_place(size_t call)
{
    return call % 2 == 1;
}

static void expect(series *self, const clprim_sort_by_key_desc *desc)
{
    const clprim_reference_sort_by_key_how how = by_key_how(desc);
    for (size_t i = 0; i < CALLS; i++) {
        void *sorted[1 + MAX_ARRAYS];
        for (size_t a = 0; a < self->num_arrays; a++) {
            const size_t at = self->places[i] * self->sizes[a];
            sorted[a] = self->after[a][is_in_place(i) ? 0 : 1] + at;
            memcpy(sorted[a], self->before[a][0] + at, counts[i] * self->sizes[a]);
        }
        ASSERT_OK(clprim_reference_sort_by_key(sorted[0], sorted + 1, &how, counts[i]));
    }
}

static series series_create(clprim_runtime *runtime, const clprim_sort_by_key_desc *desc)
{
    series self = {.runtime = runtime, .num_arrays = 1 + by_key_num_arrays(desc), .room = GAP};
    ASSERT_OK(clprim_sort_by_key_create(&self.plan, runtime, desc));
    for (size_t i = 0; i < CALLS; i++) {
        self.places[i] = self.room;
        self.room += counts[i] + GAP + i % 3;
    }
    for (size_t a = 0; a < self.num_arrays; a++) {
        self.sizes[a] = a == 0 ? by_key_key_size(desc) : by_key_element_size(desc, a - 1);
        const size_t bytes = self.room * self.sizes[a];
        for (int side = 0; side < 2; side++) {
            self.memory[a][side] = test_buffer(runtime, bytes);
            self.before[a][side] = test_allocate(bytes);
            self.after[a][side] = test_allocate(bytes);
            memset(self.before[a][side], BY_KEY_POISON, bytes);
        }
        if (a == 0)
            test_fill(self.before[a][0], CLPRIM_U32, CLPRIM_MIN, TEST_RANDOM, self.room, TEST_SEED);
        else
            by_key_fill(self.before[a][0], self.sizes[a], a, self.room);
        for (int side = 0; side < 2; side++)
            memcpy(self.after[a][side], self.before[a][side], bytes);
    }
    expect(&self, desc);
    return self;
}

static void series_destroy(series *self)
{
    clprim_sort_by_key_destroy(self->plan);
    for (size_t a = 0; a < self->num_arrays; a++)
        for (int side = 0; side < 2; side++) {
            ASSERT_CL(clReleaseMemObject(self->memory[a][side]));
            free(self->before[a][side]);
            free(self->after[a][side]);
        }
}

/* All arrays as they were before any call. */
static void series_reset(const series *self)
{
    for (size_t a = 0; a < self->num_arrays; a++)
        for (int side = 0; side < 2; side++)
            test_write(self->runtime, self->memory[a][side], self->before[a][side], self->room * self->sizes[a]);
}

static clprim_status series_call(const series *self, size_t i, cl_command_queue queue, const cl_event *wait,
                                 cl_event *done)
{
    const int side = is_in_place(i) ? 0 : 1;
    clprim_sort_by_key_array arrays[MAX_ARRAYS];
    for (size_t a = 1; a < self->num_arrays; a++)
        arrays[a - 1] =
            (clprim_sort_by_key_array){self->memory[a][0], self->places[i], self->memory[a][side], self->places[i]};
    return clprim_sort_by_key_enqueue(self->plan, queue, self->memory[0][0], self->places[i], counts[i],
                                      self->memory[0][side], self->places[i], arrays, wait != NULL, wait, done);
}

/* The work of call `only` was done, or of ALL, or of none (ALL + 1); and nothing else was written. */
static void series_check(const series *self, size_t only, const char *what)
{
    for (size_t a = 0; a < self->num_arrays; a++)
        for (int side = 0; side < 2; side++) {
            const size_t size = self->sizes[a];
            unsigned char *found = test_allocate(self->room * size);
            unsigned char *expected = test_allocate(self->room * size);
            char name[128];
            (void)snprintf(name, sizeof name, "%s: array %zu, side %d", what, a, side);
            memcpy(expected, only == ALL ? self->after[a][side] : self->before[a][side], self->room * size);
            if (only < ALL)
                memcpy(expected + self->places[only] * size, self->after[a][side] + self->places[only] * size,
                       counts[only] * size);
            test_read(self->runtime, found, self->memory[a][side], self->room * size);
            test_expect_same(expected, found, size, self->room, name);
            free(found);
            free(expected);
        }
}

/* All calls at once on two queues, taking turns. */
static void series_run(const series *self, cl_command_queue first, cl_command_queue second, const char *what)
{
    series_reset(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, ALL, what);
}

/* Each plan, after each call by itself: what runs a kernel for the first time with another number of groups is not
 * under way with others later on then, over which PoCL 3.1 aborts now and then (pocl_release_dlhandle_cache). */
static void for_all_plans(void (*body)(series *self))
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t p = 0; p < PLANS; p++) {
        series self = series_create(runtime, &plans[p]);
        series_reset(&self);
        for (size_t i = 0; i < CALLS; i++) {
            ASSERT_OK(series_call(&self, i, NULL, NULL, NULL));
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
        }
        series_check(&self, ALL, "one by one");
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

Test(sort_by_key_calls, a_plan_again_and_again_without_waiting, .timeout = 240)
{
    for_all_plans(check_pairs_of_queues);
}

/* Held back by an event: nothing is read or written before. The plan may go before its work has run. */
static void check_waiting(series *self)
{
    cl_command_queue queue = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const size_t key_bytes = self->room * self->sizes[0];
    const cl_uchar other = 77;
    cl_int code = CL_SUCCESS;
    cl_event events[CALLS + 1] = {NULL};
    const cl_event start = clCreateUserEvent(clprim_runtime_context(self->runtime), &code);
    ASSERT_CL(code);
    series_reset(self); /* keys that are put right only once the calls may start */
    ASSERT_CL(clEnqueueFillBuffer(clprim_runtime_queue(self->runtime), self->memory[0][0], &other, 1, 0, key_bytes, 0,
                                  NULL, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    ASSERT_CL(clEnqueueWriteBuffer(queue, self->memory[0][0], CL_FALSE, 0, key_bytes, self->before[0][0], 1, &start,
                                   &events[CALLS]));
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, i, queue, &events[CALLS], &events[i]));
    ASSERT_CL(clFlush(queue));
    for (size_t i = 0; i < CALLS; i++) { /* those without elements, too */
        cl_int state = CL_COMPLETE;
        ASSERT_CL(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
        cr_assert_gt(state, CL_COMPLETE, "call %zu is done before what it waits for", i);
    }
    clprim_sort_by_key_destroy(self->plan);
    self->plan = NULL; /* which destroy takes, too */
    ASSERT_CL(clSetUserEventStatus(start, CL_COMPLETE));
    ASSERT_CL(clWaitForEvents(CALLS, events));
    series_check(self, ALL, "after the events");
    for (size_t i = 0; i <= CALLS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseEvent(start));
    ASSERT_CL(clReleaseCommandQueue(queue));
}

Test(sort_by_key_calls, wait_lists_and_lifetimes, .timeout = 120)
{
    for_all_plans(check_waiting);
}

/* Numbers sorted by their low halves and then by their high ones, where they lie: each call waits for the one before,
 * whose array is its keys. */
static void check_chain(const series *self, cl_command_queue queue)
{
    enum { COUNT = 1000, STEPS = 4, BESIDE = 64 };
    static uint64_t numbers[COUNT];
    static uint32_t halves[2][COUNT], found[COUNT];
    cl_mem memory[2];
    cl_mem beside = test_buffer(self->runtime, COUNT * BESIDE);
    cl_event events[STEPS] = {NULL};
    test_fill(numbers, CLPRIM_U64, CLPRIM_MIN, TEST_RANDOM, COUNT, TEST_SEED);
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] &= UINT64_C(0x0000000fffffffff); /* so that high halves are often equal */
    for (int half = 0; half < 2; half++) {
        for (size_t i = 0; i < COUNT; i++)
            halves[half][i] = (uint32_t)(numbers[i] >> 32 * half);
        memory[half] = test_upload(self->runtime, halves[half], sizeof halves[half]);
    }
    for (int i = 0; i < STEPS; i++) {
        const cl_mem keys = memory[i % 2];
        const clprim_sort_by_key_array arrays[MAX_ARRAYS] = {
            {.in = memory[1 - i % 2], .out = memory[1 - i % 2]},
            {.in = beside, .out = beside},
            {.in = beside, .in_offset = COUNT / 4, .out = beside, .out_offset = COUNT / 4},
        };
        ASSERT_OK(clprim_sort_by_key_enqueue(self->plan, queue, keys, 0, COUNT / 4, keys, 0, arrays, i > 0,
                                             i > 0 ? &events[i - 1] : NULL, &events[i]));
    }
    ASSERT_CL(clWaitForEvents(1, &events[STEPS - 1]));
    const clprim_reference_sort_how how = {.key_type = CLPRIM_U64};
    ASSERT_OK(clprim_reference_sort(numbers, NULL, &how, COUNT / 4));
    for (int half = 0; half < 2; half++) {
        for (size_t i = 0; i < COUNT; i++)
            halves[half][i] = (uint32_t)(numbers[i] >> 32 * half);
        test_read(self->runtime, found, memory[half], sizeof found);
        test_expect_same(halves[half], found, sizeof *found, COUNT, half == 0 ? "low halves" : "high halves");
        ASSERT_CL(clReleaseMemObject(memory[half]));
    }
    for (size_t i = 0; i < STEPS; i++)
        ASSERT_CL(clReleaseEvent(events[i]));
    ASSERT_CL(clReleaseMemObject(beside));
}

static void check_chains(series *self)
{
    const cl_command_queue_properties kinds[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    for (size_t i = 0; i < 2; i++) {
        cl_command_queue queue = test_queue(self->runtime, kinds[i]);
        check_chain(self, queue);
        ASSERT_CL(clReleaseCommandQueue(queue));
    }
}

Test(sort_by_key_calls, low_halves_then_high_halves_in_place, .timeout = 120)
{
    for_all_plans(check_chains);
}

/* With just as much as the call needs at most, in a part of a larger buffer whose content is not zero; nothing around
 * it is written. */
static void check_exact_scratch(const series *self, size_t call, cl_command_queue first, cl_command_queue second)
{
    const size_t unit = clprim_runtime_info(self->runtime)->base_address_alignment;
    const size_t begin = call < ALL ? call : 0;
    const size_t end = call < ALL ? call + 1 : ALL;
    size_t bytes = 0;
    ASSERT_OK(clprim_sort_by_key_scratch_size(&bytes, self->plan, counts[begin])); /* the first call is the neediest */
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
    ASSERT_OK(clprim_sort_by_key_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    for (int again = 0; again < 2; again++) {
        series_reset(self);
        for (size_t i = begin; i < end; i++)
            ASSERT_OK(series_call(self, i, i % 2 == 0 ? first : second, NULL, NULL));
        ASSERT_CL(clFinish(first));
        ASSERT_CL(clFinish(second));
        series_check(self, call, "with the caller's scratch memory");
    }
    test_read(self->runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, "around the scratch memory");
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* One byte less than the second call, in place, needs: it is refused and writes nothing, again and again; a call that
 * needs less is served in between. */
static void check_too_small(const series *self)
{
    size_t bytes = 0;
    ASSERT_OK(clprim_sort_by_key_scratch_size(&bytes, self->plan, counts[1]));
    cl_mem small = test_buffer(self->runtime, bytes - 1);
    ASSERT_OK(clprim_sort_by_key_set_scratch(self->plan, small));
    ASSERT_CL(clReleaseMemObject(small));
    for (int again = 0; again < 3; again++) {
        cl_event never = NULL;
        series_reset(self);
        ASSERT_STATUS(series_call(self, 1, NULL, NULL, &never), CLPRIM_INVALID_SCRATCH);
        cr_assert_null(never);
        ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
        series_check(self, ALL + 1, "refused");
        ASSERT_OK(series_call(self, 5, NULL, NULL, NULL));
        series_check(self, 5, "after a refusal");
    }
}

/* From the library's memory to the caller's and to another of the caller's and back. */
static void check_scratch(series *self)
{
    cl_command_queue in_order = test_queue(self->runtime, 0);
    cl_command_queue out_of_order = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    series_run(self, in_order, out_of_order, "with the library's scratch memory");
    for (size_t call = 0; call <= ALL; call++)
        check_exact_scratch(self, call, in_order, in_order);
    check_exact_scratch(self, ALL, out_of_order, in_order);
    check_too_small(self);
    ASSERT_OK(clprim_sort_by_key_set_scratch(self->plan, NULL));
    series_run(self, out_of_order, out_of_order, "with the library's scratch memory again");
    ASSERT_CL(clReleaseCommandQueue(in_order));
    ASSERT_CL(clReleaseCommandQueue(out_of_order));
}

Test(sort_by_key_calls, scratch_memory_of_the_callers, .timeout = 240)
{
    for_all_plans(check_scratch);
}

/* What is asked for is what is checked: a byte less is refused, also by the call with no array in place, which could do
 * without the copy; and nothing is written. */
Test(sort_by_key_calls, every_call_takes_what_scratch_size_says, .timeout = 120)
{
    enum { NOT_IN_PLACE = 0, IN_PLACE = 1 };
    clprim_runtime *runtime = test_runtime(NULL);
    series self = series_create(runtime, &plans[1]);
    for (size_t call = NOT_IN_PLACE; call <= IN_PLACE; call++) {
        size_t bytes = 0;
        ASSERT_OK(clprim_sort_by_key_scratch_size(&bytes, self.plan, counts[call]));
        cr_assert(bytes >= counts[call] * (64 + 4) && bytes <= counts[call] * (64 + 4) + 4096, "%zu bytes", bytes);
        for (size_t missing = 0; missing < 2; missing++) {
            cl_mem scratch = test_buffer(runtime, bytes - missing);
            ASSERT_OK(clprim_sort_by_key_set_scratch(self.plan, scratch));
            ASSERT_CL(clReleaseMemObject(scratch));
            series_reset(&self);
            const clprim_status status = series_call(&self, call, NULL, NULL, NULL);
            cr_assert_eq((int)status, (int)(missing == 0 ? CLPRIM_SUCCESS : CLPRIM_INVALID_SCRATCH));
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            series_check(&self, missing == 0 ? call : ALL + 1, "with scratch memory of that size, or a byte less");
        }
    }
    series_destroy(&self);
    clprim_runtime_destroy(runtime);
}
