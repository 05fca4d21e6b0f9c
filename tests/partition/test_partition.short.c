// SPDX-License-Identifier: MIT
/* test_partition.short.c: the maximal number of arguments of a kernel, and which outputs may be short. The checks of
 * all tests also try outputs that are too short for the results (tests/support/short.c). */
#include "cases.h"

enum { COUNT = 3001, ARRAYS = CLPRIM_MAX_PARAMETERS };

/* Three parts, by flags and by the sum of 16 arrays, with a count on the device. */
TEST_BY_VARIANT(partition_short, most_arguments, clprim_partition_operation)
{
    static uint32_t in[COUNT], made[3][COUNT];
    static uint8_t flags[COUNT], arrays[ARRAYS][COUNT];
    static const char *const names[ARRAYS] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                              "j", "k", "l", "m", "o", "p", "q", "s"};
    clprim_partition_desc desc = {.type = CLPRIM_U32,
                                  .second_predicate = "a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] + "
                                                      "j[i] + k[i] + l[i] + m[i] + o[i] + p[i] + q[i] + s[i] > 31",
                                  .separate = true,
                                  .count_at_type = CLPRIM_U32,
                                  .variant = (clprim_select_variant)variant};
    uint32_t counted = COUNT - 7, numbers[3] = {0};
    uint64_t random = TEST_SEED;
    clprim_partition_call call = {.in = {.host = in},
                                  .flags = {.host = flags},
                                  .count_at = {.host = &counted},
                                  .count = COUNT,
                                  .out = {.host = made[0]},
                                  .second_out = {.host = made[1]},
                                  .rest_out = {.host = made[2]},
                                  .out_count = {.host = &numbers[0]},
                                  .second_count = {.host = &numbers[1]},
                                  .rest_count = {.host = &numbers[2]}};
    for (size_t p = 0; p < ARRAYS; p++) {
        desc.text.parameters[p] = (clprim_parameter){names[p], CLPRIM_U8, .is_array = true};
        call.arguments[p].host = arrays[p];
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t sum = 0;
        in[i] = i * 2654435761U;
        flags[i] = test_random_below(&random, 3) == 0;
        for (size_t p = 0; p < ARRAYS; p++)
            sum += arrays[p][i] = (uint8_t)test_random_below(&random, 5);
        const size_t part = flags[i] ? 0 : sum > 31 ? 1 : 2;
        if (i < counted)
            made[part][numbers[part]++] = in[i];
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_partition_operation, &desc)) {
        test_call_fill(&self, &call, TEST_SEED);
        test_call_check(&self, "the most arguments");
    }
}

/* If parts share an array, it must have room for all elements. */
TEST_WITH_RUNTIME(partition_short, shared_outputs_are_refused)
{
    static int32_t in[COUNT], out[COUNT];
    static uint8_t flags[COUNT];
    uint32_t number = 77;
    for (int reversed = 0; reversed < 2; reversed++) {
        const clprim_partition_desc desc = {.reversed_rest = reversed != 0};
        out[0] = 77;
        ASSERT_REFUSED(clprim_partition_run(runtime, &desc,
                                            &(clprim_partition_call){.in = {.host = in},
                                                                     .flags = {.host = flags},
                                                                     .count = COUNT,
                                                                     .out = {.host = out, .length = COUNT - 1},
                                                                     .out_count = {.host = &number}}),
                       CLPRIM_INVALID_RANGE, "out has a length of 3000");
        cr_assert(out[0] == 77 && number == 77);
    }
}
