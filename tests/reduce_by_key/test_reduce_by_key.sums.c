// SPDX-License-Identifier: MIT
/* test_reduce_by_key.sums.c: the error of a run's sum of floats does not grow with its length, and zeros keep their
 * signs. */
#include "sums.h"

#include <stdlib.h>

static const clprim_scan_variant all[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                          CLPRIM_SCAN_LOOK_BACK};

/* Three short runs and a long one, in both orders. The long run continues in many tiles and chunks, and ends inside one
 * or not. */
static void run_is_near(clprim_runtime *runtime, clprim_type type, clprim_scan_variant variant, size_t begin)
{
    enum { SHORT = 7, LONG = TEST_SUMMED - 3 * SHORT };
    uint8_t *keys = test_allocate(TEST_SUMMED);
    uint8_t runs[4] = {0};
    float sums[4] = {0};
    uint32_t count = 0;
    const clprim_reduce_by_key_desc desc = {
        .key_type = CLPRIM_U8, .type = type, .accumulator_type = CLPRIM_F32, .variant = variant};
    for (size_t i = 0; i < TEST_SUMMED; i++)
        keys[i] = (uint8_t)(i < begin * SHORT ? i / SHORT : i < begin * SHORT + LONG ? begin : (i - LONG) / SHORT + 1);
    ASSERT_OK(clprim_reduce_by_key_run(runtime, &desc,
                                       &(clprim_reduce_by_key_call){.keys_in = {.host = keys},
                                                                    .values_in = {.host = (void *)test_summands(type)},
                                                                    .count = TEST_SUMMED,
                                                                    .keys_out = {.host = runs, .length = 4},
                                                                    .values_out = {.host = sums, .length = 4},
                                                                    .out_count = {.host = &count}}));
    cr_assert_eq(count, 4);
    for (size_t r = 0; r < 4; r++)
        test_is_sum(type, sums[r], r == begin ? LONG : SHORT, "a run");
    free(keys);
}

TEST_EACH_WITH_RUNTIME(reduce_by_key, long_sums, sizeof all / sizeof *all)
{
    run_is_near(runtime, CLPRIM_F32, all[number], 0);
    run_is_near(runtime, CLPRIM_F32, all[number], 1);
    run_is_near(runtime, CLPRIM_F32, all[number], 3);
    run_is_near(runtime, CLPRIM_F16, all[number], 1);
    run_is_near(runtime, CLPRIM_I32, all[number], 1);
}

TEST_EACH_WITH_RUNTIME(reduce_by_key, signs_of_zeros, sizeof all / sizeof *all)
{
    enum { COUNT = 20000, RUNS = 4 };
    static float zeros[COUNT], got[RUNS];
    static uint8_t keys[COUNT], runs[RUNS];
    uint32_t count = 0;
    const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U8, .type = CLPRIM_F32, .variant = all[number]};
    for (size_t i = 0; i < COUNT; i++) {
        zeros[i] = i == COUNT - 1 ? 0.0F : -0.0F;
        keys[i] = (uint8_t)(i < 1 ? 0 : i < 3 ? 1 : i < COUNT / 2 ? 2 : 3);
    }
    ASSERT_OK(clprim_reduce_by_key_run(runtime, &desc,
                                       &(clprim_reduce_by_key_call){.keys_in = {.host = keys},
                                                                    .values_in = {.host = zeros},
                                                                    .count = COUNT,
                                                                    .keys_out = {.host = runs, .length = 4},
                                                                    .values_out = {.host = got, .length = RUNS},
                                                                    .out_count = {.host = &count}}));
    cr_assert_eq(count, RUNS);
    test_are_zeros((const float[]){-0.0F, -0.0F, -0.0F, 0.0F}, got, RUNS, "runs");
}
