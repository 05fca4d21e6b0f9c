/* test_reduce.accumulators.c: integers folded in floats that do not hold them. Each is rounded once, to nearest, ties
 * to even, before it is added, by the reference and by every variant. */
#include <clprim/reduce.h>
#include <clprim/reference.h>

#include "call.h"

enum { COUNT = 33333, FEW = 1000, PLACE = 613 };

/* What becomes of a number; as a float or as a double. */
static const struct row {
    clprim_type type;
    uint64_t number;
    float f32;
    double f64;
} rows[] = {
    {CLPRIM_I32, 16777217, 0x1p24F, 0x1.000001p24},
    {CLPRIM_I32, 16777219, 0x1.000004p24F, 0x1.000003p24},
    {CLPRIM_I32, (uint64_t)-16777217, -0x1p24F, -0x1.000001p24},
    {CLPRIM_I32, INT32_MAX, 0x1p31F, 0x1.fffffffcp30},
    {CLPRIM_U32, UINT32_MAX, 0x1p32F, 0x1.fffffffep31},
    {CLPRIM_U32, 0x80000080, 0x1p31F, 0x1.000001p31},
    {CLPRIM_I64, (UINT64_C(1) << 53) + 1, 0x1p53F, 0x1p53},
    {CLPRIM_I64, (UINT64_C(1) << 53) + 3, 0x1p53F, 0x1.0000000000002p53},
    {CLPRIM_I64, (uint64_t)INT64_MIN, -0x1p63F, -0x1p63},
    {CLPRIM_I64, (UINT64_C(1) << 60) - (UINT64_C(1) << 35) - 1, 0x1.fffffep59F, 0x1.ffffffp59}, /* not by a double */
    {CLPRIM_U64, UINT64_MAX, 0x1p64F, 0x1p64},
    {CLPRIM_U64, (UINT64_C(1) << 63) + 1, 0x1p63F, 0x1p63},
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

static bool is_right(const struct row *row, clprim_type accumulator, const void *result)
{
    return memcmp(result, accumulator == CLPRIM_F32 ? (const void *)&row->f32 : &row->f64,
                  clprim_type_size(accumulator)) == 0;
}

Test(reduce_accumulators, reference_rounds_once)
{
    for (size_t i = 0; i < NUM_ROWS; i++)
        for (int accumulator = CLPRIM_F32; accumulator <= CLPRIM_F64; accumulator++)
            for (int op = CLPRIM_SUM; op <= CLPRIM_PROD; op++) {
                double result = 77;
                ASSERT_OK(clprim_reference_reduce(
                    &result, TEST_FOLD(rows[i].type, (clprim_op)op, (clprim_type)accumulator), &rows[i].number, 1));
                cr_assert(is_right(&rows[i], (clprim_type)accumulator, &result), "row %zu in %s", i,
                          clprim_type_name((clprim_type)accumulator));
            }
}

/* One number among zeros is what a variant makes of it by itself; the sum of many is exact in any order once they are
 * rounded. */
static void check(test_call *self, clprim_type type, clprim_type accumulator)
{
    static uint64_t in[COUNT];
    const size_t size = clprim_type_size(type);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (rows[i].type != type)
            continue;
        memset(in, 0, sizeof in);
        memcpy((char *)in + PLACE * size, &rows[i].number, size);
        const void *expected = accumulator == CLPRIM_F32 ? (const void *)&rows[i].f32 : &rows[i].f64;
        test_call_fill(self, &(clprim_reduce_call){.in = {.host = in}, .count = FEW, .out = {.host = (void *)expected}},
                       i);
        test_call_check(self, "row %zu", i);
    }
    test_fill_rounded(in, type, accumulator, COUNT, TEST_SEED);
    test_call_fill(self, &(clprim_reduce_call){.in = {.host = in}, .count = COUNT}, 1);
    test_call_check(self, "many");
}

/* By default each variant meets two pairs of types, and each pair three variants or more. */
Test(reduce_accumulators, integers_are_rounded_before_they_are_added, .timeout = 120)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < CLPRIM_REDUCE_FIXED_TREE; v++)
        for (size_t p = 0; p < TEST_ROUNDED; p++) {
            test_call self;
            const clprim_reduce_desc desc = {.type = test_rounded[p][0],
                                             .accumulator_type = test_rounded[p][1],
                                             .variant = (clprim_reduce_variant)(v + 1)};
            if (((v + p) % 3 != 0 && !test_is_full()) ||
                !test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
                continue;
            check(&self, desc.type, desc.accumulator_type);
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}
