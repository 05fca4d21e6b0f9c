// SPDX-License-Identifier: MIT
/* test_scan.c: every variant agrees with the reference, for all types, operators, accumulators, sizes, offsets and
 * data, inclusive and exclusive, without an initial value, with the plan's, or with one on the device, in place or not.
 * By default pairwise; with CLPRIM_TEST_FULL set, all combinations. */
#include "folds.h"

enum { TYPE = 1, OP, EXCLUSIVE, FROM_INITIAL };

/* Some variants take dozens of launches per scan. */
static size_t share_of(clprim_scan_variant variant)
{
    return variant == CLPRIM_SCAN_NAIVE || variant == CLPRIM_SCAN_WORK_EFFICIENT || variant == CLPRIM_SCAN_BIT_REVERSED
               ? 3
               : 1;
}

/* Results of more than 8 bytes are those of indexed operators, which have no initial value. */
static int rank(const size_t *at)
{
    const clprim_type type = (clprim_type)(at[TYPE] + 1);
    const clprim_op op = (clprim_op)at[OP];
    return test_op_is_valid(type, op) &&
           (at[FROM_INITIAL] == 0 || test_result_size(type, op, CLPRIM_TYPE_DEFAULT) <= sizeof(uint64_t));
}

/* By default, U8 and U16 have the smallest tiles, because a CPU's compiler takes many seconds for the largest. I8, I16
 * and F16 have large tiles. */
TEST_BY_VARIANT(scan, variant, clprim_scan_operation)
{
    const size_t levels[] = {
        (size_t)test_last_variant(&clprim_scan_operation), CLPRIM_TYPE_END - 1, CLPRIM_OP_END, 2, 3, 0};
    const test_case *cases = NULL;
    const size_t count = test_sample(&cases, variant, levels, rank);
    for (size_t i = 0; i < count; i++) {
        const size_t *at = cases[i];
        const clprim_type type = (clprim_type)(at[TYPE] + 1);
        const bool is_small = (type == CLPRIM_U8 || type == CLPRIM_U16) && !test_is_full();
        unsigned char initial[8];
        test_fill(initial, type, (clprim_op)at[OP], TEST_EXACT, 1, TEST_SEED + i);
        test_fold_turns(runtime, &clprim_scan_operation,
                        &(clprim_scan_desc){.type = type,
                                            .op = (clprim_op)at[OP],
                                            .exclusive = at[EXCLUSIVE] != 0,
                                            .initial = at[FROM_INITIAL] == 1 ? initial : NULL,
                                            .has_initial_at = at[FROM_INITIAL] == 2,
                                            .variant = (clprim_scan_variant)variant,
                                            .items_per_work_item = is_small},
                        share_of((clprim_scan_variant)variant));
    }
}

TEST_FOLDS(scan, clprim_scan_operation, 3, 1)

/* The variants that AUTO chooses; work-groups from one work-item to more than any device has; few and many elements per
 * work-item; few and many banks. */
TEST_WITH_RUNTIME(scan, defaults_and_shapes)
{
    static const clprim_scan_desc rows[] = {
        {.type = CLPRIM_F32},
        {.type = CLPRIM_U8, .op = CLPRIM_ARGMAX, .exclusive = true},
        {.variant = CLPRIM_SCAN_NAIVE, .work_group_size = 2},
        {.variant = CLPRIM_SCAN_WORK_EFFICIENT, .work_group_size = 1},
        {.variant = CLPRIM_SCAN_BIT_REVERSED, .work_group_size = 65536},
        {.variant = CLPRIM_SCAN_BLELLOCH, .work_group_size = 8},
        {.variant = CLPRIM_SCAN_BLELLOCH, .work_group_size = 1},
        {.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .work_group_size = 64, .banks = 1},
        {.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = 256, .exclusive = true},
        {.variant = CLPRIM_SCAN_CPU_CHUNK, .work_group_size = 8},
        {.variant = CLPRIM_SCAN_REDUCE_THEN_SCAN, .work_group_size = 1, .items_per_work_item = 1},
        {.variant = CLPRIM_SCAN_REDUCE_THEN_SCAN, .work_group_size = 65536, .items_per_work_item = 3},
        {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 1, .items_per_work_item = 1},
        {.type = CLPRIM_U16, .variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 2, .items_per_work_item = 1024},
        {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 65536, .items_per_work_item = 7, .exclusive = true},
        {.variant = CLPRIM_SCAN_FIXED_TREE, .work_group_size = 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_scan_desc desc = rows[i];
        if (desc.type == CLPRIM_TYPE_DEFAULT) /* the smallest type: most elements in a packet or word */
            desc.type = CLPRIM_U8;
        test_fold_turns(runtime, &clprim_scan_operation, &desc, share_of(desc.variant));
    }
}

static const uint64_t some_value[2] = {1};
#define REFUSED(...) TEST_INVALID(scan, "", false, __VA_ARGS__)

static void combine(void *accumulated, const void *element)
{
    (void)accumulated;
    (void)element;
}

Test(scan, refusals)
{
    static const clprim_custom_op no_identity = {.combine = "a"};
    const clprim_reference_operator by = {.combine = combine, .size = 4};
    int out = 0;
    TEST_REFUSE_EACH(
        scan,
        REFUSED(.reproducible = true, .segments = CLPRIM_SEGMENTS_BY_KEY, .type = CLPRIM_F32,
                .variant = CLPRIM_SCAN_LOOK_BACK),
        REFUSED(.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = 33),
        REFUSED(.variant = CLPRIM_SCAN_BLELLOCH_PADDED, .banks = SIZE_MAX),
        TEST_UNSUPPORTED(scan, "without segments", .variant = CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN,
                         .segments = CLPRIM_SEGMENTS_BY_FLAG),
        TEST_UNSUPPORTED(scan, "built in", .variant = CLPRIM_SCAN_FIXED_REDUCE_THEN_SCAN, .custom = &no_identity),
        REFUSED(.op = CLPRIM_ARGMIN, .initial = some_value),
        REFUSED(.type = CLPRIM_F64, .op = CLPRIM_ARGMAX, .initial = some_value),
        REFUSED(.type = CLPRIM_I8, .op = CLPRIM_ARGMAX, .has_initial_at = true),
        TEST_INVALID(scan, "has_initial_at", false, .initial = some_value, .has_initial_at = true),
        TEST_INVALID(scan, "needs an initial value", false, .exclusive = true, .custom = &no_identity));
    ASSERT_REFUSED(clprim_reference_scan(&out, &by, &(clprim_reference_scan_how){.exclusive = true}, some_value, 1),
                   CLPRIM_INVALID_ARGUMENT, "initial");
}
