// SPDX-License-Identifier: MIT
/* test_contract.record.c: calls recorded into a command buffer. Each replay must have the reference's result for the
 * current contents of the buffers. On devices without command buffers, recording must be refused, and nothing else is
 * tested. */
#include <stdlib.h>

#include "commands.h"
#include "contract.h"

enum { COUNT = 3000, FEW = 70, REPLAYS = 3, SEEDS = 64 };

static clprim_status record(const test_call *self, const test_commands *commands, cl_uint num_waits,
                            const cl_uint *waits, cl_uint *done)
{
    return clprim_plan_record(self->plan, commands->buffer, self->call.bytes, num_waits, waits, done);
}

/* Other data for the call that was recorded, beginning with *seed: a sample's counts may depend on the seed. */
static void fill_same(test_call *self, const test_struct *recorded, size_t count, uint64_t place, uint64_t *seed)
{
    for (const uint64_t end = *seed + SEEDS; *seed < end; (*seed)++) {
        contract_fill_at(self, count, *seed, place);
        if (memcmp(self->call.bytes, recorded->bytes, self->face->call_size) == 0)
            return;
    }
    cr_assert_fail("%s: no seed gives the call that was recorded", self->name);
}

/* Lend scratch memory of the caller for the next call, `less` bytes smaller than it needs; returns false if it needs
 * none. */
static bool lend(const test_call *self, size_t less)
{
    size_t bytes = 0;
    ASSERT_OK(clprim_plan_scratch_size(&bytes, self->plan, self->call.bytes));
    if (bytes <= less)
        return false;
    cl_mem scratch = test_buffer(self->runtime, bytes - less);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, scratch));
    ASSERT_CL(clReleaseMemObject(scratch)); /* the plan keeps a reference */
    return true;
}

/* Replay it with other data each time. Afterwards, nothing except the command buffer may use the plan. */
static void check_replays(test_call *self, size_t count, cl_command_queue_properties properties, bool is_supplied)
{
    cl_command_queue queue = test_queue(self->runtime, properties);
    test_commands commands = test_commands_begin(self->runtime, queue);
    const test_struct recorded = self->call;
    uint64_t seed = 1;
    cl_uint done = 0;
    if (is_supplied)
        (void)lend(self, 0);
    test_call_reset(self);
    test_expect_status(record(self, &commands, 0, NULL, &done), CLPRIM_SUCCESS, "", self->name);
    test_call_expect_untouched(self, "recorded");
    test_commands_finalize(&commands);
    for (int i = 0; i < REPLAYS; i++, seed++) {
        fill_same(self, &recorded, count, 0, &seed);
        test_commands_replay(&commands);
        test_call_expect_right(self, "a replay");
    }
    ASSERT_REFUSED(test_call_enqueue(self, &self->call), CLPRIM_INVALID_ARGUMENT, "recorded");
    ASSERT_REFUSED(clprim_plan_set_scratch(self->plan, NULL), CLPRIM_INVALID_ARGUMENT, "recorded");
    test_commands_release(&commands);
    commands = test_commands_begin(self->runtime, queue);
    ASSERT_REFUSED(record(self, &commands, 0, NULL, &done), CLPRIM_INVALID_ARGUMENT, "recorded");
    test_commands_release(&commands);
    ASSERT_CL(clReleaseCommandQueue(queue));
}

static bool has_commands(const clprim_runtime *runtime)
{
    return clprim_runtime_info(runtime)->has_command_buffers;
}

static bool replays(clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample, int variant)
{
    test_call self;
    if (!contract_create(&self, runtime, subject, sample, variant, COUNT, 0))
        return false;
    /* The plan may have been used before. */
    if (sample % 2 == 1)
        test_call_check(&self, "before it is recorded");
    check_replays(&self, COUNT, variant % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                  (sample + (size_t)variant) % 3 == 2);
    test_call_destroy(&self);
    return true;
}

Test(contract_record, replays_are_right, .timeout = 900)
{
    clprim_runtime *runtime = test_runtime(NULL);
    if (has_commands(runtime))
        contract_for_each(CONTRACT_VARIANTS, replays);
    clprim_runtime_destroy(runtime);
}

/* Nothing is done, but there is a sync point: the next operation can wait for it. */
CONTRACT_TEST(contract_record, no_elements, CONTRACT_OPERATIONS, 0, 0)
{
    test_call next;
    cl_uint done = 0;
    if (!has_commands(self->runtime))
        return;
    cl_command_queue queue = test_queue(self->runtime, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    test_commands commands = test_commands_begin(self->runtime, queue);
    contract_again(&next, self, FEW, 3);
    ASSERT_OK(record(self, &commands, 0, NULL, &done));
    cr_assert_neq(done, 0, "%s: there is no sync point", self->name);
    ASSERT_OK(record(&next, &commands, 1, &done, NULL));
    test_commands_finalize(&commands);
    test_commands_replay(&commands);
    test_call_expect_right(self, "no elements");
    test_call_expect_right(&next, "after none");
    test_call_destroy(&next);
    test_commands_release(&commands);
    ASSERT_CL(clReleaseCommandQueue(queue));
}

/* A refused call records nothing: after it, the command buffer accepts the right call, whose result is right. */
CONTRACT_TEST(contract_record, refusals, CONTRACT_OPERATIONS, COUNT, 4)
{
    const clprim_status wrong = CLPRIM_INVALID_ARGUMENT;
    const cl_uint none[1] = {0};
    test_call other;
    cl_uint never = 77;
    if (!has_commands(self->runtime))
        return;
    clprim_runtime *foreign = test_runtime(NULL);
    cl_command_queue queue = test_queue(self->runtime, 0);
    test_commands commands = test_commands_begin(self->runtime, queue);
    test_commands foreign_commands = test_commands_begin(foreign, clprim_runtime_queue(foreign));
    struct _cl_command_buffer_khr *buffer = commands.buffer;
    const void *call = self->call.bytes;
    contract_again(&other, self, COUNT, 5);
    ASSERT_REFUSED(clprim_plan_record(NULL, buffer, call, 0, NULL, &never), wrong, "plan is NULL");
    ASSERT_REFUSED(clprim_plan_record(self->plan, NULL, call, 0, NULL, &never), wrong, "buffer is NULL");
    ASSERT_REFUSED(clprim_plan_record(self->plan, buffer, NULL, 0, NULL, &never), wrong, "call is NULL");
    ASSERT_REFUSED(clprim_plan_record(self->plan, buffer, call, 1, NULL, &never), wrong, "waits is NULL");
    ASSERT_REFUSED(clprim_plan_record(self->plan, buffer, call, 0, none, &never), wrong, "waits is not NULL");
    ASSERT_REFUSED(clprim_plan_record(self->plan, foreign_commands.buffer, call, 0, NULL, &never), wrong, "context");
    test_struct without = self->call; /* one output is missing */
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_output && self->arrays[i].is_there && !self->arrays[i].slot.is_optional)
            *test_array_of(self, &without, i) = (clprim_array){.buffer = NULL};
    ASSERT_REFUSED(clprim_plan_record(self->plan, buffer, without.bytes, 0, NULL, &never), wrong, "NULL");
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_output && self->arrays[i].is_there)
            *test_array_of(self, &without, i) = (clprim_array){.svm = &never};
    ASSERT_REFUSED(clprim_plan_record(self->plan, buffer, without.bytes, 0, NULL, &never), wrong, ".svm");
    if (lend(self, 1))
        ASSERT_STATUS(record(self, &commands, 0, NULL, &never), CLPRIM_INVALID_SCRATCH);
    ASSERT_OK(clprim_plan_set_scratch(self->plan, NULL));
    cr_assert_eq(never, 77);
    ASSERT_OK(record(self, &commands, 0, NULL, NULL));
    ASSERT_REFUSED(record(self, &commands, 0, NULL, &never), wrong, "recorded");
    test_commands_finalize(&commands);
    ASSERT_REFUSED(record(&other, &commands, 0, NULL, &never), wrong, "finalized");
    cr_assert_eq(never, 77);
    test_commands_replay(&commands);
    test_call_expect_right(self, "after all that was refused");
    test_call_check(&other, "refused, then enqueued");
    test_call_destroy(&other);
    test_commands_release(&foreign_commands);
    test_commands_release(&commands);
    ASSERT_CL(clReleaseCommandQueue(queue));
    clprim_runtime_destroy(foreign);
}

/* A device without the extension says so, whatever the pointer is. */
Test(contract_record, unsupported)
{
    const clprim_reduce_desc sum = {.type = CLPRIM_U32};
    clprim_plan *plan = NULL;
    cl_uint never = 77;
    int nobody = 0;
    test_without("command_buffers");
    clprim_runtime *runtime = test_runtime(NULL);
    cl_mem out = test_buffer(runtime, sizeof(cl_uint));
    const clprim_reduce_call call = {.out = {out}};
    cr_assert(!has_commands(runtime));
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &sum));
    ASSERT_REFUSED(clprim_plan_record(plan, (void *)&nobody, &call, 0, NULL, &never), CLPRIM_UNSUPPORTED,
                   "cl_khr_command_buffer");
    cr_assert_eq(never, 77);
    ASSERT_OK(clprim_reduce_enqueue(plan, NULL, &call, 0, NULL, NULL));
    ASSERT_CL(clFinish(clprim_runtime_queue(runtime))); /* PoCL 3.1 crashes if a program ends while it compiles */
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}

/* Steps of a chain, each with a plan; the counts stay on the device. */
typedef struct chain {
    clprim_plan *select, *sort, *unique;
    cl_mem in, selected, distinct, counts; /* numbers of selected and of distinct elements */
} chain;

static chain chain_create(clprim_runtime *runtime)
{
    chain self = {.in = test_buffer(runtime, COUNT * sizeof(cl_uint)),
                  .selected = test_buffer(runtime, COUNT * sizeof(cl_uint)),
                  .distinct = test_buffer(runtime, COUNT * sizeof(cl_uint)),
                  .counts = test_buffer(runtime, 2 * sizeof(cl_uint))};
    const clprim_select_desc select = {.type = CLPRIM_U32, .predicate = "x % 3 != 0"};
    const clprim_radix_sort_desc sort = {.key_type = CLPRIM_U32, .count_at_type = CLPRIM_U32};
    const clprim_unique_desc unique = {.type = CLPRIM_U32, .count_at_type = CLPRIM_U32};
    ASSERT_OK(clprim_select_create(&self.select, runtime, &select));
    ASSERT_OK(clprim_radix_sort_create(&self.sort, runtime, &sort));
    ASSERT_OK(clprim_unique_create(&self.unique, runtime, &unique));
    return self;
}

static void chain_destroy(chain *self)
{
    const cl_mem buffers[] = {self->in, self->selected, self->distinct, self->counts};
    clprim_plan_destroy(self->select);
    clprim_plan_destroy(self->sort);
    clprim_plan_destroy(self->unique);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        ASSERT_CL(clReleaseMemObject(buffers[i]));
}

static void chain_record(const chain *self, const test_commands *commands)
{
    cl_uint done[3] = {0};
    const clprim_select_call select = {
        .in = {self->in}, .count = COUNT, .out = {self->selected}, .out_count = {self->counts}};
    const clprim_radix_sort_call sort = {
        .keys_in = {self->selected}, .keys_out = {self->selected}, .count_at = {self->counts}, .count = COUNT};
    const clprim_unique_call unique = {.in = {self->selected},
                                       .count_at = {self->counts},
                                       .count = COUNT,
                                       .out = {self->distinct},
                                       .out_count = {self->counts, 1}};
    ASSERT_OK(clprim_plan_record(self->select, commands->buffer, &select, 0, NULL, &done[0]));
    ASSERT_OK(clprim_plan_record(self->sort, commands->buffer, &sort, 1, &done[0], &done[1]));
    ASSERT_OK(clprim_plan_record(self->unique, commands->buffer, &unique, 1, &done[1], &done[2]));
}

static int compare(const void *a, const void *b)
{
    const cl_uint x = *(const cl_uint *)a;
    const cl_uint y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

/* Fill with random numbers below `range`, and compute the expected results: the numbers of selected and of distinct
 * elements. */
static void fill_chain(cl_uint in[COUNT], cl_uint expected[COUNT], cl_uint counts[2], cl_uint range, uint64_t *random)
{
    cl_uint chosen[COUNT];
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < COUNT; i++) {
        in[i] = (cl_uint)test_random_below(random, range);
        if (in[i] % 3 != 0)
            chosen[counts[0]++] = in[i];
    }
    qsort(chosen, counts[0], sizeof *chosen, compare);
    for (size_t i = 0; i < counts[0]; i++)
        if (i == 0 || chosen[i] != chosen[i - 1])
            expected[counts[1]++] = chosen[i];
}

Test(contract_record, chains, .timeout = 600)
{
    static cl_uint in[COUNT], expected[COUNT], got[COUNT];
    static const cl_uint ranges[] = {1000000, 100, 1, 5000};
    clprim_runtime *runtime = test_runtime(NULL);
    uint64_t random = TEST_SEED;
    for (int k = 0; k < 2 && has_commands(runtime); k++) {
        cl_command_queue queue = test_queue(runtime, k == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        test_commands commands = test_commands_begin(runtime, queue);
        chain self = chain_create(runtime);
        chain_record(&self, &commands);
        test_commands_finalize(&commands);
        for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
            cl_uint counts[2], got_counts[2];
            fill_chain(in, expected, counts, ranges[i], &random);
            test_write(runtime, self.in, in, sizeof in);
            test_commands_replay(&commands);
            test_read(runtime, got_counts, self.counts, sizeof got_counts);
            test_read(runtime, got, self.distinct, sizeof got);
            test_expect_same(counts, got_counts, sizeof *counts, 2, "counts");
            test_expect_same(expected, got, sizeof *got, counts[1], "distinct numbers");
        }
        test_commands_release(&commands);
        chain_destroy(&self);
        ASSERT_CL(clReleaseCommandQueue(queue));
    }
    clprim_runtime_destroy(runtime);
}
