// SPDX-License-Identifier: MIT
/* test_runtime.calls.c: what calls wait for, memory that they share, calls that no memory can hold; and what a trace
 * shows of them and of their times. */
#include "cases.h"
#include "files.h"
#include "runtime_internal.h"
#include "workspace.h"

/* An event of another context is refused at any position in the list, and nothing is written. */
Test(runtime, events_belong_to_its_context)
{
    enum { WAITS = 3 };
    int32_t in[] = {1, 2, 3};
    test_call self;
    clprim_runtime *runtimes[2] = {test_runtime(NULL), test_runtime(NULL)};
    cl_event events[2] = {NULL};
    for (size_t i = 0; i < 2; i++) {
        events[i] = test_gate(runtimes[i]);
        ASSERT_CL(clSetUserEventStatus(events[i], CL_COMPLETE));
    }
    test_call_make(&self, runtimes[0], &clprim_reduce_operation, NULL);
    test_call_fill(&self, &(const clprim_reduce_call){.in = {.host = in}, .count = 3}, TEST_SEED);
    for (size_t at = 0; at < WAITS; at++) {
        cl_event waits[WAITS] = {events[0], events[0], events[0]};
        cl_event done = NULL;
        waits[at] = events[1];
        ASSERT_REFUSED(self.face->enqueue(self.plan, NULL, self.call.bytes, WAITS, waits, &done),
                       CLPRIM_INVALID_ARGUMENT, "another context");
        cr_assert_null(done);
        ASSERT_CL(clFinish(clprim_runtime_queue(runtimes[0])));
        test_call_expect_untouched(&self, "a foreign event");
        waits[at] = events[0];
        ASSERT_OK(self.face->enqueue(self.plan, NULL, self.call.bytes, WAITS, waits, NULL));
        test_call_expect_right(&self, "events of its own");
        test_call_reset(&self);
    }
    test_call_destroy(&self);
    for (size_t i = 0; i < 2; i++) {
        ASSERT_CL(clReleaseEvent(events[i]));
        clprim_runtime_destroy(runtimes[i]);
    }
}

/* The records that a trace function got. */
typedef struct sighting {
    cl_command_queue queue; /* the queue that it must report */
    cl_event events[16];
    size_t kernels;
} sighting;

static void see(void *user, const clprim_trace_record *record)
{
    sighting *self = user;
    cr_assert_lt(self->kernels, 16);
    cr_assert_eq(record->queue, self->queue);
    cr_assert_str_eq(record->kernel, "reduce_sequential");
    cr_assert_str_eq(record->program, "reduce/sequential.cl");
    cr_assert(record->local_size > 0 && record->global_size % record->local_size == 0);
    ASSERT_CL(clRetainEvent(record->event));
    self->events[self->kernels++] = record->event;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    ASSERT_CL(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

/* As runtime.h says, an operation lasts from the end of a marker for which it waits to the end of its event; all
 * kernels run in between. */
Test(runtime, traces_every_kernel_from_a_marker_to_the_event)
{
    enum { COUNT = 100000 };
    static int32_t in[COUNT];
    const clprim_reduce_desc desc = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .work_group_size = 64};
    test_call self;
    cl_event marker = NULL;
    cl_event done = NULL;
    clprim_runtime *runtime = test_runtime(&(const clprim_runtime_desc){.profiling = true});
    sighting seen = {.queue = clprim_runtime_queue(runtime)};
    test_call_make(&self, runtime, &clprim_reduce_operation, &desc);
    test_call_fill(&self, &(const clprim_reduce_call){.in = {.host = in}, .count = COUNT}, TEST_SEED);
    clprim_runtime_set_trace(runtime, see, &seen);
    ASSERT_CL(clEnqueueMarkerWithWaitList(seen.queue, 0, NULL, &marker));
    ASSERT_OK(self.face->enqueue(self.plan, NULL, self.call.bytes, 1, &marker, &done));
    ASSERT_CL(clWaitForEvents(1, &done));
    clprim_runtime_set_trace(runtime, NULL, NULL);
    const size_t kernels = seen.kernels;
    ASSERT_OK(test_call_enqueue(&self, &self.call));
    cr_assert_eq(seen.kernels, kernels, "traced after its end");
    /* 100000 -> 1563 -> 25 -> 1 with groups of 64 (a device may only do smaller ones) */
    cr_assert_geq(kernels, 3, "%zu kernels", kernels);
    for (size_t i = 0; i < kernels; i++) {
        const cl_ulong begin = time_of(seen.events[i], CL_PROFILING_COMMAND_START);
        const cl_ulong end = time_of(seen.events[i], CL_PROFILING_COMMAND_END);
        cr_assert(time_of(marker, CL_PROFILING_COMMAND_END) <= begin && begin <= end &&
                  end <= time_of(done, CL_PROFILING_COMMAND_END));
        ASSERT_CL(clReleaseEvent(seen.events[i]));
    }
    ASSERT_CL(clReleaseEvent(marker));
    ASSERT_CL(clReleaseEvent(done));
    ASSERT_CL(clFinish(seen.queue));
    test_call_destroy(&self);
    clprim_runtime_destroy(runtime);
}

/* Make one operation that clears a word, with `bytes` of the workspace's memory. */
static void clear_a_word(clprim__workspace *workspace, clprim_runtime *runtime, cl_command_queue queue, size_t bytes)
{
    clprim__queue known = {0};
    clprim__chain chain = {0};
    cl_mem word = test_buffer(runtime, sizeof(cl_uint));
    cl_mem scratch = NULL;
    ASSERT_OK(clprim__chain_begin(&chain, runtime, &known, queue, 0, NULL, false));
    ASSERT_OK(clprim__workspace_begin(&scratch, workspace, &chain, bytes));
    cr_assert_eq(scratch != NULL, bytes > 0);
    ASSERT_OK(clprim__fill_zeros(&chain, word, 0, sizeof(cl_uint)));
    clprim__workspace_end(workspace, &chain);
    clprim__chain_end(&chain, CLPRIM_SUCCESS, NULL);
    clprim__queue_clear(&known);
    ASSERT_CL(clReleaseMemObject(word));
}

/* A call that uses no memory waits for no other call. The next call must still wait for the one before it. */
TEST_WITH_RUNTIME(runtime, remembers_who_used_supplied_memory_last)
{
    cl_command_queue queues[] = {test_queue(runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), test_queue(runtime, 0)};
    cl_mem scratch = test_buffer(runtime, 8);
    clprim__workspace workspace = {0};
    clprim__workspace_supply(&workspace, scratch, 8);
    clear_a_word(&workspace, runtime, queues[0], 8);
    cr_assert_eq(workspace.use.queue, queues[0]);
    clear_a_word(&workspace, runtime, queues[1], 0);
    cr_assert_eq(workspace.use.queue, queues[0], "the call that took none is taken for the last user");
    clear_a_word(&workspace, runtime, queues[1], 8);
    cr_assert_eq(workspace.use.queue, queues[1]);
    clprim__workspace_clear(&workspace);
    for (size_t i = 0; i < 2; i++) {
        ASSERT_CL(clFinish(queues[i]));
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    }
    ASSERT_CL(clReleaseMemObject(scratch));
}

/* The pool rounds sizes up, but above the smallest size by at most a quarter. */
TEST_WITH_RUNTIME(runtime, scratch_memory_is_little_larger_than_needed)
{
    enum { LEAST = 1 << 16 };
    static const size_t needs[] = {1,       LEAST,         LEAST + 1, 100000, 1 << 20, (1 << 20) + 1,
                                   5 << 18, (5 << 18) + 1, 3 << 21};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        clprim__scratch got = {0};
        size_t size = 0;
        ASSERT_OK(clprim__scratch_acquire(&got, runtime->scratch, needs[i], NULL));
        ASSERT_CL(clGetMemObjectInfo(got.memory, CL_MEM_SIZE, sizeof size, &size, NULL));
        cr_assert(got.size == size && size >= needs[i], "%zu bytes for %zu", size, needs[i]);
        cr_assert(size == LEAST || size <= needs[i] + needs[i] / 4, "%zu bytes for %zu", size, needs[i]);
        ASSERT_CL(clReleaseMemObject(got.memory));
    }
}

/* A plan's state grows to half as much again as a call needs. If size_t cannot express that, it must not wrap
 * around. */
TEST_WITH_RUNTIME(runtime, state_too_large_is_refused)
{
    const size_t size = SIZE_MAX / 3 * 2 + 2; /* half as much again wraps around to 2 bytes */
    clprim__queue known = {0};
    clprim__chain chain = {0};
    clprim__state state = {0};
    ASSERT_OK(clprim__state_create(&state, runtime, 64, 100));
    ASSERT_OK(clprim__chain_begin(&chain, runtime, &known, NULL, 0, NULL, false));
    const clprim_status status = clprim__state_begin(&state, &chain, size, 1);
    cr_assert_neq((int)status, (int)CLPRIM_SUCCESS, "%zu bytes were had in %zu", size, state.size);
    cr_assert_eq(state.size, 64);
    clprim__state_end(&state, &chain, status);
    clprim__chain_end(&chain, status, NULL);
    clprim__state_clear(&state);
    clprim__queue_clear(&known);
}

/* Arrays and scratch memory that are larger than a buffer may be, or than size_t can express. No element is read. */
TEST_WITH_RUNTIME(runtime, refuses_what_no_memory_can_hold)
{
    /* reproducible float sums are never cut into pieces */
    const clprim_reduce_desc sum = {.type = CLPRIM_F32, .reproducible = true, .max_count = SIZE_MAX};
    const clprim_scan_desc prefixes = {.max_count = SIZE_MAX, .variant = CLPRIM_SCAN_NAIVE};
    const size_t one_too_many = (size_t)clprim_runtime_info(runtime)->max_allocation_size / sizeof(int32_t) + 1;
    clprim_plan *plan = NULL;
    size_t bytes = 7;
    float in = 0;
    float out = 7;
    clprim_reduce_call call = {.in = {.host = &in}, .count = one_too_many, .out = {.host = &out}};
    ASSERT_REFUSED(clprim_reduce_run(runtime, &sum, &call), CLPRIM_UNSUPPORTED, "in a buffer");
    call.count = SIZE_MAX / 2;
    ASSERT_REFUSED(clprim_reduce_run(runtime, &sum, &call), CLPRIM_INVALID_RANGE, "memory can hold");
    ASSERT_OK(clprim_scan_create(&plan, runtime, &prefixes));
    ASSERT_REFUSED(clprim_plan_scratch_size(&bytes, plan, &(clprim_scan_call){.count = SIZE_MAX / 4}),
                   CLPRIM_INVALID_RANGE, "size_t");
    cr_assert(out == 7 && bytes == 7, "a refusal must not write");
    clprim_plan_destroy(plan);
}

/* A device without double precision refuses doubles and says why: for elements, for accumulators, and for what an
 * expression reads or computes. */
Test(runtime, without_doubles)
{
    const struct {
        const clprim_operation *face;
        const void *desc;
    } rows[] = {
        {&clprim_reduce_operation, &(const clprim_reduce_desc){.type = CLPRIM_F64}},
        {&clprim_scan_operation, &(const clprim_scan_desc){.type = CLPRIM_F32, .accumulator_type = CLPRIM_F64}},
        {&clprim_histogram_operation,
         &(const clprim_histogram_desc){.type = CLPRIM_F64, .bins = 4, .mapping = CLPRIM_HISTOGRAM_EVEN, .high = 1}},
        {&clprim_select_operation, &(const clprim_select_desc){.type = CLPRIM_F64, .predicate = "x > 0"}},
        {&clprim_merge_operation, &(const clprim_merge_desc){.key_type = CLPRIM_F64, .less = "a < b"}},
        {&clprim_reduce_operation,
         &(const clprim_reduce_desc){
             .type = CLPRIM_F64, .op = CLPRIM_MAX, .output = "r > 0", .output_type = CLPRIM_U8}},
        {&clprim_unique_operation, &(const clprim_unique_desc){.output = "i", .output_type = CLPRIM_F64}},
        {&clprim_select_operation,
         &(const clprim_select_desc){.type = CLPRIM_F64, .output = "i", .output_type = CLPRIM_U32}},
    };
    test_without("fp64");
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, rows[i].face, rows[i].desc, CLPRIM_UNSUPPORTED, "double precision");
    clprim_runtime_destroy(runtime);
}

/* A mistyped feature would not be disabled, and the test that wants to disable it would test nothing. */
Test(runtime, without_names_features_that_there_are)
{
    static const struct {
        const char *list, *mistake;
    } rows[] = {{"", NULL},
                {"sub_groups,int64_atomics,device_fence,forward_progress,group_order,fp64,svm,command_buffers,"
                 "unified_memory,native_kernels",
                 NULL},
                {",fp64,", NULL},
                {"fp16", "\"fp16\""},
                {"fp64,sub_group", "\"sub_group\""},
                {"fp64, svm", "\" svm\""},
                {"fp64,svm, ", "\" \""},
                {"FP64", "\"FP64\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_runtime *runtime = NULL;
        test_setenv("CLPRIM_WITHOUT", rows[i].list);
        const clprim_status status = clprim_runtime_create(&runtime, NULL);
        cr_assert_eq(status, rows[i].mistake == NULL ? CLPRIM_SUCCESS : CLPRIM_INVALID_ARGUMENT, "\"%s\"",
                     rows[i].list);
        cr_assert(rows[i].mistake == NULL || strstr(clprim_last_error(), rows[i].mistake) != NULL, "%s",
                  clprim_last_error());
        clprim_runtime_destroy(runtime);
    }
}
