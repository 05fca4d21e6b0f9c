/* test_scan.memory.c: the memory that a plan keeps from call to call, its own or the caller's. Counts grow and shrink,
 * calls follow one another without waiting, on whatever queues, and nothing of one call is left over for the next. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 100003, TAIL = 5, ROOM = COUNT + TAIL, POISON = 0xa5 };

/* Up and down, by little and by much; the longest not first, so that memory has to grow. */
static const size_t counts[] = {5,   4096,  1,    70000, 3,     257,   COUNT, 0,     65536, 65537, 2,
                                300, 99999, 4097, 17,    COUNT, 33333, 1,     12345, 512,   513,   COUNT};

enum { NUM_COUNTS = sizeof counts / sizeof *counts };

/* Random I32, in and as its sums; `variant` may be AUTO. */
typedef struct setting {
    clprim_runtime *runtime;
    clprim_scan *plan;
    const char *variant;
    cl_mem in;
    cl_mem out;
    int32_t *data;
    int32_t *expected;
    int32_t *got;
} setting;

/* False where the device cannot run it. */
static bool setting_create(setting *self, clprim_runtime *runtime, int variant, const char *name)
{
    const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variant};
    *self = (setting){.runtime = runtime, .variant = name};
    const clprim_status status = clprim_scan_create(&self->plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED)
        return false;
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", name, clprim_last_error());
    self->data = malloc(ROOM * sizeof *self->data);
    self->expected = malloc(ROOM * sizeof *self->expected);
    self->got = malloc(ROOM * sizeof *self->got);
    cr_assert(self->data != NULL && self->expected != NULL && self->got != NULL);
    test_fill(self->data, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, ROOM, TEST_SEED);
    self->in = test_upload(runtime, self->data, ROOM * sizeof *self->data);
    self->out = test_buffer(runtime, ROOM * sizeof *self->got);
    return true;
}

static void setting_destroy(setting *self)
{
    clprim_scan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->out));
    free(self->data);
    free(self->expected);
    free(self->got);
}

static void poison(setting *self)
{
    memset(self->got, POISON, ROOM * sizeof *self->got);
    test_write(self->runtime, self->out, self->got, ROOM * sizeof *self->got);
}

/* The sums of `count` elements from `from` on, and nothing else, are in the output. */
static void expect_sums(setting *self, size_t from, size_t count, const char *when)
{
    char what[160];
    (void)snprintf(what, sizeof what, "%s, %s: %zu elements", self->variant, when, count);
    memset(self->expected, POISON, ROOM * sizeof *self->expected);
    ASSERT_OK(
        clprim_reference_scan(self->expected, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, NULL, self->data + from, count));
    test_read(self->runtime, self->got, self->out, ROOM * sizeof *self->got);
    test_expect_same(self->expected, self->got, sizeof *self->got, ROOM, what);
}

static void check_call(setting *self, size_t from, size_t count, const char *when)
{
    poison(self);
    ASSERT_OK(clprim_scan_enqueue(self->plan, NULL, self->in, from, count, self->out, 0, 0, NULL, NULL));
    expect_sums(self, from, count, when);
}

/* Memory full of what a careless variant might take for the results of its other work-groups. */
static cl_mem garbage(const clprim_runtime *runtime, size_t bytes, unsigned char byte)
{
    unsigned char *data = malloc(bytes > 0 ? bytes : 1);
    cr_assert_not_null(data);
    memset(data, byte, bytes);
    cl_mem buffer = test_upload(runtime, data, bytes);
    free(data);
    return buffer;
}

static size_t scratch_size(const clprim_scan *plan, size_t count)
{
    size_t bytes = 0;
    ASSERT_OK(clprim_scan_scratch_size(&bytes, plan, count));
    return bytes;
}

/* Enough for every one of the counts. */
static size_t largest_scratch(const clprim_scan *plan)
{
    size_t most = 0;
    for (size_t i = 0; i < NUM_COUNTS; i++) {
        const size_t bytes = scratch_size(plan, counts[i]);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Each variant, and AUTO. */
#define FOR_EACH_VARIANT(self, runtime, body)                                                                          \
    do {                                                                                                               \
        size_t num_variants = 0;                                                                                       \
        const clprim_variant_info *variants = clprim_scan_variants(&num_variants);                                     \
        for (size_t v = 0; v <= num_variants; v++)                                                                     \
            if (setting_create(&(self), runtime, v < num_variants ? variants[v].id : CLPRIM_SCAN_AUTO,                 \
                               v < num_variants ? variants[v].name : "auto")) {                                        \
                body setting_destroy(&(self));                                                                         \
            }                                                                                                          \
    } while (0)

static void check_varying_counts(setting *self)
{
    for (size_t i = 0; i < NUM_COUNTS; i++)
        check_call(self, i % 4, counts[i], "in the library's memory");
    cl_mem mine = garbage(self->runtime, largest_scratch(self->plan), POISON);
    ASSERT_OK(clprim_scan_set_scratch(self->plan, mine));
    for (size_t i = 0; i < NUM_COUNTS; i++)
        check_call(self, i % 4, counts[NUM_COUNTS - 1 - i], "in the caller's memory");
    ASSERT_OK(clprim_scan_set_scratch(self->plan, NULL));
    ASSERT_CL(clReleaseMemObject(mine));
    for (size_t i = 0; i < NUM_COUNTS; i += 3)
        check_call(self, i % 4, counts[i], "in the library's memory again");
}

Test(scan_memory, counts_that_vary_from_call_to_call)
{
    clprim_runtime *runtime = test_runtime(NULL);
    setting self;
    FOR_EACH_VARIANT(self, runtime, check_varying_counts(&self););
    clprim_runtime_destroy(runtime);
}

/* One byte less than what is asked for is refused; exactly that much will do, whatever is in it. */
static void check_sizes(setting *self)
{
    static const size_t some[] = {1, 300, 4097, 65537, COUNT};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        const size_t bytes = scratch_size(self->plan, some[i]);
        if (bytes > 0) {
            cl_event done = NULL;
            cl_mem small = bytes > 1 ? test_buffer(self->runtime, bytes - 1) : NULL;
            if (small != NULL) {
                poison(self);
                ASSERT_OK(clprim_scan_set_scratch(self->plan, small));
                ASSERT_STATUS(clprim_scan_enqueue(self->plan, NULL, self->in, 0, some[i], self->out, 0, 0, NULL, &done),
                              CLPRIM_INVALID_SCRATCH);
                cr_assert_null(done);
                expect_sums(self, 0, 0, "refused");
                ASSERT_CL(clReleaseMemObject(small));
            }
        }
        cl_mem enough = garbage(self->runtime, bytes, i % 2 == 0 ? 0xff : 1);
        ASSERT_OK(clprim_scan_set_scratch(self->plan, enough));
        ASSERT_CL(clReleaseMemObject(enough)); /* the plan keeps a reference */
        for (int repetition = 0; repetition < 3; repetition++)
            check_call(self, 0, some[i], "just enough memory");
        ASSERT_OK(clprim_scan_set_scratch(self->plan, NULL));
        check_call(self, 0, some[i], "after memory of the caller's");
    }
}

Test(scan_memory, just_enough_of_the_callers)
{
    clprim_runtime *runtime = test_runtime(NULL);
    setting self;
    FOR_EACH_VARIANT(self, runtime, check_sizes(&self););
    clprim_runtime_destroy(runtime);
}

/* Two buffers by turns, each used for other things once the plan has been told to leave it. */
static void check_exchange(setting *self)
{
    const size_t bytes = largest_scratch(self->plan);
    cl_mem mine[2] = {garbage(self->runtime, bytes, 0xff), garbage(self->runtime, bytes, 0)};
    unsigned char *trash = malloc(bytes + 1);
    cr_assert_not_null(trash);
    for (size_t i = 0; i < NUM_COUNTS; i++) {
        memset(trash, (int)(i * 37), bytes);
        ASSERT_OK(clprim_scan_set_scratch(self->plan, mine[i % 2]));
        test_write(self->runtime, mine[1 - i % 2], trash, bytes);
        check_call(self, 1, counts[i], "buffers by turns");
    }
    ASSERT_OK(clprim_scan_set_scratch(self->plan, mine[0]));
    check_call(self, 0, COUNT, "before it is left");
    ASSERT_OK(clprim_scan_set_scratch(self->plan, NULL));
    memset(trash, 0xff, bytes);
    test_write(self->runtime, mine[0], trash, bytes);
    ASSERT_OK(clprim_scan_set_scratch(self->plan, mine[0]));
    check_call(self, 0, COUNT, "the same buffer once more");
    check_call(self, 2, COUNT, "the same buffer again");
    /* and a new plan finds what this one left there */
    clprim_scan *old = self->plan;
    const clprim_scan_desc desc = {.variant = clprim_scan_plan_variant(old)};
    ASSERT_OK(clprim_scan_create(&self->plan, self->runtime, &desc));
    clprim_scan_destroy(old);
    ASSERT_OK(clprim_scan_set_scratch(self->plan, mine[0]));
    for (size_t i = 0; i < 5; i++)
        check_call(self, i, COUNT - i, "a buffer that another plan has left");
    ASSERT_CL(clReleaseMemObject(mine[0]));
    ASSERT_CL(clReleaseMemObject(mine[1]));
    free(trash);
}

Test(scan_memory, buffers_by_turns)
{
    clprim_runtime *runtime = test_runtime(NULL);
    setting self;
    FOR_EACH_VARIANT(self, runtime, check_exchange(&self););
    clprim_runtime_destroy(runtime);
}

/* One plan many times in flight: its own memory must not be shared by two of them, whatever the queues. */
static void check_many_in_flight(setting *self, cl_command_queue first, cl_command_queue second, cl_mem out,
                                 int32_t *all[2])
{
    const size_t bytes = NUM_COUNTS * (size_t)ROOM * sizeof **all;
    memset(all[0], POISON, bytes);
    test_write(self->runtime, out, all[0], bytes);
    for (size_t i = 0; i < NUM_COUNTS; i++) /* each over another range */
        ASSERT_OK(clprim_scan_enqueue(self->plan, i % 2 == 0 ? first : second, self->in, i % 5, counts[i], out,
                                      i * ROOM, 0, NULL, NULL));
    ASSERT_CL(clFinish(first));
    ASSERT_CL(clFinish(second));
    for (size_t i = 0; i < NUM_COUNTS; i++)
        ASSERT_OK(clprim_reference_scan(all[0] + i * ROOM, CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, NULL, self->data + i % 5,
                                        counts[i]));
    test_read(self->runtime, all[1], out, bytes);
    test_expect_same(all[0], all[1], sizeof **all, NUM_COUNTS * (size_t)ROOM, self->variant);
}

Test(scan_memory, again_and_again_without_waiting)
{
    static const struct {
        clprim_scan_variant variant;
        const char *name;
    } kinds[] = {{CLPRIM_SCAN_BIT_REVERSED, "bit_reversed"},
                 {CLPRIM_SCAN_BLELLOCH, "blelloch"},
                 {CLPRIM_SCAN_REDUCE_THEN_SCAN, "reduce_then_scan"},
                 {CLPRIM_SCAN_LOOK_BACK, "look_back"},
                 {CLPRIM_SCAN_AUTO, "auto"}};
    const cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    const size_t bytes = NUM_COUNTS * (size_t)ROOM * sizeof(int32_t);
    clprim_runtime *runtime = test_runtime(NULL);
    cl_command_queue queues[4] = {test_queue(runtime, 0), test_queue(runtime, CL_QUEUE_PROFILING_ENABLE),
                                  test_queue(runtime, out_of_order), test_queue(runtime, out_of_order)};
    int32_t *all[2] = {malloc(bytes), malloc(bytes)};
    cr_assert(all[0] != NULL && all[1] != NULL);
    cl_mem out = test_buffer(runtime, bytes);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        setting self;
        if (!setting_create(&self, runtime, (int)kinds[k].variant, kinds[k].name))
            continue;
        cl_mem mine = garbage(runtime, largest_scratch(self.plan), POISON);
        for (size_t a = 0; a < 4; a++)
            for (size_t b = 0; b < 4; b++) {
                ASSERT_OK(clprim_scan_set_scratch(self.plan, (a + b / 2) % 2 == 0 ? NULL : mine));
                check_many_in_flight(&self, queues[a], queues[b], out, all);
            }
        setting_destroy(&self);
        ASSERT_CL(clReleaseMemObject(mine));
    }
    for (size_t i = 0; i < 4; i++)
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    ASSERT_CL(clReleaseMemObject(out));
    free(all[0]);
    free(all[1]);
    clprim_runtime_destroy(runtime);
}

/* Plans of several passes share the runtime's memory, on queues of their own. */
Test(scan_memory, plans_that_share_the_scratch_pool)
{
    enum { PLANS = 12, ROUNDS = 6 };
    static const clprim_scan_variant kinds[] = {CLPRIM_SCAN_BLELLOCH, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                                CLPRIM_SCAN_LOOK_BACK};
    clprim_runtime *runtime = test_runtime(NULL);
    setting settings[PLANS];
    cl_command_queue queues[PLANS];
    for (size_t i = 0; i < PLANS; i++) {
        if (!setting_create(&settings[i], runtime, (int)kinds[i % 3], "plans that share"))
            cr_assert(setting_create(&settings[i], runtime, CLPRIM_SCAN_AUTO, "plans that share"));
        queues[i] = test_queue(runtime, i % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        poison(&settings[i]);
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < PLANS; i++)
            ASSERT_OK(clprim_scan_enqueue(settings[i].plan, queues[(i + round) % PLANS], settings[i].in, i % 4,
                                          COUNT - i * 5000, settings[i].out, 0, 0, NULL, NULL));
    for (size_t i = 0; i < PLANS; i++)
        ASSERT_CL(clFinish(queues[i]));
    for (size_t i = 0; i < PLANS; i++) {
        expect_sums(&settings[i], i % 4, COUNT - i * 5000, "after all rounds");
        setting_destroy(&settings[i]);
        ASSERT_CL(clReleaseCommandQueue(queues[i]));
    }
    clprim_runtime_destroy(runtime);
}
