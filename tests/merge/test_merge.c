// SPDX-License-Identifier: MIT
/* test_merge.c: every variant merges elements of all types, alone and with values of all sizes, in both directions and
 * in callers' orders, for sizes around all boundaries, offsets and kinds of elements. The results equal those of the
 * reference, which is stable, bit for bit. */
#include "ordered.h"

/* Sizes of a, and in another sequence those of b: around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 7, 31, 64, 65, 255, 256, 257, 513, 1023, 1025, 2047, 2816, 3000, 4096, 8193};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes };
#define VARIANTS ((size_t)test_last_variant(&clprim_merge_operation) + 1) /* with AUTO */

/* Which elements belong to a. */
typedef enum merge_split {
    SPLIT_ANY = 0, /* both ranges have the same distribution */
    SPLIT_BEFORE,  /* all of a precede all of b, or are equal to them */
    SPLIT_BEHIND,
    SPLIT_UNSORTED, /* the ranges are not in order */
    SPLIT_END
} merge_split;

static void check(test_call *self, const test_ordered *how, size_t a_count, size_t b_count, test_data data,
                  merge_split split, uint64_t seed)
{
    const clprim_reference_order *by = &how->by;
    const size_t n = a_count + b_count;
    const size_t value_size = ((const clprim_merge_desc *)(const void *)self->desc.bytes)->value_size;
    unsigned char *keys = test_memory(0, n * by->size);
    unsigned char *a = keys + (split == SPLIT_BEHIND ? b_count * by->size : 0);
    unsigned char *b = keys + (split == SPLIT_BEHIND ? 0 : a_count * by->size);
    unsigned char *values = value_size > 0 ? test_memory(1, n * value_size) : NULL;
    unsigned char *b_values = value_size > 0 ? values + a_count * value_size : NULL;
    void *out = test_memory(2, n * by->size);
    void *values_out = value_size > 0 ? test_memory(3, n * value_size) : NULL;
    test_fill_elements(keys, by->type, by->size, data, n, seed);
    test_fill_values(values, value_size, n);
    if (split == SPLIT_BEFORE || split == SPLIT_BEHIND)
        test_sort_elements(keys, NULL, 0, by, n);
    self->is_unspecified = split == SPLIT_UNSORTED;
    if (!self->is_unspecified) {
        test_sort_elements(a, NULL, 0, by, a_count);
        test_sort_elements(b, NULL, 0, by, b_count);
        ASSERT_OK(clprim_reference_merge(out, values_out, by, value_size, a, values, a_count, b, b_values, b_count));
    }
    test_call_fill(self,
                   &(clprim_merge_call){.a_keys = {.host = a},
                                        .a_values = {.host = values},
                                        .b_keys = {.host = b},
                                        .b_values = {.host = b_values},
                                        .a_count = a_count,
                                        .b_count = b_count,
                                        .keys_out = {.host = out},
                                        .values_out = {.host = values_out}},
                   seed);
    test_call_check(self, "%s, %s, split %d", how->name, test_data_name(data), (int)split);
}

/* With the other order of NaNs, only special elements are tested. With 2^33 elements, everything that counts elements
 * needs 64 bits. */
static void check_plan(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    const bool is_special = how->by.nan_order == CLPRIM_NAN_LAST;
    uint64_t turn = how->seed * 1000;
    test_call self;
    ((clprim_merge_desc *)changed)->max_count = how->seed % 4 == 3 ? (size_t)1 << 33 : 0;
    if (!test_call_must(&self, runtime, &clprim_merge_operation, changed, true))
        return;
    for (int data = 0; data < TEST_DATA_END; data++)
        for (merge_split split = data % 2; split < SPLIT_END && (!is_special || data == TEST_DATA_SPECIALS); split += 2)
            check(&self, how, TEST_SORT_SOME, data % 3 == 0 ? TEST_SORT_SOME - 17 : 37, data, split, turn++);
    for (size_t i = 0; i < NUM_SIZES && !is_special; i++)
        for (size_t k = 0; k < 4; k++, turn++) /* one size of b equals that of a, the others differ */
            check(&self, how, sizes[i], sizes[(i * (k + 1) + 7 * k) % NUM_SIZES], turn % TEST_DATA_END,
                  k == 3 ? SPLIT_UNSORTED : (turn + i) % SPLIT_UNSORTED, turn);
    for (size_t count = TEST_SORT_LARGE; count <= (test_is_full() ? TEST_SORT_VERY_LARGE : TEST_SORT_LARGE);
         count += TEST_SORT_VERY_LARGE - TEST_SORT_LARGE)
        check(&self, how, count, count / 3, turn % TEST_DATA_END, turn % SPLIT_UNSORTED, turn);
    test_call_destroy(&self);
}

TEST_EACH(merge, variant, VARIANTS, .timeout = 1700)
{
    const clprim_merge_desc desc = {.variant = (clprim_merge_variant)*number};
    test_ordered_plans(&clprim_merge_operation, &desc, *number, 2, 1, check_plan);
}

TEST_WITH_RUNTIME(merge, a_type_larger_than_local_memory)
{
    const clprim_merge_desc desc = {.type_name = "t",
                                    .type_size = 1 << 20,
                                    .text.source = "typedef struct { char x[1 << 20]; } t;",
                                    .less = "1",
                                    .variant = CLPRIM_MERGE_PATH};
    test_refuse(runtime, &clprim_merge_operation, &desc, CLPRIM_UNSUPPORTED, "local memory");
}

/* The sum of two counts may be too large although each fits in size_t. And results known in advance. */
TEST_WITH_RUNTIME(merge, counts_that_are_too_large)
{
    static const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 2};
    static uint32_t a[] = {1, 3}, b[] = {1, 2, 9}, merged[] = {1, 1, 2, 3, 9};
    uint32_t out[5] = {77};
    clprim_merge_call call = {
        .a_keys = {.host = a}, .b_keys = {.host = b}, .a_count = 2, .b_count = 3, .keys_out = {.host = merged}};
    test_check_known(runtime, &clprim_merge_operation, NULL, &call);
    call.keys_out.host = out;
    for (int i = 0; i < 2; i++) {
        call.b_count = too_many[i];
        ASSERT_STATUS(clprim_merge_run(NULL, NULL, &call), CLPRIM_INVALID_RANGE);
    }
    ASSERT_STATUS(clprim_reference_merge(out, NULL, NULL, 4, a, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(out[0], 77, "a refusal must not write");
}
