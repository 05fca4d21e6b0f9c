// SPDX-License-Identifier: MIT
/* test_radix_sort.input.c: keys from an expression over several arguments and the index, and outputs in the memory of
 * an argument, with every variant; with the count on the device, also in place. */
#include "ordered.h"

enum { MAX_COUNT = 40001, SMALL = 4000 };

static const size_t counts[] = {0, 1, 2, 255, 257, 1025, SMALL, MAX_COUNT};

enum { NUM_COUNTS = sizeof counts / sizeof *counts };

static uint64_t room[4][MAX_COUNT];

/* Use the description as it is; SINGLE_GROUP needs a smaller max_count. */
static bool create(test_call *self, clprim_runtime *runtime, clprim_radix_sort_desc desc, int variant)
{
    desc.variant = (clprim_radix_sort_variant)variant;
    if (variant == CLPRIM_RADIX_SORT_SINGLE_GROUP)
        desc.max_count = SMALL;
    return test_call_create(self, runtime, &clprim_radix_sort_operation, &desc);
}

/* A member of structs, minus a number, and the index: all kernels must have arguments and count in the same order. */
TEST_BY_VARIANT(radix_sort_input, is_sorted_as_an_array_of_it_is, clprim_radix_sort_operation)
{
    typedef struct record {
        uint32_t id;
        int32_t price;
    } record;
    const clprim_radix_sort_desc desc = {
        .key_type = CLPRIM_I32,
        .input = "less(records[i], from) ^ (int)(i & 1)",
        .text =
            {.source = "typedef struct { uint id; int price; } record;\n"
                       "static int less(record r, int from) { return (int)((uint)r.price - (uint)from); }",
             .parameters = {{.name = "from"},
                            {.name = "records", .type_name = "record", .type_size = sizeof(record), .is_array = true}}},
        .value_size = 2,
        .descending = true,
        .count_at_type = CLPRIM_U64};
    const clprim_reference_sort_how how = {.key_type = CLPRIM_I32, .value_size = 2, .descending = true};
    record *records = (void *)room[0];
    int32_t *keys = (void *)room[1];
    uint16_t *values = (void *)room[2];
    uint16_t *sorted = (void *)room[3];
    int32_t from = -7;
    TEST_WITH_CALL(self, create(&self, runtime, desc, variant))
        for (size_t c = 0; c < NUM_COUNTS && counts[c] <= self.plan->max_count; c++) {
            uint64_t count_at = c % 2 == 0 ? counts[c] - counts[c] / 3 : UINT64_MAX;
            const size_t count = c % 2 == 0 ? (size_t)count_at : counts[c];
            test_fill(records, CLPRIM_U64, CLPRIM_MAX, c % 3 == 0 ? TEST_FEW_DISTINCT : TEST_RANDOM, counts[c], c);
            for (size_t i = 0; i < counts[c]; i++) {
                const uint32_t difference = (uint32_t)records[i].price - (uint32_t)from;
                keys[i] = (int32_t)(difference ^ (i & 1));
                values[i] = sorted[i] = (uint16_t)i;
            }
            ASSERT_OK(clprim_reference_sort(keys, sorted, &how, count));
            test_call_fill(&self,
                           &(clprim_radix_sort_call){.arguments = {{.host = &from}, {.host = records}},
                                                     .values_in = {.host = values},
                                                     .count_at = {.host = &count_at},
                                                     .count = counts[c],
                                                     .keys_out = {.host = keys},
                                                     .values_out = {.host = sorted}},
                           TEST_SEED + c);
            test_call_check(&self, "%zu of %zu elements", count, counts[c]);
        }
}

/* Rounded to nearest even. */
static uint16_t bf16_from_float(float x)
{
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t rest = bits & 0xffff;
    return (uint16_t)((bits >> 16) + (rest > 0x8000 || (rest == 0x8000 && (bits >> 16) % 2 == 1)));
}

/* Halves and BF16 are computed as floats. */
static void check_halves(clprim_runtime *runtime, clprim_type type)
{
    const clprim_radix_sort_desc desc = {.key_type = type, .input = "(float)(i % 2048) * -0.5f", .argsort = true};
    const clprim_reference_sort_how how = {.key_type = type, .value_size = 4, .argsort = true};
    uint16_t *keys = (void *)room[0];
    for (size_t i = 0; i < SMALL; i++) {
        const float x = (float)(i % 2048) * -0.5f;
        keys[i] = type == CLPRIM_F16 ? clprim_half_from_float(x) : bf16_from_float(x);
    }
    ASSERT_OK(clprim_reference_sort(keys, room[1], &how, SMALL));
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_radix_sort_operation, &desc)) {
        test_call_fill(
            &self,
            &(clprim_radix_sort_call){.count = SMALL, .keys_out = {.host = keys}, .values_out = {.host = room[1]}},
            TEST_SEED);
        test_call_check(&self, "halves");
    }
}

TEST_WITH_RUNTIME(radix_sort_input, may_be_halves)
{
    check_halves(runtime, CLPRIM_F16);
    check_halves(runtime, CLPRIM_BF16);
}

/* Several kernels compute the keys, which must be the same in all of them: so products are rounded before they are
 * added to, wherever the compiler puts the expression. */
TEST_BY_VARIANT(radix_sort_input, is_not_contracted, clprim_radix_sort_operation)
{
    const clprim_radix_sort_desc desc = {
        .key_type = CLPRIM_F32,
        .input = "sum(x[i], scale)",
        .text = {.source = "static float sum(float x, float scale) { return x * scale + scale; }",
                 .parameters = {{"x", CLPRIM_F32, .is_array = true}, {"scale", CLPRIM_F32}},
                 .options = "-cl-mad-enable"}};
    const clprim_reference_sort_how how = {.key_type = CLPRIM_F32};
    float *x = (void *)room[0], *keys = (void *)room[1];
    float scale = 0.7f;
    TEST_WITH_CALL(self, create(&self, runtime, desc, variant)) {
        for (size_t i = 0; i < SMALL; i++) {
            x[i] = (float)(int)(i * 7919 % 10007 - 5000) / 3;
            volatile float product = x[i] * scale;
            keys[i] = product + scale;
        }
        ASSERT_OK(clprim_reference_sort(keys, NULL, &how, SMALL));
        test_call_fill(&self,
                       &(clprim_radix_sort_call){
                           .arguments = {{.host = x}, {.host = &scale}}, .count = SMALL, .keys_out = {.host = keys}},
                       TEST_SEED);
        test_call_check(&self, "rounded twice");
        test_call_check_run(&self, "on the host");
    }
}

/* The keys or the indices replace the argument from which the keys are computed, and nothing else is written; with odd
 * and even numbers of passes, and with bits that are the same in all keys. */
TEST_BY_VARIANT(radix_sort_input, may_be_replaced_by_the_result, clprim_radix_sort_operation)
{
    static const clprim_radix_sort_desc descs[] = {
        {.input = "~x[i]", .argsort = true},
        {.input = "~x[i]", .argsort = true, .bit_range = true, .begin_bit = 3, .end_bit = 7},
        {.input = "x[i] & 0xff", .argsort = true, .bit_range = true, .begin_bit = 8, .end_bit = 31},
    };
    static const uint32_t untouched[1] = {77};
    uint32_t *x = (void *)room[0], *keys = (void *)room[1], *indices = (void *)room[2], *found = (void *)room[3];
    const size_t bytes = (MAX_COUNT + 1) * sizeof *x;
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        clprim_radix_sort_desc desc = descs[d];
        const clprim_reference_sort_how how = {.key_type = CLPRIM_U32,
                                               .value_size = 4,
                                               .argsort = true,
                                               .bit_range = desc.bit_range,
                                               .begin_bit = desc.begin_bit,
                                               .end_bit = desc.end_bit};
        desc.text.parameters[0] = (clprim_parameter){"x", .type = CLPRIM_U32, .is_array = true};
        TEST_WITH_CALL(self, create(&self, runtime, desc, variant))
            for (size_t c = 2; c < 2 * NUM_COUNTS && counts[c / 2] <= self.plan->max_count; c++) {
                const size_t count = counts[c / 2];
                const bool are_keys = c % 2 == 0; /* that replace x; otherwise the indices do */
                test_fill(x, CLPRIM_U32, CLPRIM_MAX, TEST_RANDOM, count, c);
                x[count] = untouched[0];
                for (size_t i = 0; i < count; i++)
                    keys[i] = d == 2 ? x[i] & 0xff : ~x[i];
                cl_mem both = test_upload(runtime, x, bytes);
                cl_mem other = test_upload(runtime, x, bytes);
                ASSERT_OK(clprim_reference_sort(keys, indices, &how, count));
                ASSERT_OK(clprim_radix_sort_enqueue(self.plan, NULL,
                                                    &(clprim_radix_sort_call){.arguments = {{both}},
                                                                              .count = count,
                                                                              .keys_out = {are_keys ? both : other},
                                                                              .values_out = {are_keys ? other : both}},
                                                    0, NULL, NULL));
                test_read(runtime, found, are_keys ? both : other, bytes);
                test_expect_same(keys, found, sizeof *x, count, "keys");
                test_expect_same(untouched, found + count, sizeof *x, 1, "behind the keys");
                test_read(runtime, found, are_keys ? other : both, bytes);
                test_expect_same(indices, found, sizeof *x, count, "indices");
                test_expect_same(untouched, found + count, sizeof *x, 1, "behind the indices");
                ASSERT_CL(clReleaseMemObject(both));
                ASSERT_CL(clReleaseMemObject(other));
            }
    }
}

/* Elements after the actual number do not change, in place or not. */
TEST_BY_VARIANT(radix_sort_counts, on_the_device, clprim_radix_sort_operation)
{
    static const clprim_radix_sort_desc desc = {.key_type = CLPRIM_F32, .value_size = 4, .count_at_type = CLPRIM_U32};
    TEST_WITH_CALL(self, create(&self, runtime, desc, variant))
        for (size_t c = 0; c < NUM_COUNTS && counts[c] <= self.plan->max_count; c++)
            for (uint64_t replaced = 0; replaced < 2; replaced++) {
                uint32_t count_at = (uint32_t)(counts[c] * 2 / 3 + replaced);
                self.replaced = replaced * UINT64_MAX;
                test_call_fill_data(&self,
                                    &(clprim_radix_sort_call){.count_at = {.host = &count_at}, .count = counts[c]},
                                    (test_data)((c + replaced) % TEST_DATA_END), c);
                test_call_check(&self, "%u of %zu elements", count_at, counts[c]);
            }
}

#define INVALID(culprit, ...) TEST_INVALID(radix_sort, culprit, false, __VA_ARGS__)

Test(radix_sort_input, refusals)
{
    TEST_REFUSE_EACH(radix_sort, INVALID("text without", .text.source = "int f(void);"),
                     INVALID("text without", .text.parameters = {{.name = "a"}}),
                     INVALID("count_at_type", .count_at_type = CLPRIM_I32));
    TEST_REFUSE_EACH(sort_by_key,
                     TEST_INVALID(sort_by_key, "source is given without", false, .text.source = "int f(void);"),
                     TEST_INVALID(sort_by_key, "count_at_type", false, .count_at_type = CLPRIM_I32));
    TEST_REFUSE_EACH(segmented_sort,
                     TEST_INVALID(segmented_sort, "text without", false, .text.source = "int f(void);"));
    TEST_REFUSE_EACH(top_k, TEST_INVALID(top_k, "text without", false, .k = 1, .text.source = "int f(void);"),
                     TEST_INVALID(top_k, "text without", false, .k = 1, .variant = CLPRIM_TOP_K_SORT,
                                  .text.source = "int f(void);"));
}

/* Every variant reports a mistake in the text. */
TEST_WITH_RUNTIME(radix_sort_input, mistakes)
{
    const test_refusal rows[] = {TEST_MISTAKE(radix_sort, "input:1", .input = "nothing[i]")};
    test_refuse_texts(runtime, &clprim_radix_sort_operation, rows, 1);
}
