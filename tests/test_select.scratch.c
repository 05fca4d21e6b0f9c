/* test_select.scratch.c: what a plan needs besides its arrays, its own or the caller's memory, survives being used
 * again and again without waiting, for more and for fewer elements, on whatever queues. */
#include <clprim/reference.h>
#include <clprim/select.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* A series of calls: growing and shrinking, with nothing to do in between. */
static const size_t counts[] = {100003, 1,   50000, 0,     70001, 256,  257,    99999, 4096,  3, 33333,
                                65537,  513, 88888, 12289, 0,     8192, 100000, 1025,  77777, 2, 100003};

enum {
    CALLS = sizeof counts / sizeof *counts,
    MAX_COUNT = 100003,
    MAX_OFFSET = 7,
    GAP = 64, /* elements between the outputs */
    POISON = 0xa5
};

/* What the calls read, where they write, and what must be there in the end. */
typedef struct series {
    clprim_runtime *runtime;
    bool partition;
    cl_mem in;
    cl_mem out;
    cl_mem selected; /* of call i at CALLS - i, between guards */
    size_t out_offsets[CALLS];
    size_t room; /* elements of out */
    int32_t *expected;
    int32_t *found;
    cl_ulong numbers[CALLS + 2];
} series;

static bool keeps(int32_t x, size_t i)
{
    return x % 4 == 1 || (i / 1000 % 5 == 2 && x > 0);
}

static const char predicate[] = "x % 4 == 1 || (i / 1000 % 5 == 2 && x > 0)";

static void expect(series *self, const int32_t *data)
{
    unsigned char *keep = malloc(MAX_COUNT);
    cr_assert_not_null(keep);
    memset(self->expected, POISON, self->room * sizeof *self->expected);
    memset(self->numbers, POISON, sizeof self->numbers);
    for (size_t c = 0; c < CALLS; c++) {
        const int32_t *in = data + c % MAX_OFFSET;
        size_t selected = 0;
        for (size_t i = 0; i < counts[c]; i++)
            keep[i] = keeps(in[i], i);
        ASSERT_OK(clprim_reference_select(self->expected + self->out_offsets[c], &selected, sizeof *in, keep,
                                          self->partition, in, counts[c]));
        self->numbers[CALLS - c] = selected;
    }
    free(keep);
}

static series series_create(clprim_runtime *runtime, bool partition)
{
    series self = {.runtime = runtime, .partition = partition, .room = GAP};
    for (size_t i = 0; i < CALLS; i++) {
        self.out_offsets[i] = self.room;
        self.room += counts[i] + GAP + i % 3;
    }
    int32_t *data = malloc((MAX_COUNT + MAX_OFFSET) * sizeof *data);
    self.expected = malloc(self.room * sizeof *self.expected);
    self.found = malloc(self.room * sizeof *self.found);
    cr_assert(data != NULL && self.expected != NULL && self.found != NULL);
    test_fill(data, CLPRIM_I32, CLPRIM_MIN, TEST_RANDOM, MAX_COUNT + MAX_OFFSET, TEST_SEED);
    expect(&self, data);
    self.in = test_upload(runtime, data, (MAX_COUNT + MAX_OFFSET) * sizeof *data);
    self.out = test_buffer(runtime, self.room * sizeof *self.expected);
    self.selected = test_buffer(runtime, sizeof self.numbers);
    free(data);
    return self;
}

static void series_destroy(series *self)
{
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    ASSERT_CL(clReleaseMemObject(self->selected));
    free(self->expected);
    free(self->found);
}

static void series_poison(const series *self)
{
    memset(self->found, POISON, self->room * sizeof *self->found);
    test_write(self->runtime, self->out, self->found, self->room * sizeof *self->found);
    test_write(self->runtime, self->selected, self->found, sizeof self->numbers);
}

static clprim_status series_call(const series *self, clprim_select *plan, size_t i, cl_command_queue queue,
                                 cl_event *done)
{
    return clprim_select_enqueue(plan, queue, self->in, i % MAX_OFFSET, counts[i], self->out, self->out_offsets[i],
                                 self->selected, CALLS - i, 0, NULL, done);
}

static void series_check(const series *self, const char *what)
{
    cl_ulong numbers[CALLS + 2];
    test_read(self->runtime, numbers, self->selected, sizeof numbers);
    test_expect_same(self->numbers, numbers, sizeof *numbers, CALLS + 2, what);
    test_read(self->runtime, self->found, self->out, self->room * sizeof *self->found);
    test_expect_same(self->expected, self->found, sizeof *self->found, self->room, what);
}

/* All calls at once on two queues, taking turns. */
static void series_run(const series *self, clprim_select *plan, cl_command_queue first, cl_command_queue second,
                       const char *what)
{
    series_poison(self);
    for (size_t i = 0; i < CALLS; i++)
        ASSERT_OK(series_call(self, plan, i, i % 2 == 0 ? first : second, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    series_check(self, what);
}

/* NULL where the device cannot run it. */
static clprim_select *create_plan(clprim_runtime *runtime, int variant, bool partition)
{
    clprim_select *plan = NULL;
    const clprim_select_desc desc = {
        .type = CLPRIM_I32, .predicate = predicate, .partition = partition, .variant = (clprim_select_variant)variant};
    const clprim_status status = clprim_select_create(&plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED)
        cr_log_info("skipped: %s", clprim_last_error());
    else
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s", clprim_last_error());
    return plan;
}

typedef void (*test_body)(const series *calls, clprim_select *plan, const char *what);

/* Every variant, AUTO too, with and without partition. */
static void for_all_plans(test_body body)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int partition = 0; partition < 2; partition++) {
        series calls = series_create(runtime, partition != 0);
        for (int variant = CLPRIM_SELECT_AUTO; variant <= CLPRIM_SELECT_LOOK_BACK; variant++) {
            char what[64];
            (void)snprintf(what, sizeof what, "variant %d%s", variant, partition != 0 ? " (partition)" : "");
            if (partition != 0 && variant == CLPRIM_SELECT_LOOK_BACK)
                continue;
            clprim_select *plan = create_plan(runtime, variant, partition != 0);
            if (plan != NULL)
                body(&calls, plan, what);
            clprim_select_destroy(plan);
        }
        series_destroy(&calls);
    }
    clprim_runtime_destroy(runtime);
}

/* One plan many times in flight, whatever the queues: its memory must not be used by two calls at once. */
static void check_pairs_of_queues(const series *calls, clprim_select *plan, const char *what)
{
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue queues[4] = {test_queue(calls->runtime, 0), test_queue(calls->runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(calls->runtime, out_of_order), test_queue(calls->runtime, out_of_order)};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            series_run(calls, plan, queues[a], queues[b], what);
    for (size_t i = 0; i < 4; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
}

Test(select_scratch, a_plan_again_and_again_without_waiting, .timeout = 120)
{
    for_all_plans(check_pairs_of_queues);
}

/* What the largest call needs. */
static size_t largest_scratch(clprim_select *plan)
{
    size_t largest = 0;
    for (size_t i = 0; i < CALLS; i++) {
        size_t bytes = 0;
        ASSERT_OK(clprim_select_scratch_size(&bytes, plan, counts[i]));
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/* A part of a larger buffer, whose content is not zero, as the plan's scratch memory; nothing around it is written. */
static void check_exact_scratch(const series *calls, clprim_select *plan, size_t bytes, cl_command_queue first,
                                cl_command_queue second, const char *what)
{
    const size_t unit = clprim_runtime_info(calls->runtime)->base_address_alignment;
    const size_t parent_bytes = unit + bytes + 4096;
    unsigned char *before = malloc(parent_bytes);
    unsigned char *after = malloc(parent_bytes);
    cr_assert(before != NULL && after != NULL);
    memset(before, 0xff, parent_bytes);
    cl_mem parent = test_upload(calls->runtime, before, parent_bytes);
    const cl_buffer_region region = {unit, bytes};
    cl_int code = CL_SUCCESS;
    cl_mem scratch = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ASSERT_CL(code);
    ASSERT_OK(clprim_select_set_scratch(plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    series_run(calls, plan, first, second, what);
    series_run(calls, plan, first, second, what);
    test_read(calls->runtime, after, parent, parent_bytes);
    test_expect_kept(before, after, unit, unit + bytes, parent_bytes, what);
    ASSERT_CL(clReleaseMemObject(parent));
    free(before);
    free(after);
}

/* From the library's memory to the caller's and to another of the caller's and back. */
static void check_scratch_of_the_callers(const series *calls, clprim_select *plan, const char *what)
{
    const size_t bytes = largest_scratch(plan);
    cl_command_queue in_order = test_queue(calls->runtime, 0);
    cl_command_queue out_of_order = test_queue(calls->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    series_run(calls, plan, in_order, in_order, what);
    if (bytes > 0) {
        check_exact_scratch(calls, plan, bytes, in_order, in_order, what);
        check_exact_scratch(calls, plan, bytes, out_of_order, in_order, what);
    }
    ASSERT_OK(clprim_select_set_scratch(plan, NULL));
    series_run(calls, plan, out_of_order, out_of_order, what);
    ASSERT_CL(clReleaseCommandQueue(in_order));
    ASSERT_CL(clReleaseCommandQueue(out_of_order));
}

Test(select_scratch, memory_of_the_callers, .timeout = 120)
{
    for_all_plans(check_scratch_of_the_callers);
}

/* All outputs are poisoned and stay so. */
static void check_refused(const series *calls, clprim_select *plan, const char *what)
{
    cl_ulong numbers[CALLS + 2];
    cl_event done = NULL;
    cl_command_queue queue = clprim_runtime_queue(calls->runtime);
    series_poison(calls);
    ASSERT_STATUS(series_call(calls, plan, 0, queue, &done), CLPRIM_INVALID_SCRATCH);
    cr_assert_null(done);
    ASSERT_CL(clFinish(queue));
    test_read(calls->runtime, numbers, calls->selected, sizeof numbers);
    for (size_t i = 0; i < CALLS + 2; i++)
        cr_assert_eq(numbers[i], UINT64_C(0xa5a5a5a5a5a5a5a5), "%s: a refusal wrote a count", what);
    test_read(calls->runtime, calls->found, calls->out, calls->room * sizeof *calls->found);
    for (size_t i = 0; i < calls->room; i++)
        cr_assert_eq(calls->found[i], (int32_t)0xa5a5a5a5, "%s: a refusal wrote element %zu", what, i);
}

static void check_few(const series *calls, clprim_select *plan, const char *what)
{
    cl_ulong numbers[CALLS + 2];
    ASSERT_OK(series_call(calls, plan, 1, clprim_runtime_queue(calls->runtime), NULL));
    test_read(calls->runtime, numbers, calls->selected, sizeof numbers);
    cr_assert_eq(numbers[CALLS - 1], calls->numbers[CALLS - 1], "%s: few elements", what);
}

/* One byte less than the first call needs: it is refused and writes nothing, whatever other calls did before and do
 * afterwards; a call that needs less is served. */
static void check_too_small(const series *calls, clprim_select *plan, const char *what)
{
    size_t bytes = 0;
    size_t bytes_for_few = 0;
    ASSERT_OK(clprim_select_scratch_size(&bytes, plan, counts[0]));
    ASSERT_OK(clprim_select_scratch_size(&bytes_for_few, plan, counts[1]));
    if (bytes == 0)
        return;
    cl_mem small = test_buffer(calls->runtime, bytes - 1);
    ASSERT_OK(clprim_select_set_scratch(plan, small));
    ASSERT_CL(clReleaseMemObject(small));
    for (int again = 0; again < 3; again++) {
        check_refused(calls, plan, what);
        if (bytes_for_few < bytes)
            check_few(calls, plan, what);
    }
    cl_command_queue queue = clprim_runtime_queue(calls->runtime);
    ASSERT_OK(clprim_select_set_scratch(plan, NULL));
    series_run(calls, plan, queue, queue, what);
}

Test(select_scratch, too_small)
{
    for_all_plans(check_too_small);
}
