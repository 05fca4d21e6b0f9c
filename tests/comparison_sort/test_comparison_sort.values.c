// SPDX-License-Identifier: MIT
/* test_comparison_sort.values.c: values that are large or whose size is no power of two, which are gathered after the
 * sort: with every variant, stable and not, in place and not, in a caller's order, with keys from an expression, and
 * with indices of 64 bits; and calls that are refused. */
#include <clprim/reference.h>

#include "cases.h"

enum { MOST = 9001, LARGEST = 256 };

static uint32_t keys[MOST];
static unsigned char values[MOST * LARGEST];

/* Values are indices, so that they show the order of equal keys. If that order may be arbitrary, they are derived from
 * the keys. */
static void fill_values(size_t size, size_t count, bool by_key)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = by_key ? keys[i] * 2654435761U : (uint32_t)i;
        for (size_t b = 0; b < size; b++)
            values[i * size + b] = (unsigned char)((bits >> b % 4 * 8) + b);
    }
}

static void check(test_call *self, size_t count, bool in_place, uint64_t seed)
{
    const clprim_comparison_sort_desc *desc = (const void *)self->desc.bytes;
    test_fill(keys, CLPRIM_U32, CLPRIM_MAX, seed % 2 == 0 ? TEST_FEW_DISTINCT : TEST_RANDOM, count, seed);
    fill_values(desc->value_size, count, !desc->stable);
    self->replaced = in_place;
    test_call_fill(
        self, &(clprim_comparison_sort_call){.keys_in = {.host = keys}, .values_in = {.host = values}, .count = count},
        seed);
    test_call_check(self, "%zu values of %zu bytes", count, desc->value_size);
}

static bool can_be_stable(int variant)
{
    return variant != CLPRIM_COMPARISON_SORT_MERGE_NETWORK && variant != CLPRIM_COMPARISON_SORT_BITONIC &&
           variant != CLPRIM_COMPARISON_SORT_SAMPLE_SORT;
}

TEST_BY_VARIANT(comparison_sort_values, of_any_size, clprim_comparison_sort_operation)
{
    static const size_t sizes[] = {3, 5, 12, 15, 17, 24, 32, 48, 255, 256};
    static const size_t counts[] = {0, 1, 2, 33, 1000, 4097, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (!test_is_full() && (s + (size_t)variant) % 3 != 0)
            continue;
        const clprim_comparison_sort_desc desc = {
            .value_size = sizes[s],
            .less = s % 3 == 1 && variant != CLPRIM_COMPARISON_SORT_RADIX ? "a < b" : NULL,
            .descending = s % 4 == 2,
            .stable = s % 2 == 0 && can_be_stable(variant),
            .max_count = s % 5 == 4 && can_be_stable(variant) ? (size_t)1 << 33 : 0,
            .work_group_size = s % 4 == 3 ? 32 : 0,
            .variant = (clprim_comparison_sort_variant)variant};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_comparison_sort_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, counts[i], (i + s) % 2 == 0, TEST_SEED + i + s);
    }
}

/* Keys that an expression computes, sorted with the values that belong to them. */
TEST_BY_VARIANT(comparison_sort_values, of_keys_from_an_expression, clprim_comparison_sort_operation)
{
    static unsigned char expected[MOST * 12];
    static uint32_t sorted[MOST];
    const clprim_comparison_sort_desc desc = {.input = "k[i] / 2",
                                              .text.parameters = {{"k", CLPRIM_U32, .is_array = true}},
                                              .value_size = 12,
                                              .variant = (clprim_comparison_sort_variant)variant};
    test_fill(keys, CLPRIM_U32, CLPRIM_MAX, TEST_FEW_DISTINCT, MOST, TEST_SEED);
    for (size_t i = 0; i < MOST; i++)
        sorted[i] = keys[i] /= 2;
    fill_values(12, MOST, true);
    memcpy(expected, values, sizeof expected);
    ASSERT_OK(
        clprim_reference_comparison_sort(sorted, expected, &(clprim_reference_comparison_how){.value_size = 12}, MOST));
    for (size_t i = 0; i < MOST; i++)
        keys[i] *= 2;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_comparison_sort_operation, &desc)) {
        test_call_fill(&self,
                       &(clprim_comparison_sort_call){.values_in = {.host = values},
                                                      .arguments = {{.host = keys}},
                                                      .count = MOST,
                                                      .keys_out = {.host = sorted},
                                                      .values_out = {.host = expected}},
                       TEST_SEED);
        test_call_check(&self, "keys from an expression");
    }
}

TEST_WITH_RUNTIME(comparison_sort_values, refusals)
{
    clprim_plan *plan = NULL;
    TEST_REFUSE_EACH(
        comparison_sort, TEST_INVALID(comparison_sort, "at most 256", false, .value_size = 257),
        TEST_INVALID(comparison_sort, "at most 256", false, .value_size = SIZE_MAX),
        TEST_INVALID(comparison_sort, "value_size 12", false, .argsort = true, .value_size = 12),
        TEST_INVALID(comparison_sort, "index_type", false, .index_type = CLPRIM_I32, .value_size = 12),
        TEST_INVALID(comparison_sort, "unknown type", false, .key_type = CLPRIM_TYPE_END, .value_size = 12));
    ASSERT_REFUSED(clprim_comparison_sort_create(
                       &plan, runtime, &(clprim_comparison_sort_desc){.value_size = 12, .in_place_only = true}),
                   CLPRIM_UNSUPPORTED, "not of 12");
    ASSERT_REFUSED(clprim_comparison_sort_create(
                       &plan, runtime,
                       &(clprim_comparison_sort_desc){
                           .value_size = 12, .stable = true, .variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK}),
                   CLPRIM_UNSUPPORTED, "stable");
}
