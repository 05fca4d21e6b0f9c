// SPDX-License-Identifier: MIT
/* test_adjacent_difference.c: every variant gives the reference's results, for all types, modes and sizes around all
 * boundaries, and in place; results that the header documents, as numbers; and texts of the caller, compared with
 * loops. */
#include "ordered.h"

enum { MAX_COUNT = 40001 };

typedef clprim_adjacent_difference_desc description;

/* The expected results of count elements, if the description has a text. */
typedef void (*expect_fn)(void *out, void *in, size_t count);

/* All sizes, with bytes that are filled as elements of `type`. expect NULL: use the reference. */
static void check_all(clprim_runtime *runtime, const description *desc, clprim_type type, expect_fn expect,
                      uint64_t seed)
{
    static const size_t counts[] = {0,    1,    2,    3,    15,   16,   17,    127,   129,   511,   513,
                                    1024, 2049, 4095, 4096, 4097, 8193, 16383, 16384, 16385, 32769, MAX_COUNT};
    static uint64_t in[2 * MAX_COUNT];
    static uint64_t out[2 * MAX_COUNT];
    const size_t size = desc->type_name != NULL ? desc->type_size : clprim_type_size(desc->type);
    test_call self;
    if (!test_call_create(&self, runtime, &clprim_adjacent_difference_operation, desc))
        return;
    for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++) {
        const clprim_adjacent_difference_call call = {
            .in = {.host = in}, .count = counts[i / 2], .out = {.host = expect != NULL ? out : NULL}};
        test_fill(in, type, CLPRIM_SUM, (test_pattern)((seed + i) % TEST_PATTERN_END),
                  call.count * size / clprim_type_size(type), seed + i);
        if (expect != NULL)
            expect(out, in, call.count);
        self.replaced = i % 2;
        test_call_fill(&self, &call, seed + i);
        test_call_check(&self, self.replaced ? "in place, if possible" : "from one array to another");
    }
    test_call_destroy(&self);
}

/* Types with results of the same type, and with results of every other possible type: some of these pairs. */
TEST_BY_VARIANT(adjacent_difference, variant, clprim_adjacent_difference_operation)
{
    static const size_t group_sizes[] = {32, 0, 1, 128};
    size_t number = 4 + (size_t)variant;
    for (size_t i = CLPRIM_TYPE_END; i < CLPRIM_TYPE_END * CLPRIM_TYPE_END; i++) {
        const clprim_type type = (clprim_type)(i / CLPRIM_TYPE_END);
        const clprim_type out_type = (clprim_type)(i % CLPRIM_TYPE_END);
        const size_t mode = number / 4 % 4;
        const description desc = {.type = type,
                                  .out_type = out_type,
                                  .right_neighbour = mode % 2 == 1,
                                  .pairs_only = mode >= 2,
                                  .variant = (clprim_adjacent_difference_variant)variant,
                                  .work_group_size = group_sizes[number / 5 % 4]};
        if (out_type != CLPRIM_TYPE_DEFAULT && !test_accumulator_is_valid(type, out_type))
            continue;
        if (number++ % 4 == 0 || test_is_full())
            check_all(runtime, &desc, type, NULL, TEST_SEED + i);
    }
}

/* Points are three words; those without a neighbour are unchanged. */
static void expect_points(void *out, void *in, size_t count)
{
    uint32_t(*to)[3] = out;
    uint32_t(*x)[3] = in;
    for (size_t i = 0; i < count; i++)
        memcpy(to[i],
               i == 0 ? x[i] : (uint32_t[3]){x[i][0] ^ x[i - 1][1], x[i][1] - x[i - 1][2], x[i][2] + x[i - 1][0]},
               sizeof *to);
}

static void expect_numbers_of_points(void *out, void *in, size_t count)
{
    uint32_t(*x)[3] = in;
    for (size_t i = 0; i + 1 < count; i++)
        ((uint16_t *)out)[i] = clprim_half_from_float((float)(x[i][0] % 100) - (float)(x[i + 1][2] % 7) / 4);
}

#define POINTS                                                                                                         \
    .text.source = "typedef struct { uint x, y, z; } point;\n"                                                         \
                   "static point between(point a, point b) { return (point){a.x ^ b.y, a.y - b.z, a.z + b.x}; }",      \
    .type_name = "point", .type_size = 12

TEST_BY_VARIANT(adjacent_difference, texts, clprim_adjacent_difference_operation)
{
    static const struct {
        description desc;
        clprim_type filled_as;
        expect_fn expect;
    } rows[] = {
        {{POINTS, .combine = "between(a, b)", .work_group_size = 64}, CLPRIM_U32, expect_points},
        {{POINTS, .combine = "a.x % 100 - b.z % 7 / 4.0f", .out_type = CLPRIM_F16, .pairs_only = true,
          .right_neighbour = true},
         CLPRIM_U32,
         expect_numbers_of_points},
        /* texts see halves as floats */
        {{.type = CLPRIM_F16, .combine = "a - b", .out_type = CLPRIM_F32, .pairs_only = true}, CLPRIM_F16, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        description desc = rows[i].desc;
        desc.variant = (clprim_adjacent_difference_variant)variant;
        check_all(runtime, &desc, rows[i].filled_as, rows[i].expect, TEST_SEED + i);
    }
}

TEST_WITH_RUNTIME(adjacent_difference, known_results)
{
#define KNOWN(in_type, count, in_c, out_c, given, expected, ...)                                                       \
    {                                                                                                                  \
        {.type = CLPRIM_##in_type, __VA_ARGS__}, count, (in_c[])TEST_IN_BRACES given, (out_c[])TEST_IN_BRACES expected \
    }
    const struct {
        description desc;
        size_t count;
        void *in, *out;
    } rows[] = {
        KNOWN(U8, 4, uint8_t, uint8_t, (1, 2, 0, 255), (255, 2, 1, 255), .right_neighbour = true),
        KNOWN(U8, 4, uint8_t, int16_t, (1, 2, 0, 255), (1, 1, -2, 255), .out_type = CLPRIM_I16),
        KNOWN(U8, 3, uint8_t, uint32_t, (1, 2, 0), (1, UINT32_MAX - 1), .out_type = CLPRIM_U32, .pairs_only = true),
        KNOWN(I8, 3, int8_t, int8_t, (-128, 127, -128), (-1, 1), .pairs_only = true),
        KNOWN(I64, 2, int64_t, int64_t, (INT64_MIN, INT64_MAX), (INT64_MIN, -1), .max_count = 2),
        KNOWN(U32, 3, uint32_t, float, (5, 0, UINT32_MAX), (5, -5, 0x1p32F), .out_type = CLPRIM_F32),
        /* 1, -65504, 65504, a NaN; zeros, infinity, a NaN */
        KNOWN(F16, 4, uint16_t, uint16_t, (0x3c00, 0xfbff, 0x7bff, 0x7c01), (0x3c00, 0xfbff, 0x7c00, 0x7e00),
              .max_count = 4),
        KNOWN(F32, 6, uint32_t, uint32_t, (1U << 31, 0, 1U << 31, 1U << 31, 0x7f800000, 0xff800001),
              (1U << 31, 0, 1U << 31, 0, 0x7f800000, 0x7fc00000), .max_count = 6),
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_adjacent_difference_call call = {
            .in = {.host = rows[i].in}, .count = rows[i].count, .out = {.host = rows[i].out}};
        test_check_known(runtime, &clprim_adjacent_difference_operation, &rows[i].desc, &call);
    }
}

#define INVALID(culprit, ...) TEST_INVALID(adjacent_difference, culprit, false, __VA_ARGS__)

Test(adjacent_difference, refusals)
{
    const test_refusal rows[] = {
        INVALID("out_type i32", .type = CLPRIM_F32, .out_type = CLPRIM_I32),
        INVALID("out_type i32", .type = CLPRIM_U32, .out_type = CLPRIM_I32),
        INVALID("out_type", .combine = "a", .out_type = CLPRIM_TYPE_END, .pairs_only = true),
        INVALID("type", .combine = "a", .type = CLPRIM_TYPE_END, .pairs_only = true),
        INVALID("type_size", .combine = "a", .type_name = "uint"),
        INVALID("type_name", .combine = "a", .type_size = 4),
        INVALID("combine", .type_name = "uint", .type_size = 4),
        INVALID("combine", .text.source = "typedef int number;"),
        INVALID("out_type u32", POINTS, .combine = "a.x", .out_type = CLPRIM_U32),
        TEST_MISTAKE(adjacent_difference, "combine", POINTS, .combine = "a.w"),
    };
    test_refuse_each(&clprim_adjacent_difference_operation, rows, sizeof rows / sizeof *rows);
}
