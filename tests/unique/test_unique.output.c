// SPDX-License-Identifier: MIT
/* test_unique.output.c: an output expression over the first elements of runs, and their indices: every variant stores
 * the results, in portions, and with counts on the device. */
#include "folds.h"
#include "picked.h"
#include "select_internal.h"

static const size_t counts[] = {0, 1, 2, 511, 513, 999, 1001, 2049, 20011};

/* CPU_CHUNK runs all expressions, the others every third. LOOK_BACK counts 1000 elements at a time: some calls take
 * several launches. */
TEST_BY_VARIANT(unique_output, is_made_of_first_elements, clprim_unique_operation)
{
    for (size_t row = 0; row < TEST_PICKED; row++) {
        if (variant != CLPRIM_SELECT_CPU_CHUNK && (row + (size_t)variant) % 3 != 0 && !test_is_full())
            continue;
        const clprim_unique_desc desc = {.count_at_type = row % 2 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                         .variant = (clprim_select_variant)variant};
        TEST_WITH_CALL(self, test_picked_create(&self, runtime, &clprim_unique_operation, &desc, row)) {
            ((clprim__select_plan *)(void *)self.plan)->portion = row % 2 == 0 ? (size_t)1 << 31 : 1000;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                test_picked_check(&self, counts[i], TEST_SEED + i);
        }
    }
}

/* The expression is evaluated only for elements at which runs begin. One launch. */
TEST_BY_VARIANT(unique_output, is_computed_for_what_is_kept, clprim_unique_operation)
{
    enum { COUNT = 1003, RUN = 7 };
    static uint32_t in[COUNT + 3];
    static uint32_t out[COUNT], times[COUNT];
    uint32_t runs = 0;
    for (size_t i = 0; i < COUNT; i++) {
        in[i + 3] = (uint32_t)(i / RUN);
        times[i] = i % RUN == 0;
    }
    cl_mem memory = test_upload(runtime, in, sizeof in);
    const clprim_unique_desc desc = {
        .type = CLPRIM_U32, .variant = (clprim_select_variant)variant, .output_type = CLPRIM_U32};
    const clprim_unique_call call = {
        .in = {memory, .offset = 3}, .count = COUNT, .out = {.host = out}, .out_count = {.host = &runs}};
    if (test_output_is_computed(runtime, &clprim_unique_operation, &desc, &call, "mark(marks, i, count)", times,
                                COUNT)) {
        cr_assert_eq(runs, (COUNT + RUN - 1) / RUN);
        for (uint32_t k = 0; k < runs; k++)
            cr_assert_eq(out[k], k * RUN);
    }
    ASSERT_CL(clReleaseMemObject(memory));
}
