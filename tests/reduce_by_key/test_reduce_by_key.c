// SPDX-License-Identifier: MIT
/* test_reduce_by_key.c: every variant finds the runs that the reference finds and folds their values in the same way,
 * for keys and values of many types, built-in and custom operators, accumulators, all sizes of arrays, offsets, data
 * and lengths of runs. By default, each variant runs some of the cases; with CLPRIM_TEST_FULL, every variant runs every
 * case, and every operator runs with every type. */
#include <clprim/reference.h>

#include "folds.h"

#define VARIANTS test_num_choices(&clprim_reduce_by_key_operation) /* with AUTO */

static clprim_scan_variant variant_of(size_t choice)
{
    return (clprim_scan_variant)test_choice(&clprim_reduce_by_key_operation, choice);
}

static void check_desc(clprim_runtime *runtime, const clprim_reduce_by_key_desc *desc, const test_operator *own)
{
    const uint64_t seed = TEST_SEED + (uint64_t)desc->type * 7 + (uint64_t)desc->op * 3 + (uint64_t)desc->variant;
    TEST_WITH_CALL(self, test_fold_create(&self, runtime, &clprim_reduce_by_key_operation, desc, own))
        for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = seed}; test_next(&turn);)
            test_check_turn(&self, &turn);
}

#define ONLY_FULL ((clprim_scan_variant)-1) /* no variant */
#define MANY      ((size_t)1 << 40)
#define TYPES(key, value, operator, in)                                                                                \
    .key_type = CLPRIM_##key, .type = CLPRIM_##value, .op = CLPRIM_##operator, .accumulator_type = CLPRIM_##in

/* The default variants for each case; programs of CPU_CHUNK compile fastest. */
static const struct {
    clprim_reduce_by_key_desc desc;
    const test_operator *own;
} cases[] = {
    {{TYPES(I32, I32, SUM, I32)}, NULL},
    {{TYPES(U8, U16, SUM, U64), .variant = CLPRIM_SCAN_LOOK_BACK}, NULL},
    {{TYPES(U64, F32, SUM, F32), .index_type = CLPRIM_U64, .max_count = MANY, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN},
     NULL},
    {{TYPES(F32, U8, XOR, U8), .index_type = CLPRIM_U64, .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{.key_type = CLPRIM_U16, .variant = CLPRIM_SCAN_CPU_CHUNK}, &test_operators[TEST_SPANS]},
    {{TYPES(F64, F32, SUM, F64), .variant = ONLY_FULL}, NULL},
    {{TYPES(F16, F16, SUM, F16), .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{TYPES(U8, I64, SUM, F32), .index_type = CLPRIM_U64, .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{TYPES(I8, F64, MAX, F64), .variant = ONLY_FULL}, NULL},
    {{TYPES(I64, I16, PROD, I32), .index_type = CLPRIM_U64, .max_count = MANY, .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{TYPES(U32, F32, ARGMIN, F32), .variant = CLPRIM_SCAN_CPU_CHUNK}, NULL},
    {{.key_type = CLPRIM_I16, .index_type = CLPRIM_U64, .variant = CLPRIM_SCAN_CPU_CHUNK},
     &test_operators[TEST_AFFINE]},
};

TEST_WITH_RUNTIME(reduce_by_key, cases_by_variants)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t v = 0; v < VARIANTS; v++) {
            clprim_reduce_by_key_desc desc = cases[i].desc;
            if (!test_is_full() && variant_of(v) != desc.variant)
                continue;
            desc.variant = variant_of(v);
            check_desc(runtime, &desc, cases[i].own);
        }
}

TEST_WITH_RUNTIME(reduce_by_key, operators_without_identity)
{
    static const int rows[] = {TEST_MOVES, TEST_SPANS, TEST_NEXT, TEST_FIRST};
    static const size_t counts[] = {0, 1, 2, 257, 4097};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const test_operator own = test_without_identity(&test_operators[rows[i]]);
        const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U16, .variant = variant_of(i % VARIANTS)};
        TEST_WITH_CALL(self, test_fold_create(&self, runtime, &clprim_reduce_by_key_operation, &desc, &own))
            for (size_t kind = 0; kind < TEST_RUNS_END; kind++)
                for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
                    test_check_turn(&self, &(test_turn){.kinds = TEST_RUNS_END,
                                                        .kind = kind,
                                                        .seed = TEST_SEED + kind + k,
                                                        .count = counts[k],
                                                        .pattern = TEST_RANDOM});
    }
}

/* All types and operators, with all types of keys in turn. */
TEST_WITH_RUNTIME(reduce_by_key, types_by_operators)
{
    if (!test_is_full())
        cr_skip_test("only with CLPRIM_TEST_FULL");
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int op = 0; op < CLPRIM_OP_END; op++) {
            const clprim_reduce_by_key_desc desc = {.key_type = (clprim_type)((type + op) % 11 + 1),
                                                    .type = (clprim_type)type,
                                                    .op = (clprim_op)op,
                                                    .index_type = (type + op) % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                                    .variant = variant_of((size_t)(type + op) % VARIANTS)};
            if (test_op_is_valid((clprim_type)type, (clprim_op)op))
                check_desc(runtime, &desc, NULL);
        }
}

/* NaNs are propagated within their run, and not beyond it. */
TEST_WITH_RUNTIME(reduce_by_key, propagates_nans)
{
    test_fold_nans(runtime, &clprim_reduce_by_key_operation, 1);
}

TEST_WITH_RUNTIME(reduce_by_key, refusals)
{
    test_fold_refusals(runtime, &clprim_reduce_by_key_operation);
    test_refuse(runtime, &clprim_reduce_by_key_operation, &(clprim_reduce_by_key_desc){.variant = CLPRIM_SCAN_NAIVE},
                CLPRIM_INVALID_ARGUMENT, "naive");
}

/* Constants, so that not everything relies on the reference. */
TEST_WITH_RUNTIME(reduce_by_key, known_by_heart)
{
    static int16_t keys[] = {5, 5, 5, -1, 5, 7, 7}, expected[] = {5, -1, 5, 7};
    static uint8_t values[] = {200, 100, 1, 3, 9, 4, 6};
    static uint32_t sums[] = {301, 3, 9, 10}, runs = 4;
    static clprim_indexed lowest[] = {{2, {.u8 = 1}}, {3, {.u8 = 3}}, {4, {.u8 = 9}}, {5, {.u8 = 4}}};
    const clprim_reduce_by_key_call call = {.keys_in = {.host = keys},
                                            .values_in = {.host = values},
                                            .count = 7,
                                            .keys_out = {.host = expected},
                                            .values_out = {.host = sums},
                                            .out_count = {.host = &runs}};
    clprim_reduce_by_key_call indexed = call;
    indexed.values_out.host = lowest;
    test_check_known(runtime, &clprim_reduce_by_key_operation, &(clprim_reduce_by_key_desc){TYPES(I16, U8, SUM, U32)},
                     &call);
    test_check_known(runtime, &clprim_reduce_by_key_operation,
                     &(clprim_reduce_by_key_desc){TYPES(I16, U8, ARGMIN, TYPE_DEFAULT)}, &indexed);
}

Test(reduce_by_key, reference_refuses)
{
    static const int16_t keys[] = {5, 5};
    int16_t keys_out[2] = {77};
    uint32_t out[2] = {99};
    size_t runs = 99;
#define REFERENCE(keys_out, out, runs, size, op, in, count)                                                            \
    clprim_reference_reduce_by_key(keys_out, out, runs, size, TEST_FOLD(CLPRIM_U8, op, CLPRIM_U32), in, keys, count)
    ASSERT_STATUS(REFERENCE(NULL, out, &runs, 2, CLPRIM_SUM, keys, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, NULL, &runs, 2, CLPRIM_SUM, keys, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, NULL, 2, CLPRIM_SUM, keys, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 0, CLPRIM_SUM, keys, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 2, CLPRIM_MIN, keys, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(keys_out, out, &runs, 2, CLPRIM_SUM, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(REFERENCE(NULL, NULL, &runs, 2, CLPRIM_SUM, NULL, 0));
    cr_assert_eq(runs, 0);
}

static void append(void *accumulated, const void *element)
{
    uint32_t digits = 0;
    uint32_t digit = 0;
    memcpy(&digits, accumulated, sizeof digits);
    memcpy(&digit, element, sizeof digit);
    digits = digits * 10 + digit;
    memcpy(accumulated, &digits, sizeof digits);
}

Test(reduce_by_key, reference_of_custom_operators)
{
    static const uint8_t keys[] = {5, 5, 5, 1, 5};
    static const uint32_t values[] = {1, 2, 3, 4, 5};
    uint8_t keys_out[4] = {77, 77, 77, 77};
    uint32_t out[4] = {99, 99, 99, 99};
    size_t runs = 99;
#define CUSTOM(size_, combine_)                                                                                        \
    clprim_reference_reduce_by_key(keys_out, out, &runs, 1,                                                            \
                                   &(clprim_reference_operator){.combine = (combine_), .size = (size_)}, keys, values, \
                                   5)
    ASSERT_STATUS(CUSTOM(0, append), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(CUSTOM(4, NULL), CLPRIM_INVALID_ARGUMENT);
    cr_assert(keys_out[0] == 77 && out[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(CUSTOM(4, append));
    cr_assert(runs == 3 && keys_out[0] == 5 && keys_out[1] == 1 && keys_out[2] == 5 && keys_out[3] == 77);
    cr_assert(out[0] == 123 && out[1] == 4 && out[2] == 5 && out[3] == 99);
}
