// SPDX-License-Identifier: MIT
/* test_types.nans.c: CLPRIM_NAN_LAST: references are compared with vectors written by hand; every operation that
 * supports the order must refuse errors; and integers have no NaNs. */
#include <clprim/reference.h>

#include "cases.h"

/* Places in the order: the number of numbers, the place of +0.0, and that of the first negative NaN. */
enum { COUNT = 16, NUMBERS = 10, ZERO = 5, NEGATIVE = 13, TYPES = 3, KEY_TYPES = 4 };

/* 0, the least denormal, 1, the greatest number, infinity; the first NaN, the NaN that results have, the last NaN. */
static const struct {
    clprim_type type;
    uint64_t positive[COUNT / 2];
} vectors[KEY_TYPES] = {
    {CLPRIM_F16, {0x0000, 0x0001, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff}},
    {CLPRIM_F32, {0x00000000, 0x00000001, 0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff}},
    {CLPRIM_F64,
     {0x0000000000000000, 0x0000000000000001, 0x3ff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
      0x7ff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff}},
    {CLPRIM_BF16, {0x0000, 0x0001, 0x3f80, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff}}, /* a type of keys: the last row */
};

/* From -infinity to -0.0, from +0.0 to infinity; NaNs without and with the sign bit. */
static uint64_t ascending(size_t row, size_t i)
{
    const uint64_t *positive = vectors[row].positive;
    const uint64_t sign = UINT64_C(1) << (8 * clprim_type_size(vectors[row].type) - 1);
    if (i >= ZERO && i < NEGATIVE)
        return positive[i - ZERO];
    return sign | positive[i < ZERO ? ZERO - 1 - i : NEGATIVE + COUNT / 2 - 1 - i];
}

/* Check that the call sorts `got`, which has the elements in another order. */
#define ORDERS(reference, ...)                                                                                         \
    do {                                                                                                               \
        memcpy(got, mixed, sizeof got);                                                                                \
        ASSERT_OK(clprim_reference_##reference(__VA_ARGS__));                                                          \
        test_expect_same(expected, got, size, COUNT, #reference);                                                      \
    } while (0)
#define HOW .descending = descending, .nan_order = CLPRIM_NAN_LAST

static void check_orders(size_t row, bool descending)
{
    const clprim_type type = vectors[row].type;
    const size_t size = clprim_type_size(type);
    const clprim_reference_sort_how by_radix = {.key_type = type, HOW};
    const clprim_reference_sort_by_key_how by_key = {.key_type = type, .element_sizes = {size}, HOW};
    const clprim_reference_top_k_how first = {
        .key_type = type, .k = COUNT, .smallest = !descending, .nan_order = CLPRIM_NAN_LAST};
    const clprim_reference_comparison_how by_comparison = {.type = type, HOW};
    const clprim_reference_order order = {.type = type, HOW};
    const clprim_reference_order total = {.type = type, .descending = descending};
    unsigned char expected[COUNT * 8], mixed[COUNT * 8], array[COUNT * 8], got[COUNT * 8], halves[2][COUNT * 8];
    uint64_t places[COUNT];
    size_t sorted[2] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t bits = ascending(row, descending ? COUNT - 1 - i : i);
        memcpy(expected + i * size, &bits, size); /* little-endian, like all supported devices */
        memcpy(mixed + (i * 7 + 3) % COUNT * size, &bits, size);
        memcpy(halves[i % 2] + i / 2 * size, &bits, size);
    }
    memcpy(array, mixed, sizeof array);
    ORDERS(sort, got, NULL, &by_radix, COUNT);
    ORDERS(segmented_sort, got, NULL, &by_radix, COUNT, CLPRIM_U32, ((const uint32_t[]){0, COUNT}), 1);
    ORDERS(sort_by_key, got, (void *const[]){array}, &by_key, COUNT);
    test_expect_same(expected, array, size, COUNT, "sort_by_key's array");
    ORDERS(top_k, got, NULL, &first, mixed, NULL, COUNT);
    ORDERS(comparison_sort, got, NULL, &by_comparison, COUNT);
    ORDERS(merge, got, NULL, &order, 0, halves[0], NULL, COUNT / 2, halves[1], NULL, COUNT / 2);
    for (int step = 0; step < CLPRIM_REFERENCE_BITONIC_STEP_END; step++) {
        const clprim_reference_bitonic_how by_network = {
            .type = type, .step = (clprim_reference_bitonic_step)step, HOW};
        ORDERS(bitonic_sort, got, NULL, &by_network, COUNT);
    }
    ASSERT_OK(clprim_reference_is_sorted(&sorted[0], &order, expected, COUNT));
    ASSERT_OK(clprim_reference_is_sorted(&sorted[1], &total, expected, COUNT));
    cr_assert_eq(sorted[0], COUNT);
    cr_assert_eq(sorted[1], descending ? 3 : COUNT - 3, "in the total order the negative NaNs are elsewhere");
    ASSERT_OK(clprim_reference_search(places, &order, false, expected, COUNT, expected, COUNT));
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(places[i], i);
}

Test(nans, come_last_in_the_references_of_orders)
{
    for (size_t row = 0; row < KEY_TYPES; row++)
        for (int descending = 0; descending < 2; descending++)
            check_orders(row, descending == 1);
}

/* Write the result of a fold of the elements of a row's vector at places[from] up to places[end - 1]: the first element
 * that no other beats; NaNs beat numbers. Returns its size. */
static size_t put_fold(void *out, size_t row, clprim_op op, const size_t *places, size_t from, size_t end)
{
    const bool is_min = op == CLPRIM_MIN || op == CLPRIM_ARGMIN;
    const bool is_indexed = op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX;
    size_t best = from;
    for (size_t i = from + 1; i < end && places[best] < NUMBERS; i++)
        if (places[i] >= NUMBERS || (places[i] < places[best]) == is_min)
            best = i;
    clprim_indexed indexed = {.index = best};
    indexed.value.u64 = places[best] < NUMBERS ? ascending(row, places[best]) : vectors[row].positive[6];
    const size_t size = is_indexed ? sizeof indexed : clprim_type_size(vectors[row].type);
    memcpy(out, is_indexed ? (const void *)&indexed : &indexed.value.u64, size);
    return size;
}

/* Check folds of the first `count` elements of a row's vector, in another order. */
static void check_folds(size_t row, clprim_op op, size_t count, size_t start)
{
    enum { SPLIT = 6, LARGEST = sizeof(clprim_indexed) };
    const clprim_type type = vectors[row].type;
    const clprim_reference_operator by = {.type = type, .op = op, .nan_order = CLPRIM_NAN_LAST};
    unsigned char in[COUNT * 8], prefixes[COUNT * LARGEST], runs[2 * LARGEST], got[COUNT * LARGEST];
    uint8_t keys[COUNT] = {0}, keys_out[COUNT];
    size_t places[COUNT], num_runs = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        places[i] = (i * 7 + start) % count;
        keys[i] = i >= SPLIT;
        memcpy(in + i * clprim_type_size(type), &(uint64_t){ascending(row, places[i])}, clprim_type_size(type));
        size = put_fold(prefixes + i * size, row, op, places, 0, i + 1);
    }
    (void)put_fold(runs, row, op, places, 0, SPLIT);
    (void)put_fold(runs + size, row, op, places, SPLIT, count);
    ASSERT_OK(clprim_reference_reduce(got, &by, in, count));
    test_expect_same(prefixes + (count - 1) * size, got, size, 1, "reduce");
    ASSERT_OK(clprim_reference_scan(got, &by, NULL, in, count));
    test_expect_same(prefixes, got, size, count, "scan");
    ASSERT_OK(clprim_reference_reduce_by_key(keys_out, got, &num_runs, 1, &by, keys, in, count));
    cr_assert_eq(num_runs, 2);
    test_expect_same(runs, got, size, 2, "reduce_by_key");
}

Test(nans, are_propagated_by_the_references_of_folds)
{
    static const clprim_op ops[] = {CLPRIM_MIN, CLPRIM_MAX, CLPRIM_ARGMIN, CLPRIM_ARGMAX};
    for (size_t row = 0; row < TYPES; row++)
        for (size_t op = 0; op < 4; op++) {
            const clprim_reference_operator by = {
                .type = vectors[row].type, .op = ops[op], .nan_order = CLPRIM_NAN_LAST};
            uint64_t none[2] = {0};
            for (size_t start = 0; start < COUNT; start++) {
                check_folds(row, ops[op], COUNT, start);
                check_folds(row, ops[op], NUMBERS, start);
            }
            ASSERT_OK(clprim_reference_reduce(none, &by, none, 0));
            cr_assert_eq(none[op / 2], ascending(row, op % 2 == 0 ? NEGATIVE - 1 : NEGATIVE), "the fold of nothing");
        }
}

/* (That unknown orders are refused is tested by the contract.) */
TEST_WITH_RUNTIME(nans, have_no_order_beside_a_callers_own)
{
    static const clprim_custom_op custom = {.combine = "max(a, b)", .identity = "0"};
    size_t count = 0, with_own = 0;
    const clprim_operation *const *operations = clprim_operations(&count);
    for (size_t i = 0; i < count; i++) {
        const clprim_member *members = operations[i]->desc_members;
        test_struct desc = {.bytes = {0}};
        test_put(&desc, members, "less", (uintptr_t) "a < b");
        test_put(&desc, members, "custom", (uintptr_t)&custom);
        if (test_member(members, "nan_order") == NULL ||
            (test_member(members, "less") == NULL && test_member(members, "custom") == NULL))
            continue;
        test_put(&desc, members, "nan_order", CLPRIM_NAN_LAST);
        test_refuse(runtime, operations[i], desc.bytes, CLPRIM_INVALID_ARGUMENT, "nan_order");
        with_own++;
    }
    cr_assert_geq(with_own, 8);
}

/* That plans of both orders can coexist is shown by docs/guides/floats.c. */
Test(nans, have_no_order_among_integers)
{
    uint32_t keys[] = {0x3f800000, 0xffc00000, 0xbf800000}; /* 1, the NaN that x86 computes, -1 */
    static const uint32_t sorted[] = {0x3f800000, 0xbf800000, 0xffc00000};
    const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U32, .nan_order = CLPRIM_NAN_LAST};
    const clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = 3, .keys_out = {.host = keys}};
    ASSERT_OK(clprim_radix_sort_run(NULL, &desc, &call));
    test_expect_same(sorted, keys, sizeof *keys, 3, "sort");
}
