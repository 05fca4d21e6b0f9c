// SPDX-License-Identifier: MIT
/* test_types.c: sizes, names, half-precision numbers, and the data and rules on which the other tests rely. */
#include <clprim/types.h>
#include <clprim/version.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

Test(types, every_type_has_its_size_and_name)
{
    static const char *const names[] = {
        [CLPRIM_I8] = "i8",   [CLPRIM_U8] = "u8",   [CLPRIM_I16] = "i16", [CLPRIM_U16] = "u16",
        [CLPRIM_I32] = "i32", [CLPRIM_U32] = "u32", [CLPRIM_I64] = "i64", [CLPRIM_U64] = "u64",
        [CLPRIM_F16] = "f16", [CLPRIM_F32] = "f32", [CLPRIM_F64] = "f64"};
    static const int unknown[] = {-1, CLPRIM_TYPE_DEFAULT, CLPRIM_TYPE_END, CLPRIM_KEY_TYPE_END, 1000};
    cr_assert_eq(sizeof names / sizeof *names, CLPRIM_TYPE_END, "a type is missing in this test");
    for (int type = 1; type < CLPRIM_TYPE_END; type++) {
        cr_assert_eq(clprim_type_size((clprim_type)type), strtoul(names[type] + 1, NULL, 10) / 8, "%s", names[type]);
        cr_assert_str_eq(clprim_type_name((clprim_type)type), names[type]);
    }
    cr_assert_eq(clprim_type_size(CLPRIM_BF16), 2);
    cr_assert_str_eq(clprim_type_name(CLPRIM_BF16), "bf16");
    cr_assert_eq(clprim_type_size(CLPRIM_U128), 16);
    cr_assert_str_eq(clprim_type_name(CLPRIM_U128), "u128");
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        cr_assert_eq(clprim_type_size((clprim_type)unknown[i]), 0, "size of type %d", unknown[i]);
        cr_assert_str_eq(clprim_type_name((clprim_type)unknown[i]), "unknown", "type %d", unknown[i]);
    }
    cr_assert(sizeof(clprim_indexed) == 16 && offsetof(clprim_indexed, value) == 8, "as kernels write it");
}

Test(types, the_library_says_the_version_of_its_headers)
{
    cr_assert_eq(clprim_version(), CLPRIM_VERSION_MAJOR * 10000 + CLPRIM_VERSION_MINOR * 100 + CLPRIM_VERSION_PATCH);
    cr_assert_eq(CLPRIM_VERSION, clprim_version());
}

Test(types, operators_have_names_of_their_own)
{
    cr_assert_str_eq(clprim_op_name(CLPRIM_SUM), "sum");
    cr_assert_str_eq(clprim_op_name(CLPRIM_ARGMAX), "argmax");
    cr_assert_str_eq(clprim_op_name((clprim_op)-1), "unknown");
    cr_assert_str_eq(clprim_op_name(CLPRIM_OP_END), "unknown");
    for (int a = 0; a < CLPRIM_OP_END; a++)
        for (int b = 0; b < a; b++)
            cr_assert_str_neq(clprim_op_name((clprim_op)a), clprim_op_name((clprim_op)b));
}

Test(types, known_halves_convert)
{
    static const struct {
        uint16_t half;
        float value;
    } rows[] = {{0x0000, 0.0F},     {0x3c00, 1.0F},      {0xc000, -2.0F},         {0x7bff, 65504.0F},
                {0x0400, 0x1p-14F}, {0x0001, 0x1p-24F},  {0x83ff, -0x1.ff8p-15F}, {0x3555, 0x1.554p-2F},
                {0x7c00, INFINITY}, {0xfc00, -INFINITY}, {0x8000, -0.0F}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float value = clprim_half_to_float(rows[i].half);
        cr_assert(value == rows[i].value && !signbit(value) == !signbit(rows[i].value), "half %04x", rows[i].half);
        cr_assert_eq(clprim_half_from_float(rows[i].value), rows[i].half, "half %04x", rows[i].half);
    }
}

Test(types, every_half_survives_the_way_to_float_and_back)
{
    for (uint32_t half = 0; half <= 0xffff; half++) {
        const float value = clprim_half_to_float((uint16_t)half);
        const uint16_t back = clprim_half_from_float(value);
        if ((half & 0x7fffU) > 0x7c00U)
            cr_assert(isnan(value) && (back & 0x7fffU) > 0x7c00U && (back & 0x8000U) == (half & 0x8000U),
                      "NaN %04x became %04x", (unsigned)half, back);
        else
            cr_assert_eq(back, half, "%04x became %04x", (unsigned)half, back);
    }
}

Test(types, floats_round_to_the_nearest_half_and_ties_to_even)
{
    /* The middle between neighbours a < b is rounded to the even one; values slightly off the middle, to the nearer
     * one. */
    for (uint32_t half = 0; half < 0x7bff; half++) {
        const float a = clprim_half_to_float((uint16_t)half);
        const float b = clprim_half_to_float((uint16_t)(half + 1));
        const float middle = (a + b) / 2.0F;
        const uint32_t even = half + (half & 1U);
        cr_assert_eq(clprim_half_from_float(middle), even, "above %04x: the middle", (unsigned)half);
        cr_assert_eq(clprim_half_from_float(nextafterf(middle, 0.0F)), half, "above %04x", (unsigned)half);
        cr_assert_eq(clprim_half_from_float(nextafterf(middle, b)), half + 1, "above %04x", (unsigned)half);
        cr_assert_eq(clprim_half_from_float(-middle), even | 0x8000U, "below -%04x", (unsigned)half);
    }
    cr_assert_eq(clprim_half_from_float(nextafterf(65520.0F, 0.0F)), 0x7bff, "just not infinite");
    cr_assert_eq(clprim_half_from_float(65520.0F), 0x7c00, "half-way to 2^16 is infinite");
    cr_assert_eq(clprim_half_from_float(FLT_MAX), 0x7c00);
    cr_assert_eq(clprim_half_from_float(FLT_MIN), 0);
}

/* The reference's fold of an array, accumulated in the array's type. */
#define FOLD(out, type, op, in, count)                                                                                 \
    ASSERT_OK(                                                                                                         \
        clprim_reference_reduce(out, TEST_FOLD((clprim_type)(type), (clprim_op)(op), CLPRIM_TYPE_DEFAULT), in, count))

/* Check the sentence about MIN and MAX in types.h with the host's reference: floats in ascending order, -NaN to
 * +NaN. */
Test(reference, follows_the_total_order_of_floats)
{
    static const uint32_t ascending[] = {0xffffffff, 0xffc00000, 0xff800001, 0xff800000, 0xff7fffff, 0xbf800000,
                                         0x807fffff, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x007fffff,
                                         0x3f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
    for (size_t i = 0; i + 1 < sizeof ascending / sizeof *ascending; i++) {
        const uint32_t pairs[2][2] = {{ascending[i], ascending[i + 1]}, {ascending[i + 1], ascending[i]}};
        for (size_t k = 0; k < 2; k++) {
            uint32_t result = 0;
            clprim_indexed indexed;
            FOLD(&result, CLPRIM_F32, CLPRIM_MIN, pairs[k], 2);
            cr_assert_eq(result, ascending[i], "min of %08x and its successor is %08x", ascending[i], result);
            FOLD(&result, CLPRIM_F32, CLPRIM_MAX, pairs[k], 2);
            cr_assert_eq(result, ascending[i + 1], "max of %08x and its successor is %08x", ascending[i], result);
            FOLD(&indexed, CLPRIM_F32, CLPRIM_ARGMAX, pairs[k], 2);
            cr_assert_eq(indexed.index, 1 - k);
        }
    }
}

Test(reference, knows_the_identities)
{
    static const uint64_t ones[CLPRIM_TYPE_END] = {
        [CLPRIM_F16] = 0x3c00, [CLPRIM_F32] = 0x3f800000, [CLPRIM_F64] = 0x3ff0000000000000};
    for (int type = 1; type < CLPRIM_TYPE_END; type++) {
        const bool is_unsigned = clprim_type_name((clprim_type)type)[0] == 'u';
        const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size((clprim_type)type));
        const uint64_t most = is_unsigned ? all : all >> 1; /* for floats, the NaNs at both ends of the total order */
        const uint64_t least = test_is_float((clprim_type)type) ? all : is_unsigned ? 0 : all - most;
        const uint64_t identities[CLPRIM_OP_END] = {
            0, ones[type] != 0 ? ones[type] : 1, most, least, all, 0, 0, most, least};
        for (int op = 0; op < CLPRIM_OP_END; op++) {
            const bool is_indexed = op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX;
            clprim_indexed none = {.index = 0};
            if (!test_op_is_valid((clprim_type)type, (clprim_op)op))
                continue;
            FOLD(&none, type, op, NULL, 0);
            cr_assert_eq(is_indexed ? none.value.u64 : none.index, identities[op], "%s of no %s",
                         clprim_op_name((clprim_op)op), clprim_type_name((clprim_type)type));
            cr_assert(!is_indexed || none.index == UINT64_MAX);
        }
    }
}

Test(reference, wraps_integers_and_widens_them_when_asked)
{
    static const int8_t in[] = {100, 100, -128, -128, -128};
    int8_t narrow = 0;
    int64_t wide = 0;
    double real = 0;
    FOLD(&narrow, CLPRIM_I8, CLPRIM_SUM, in, 5);
    cr_assert_eq(narrow, 72);
    ASSERT_OK(clprim_reference_reduce(&wide, TEST_FOLD(CLPRIM_I8, CLPRIM_SUM, CLPRIM_I64), in, 5));
    cr_assert_eq(wide, -184);
    ASSERT_OK(clprim_reference_reduce(&real, TEST_FOLD(CLPRIM_I8, CLPRIM_PROD, CLPRIM_F64), in, 5));
    cr_assert(real == -20971520000.0);
}

/* Compare the rules of reduce.h with a separate table in this test. */
Test(reference, accepts_exactly_the_types_operators_and_accumulators_that_are_allowed)
{
    const uint64_t zeros[2] = {0};
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++)
            for (int accumulator = 0; accumulator < CLPRIM_TYPE_END; accumulator++) {
                uint64_t result[2] = {UINT64_C(0xa5a5a5a5a5a5a5a5), UINT64_C(0xa5a5a5a5a5a5a5a5)};
                const bool is_own = accumulator == 0 || accumulator == type;
                const bool op_is_valid = test_op_is_valid((clprim_type)type, (clprim_op)op);
                const bool valid =
                    op_is_valid && (is_own || (test_is_arithmetic((clprim_op)op) &&
                                               test_accumulator_is_valid((clprim_type)type, (clprim_type)accumulator)));
                const clprim_status status = clprim_reference_reduce(
                    result, TEST_FOLD((clprim_type)type, (clprim_op)op, (clprim_type)accumulator), zeros, 1);
                const clprim_status refusal = op_is_valid ? CLPRIM_INVALID_ARGUMENT : CLPRIM_INVALID_OPERATOR;
                cr_assert_eq((int)status, (int)(valid ? CLPRIM_SUCCESS : refusal), "%s of %s in %s gives %s",
                             clprim_op_name((clprim_op)op), clprim_type_name((clprim_type)type),
                             clprim_type_name((clprim_type)accumulator), clprim_status_string(status));
                cr_assert(valid || result[0] == UINT64_C(0xa5a5a5a5a5a5a5a5), "a refusal must not write");
            }
}

/* The float tests rely on this: right results pass, wrong ones do not, and the exact value is computed exactly. */
Test(reference, judges_float_sums)
{
    enum { ANY_ERROR = -1 };
    static const struct {
        float in[4];
        size_t count;
        float result;
        double error;
        bool accepted;
    } rows[] = {
        {{0x1p100F, 1.0F, -0x1p100F, 0x1p-60F}, 4, 1.0F, 0x1p-60, true},
        {{1.0F, 0x1p-24F, 0x1p-24F}, 3, 1.0F, 0x1p-23, true}, /* added from the left, both small ones are lost */
        {{1.0F, 0x1p-24F, 0x1p-24F}, 3, 1.0F + 0x1p-23F, 0.0, true},
        {{1.0F, 0x1p-24F, 0x1p-24F}, 3, 1.0F + 0x1p-20F, ANY_ERROR, false},
        {{0x1.234568p0F}, 1, 0x1.234568p0F, 0.0, true},
        {{0x1.234568p0F}, 1, 0x1.23456ap0F, ANY_ERROR, false}, /* the next float */
        {{1.0F, INFINITY, 2.0F}, 3, INFINITY, 0.0, true},
        {{1.0F, INFINITY, 2.0F}, 3, -INFINITY, ANY_ERROR, false},
        {{1.0F, INFINITY, 2.0F}, 3, NAN, ANY_ERROR, false},
        {{1.0F, INFINITY, 2.0F}, 3, FLT_MAX, ANY_ERROR, false},
        {{INFINITY, -INFINITY}, 2, NAN, 0.0, true},
        {{INFINITY, -INFINITY}, 2, 0.0F, ANY_ERROR, false},
        {{1.0F, 2.0F}, 2, INFINITY, ANY_ERROR, false},
        {{1.0F, 2.0F}, 0, 0.0F, 0.0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double error = -1;
        double bound = -1;
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, TEST_FOLD(CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT),
                                                rows[i].in, rows[i].count, 0, &rows[i].result));
        cr_assert_eq(error <= bound, rows[i].accepted, "row %zu: error %g, bound %g", i, error, bound);
        cr_assert(rows[i].error == ANY_ERROR || error == rows[i].error, "row %zu: error %g", i, error);
    }
}

Test(reference, counts_the_rounding_of_stored_halves)
{
    const uint16_t in[] = {0x3c00, 0x1000}; /* 1 + 2^-11 lies half-way between two halves */
    const uint16_t results[] = {0x3c00, 0x3c01, 0x3c02};
    for (size_t i = 0; i < 3; i++) {
        double error = 0;
        double bound = 0;
        ASSERT_OK(clprim_reference_reduce_error(&error, &bound, TEST_FOLD(CLPRIM_F16, CLPRIM_SUM, CLPRIM_F16), in, 2, 0,
                                                &results[i]));
        cr_assert(i == 2 ? error > bound : error == 0x1p-11 && error <= bound, "%04x: error %g, bound %g", results[i],
                  error, bound);
    }
}

static void append_digit(void *accumulated, const void *element)
{
    *(uint64_t *)accumulated = *(uint64_t *)accumulated * 10 + *(const uint64_t *)element;
}

Test(reference, folds_custom_operators_from_left_to_right)
{
    const uint64_t digits[] = {1, 2, 3, 4};
    const uint64_t identity = 0;
    uint64_t result = 7;
    const clprim_reference_operator append = {.combine = append_digit, .size = sizeof result, .identity = &identity};
    ASSERT_OK(clprim_reference_reduce(&result, &append, digits, 4));
    cr_assert_eq(result, 1234);
    ASSERT_OK(clprim_reference_reduce(&result, &append, NULL, 0));
    cr_assert_eq(result, 0);
}
