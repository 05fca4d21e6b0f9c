// SPDX-License-Identifier: MIT
/* test_reduce.c: every variant gives the reference's result, for all types, operators, accumulators, sizes, offsets and
 * data. By default the combinations are pairwise: every variant meets every type and every operator, and every type
 * meets every operator. With CLPRIM_TEST_FULL set, all combinations are tested. */
#include "folds.h"

enum { TYPE = 1, OP };

static int rank(const size_t *at)
{
    return test_op_is_valid((clprim_type)(at[TYPE] + 1), (clprim_op)at[OP]);
}

TEST_BY_VARIANT(reduce, variant, clprim_reduce_operation)
{
    const size_t levels[] = {(size_t)test_last_variant(&clprim_reduce_operation), CLPRIM_TYPE_END - 1, CLPRIM_OP_END,
                             0};
    const test_case *cases = NULL;
    const size_t count = test_sample(&cases, variant, levels, rank);
    for (size_t i = 0; i < count; i++) {
        const clprim_reduce_desc desc = {.type = (clprim_type)(cases[i][TYPE] + 1),
                                         .op = (clprim_op)cases[i][OP],
                                         .variant = (clprim_reduce_variant)variant};
        test_fold_turns(runtime, &clprim_reduce_operation, &desc, 1);
    }
}

TEST_WITH_RUNTIME(reduce, by_auto)
{
    test_fold_turns(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.type = CLPRIM_F32}, 1);
    test_fold_turns(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.type = CLPRIM_U8, .op = CLPRIM_ARGMAX},
                    1);
}

/* Each variant meets a NaN without and with its index. */
TEST_FOLDS(reduce, clprim_reduce_operation, 1, 2)

/* Work-groups from one work-item to more than any device supports, and few or many elements for each work-item. U8 has
 * the most elements in a packet, so heads and tails are longest. Most variants meet one group size each, those with the
 * most complex groups meet more. */
TEST_WITH_RUNTIME(reduce, work_group_sizes_and_items)
{
    static const size_t group_sizes[] = {1, 2, 8, 64, 1024, 65536};
    static const size_t items[] = {0, 1, 3, 1024};
    for (size_t v = 0; v < (size_t)test_last_variant(&clprim_reduce_operation); v++)
        for (size_t g = 0; g < 6; g++) {
            const clprim_reduce_desc desc = {.type = CLPRIM_U8,
                                             .variant = (clprim_reduce_variant)(v + 1),
                                             .work_group_size = group_sizes[g],
                                             .items_per_work_item = items[(v + g) % 4]};
            const bool involved = desc.variant == CLPRIM_REDUCE_SINGLE_PASS || desc.variant == CLPRIM_REDUCE_UNROLLED;
            if (involved || test_is_full() || g == v % 6)
                test_fold_turns(runtime, &clprim_reduce_operation, &desc, 1);
        }
}

/* With every variant. Variants that change the order refuse operators that do not commute. */
TEST_WITH_RUNTIME(reduce, own_operators_by_variants)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    for (size_t o = 0; o <= TEST_AFFINE; o++)
        for (size_t v = 0; v <= count; v++) {
            const test_operator *own = &test_operators[o];
            const clprim_reduce_desc desc = {.type = own->type,
                                             .custom = &own->op,
                                             .variant = v < count ? (clprim_reduce_variant)variants[v].id : 0};
            if (v < count && own->op.non_commutative && !variants[v].keeps_order)
                test_refuse(runtime, &clprim_reduce_operation, &desc, CLPRIM_INVALID_ARGUMENT, "");
            else
                test_fold_own(runtime, &clprim_reduce_operation, &desc, own);
        }
}

/* With all variants that support it: 12 and 20 bytes, 64 bits and halves. */
TEST_WITH_RUNTIME(reduce, operators_without_identity)
{
    static const int rows[] = {TEST_RANGES, TEST_JOIN, TEST_MATRICES, TEST_MOVES, TEST_FIRST, TEST_NEXT};
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    for (size_t o = 0; o < sizeof rows / sizeof *rows; o++)
        for (size_t v = 0; v <= count; v++) {
            const test_operator own = test_without_identity(&test_operators[rows[o]]);
            const clprim_reduce_desc desc = {.variant = v < count ? (clprim_reduce_variant)variants[v].id : 0};
            const bool may_run = v == count || variants[v].keeps_order || !own.op.non_commutative;
            if (may_run && (o == 0 || (o + v) % 2 == 0 || test_is_full()))
                test_fold_own(runtime, &clprim_reduce_operation, &desc, &own);
        }
}

/* Halves are floats inside the operator. */
TEST_WITH_RUNTIME(reduce, own_operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0x3800}; /* 1 -3 2 0.5 */
    static uint16_t farthest = 0xc200;
    const clprim_custom_op op = {.combine = "fabs(a) > fabs(b) ? a : b", .identity = "0.0f"};
    test_check_known(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.type = CLPRIM_F16, .custom = &op},
                     &(clprim_reduce_call){.in = {.host = in}, .count = 4, .out = {.host = &farthest}});
}

/* Offsets, counts and indices that do not fit in 32 bits. */
TEST_WITH_RUNTIME(reduce, more_than_2_to_the_32_elements)
{
    const uint64_t sum = TEST_HUGE - 5 + 2 + 3 + 2 + 5 + 60;
    const clprim_indexed last = {.index = TEST_HUGE - 1, .value.u8 = 60};
    test_huge(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.accumulator_type = CLPRIM_U64}, &sum,
              sizeof sum, 0);
    test_huge(runtime, &clprim_reduce_operation, &(clprim_reduce_desc){.op = CLPRIM_ARGMAX}, &last, sizeof last, 0);
}
