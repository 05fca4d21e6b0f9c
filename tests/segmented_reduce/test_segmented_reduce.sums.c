// SPDX-License-Identifier: MIT
/* test_segmented_reduce.sums.c: the error of a segment's sum of floats does not grow with its length, and zeros keep
 * their signs. */
#include "sums.h"

static void sums_are_near(clprim_runtime *runtime, clprim_type type, clprim_segmented_reduce_variant variant,
                          const uint32_t *offsets, size_t segments)
{
    float sums[64] = {0};
    const clprim_segmented_reduce_desc desc = {.type = type, .accumulator_type = CLPRIM_F32, .variant = variant};
    const clprim_segmented_reduce_call call = {.in = {.host = (void *)test_summands(type)},
                                               .offsets = {.host = (void *)offsets},
                                               .count = TEST_SUMMED,
                                               .segment_count = segments,
                                               .out = {.host = sums}};
    const clprim_status status = clprim_segmented_reduce_run(runtime, &desc, &call);
    if (status == CLPRIM_UNSUPPORTED)
        return;
    ASSERT_OK(status);
    for (size_t s = 0; s < segments; s++)
        test_is_sum(type, sums[s], offsets[s + 1] - offsets[s], "a segment");
}

/* One long segment with few elements elsewhere; and segments long enough to have their own work-groups. */
TEST_BY_VARIANT(segmented_reduce, long_sums, clprim_segmented_reduce_operation)
{
    static const uint32_t one[] = {3, 4, TEST_SUMMED - 1, TEST_SUMMED};
    uint32_t many[65] = {0};
    for (uint32_t s = 1; s <= 64; s++)
        many[s] = s == 64 ? TEST_SUMMED : s * 11;
    sums_are_near(runtime, CLPRIM_F32, (clprim_segmented_reduce_variant)variant, one, 3);
    sums_are_near(runtime, CLPRIM_F32, (clprim_segmented_reduce_variant)variant, many, 64);
    sums_are_near(runtime, CLPRIM_F16, (clprim_segmented_reduce_variant)variant, one, 3);
    sums_are_near(runtime, CLPRIM_I32, (clprim_segmented_reduce_variant)variant, one, 3);
}

/* Empty segments at the beginning, in between and at the end; segments of one element, of some, and of many; and
 * segments so small that they are folded together. */
TEST_BY_VARIANT(segmented_reduce, signs_of_zeros, clprim_segmented_reduce_operation)
{
    enum { COUNT = 30000, SEGMENTS = 1000 };
    static float zeros[COUNT], got[SEGMENTS], expected[SEGMENTS];
    static uint32_t offsets[SEGMENTS + 1];
    static const float initial = -0.0F;
    clprim_segmented_reduce_desc desc = {.type = CLPRIM_F32, .variant = (clprim_segmented_reduce_variant)variant};
    const clprim_segmented_reduce_call call = {.in = {.host = zeros},
                                               .offsets = {.host = offsets},
                                               .count = COUNT,
                                               .segment_count = SEGMENTS,
                                               .out = {.host = got}};
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        const uint32_t length = s < 500 ? s % 4 : s % 3 == 0 ? 0 : s % 50 == 1 ? 1000 : s % 17;
        offsets[s + 1] = offsets[s] + length < COUNT ? offsets[s] + length : COUNT;
        expected[s] = offsets[s + 1] > offsets[s] ? -0.0F : 0.0F;
    }
    for (size_t i = 0; i < COUNT; i++)
        zeros[i] = -0.0F;
    const clprim_status status = clprim_segmented_reduce_run(runtime, &desc, &call);
    if (status == CLPRIM_UNSUPPORTED)
        return;
    ASSERT_OK(status);
    test_are_zeros(expected, got, SEGMENTS, "segments");
    desc.initial = &initial;
    for (size_t s = 0; s < SEGMENTS; s++)
        expected[s] = -0.0F;
    ASSERT_OK(clprim_segmented_reduce_run(runtime, &desc, &call));
    test_are_zeros(expected, got, SEGMENTS, "segments behind -0.0");
}
