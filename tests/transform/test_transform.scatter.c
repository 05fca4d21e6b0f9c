// SPDX-License-Identifier: MIT
/* test_transform.scatter.c: outputs with .out_index: elements of every size, skipped elements, shorter and longer
 * outputs, several outputs, counts on the device, several values for one place, and calls that are refused. */
#include "ordered.h"

enum { MAX_COUNT = 16389, WAYS = 3 };

typedef clprim_transform_desc description;
typedef clprim_transform_call call_of;

static const size_t counts[] = {0,   1,   2,   3,    63,   64,   65,   127,  128,   129,      255,
                                256, 257, 511, 1023, 1024, 1025, 4095, 8193, 16385, MAX_COUNT};

/* Elements of 12 bytes have a type of the caller. */
typedef struct triple {
    uint32_t x, y, z;
} triple;

static int32_t map[MAX_COUNT];
static uint8_t bytes[MAX_COUNT];
static uint64_t words[MAX_COUNT];
static triple triples[MAX_COUNT];

/* Each place occurs once, or is outside all outputs; some are negative. */
static void fill(size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        const size_t k = (size_t)test_random_below(&seed, i + 1);
        map[i] = map[k];
        map[k] = (int32_t)i;
        bytes[i] = (uint8_t)test_random(&seed);
        words[i] = test_random(&seed);
        triples[i] = (triple){(uint32_t)test_random(&seed), (uint32_t)i, 7};
    }
    for (size_t i = 3; i < count; i += 5)
        map[i] = i % 2 == 0 ? -1 : INT32_MIN;
}

/* Three outputs, of 1, 8 and 12 bytes. */
static clprim_status reference(const void *desc, const void *given)
{
    const call_of *call = given;
    const size_t length = call->out_length != 0 ? call->out_length : *(const size_t *)desc;
    for (size_t i = 0; i < call->count; i++) {
        const uint64_t j = (uint64_t)(int64_t)map[i];
        if (j >= length)
            continue;
        ((uint8_t *)call->out[0].host)[j] = (uint8_t)(bytes[i] + 1);
        ((uint64_t *)call->out[1].host)[j] = words[i] ^ i;
        ((triple *)call->out[2].host)[j] = triples[i];
    }
    return CLPRIM_SUCCESS;
}

static size_t upper_limit; /* of the current call */

/* The reference gets a count on the device as .count. By default, outputs have room for the limit on the host. */
static clprim_status reference_of_limit(const void *desc, const void *given)
{
    (void)desc;
    return reference(&upper_limit, given);
}

static const description three = {
    .expressions = {"x[i] + 1", "w[i] ^ i", "t[i]"},
    .types = {CLPRIM_U8, CLPRIM_U64},
    .type_names = {[2] = "triple"},
    .type_sizes = {[2] = 12},
    .out_index = "map[i]",
    .text = {.source = "typedef struct { uint x, y, z; } triple;",
             .parameters = {{"map", CLPRIM_I32, .is_array = true},
                            {"x", CLPRIM_U8, .is_array = true},
                            {"w", CLPRIM_U64, .is_array = true},
                            {.name = "t", .type_name = "triple", .type_size = 12, .is_array = true}}},
};

static const call_of arrays = {.arguments = {{.host = map}, {.host = bytes}, {.host = words}, {.host = triples}}};

static void check_all(const description *desc, bool has_count_at)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = 0; variant <= test_last_variant(&clprim_transform_operation); variant++) {
        description by = *desc;
        by.variant = (clprim_transform_variant)variant;
        by.work_group_size = variant == 0 ? 0 : 64;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_transform_operation, &by))
            for (size_t i = 0; i < WAYS * sizeof counts / sizeof *counts; i++) {
                const size_t count = counts[i / WAYS];
                const size_t lengths[WAYS] = {has_count_at ? count : 0, count / 2 + 1, count + 77};
                uint32_t at = (uint32_t)(i % 2 == 0 ? count / 3 : count + 5);
                call_of call = arrays;
                call.count = upper_limit = count;
                call.out_length = lengths[i % WAYS];
                call.count_at.host = has_count_at ? &at : NULL;
                fill(count, TEST_SEED + i);
                self.reference = reference_of_limit;
                test_call_fill(&self, &call, TEST_SEED + i);
                test_call_check(&self, "%zu elements to %zu", count, call.out_length);
                if (i % 2 == 0)
                    test_call_check_run(&self, "%zu elements to %zu on the host", count, call.out_length);
            }
    }
    clprim_runtime_destroy(runtime);
}

Test(transform_scatter, permutations_with_elements_left_out, .timeout = 600)
{
    check_all(&three, false);
}

Test(transform_scatter, counts_on_the_device, .timeout = 600)
{
    description desc = three;
    desc.count_at_type = CLPRIM_U32;
    check_all(&desc, true);
}

/* Seven places, each of which gets many values: one of them is stored, and elements after these places are
 * unchanged. */
TEST_WITH_RUNTIME(transform_scatter, several_values_for_one_place)
{
    enum { COUNT = 10007, PLACES = 7 };
    static const uint32_t before[PLACES + 1] = {[PLACES] = 77};
    for (int variant = 0; variant <= test_last_variant(&clprim_transform_operation); variant++) {
        uint32_t out[PLACES + 1];
        memcpy(out, before, sizeof out);
        ASSERT_OK(clprim_transform_run(runtime,
                                       &(description){.expressions = {"i + 1"},
                                                      .types = {CLPRIM_U32},
                                                      .out_index = "i % 8",
                                                      .variant = (clprim_transform_variant)variant},
                                       &(call_of){.count = COUNT, .out_length = PLACES, .out = {{.host = out}}}));
        for (uint32_t k = 0; k < PLACES; k++)
            cr_assert(out[k] > 0 && out[k] <= COUNT && (out[k] - 1) % 8 == k, "%u at %u", out[k], k);
        cr_assert_eq(out[PLACES], 77);
    }
}

#define INVALID(culprit, ...) TEST_INVALID(transform, culprit, false, __VA_ARGS__)

Test(transform_scatter, refusals)
{
    TEST_REFUSE_EACH(transform, TEST_MISTAKE(transform, "out_index:1", .out_index = "nothing"),
                     INVALID("expressions[1]", .out_index = "i", .types = {CLPRIM_U8, CLPRIM_U8}));
}

/* Errors in calls: a length without .out_index, a length that exceeds the buffer, and an output that overlaps an
 * argument. */
TEST_WITH_RUNTIME(transform_scatter, refuses_calls)
{
    enum { COUNT = 16 };
    static const description descs[] = {
        {.expressions = {"x[i]"}, .text.parameters = {{"x", CLPRIM_I32, .is_array = true}}},
        {.expressions = {"x[i]"}, .out_index = "x[i]", .text.parameters = {{"x", CLPRIM_I32, .is_array = true}}}};
    const int32_t on_host[COUNT] = {0};
    cl_mem buffer = test_upload(runtime, on_host, sizeof on_host);
    cl_mem other = test_upload(runtime, on_host, sizeof on_host);
    const struct {
        clprim_status status;
        const char *culprit;
        size_t desc;
        call_of call;
    } rows[] = {
        {CLPRIM_INVALID_ARGUMENT, "out_length", 0, {.out_length = COUNT, .out = {{other}}}},
        {CLPRIM_INVALID_RANGE, "count 17", 1, {.out_length = COUNT + 1, .out = {{other}}}},
        {CLPRIM_INVALID_RANGE, "out", 1, {.out_length = SIZE_MAX, .out = {{other}}}},
        {CLPRIM_INVALID_RANGE, "length of 7", 1, {.out = {{other, .length = 7}}}},
        {CLPRIM_INVALID_OVERLAP, "overlap", 1, {.out = {{buffer}}}},
        {CLPRIM_INVALID_OVERLAP, "overlap", 1, {.out_length = 1, .out = {{buffer}}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_plan *plan = NULL;
        call_of call = rows[i].call;
        call.arguments[0].buffer = buffer;
        call.count = COUNT / 2;
        ASSERT_OK(clprim_transform_create(&plan, runtime, &descs[rows[i].desc]));
        test_expect_status(clprim_transform_enqueue(plan, NULL, &call, 0, NULL, NULL), rows[i].status, rows[i].culprit,
                           "enqueue");
        test_expect_status(clprim_transform_run(runtime, &descs[rows[i].desc], &call), rows[i].status, rows[i].culprit,
                           "run");
        clprim_plan_destroy(plan);
    }
    ASSERT_CL(clReleaseMemObject(buffer));
    ASSERT_CL(clReleaseMemObject(other));
}

/* Values could go to any part. */
TEST_WITH_RUNTIME(transform_scatter, is_not_cut_into_parts)
{
    ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 1 << 14}));
    test_expect_status(
        clprim_transform_run(runtime, &(description){.out_index = "i"},
                             &(call_of){.count = MAX_COUNT, .out = {{.host = test_memory(0, 4 * MAX_COUNT)}}}),
        CLPRIM_UNSUPPORTED, "out_index", "a run in pieces");
}
