// SPDX-License-Identifier: MIT
/* test_reduce.initial.c: reductions with an initial value of the caller: one that the plan has, or one that calls read
 * from the device, where the result may overwrite it. Without elements it is the result. */
#include "folds.h"

static const uint32_t words[] = {5, 8, 11, 14, 17, 20};

#define TYPES(type_, operator, in) .type = CLPRIM_##type_, .op = CLPRIM_##operator, .accumulator_type = CLPRIM_##in

static const clprim_reduce_desc rows[] = {
    {TYPES(I32, SUM, I32)}, {TYPES(U8, SUM, U64)},  {TYPES(F32, SUM, F32)},  {TYPES(F16, SUM, F16)},
    {TYPES(I64, MAX, I64)}, {TYPES(U16, XOR, U16)}, {TYPES(F64, PROD, F64)}, {TYPES(F16, MIN, F16)},
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

/* Check the sizes of test_fold_own, with data of each kind. Results are compared bit by bit, or, if sums are rounded,
 * with the required accuracy. */
static void check(clprim_runtime *runtime, const clprim_reduce_desc *desc)
{
    static const size_t counts[] = {0, 1, 2, 255, 257, 1025, 4097, 20011};
    TEST_WITH_CALL(self, test_fold_create(&self, runtime, &clprim_reduce_operation, desc, NULL))
        for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++)
            test_check_turn(&self, &(test_turn){.kinds = 1,
                                                .count = counts[i / 2],
                                                .pattern = i % 2 == 0 ? TEST_EXACT : TEST_RANDOM,
                                                .seed = TEST_SEED + i});
}

/* Each variant meets two rows, each with one of the two kinds of initial value. */
TEST_BY_VARIANT(reduce_initial, of_built_in_types, clprim_reduce_operation)
{
    for (size_t r = 0; r < NUM_ROWS; r++) {
        uint64_t initial = 0;
        clprim_reduce_desc desc = rows[r];
        const size_t turn = (r + (size_t)variant * 3) % NUM_ROWS;
        if (turn > 1 && !test_is_full())
            continue;
        test_fill(&initial, desc.accumulator_type, desc.op, TEST_EXACT, 1, TEST_SEED + r);
        desc.variant = (clprim_reduce_variant)variant;
        desc.has_initial_at = turn % 2 == 1;
        desc.initial = desc.has_initial_at ? NULL : &initial;
        check(runtime, &desc);
    }
}

/* Operators that do not commute, and one of 12 bytes with all variants; with and without identity. */
TEST_BY_VARIANT(reduce_initial, of_own_types, clprim_reduce_operation)
{
    static const int own_rows[] = {TEST_AFFINE, TEST_RANGES};
    const bool keeps_order = clprim_reduce_operation.variants(NULL)[variant - 1].keeps_order;
    for (size_t way = 0; way < 2; way++) {
        const test_operator *own = &test_operators[own_rows[!keeps_order]];
        const test_operator without = test_without_identity(own);
        const clprim_reduce_desc desc = {
            .variant = (clprim_reduce_variant)variant, .initial = way == 0 ? words : NULL, .has_initial_at = way == 1};
        test_fold_own(runtime, &clprim_reduce_operation, &desc, (size_t)variant % 2 == way ? own : &without);
    }
}

/* The initial value is the left operand. */
TEST_WITH_RUNTIME(reduce_initial, known_by_heart)
{
    static const clprim_custom_op first = {.combine = "a != 0 ? a : b", .identity = "0", .non_commutative = true};
    static int32_t in[] = {7};
    static int32_t initial[] = {4};
    static int32_t expected[] = {4};
    static float nan_in[] = {1.0F};
    static uint32_t nan_initial[] = {0xffffffff};
    static uint32_t nan_expected[] = {0x7fc00000};
    test_check_known(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.custom = &first, .initial = initial},
                     &(clprim_reduce_call){.in = {.host = in}, .count = 1, .out = {.host = expected}});
    test_check_known(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.custom = &first, .has_initial_at = true},
                     &(clprim_reduce_call){
                         .in = {.host = in}, .count = 1, .initial_at = {.host = initial}, .out = {.host = expected}});
    test_check_known(
        runtime, &clprim_reduce_operation,
        &(clprim_reduce_desc){
            .type = CLPRIM_F32, .op = CLPRIM_MAX, .nan_order = CLPRIM_NAN_LAST, .has_initial_at = true},
        &(clprim_reduce_call){
            .in = {.host = nan_in}, .count = 1, .initial_at = {.host = nan_initial}, .out = {.host = nan_expected}});
}

/* Calls accumulate: each begins with the result of the previous one. */
TEST_WITH_RUNTIME(reduce_initial, calls_accumulate)
{
    enum { COUNT = 5001, TIMES = 4 };
    static int32_t in[COUNT];
    int32_t first = 7;
    uint32_t expected = (uint32_t)first;
    test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    for (size_t i = 0; i < (size_t)TIMES * COUNT; i++)
        expected += (uint32_t)in[i % COUNT];
    for (int variant = 1; variant <= test_last_variant(&clprim_reduce_operation); variant++) {
        const clprim_reduce_desc desc = {.variant = (clprim_reduce_variant)variant, .has_initial_at = true};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_reduce_operation, &desc)) {
            self.replaced = UINT64_MAX;
            test_call_fill(
                &self,
                &(clprim_reduce_call){
                    .in = {.host = in}, .count = COUNT, .initial_at = {.host = &first}, .out = {.host = &expected}},
                1);
            test_call_reset(&self);
            for (int i = 0; i < TIMES; i++)
                ASSERT_OK(test_call_enqueue(&self, &self.call));
            ASSERT_CL(clFinish(clprim_runtime_queue(runtime)));
            test_call_expect_right(&self, "again and again");
        }
    }
}

static const uint64_t some_value[2] = {1};
#define INVALID(culprit, ...) TEST_INVALID(reduce, culprit, false, __VA_ARGS__)

Test(reduce_initial, refusals)
{
    const clprim_reference_operator by = {.type = CLPRIM_I32, .op = CLPRIM_ARGMAX, .initial = some_value};
    clprim_indexed out;
    TEST_REFUSE_EACH(reduce, INVALID("argmin takes no initial value", .op = CLPRIM_ARGMIN, .initial = some_value),
                     INVALID("argmax takes no initial value", .op = CLPRIM_ARGMAX, .has_initial_at = true),
                     INVALID("has_initial_at", .initial = some_value, .has_initial_at = true));
    ASSERT_REFUSED(clprim_reference_reduce(&out, &by, words, 1), CLPRIM_INVALID_ARGUMENT, "initial");
}
