// SPDX-License-Identifier: MIT
/* test_reduce_by_key.output.c: an output expression over the results of runs: every variant writes the expression of
 * the reference's results, also with the count on the device. The expression gets only results of whole runs. */
#include "folds.h"

#define INVALID(culprit, ...) TEST_INVALID(reduce_by_key, culprit, false, __VA_ARGS__)

/* CPU_CHUNK runs all expressions, the others every sixth. */
TEST_EACH_WITH_RUNTIME(reduce_by_key_output, is_made_of_results, 3)
{
    for (size_t row = 0; row < TEST_OUTPUTS; row++)
        if (number == 0 || (row + number) % 6 == 0 || test_is_full())
            test_fold_output(
                runtime, &clprim_reduce_by_key_operation,
                &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U8,
                                             .index_type = row % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                             .count_at_type = row % 3 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
                                             .variant = (clprim_scan_variant)(CLPRIM_SCAN_CPU_CHUNK + number)},
                row);
}

/* Complete runs have the result 2 or 3; partial results are other numbers. */
TEST_EACH_WITH_RUNTIME(reduce_by_key_output, sees_results_of_whole_runs, 3)
{
    enum { COUNT = 3001, LONGEST = 300, NUMBERS = 1000 };
    static int32_t keys[COUNT], values[COUNT], made[COUNT], keys_out[COUNT];
    uint32_t times[NUMBERS] = {0};
    uint32_t runs = 0;
    uint32_t expected = 0;
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < COUNT; expected++) {
        const size_t length = 1 + test_random_below(&random, expected % 3 == 0 ? 2 : LONGEST);
        const size_t end = i + length < COUNT ? i + length : COUNT;
        int32_t last = 2 + (int32_t)(expected % 2);
        times[last]++;
        for (; i < end; i++) {
            keys[i] = (int32_t)expected;
            values[i] = i + 1 < end ? 3 : last; /* 3, 6, 9, ... and back */
            last -= 3;
        }
    }
    const clprim_reduce_by_key_desc desc = {.variant = (clprim_scan_variant)(CLPRIM_SCAN_CPU_CHUNK + number)};
    const clprim_reduce_by_key_call call = {.keys_in = {.host = keys},
                                            .values_in = {.host = values},
                                            .count = COUNT,
                                            .keys_out = {.host = keys_out},
                                            .values_out = {.host = made},
                                            .out_count = {.host = &runs}};
    if (!test_output_is_computed(runtime, &clprim_reduce_by_key_operation, &desc, &call, "-(int)mark(marks, r, count)",
                                 times, NUMBERS))
        return;
    cr_assert_eq(runs, expected);
    for (size_t i = 0; i < runs; i++)
        cr_assert_eq(made[i], -2 - (int32_t)(i % 2), "run %zu: %d", i, (int)made[i]);
}

Test(reduce_by_key_output, refusals)
{
    TEST_REFUSE_EACH(reduce_by_key, INVALID("without an output", .output_type = CLPRIM_F32),
                     INVALID("argmin takes no output", .op = CLPRIM_ARGMIN, .output = "r"),
                     INVALID("has no type_size", .output = "r", .output_type_name = "int"),
                     TEST_MISTAKE(reduce_by_key, "output:1", .output = "nothing[i]"));
}
