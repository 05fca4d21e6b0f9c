// SPDX-License-Identifier: MIT
/* test_set_operation.c: every variant computes unions, intersections and differences of elements of all types, alone
 * and with values of all sizes, in both directions and in callers' orders, for sizes around all boundaries, offsets and
 * kinds of elements. The results equal the reference's bit for bit, and the reference matches the definition. */
#include "ordered.h"

/* Sizes of a, and in another sequence those of b: around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 7, 31, 64, 65, 255, 256, 257, 513, 1023, 1025, 2047, 2816, 3000, 4096, 8193};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, OPS = CLPRIM_SET_SYMMETRIC_DIFFERENCE + 1 };
#define VARIANTS ((size_t)test_last_variant(&clprim_set_operation_operation) + 1) /* with AUTO */

/* How the elements of b are related to those of a. */
typedef enum sets_kind {
    SETS_ALIKE = 0, /* both are made in the same way; if there are few distinct elements, both have long runs */
    SETS_SHARED,    /* b has elements of a, some of them several times, and others */
    SETS_SAME,      /* both begin with elements that are equal in the order, which compares only a part of them */
    SETS_BEFORE,    /* all of a precede all of b, or are equal to them */
    SETS_BEHIND,
    SETS_RUN,      /* almost all of b equals one element of a */
    SETS_UNSORTED, /* a and b are not in order */
    SETS_END
} sets_kind;

/* All keys of a and of b, not yet in order. */
static void fill_keys(unsigned char *a, unsigned char *b, const clprim_reference_order *by, size_t a_count,
                      size_t b_count, test_data data, sets_kind kind, uint64_t seed)
{
    uint64_t random = seed;
    test_fill_elements(a, by->type, by->size, data, a_count, seed);
    test_fill_elements(b, by->type, by->size, data, b_count, kind == SETS_SAME ? seed : seed + (seed % 2));
    for (size_t k = 0; k < b_count && a_count > 0; k++) {
        const uint64_t turn = test_random(&random);
        const size_t place = kind == SETS_RUN ? 0 : (size_t)(turn >> 8) % a_count;
        if ((kind == SETS_SHARED && turn % 4 > 0) || (kind == SETS_RUN && turn % 16 > 0))
            memcpy(b + k * by->size, a + place * by->size, by->size);
    }
}

static void check(test_call *self, const test_ordered *how, size_t a_count, size_t b_count, test_data data,
                  sets_kind kind, uint64_t seed)
{
    const clprim_set_operation_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order *by = &how->by;
    const size_t n = a_count + b_count;
    const size_t value_size = desc->value_size;
    const bool has_b_values =
        value_size > 0 && (desc->op == CLPRIM_SET_UNION || desc->op == CLPRIM_SET_SYMMETRIC_DIFFERENCE);
    unsigned char *keys = test_memory(0, n * by->size);
    unsigned char *a = keys + (kind == SETS_BEHIND ? b_count * by->size : 0);
    unsigned char *b = keys + (kind == SETS_BEHIND ? 0 : a_count * by->size);
    unsigned char *values = value_size > 0 ? test_memory(1, n * value_size) : NULL;
    unsigned char *b_values = has_b_values ? values + a_count * value_size : NULL;
    void *out = test_memory(2, n * by->size);
    void *values_out = value_size > 0 ? test_memory(3, n * value_size) : NULL;
    uint64_t *number = test_memory(4, sizeof(uint64_t));
    size_t found = 0;
    fill_keys(a, b, by, a_count, b_count, data, kind, seed);
    test_fill_values(values, value_size, n);
    if (kind == SETS_BEFORE || kind == SETS_BEHIND)
        test_sort_elements(keys, NULL, 0, by, n);
    self->is_unspecified = kind == SETS_UNSORTED;
    if (!self->is_unspecified) {
        test_sort_elements(a, NULL, 0, by, a_count);
        test_sort_elements(b, NULL, 0, by, b_count);
        ASSERT_OK(clprim_reference_set_operation(out, values_out, &found, desc->op, by, value_size, a, values, a_count,
                                                 b, b_values, b_count));
    }
    *number = found; /* little-endian, like all supported devices */
    test_call_fill(self,
                   &(clprim_set_operation_call){.a_keys = {.host = a},
                                                .a_values = {.host = values},
                                                .b_keys = {.host = b},
                                                .b_values = {.host = b_values},
                                                .a_count = a_count,
                                                .b_count = b_count,
                                                .keys_out = {.host = out},
                                                .values_out = {.host = values_out},
                                                .out_count = {.host = number}},
                   seed);
    test_call_check(self, "%s, %s, kind %d", how->name, test_data_name(data), (int)kind);
}

/* With the other order of NaNs, only special elements are tested. With 2^33 elements, everything that counts elements
 * needs 64 bits. Successive plans of a variant are for different set operations. */
static void check_plan(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    static size_t plans;
    const bool is_special = how->by.nan_order == CLPRIM_NAN_LAST;
    clprim_set_operation_desc *desc = changed;
    uint64_t turn = how->seed * 1000;
    test_call self;
    desc->op = (clprim_set_op)((plans + plans / 8) % OPS);
    plans++;
    desc->max_count = how->seed % 4 == 3 ? (size_t)1 << 33 : 0;
    if (desc->max_count > 0)
        desc->index_type = CLPRIM_U64;
    if (!test_call_must(&self, runtime, &clprim_set_operation_operation, changed, true))
        return;
    for (int data = 0; data < TEST_DATA_END; data++)
        for (sets_kind kind = data % 2; kind < SETS_END && (!is_special || data == TEST_DATA_SPECIALS); kind += 2)
            check(&self, how, TEST_SORT_SOME, data % 3 == 0 ? TEST_SORT_SOME - 17 : 37 + 1000 * (data % 2), data, kind,
                  turn++);
    for (size_t i = 0; i < NUM_SIZES && !is_special; i++)
        for (size_t k = 0; k < 4; k++, turn++) /* one size of b equals that of a, the others differ */
            check(&self, how, sizes[i], sizes[(i * (k + 1) + 7 * k) % NUM_SIZES], turn % TEST_DATA_END,
                  k == 3 ? SETS_UNSORTED : (turn + i) % SETS_UNSORTED, turn);
    for (size_t count = TEST_SORT_LARGE; count <= (test_is_full() ? TEST_SORT_VERY_LARGE : TEST_SORT_LARGE);
         count += TEST_SORT_VERY_LARGE - TEST_SORT_LARGE)
        for (size_t k = 0; k < 2; k++, turn++)
            check(&self, how, k == 0 ? count : count / 3, k == 0 ? count / 3 : count,
                  k == 0 ? turn % TEST_DATA_END : TEST_DATA_EQUAL, turn % SETS_UNSORTED, turn);
    test_call_destroy(&self);
}

TEST_EACH(set_operation, variant, VARIANTS, .timeout = 1700)
{
    const clprim_set_operation_desc desc = {.variant = (clprim_set_operation_variant)*number};
    test_ordered_plans(&clprim_set_operation_operation, &desc, *number, 3, 2, check_plan);
}

/* Elements are small numbers, and their values tell where they were. The expected result follows from how often each
 * number occurs. */
enum { KEYS = 5, MOST = 64, OF_B = 100 };

typedef struct known_set {
    size_t occurs[KEYS];
    uint32_t keys[KEYS * MOST], values[KEYS * MOST];
    size_t count;
} known_set;

static void make_set(known_set *set, uint64_t *random, uint32_t first_value)
{
    set->count = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        const uint64_t most = test_random_below(random, 3) == 0 ? MOST : 3;
        set->occurs[key] = (size_t)test_random_below(random, most);
        for (size_t i = 0; i < set->occurs[key]; i++, set->count++) {
            set->keys[set->count] = key;
            set->values[set->count] = first_value + (uint32_t)set->count;
        }
    }
}

/* `key` begins at place `from` of the set; add its elements from number `first` up to, but not including, number
 * `last`. */
static void add(known_set *result, const known_set *set, size_t from, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++, result->count++) {
        result->keys[result->count] = set->keys[from + i];
        result->values[result->count] = set->values[from + i];
    }
}

static void by_definition(known_set *result, const known_set *a, const known_set *b, clprim_set_op op)
{
    size_t a_from = 0;
    size_t b_from = 0;
    result->count = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        const size_t m = a->occurs[key];
        const size_t n = b->occurs[key];
        const size_t least = m < n ? m : n;
        const bool is_and = op == CLPRIM_SET_UNION || op == CLPRIM_SET_INTERSECTION;
        add(result, a, a_from, is_and ? 0 : least, op == CLPRIM_SET_INTERSECTION ? least : m);
        add(result, b, b_from, least, op == CLPRIM_SET_UNION || op == CLPRIM_SET_SYMMETRIC_DIFFERENCE ? n : least);
        a_from += m;
        b_from += n;
    }
}

Test(set_operation, the_reference_is_the_definition)
{
    static known_set a, b, expected;
    static uint32_t keys[2 * KEYS * MOST], values[2 * KEYS * MOST];
    uint64_t random = TEST_SEED;
    for (int turn = 0; turn < 4000; turn++) {
        const clprim_set_op op = (clprim_set_op)(turn % OPS);
        const bool has_b_values = op == CLPRIM_SET_UNION || op == CLPRIM_SET_SYMMETRIC_DIFFERENCE;
        size_t found = 0;
        make_set(&a, &random, 0);
        make_set(&b, &random, OF_B * OF_B);
        by_definition(&expected, &a, &b, op);
        ASSERT_OK(clprim_reference_set_operation(keys, values, &found, op, NULL, 4, a.keys, a.values, a.count, b.keys,
                                                 has_b_values ? b.values : NULL, b.count));
        cr_assert_eq(found, expected.count, "turn %d: %zu elements, not %zu", turn, found, expected.count);
        cr_assert_arr_eq(keys, expected.keys, found * sizeof *keys);
        cr_assert_arr_eq(values, expected.values, found * sizeof *values);
    }
}

/* Results known in advance. */
TEST_WITH_RUNTIME(set_operation, known_sets)
{
    static uint32_t a[] = {1, 3, 3, 3, 7, 9, 9}, b[] = {0, 3, 3, 7, 7, 8};
    static uint32_t unions[] = {0, 1, 3, 3, 3, 7, 7, 8, 9, 9}, common[] = {3, 3, 7}, only_a[] = {1, 3, 9, 9},
                    different[] = {0, 1, 3, 7, 8, 9, 9};
    static uint32_t numbers[] = {10, 3, 4, 7};
    uint32_t *const results[] = {unions, common, only_a, different};
    for (int op = 0; op < OPS; op++)
        for (int variant = 0; variant <= test_last_variant(&clprim_set_operation_operation); variant++) {
            const clprim_set_operation_desc desc = {.op = (clprim_set_op)op,
                                                    .variant = (clprim_set_operation_variant)variant};
            const clprim_set_operation_call call = {.a_keys = {.host = a},
                                                    .b_keys = {.host = b},
                                                    .a_count = 7,
                                                    .b_count = 6,
                                                    .keys_out = {.host = results[op]},
                                                    .out_count = {.host = &numbers[op]}};
            test_check_known(runtime, &clprim_set_operation_operation, &desc, &call);
        }
}

/* In the total order -0.0 and 0.0 differ, and so do NaNs with different bits. */
Test(set_operation, zeros_and_nans)
{
    static const uint32_t a[] = {0xffc00000, 0x80000000, 0, 0x7fc00000}, b[] = {0, 0x7fc00000, 0x7fc00001};
    static const uint32_t expected[] = {0xffc00000, 0x80000000, 0, 0x7fc00000, 0x7fc00001};
    uint32_t out[7] = {0};
    uint32_t number = 0;
    const clprim_set_operation_desc desc = {.key_type = CLPRIM_F32};
    const clprim_set_operation_call call = {.a_keys = {.host = (void *)(uintptr_t)a},
                                            .b_keys = {.host = (void *)(uintptr_t)b},
                                            .a_count = 4,
                                            .b_count = 3,
                                            .keys_out = {.host = out},
                                            .out_count = {.host = &number}};
    ASSERT_OK(clprim_set_operation_run(NULL, &desc, &call));
    cr_assert_eq(number, 5);
    cr_assert_arr_eq(out, expected, sizeof expected);
}

TEST_WITH_RUNTIME(set_operation, descriptions_that_are_refused)
{
    const clprim_operation *face = &clprim_set_operation_operation;
    const clprim_set_operation_desc large = {.type_name = "t",
                                             .type_size = 1 << 20,
                                             .text.source = "typedef struct { char x[1 << 20]; } t;",
                                             .less = "1",
                                             .variant = CLPRIM_SET_OPERATION_COUNT_THEN_MOVE};
    test_refuse(runtime, face, &large, CLPRIM_UNSUPPORTED, "local memory");
    test_refuse(runtime, face, &(clprim_set_operation_desc){.op = (clprim_set_op)OPS}, CLPRIM_INVALID_ARGUMENT, "op 4");
    test_refuse(runtime, face, &(clprim_set_operation_desc){.op = (clprim_set_op)-1}, CLPRIM_INVALID_ARGUMENT, "op -1");
    test_refuse(runtime, face, &(clprim_set_operation_desc){.index_type = CLPRIM_I32}, CLPRIM_INVALID_ARGUMENT,
                "index_type");
    test_refuse(runtime, face, &(clprim_set_operation_desc){.max_count = (size_t)1 << 33}, CLPRIM_INVALID_ARGUMENT,
                "index_type of U64");
    test_refuse(runtime, face, &(clprim_set_operation_desc){.value_size = 3}, CLPRIM_INVALID_ARGUMENT, "value_size 3");
}

/* The sum of two counts may be too large although each fits in size_t. An intersection has no values of b. */
TEST_WITH_RUNTIME(set_operation, calls_that_are_refused)
{
    static const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 2};
    uint32_t in[] = {1, 3};
    uint32_t out[4] = {77};
    uint32_t number = 77;
    const clprim_set_operation_desc both = {.op = CLPRIM_SET_INTERSECTION, .value_size = 4};
    clprim_set_operation_call call = {.a_keys = {.host = in},
                                      .b_keys = {.host = in},
                                      .a_count = 2,
                                      .keys_out = {.host = out},
                                      .out_count = {.host = &number}};
    (void)runtime;
    for (int i = 0; i < 2; i++) {
        call.b_count = too_many[i];
        ASSERT_STATUS(clprim_set_operation_run(NULL, NULL, &call), CLPRIM_INVALID_RANGE);
    }
    call.b_count = 2;
    call.a_values.host = call.b_values.host = in;
    call.values_out.host = &out[2];
    ASSERT_STATUS(clprim_set_operation_run(NULL, &both, &call), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "b_values"), "%s", clprim_last_error());
    cr_assert(out[0] == 77 && number == 77, "a refusal must not write");
}
