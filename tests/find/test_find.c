// SPDX-License-Identifier: MIT
/* test_find.c: every variant finds the first element that satisfies a predicate, and reports if there is none: for all
 * types, sizes around all boundaries, unaligned beginnings, and first elements anywhere, with others after them. A
 * plain loop computes the expected result. */
#include "ordered.h"

enum { MAX_COUNT = 300007, MAX_FOUND = 40 };
enum { DATA }; /* regions of memory */

static const size_t counts[] = {0,   1,    2,    3,    4,    5,    15,   16,   17,    63,    64,    65,     255,
                                257, 1023, 1024, 1025, 2049, 4097, 8191, 8193, 16385, 32769, 65537, 100003, MAX_COUNT};
enum { COUNTS = sizeof counts / sizeof *counts };

/* Elements that are 0 (floats of both signs), and elements that are not: one bit is enough, for floats any bit except
 * the sign. */
static void fill_zeros(unsigned char *data, clprim_type type, size_t count)
{
    const size_t size = clprim_type_size(type);
    memset(data, 0, count * size);
    for (size_t i = 0; test_is_float(type) && i < count; i += 3)
        data[i * size + size - 1] = 0x80;
}

static void set_bit(unsigned char *data, clprim_type type, size_t i, uint64_t *random)
{
    const size_t size = clprim_type_size(type);
    const size_t bit = test_random_below(random, 8 * size - test_is_float(type));
    data[i * size + bit / 8] |= (unsigned char)(1u << bit % 8);
}

/* The first element that is not 0 is at `place` (count: there is none), and others are anywhere after it. */
static void check(test_call *self, clprim_type type, size_t count, size_t place, uint64_t seed)
{
    unsigned char *data = test_memory(DATA, MAX_COUNT * clprim_type_size(type));
    uint64_t random = seed;
    uint64_t expected = place; /* little-endian */
    fill_zeros(data, type, count);
    if (place < count)
        set_bit(data, type, place, &random);
    for (size_t k = test_random_below(&random, MAX_FOUND); place + 1 < count && k > 0; k--)
        set_bit(data, type, place + 1 + test_random_below(&random, count - place - 1), &random);
    test_call_fill(self, &(clprim_find_call){.in = {.host = data}, .count = count, .out = {.host = &expected}}, seed);
    test_call_check(self, "%zu elements, the first at %zu", count, place);
}

static void check_plan(clprim_runtime *runtime, const clprim_find_desc *desc, uint64_t seed)
{
    uint64_t random = seed;
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_find_operation, desc, true)) {
        for (size_t i = 0; i < COUNTS; i++) {
            const size_t count = counts[i];
            check(&self, desc->type, count, count, random);
            if (count > 0) {
                check(&self, desc->type, count, count - 1, random + 1);
                check(&self, desc->type, count, 0, random + 2);
                check(&self, desc->type, count, test_random_below(&random, count), random + 3);
                check(&self, desc->type, count, test_random_below(&random, count), random + 4);
            }
        }
        for (size_t place = 0; place < 70; place++) /* around a packet, and a block */
            check(&self, desc->type, 4099, place < 35 ? place : 1000 + place, place);
    }
}

/* Variants alternate from type to type; with CLPRIM_TEST_FULL each meets all types. */
TEST_BY_VARIANT(find, variant, clprim_find_operation)
{
    static const size_t group_sizes[] = {0, 32, 1, 256};
    for (size_t type = CLPRIM_TYPE_DEFAULT + 1; type < CLPRIM_TYPE_END; type++) {
        const clprim_find_desc desc = {.type = (clprim_type)type,
                                       .variant = (clprim_find_variant)variant,
                                       .index_type = type % 2 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                       .work_group_size = group_sizes[(type + (size_t)variant) % 4]};
        if (test_is_full() || (type + (size_t)variant) % 2 == 0)
            check_plan(runtime, &desc, TEST_SEED + type);
    }
}

/* One plan and many calls of different sizes: a call must not be affected by the results of earlier calls. */
TEST_BY_VARIANT(find, calls_know_nothing_of_each_other, clprim_find_operation)
{
    const clprim_find_desc desc = {.type = CLPRIM_U32, .variant = (clprim_find_variant)variant};
    uint64_t random = TEST_SEED;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_find_operation, &desc))
        for (size_t turn = 0; turn < 60; turn++) {
            const size_t count = 1 + test_random_below(&random, turn % 2 == 0 ? MAX_COUNT : 100);
            check(&self, desc.type, count, turn % 3 == 0 ? count : test_random_below(&random, count), random);
        }
}

TEST_WITH_RUNTIME(find, known_results)
{
#define KNOWN(in_type, count_, in_c, given, expected, ...)                                                             \
    {                                                                                                                  \
        {.type = CLPRIM_##in_type, __VA_ARGS__}, count_, (in_c[])TEST_IN_BRACES given, expected                        \
    }
    const struct {
        clprim_find_desc desc;
        size_t count;
        void *in;
        uint32_t expected;
    } rows[] = {
        KNOWN(I8, 4, int8_t, (0, 0, -128, 1), 2, .max_count = 4),
        KNOWN(U64, 3, uint64_t, (0, UINT64_C(1) << 63, 0), 1, .max_count = 3),
        /* -0.0, a denormal; a NaN */
        KNOWN(F32, 3, uint32_t, (0x80000000, 1, 0), 1, .max_count = 3),
        KNOWN(F16, 3, uint16_t, (0x8000, 0, 0xfe00), 2, .max_count = 3),
        KNOWN(F64, 2, uint64_t, (UINT64_C(1) << 63, 0), 2, .max_count = 2),
        /* by a predicate: NaNs are not greater than anything */
        KNOWN(F32, 4, uint32_t, (0x7fc00000, 0xff800000, 0x3f000000, 0x7f800000), 3, .predicate = "x > 0.5f"),
        KNOWN(I32, 5, int32_t, (5, 4, 3, 2, 1), 4, .predicate = "x < 2"),
        KNOWN(I32, 5, int32_t, (5, 4, 3, 2, 1), 3, .predicate = "x == 2 || i > 3"),
        KNOWN(I32, 5, int32_t, (5, 4, 3, 2, 1), 5, .predicate = "0"),
        KNOWN(I32, 5, int32_t, (5, 4, 3, 2, 1), 0, .predicate = "0.5f"),
        KNOWN(I32, 5, int32_t, (0, 0, 0, 0, 1), 2, .input = "i >= 2"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t expected = rows[i].expected;
        const clprim_find_call call = {.in = {.host = rows[i].desc.input == NULL ? rows[i].in : NULL},
                                       .count = rows[i].count,
                                       .out = {.host = &expected}};
        test_check_known(runtime, &clprim_find_operation, &rows[i].desc, &call);
    }
}

Test(find, no_elements)
{
    uint32_t found = 77;
    ASSERT_OK(clprim_find_run(NULL, NULL, &(clprim_find_call){.out = {.host = &found}}));
    cr_assert_eq(found, 0);
}

TEST_WITH_RUNTIME(find, more_elements_than_32_bits_count)
{
    const clprim_find_desc desc = {
        .type = CLPRIM_U8, .predicate = "x == 60", .index_type = CLPRIM_U64, .max_count = TEST_HUGE};
    const uint64_t expected = TEST_HUGE - 1;
    test_huge(runtime, &clprim_find_operation, &desc, &expected, sizeof expected, 0);
}

#define INVALID(culprit, ...) TEST_INVALID(find, culprit, false, __VA_ARGS__)

Test(find, refusals)
{
    TEST_REFUSE_EACH(find, INVALID("source requires a predicate or an input", .text.source = "int f(void);"),
                     INVALID("text requires a predicate or an input", .text.parameters = {{.name = "a"}}),
                     INVALID("requires a predicate", .type_name = "int", .type_size = 4, .input = "1"),
                     INVALID("type_size", .type_name = "int", .predicate = "x"),
                     INVALID("type_name", .type_size = 4, .predicate = "x"),
                     INVALID("unknown type", .type = CLPRIM_TYPE_END), INVALID("index_type", .index_type = CLPRIM_I32),
                     INVALID("index_type", .max_count = (size_t)UINT32_MAX + 1),
                     INVALID("count_at_type", .count_at_type = CLPRIM_F64), INVALID("variant", .variant = 99),
                     TEST_MISTAKE(find, "predicate", .predicate = "x.y"),
                     TEST_MISTAKE(find, "input", .predicate = "x", .input = "no_such_name"));
}
