// SPDX-License-Identifier: MIT
/* test_scan.sums.c: the error of a prefix sum of floats does not grow with the number of elements, and zeros keep their
 * signs. */
#include "sums.h"

#include <math.h>
#include <stdlib.h>

static float *sums_of(clprim_runtime *runtime, const clprim_scan_desc *desc, const clprim_scan_call *more,
                      clprim_type type, float *sums)
{
    clprim_scan_call call = *more;
    call.in = (clprim_array){.host = (void *)test_summands(type)};
    call.count = TEST_SUMMED;
    call.out = (clprim_array){.host = sums};
    ASSERT_OK(clprim_scan_run(runtime, desc, &call));
    return sums;
}

static bool has_variant(const clprim_runtime *runtime, int variant)
{
    return variant != CLPRIM_SCAN_FIXED_LOOK_BACK || test_can_wait(runtime);
}

TEST_BY_VARIANT(scan, long_sums, clprim_scan_operation)
{
    float *sums = test_allocate(TEST_SUMMED * sizeof *sums);
    const clprim_scan_desc desc = {.type = CLPRIM_F32, .variant = (clprim_scan_variant)variant};
    if (!has_variant(runtime, variant)) {
        free(sums);
        return;
    }
    test_are_sums(CLPRIM_F32, sums_of(runtime, &desc, &(clprim_scan_call){.count = 0}, CLPRIM_F32, sums), TEST_SUMMED,
                  "F32");
    free(sums);
}

/* One long segment, by flags, keys and offsets, and exclusive; halves and integers. */
TEST_WITH_RUNTIME(scan, long_sums_of_segments)
{
    static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                                   CLPRIM_SCAN_LOOK_BACK};
    float *sums = test_allocate(TEST_SUMMED * sizeof *sums);
    uint8_t *heads = test_allocate(TEST_SUMMED);
    uint32_t offsets[] = {0, TEST_SUMMED};
    memset(heads, 0, TEST_SUMMED);
    const clprim_scan_call by_heads = {.heads = {.host = heads}};
    const clprim_scan_call by_offsets = {.offsets = {.host = offsets}, .segment_count = 1};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        clprim_scan_desc desc = {.type = CLPRIM_F32, .segments = CLPRIM_SEGMENTS_BY_FLAG, .variant = variants[v]};
        test_are_sums(CLPRIM_F32, sums_of(runtime, &desc, &by_heads, CLPRIM_F32, sums), TEST_SUMMED, "by flags");
        desc.segments = CLPRIM_SEGMENTS_BY_KEY;
        desc.segments_type = CLPRIM_U8;
        desc.exclusive = true;
        sums_of(runtime, &desc, &by_heads, CLPRIM_F32, sums);
        cr_assert(sums[0] == 0);
        test_are_sums(CLPRIM_F32, sums + 1, TEST_SUMMED - 1, "by keys, exclusive");
        desc.segments = CLPRIM_SEGMENTS_BY_OFFSETS;
        desc.segments_type = CLPRIM_TYPE_DEFAULT;
        desc.exclusive = false;
        test_are_sums(CLPRIM_F32, sums_of(runtime, &desc, &by_offsets, CLPRIM_F32, sums), TEST_SUMMED, "by offsets");
    }
    clprim_scan_desc desc = {.type = CLPRIM_F16, .accumulator_type = CLPRIM_F32};
    const clprim_scan_call plain = {.count = 0};
    test_are_sums(CLPRIM_F16, sums_of(runtime, &desc, &plain, CLPRIM_F16, sums), TEST_SUMMED, "F16");
    desc.segments = CLPRIM_SEGMENTS_BY_FLAG;
    test_are_sums(CLPRIM_F16, sums_of(runtime, &desc, &by_heads, CLPRIM_F16, sums), TEST_SUMMED, "F16 by flags");
    desc = (clprim_scan_desc){.type = CLPRIM_I32, .accumulator_type = CLPRIM_F32};
    test_are_sums(CLPRIM_I32, sums_of(runtime, &desc, &plain, CLPRIM_I32, sums), TEST_SUMMED, "I32");
    free(heads);
    free(sums);
}

/* One segment's sum becomes infinite, and the segments after it start anew. */
TEST_WITH_RUNTIME(scan, sums_behind_an_infinite_one)
{
    enum { COUNT = 300000, INFINITE = 1000, NEXT = 200000 };
    static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                                   CLPRIM_SCAN_LOOK_BACK};
    static float in[COUNT], out[COUNT];
    static uint8_t heads[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        in[i] = TEST_SUMMAND;
    in[INFINITE] = INFINITY;
    heads[NEXT] = 1;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const clprim_scan_desc desc = {.type = CLPRIM_F32, .segments = CLPRIM_SEGMENTS_BY_FLAG, .variant = variants[v]};
        const clprim_scan_call call = {
            .in = {.host = in}, .heads = {.host = heads}, .count = COUNT, .out = {.host = out}};
        ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
        test_are_sums(CLPRIM_F32, out, INFINITE, "before");
        for (size_t i = INFINITE; i < NEXT; i++)
            cr_assert(isinf(out[i]) && out[i] > 0, "out[%zu] is %g", i, (double)out[i]);
        test_are_sums(CLPRIM_F32, out + NEXT, COUNT - NEXT, "behind");
    }
}

TEST_BY_VARIANT(scan, signs_of_zeros, clprim_scan_operation)
{
    enum { COUNT = 5000 };
    static float zeros[COUNT], got[COUNT], plus[COUNT], minus[COUNT];
    static const float initial = -0.0F;
    clprim_scan_desc desc = {.type = CLPRIM_F32, .variant = (clprim_scan_variant)variant};
    const clprim_scan_call call = {.in = {.host = zeros}, .count = COUNT, .out = {.host = got}};
    if (!has_variant(runtime, variant))
        return;
    for (size_t i = 0; i < COUNT; i++)
        zeros[i] = minus[i] = -0.0F;
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    test_are_zeros(minus, got, COUNT, "inclusive");
    ASSERT_OK(clprim_scan_run(runtime, &desc, &(clprim_scan_call){.in = call.in, .count = 1, .out = call.out}));
    test_are_zeros(minus, got, 1, "one element");
    desc.exclusive = true;
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    test_are_zeros(plus, got, COUNT, "exclusive");
    desc.initial = &initial;
    ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
    test_are_zeros(minus, got, COUNT, "exclusive, behind -0.0");
}

/* A segment of two elements, one of one, and long ones. */
TEST_WITH_RUNTIME(scan, signs_of_zeros_in_segments)
{
    enum { COUNT = 20000 };
    static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_NAIVE, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                                   CLPRIM_SCAN_LOOK_BACK};
    static float zeros[COUNT], got[COUNT], plus[COUNT], minus[COUNT];
    static uint8_t heads[COUNT];
    heads[2] = heads[3] = heads[COUNT / 2] = 1;
    for (size_t i = 0; i < COUNT; i++)
        zeros[i] = minus[i] = -0.0F;
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        clprim_scan_desc desc = {.type = CLPRIM_F32, .segments = CLPRIM_SEGMENTS_BY_FLAG, .variant = variants[v]};
        const clprim_scan_call call = {
            .in = {.host = zeros}, .heads = {.host = heads}, .count = COUNT, .out = {.host = got}};
        ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
        test_are_zeros(minus, got, COUNT, "inclusive");
        desc.exclusive = true;
        ASSERT_OK(clprim_scan_run(runtime, &desc, &call));
        test_are_zeros(plus, got, COUNT, "exclusive");
    }
}
