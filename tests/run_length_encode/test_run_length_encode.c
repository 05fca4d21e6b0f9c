// SPDX-License-Identifier: MIT
/* test_run_length_encode.c: every variant finds the runs and lengths that the reference finds, for elements of every
 * type, lengths of both types, all sizes of arrays, offsets, data and lengths of runs. By default, each variant runs
 * some sizes of elements; with CLPRIM_TEST_FULL, all combinations. */
#include <clprim/reference.h>

#include "cases.h"

#define VARIANTS test_num_choices(&clprim_run_length_encode_operation) /* with AUTO */

static clprim_scan_variant variant_of(size_t choice)
{
    return (clprim_scan_variant)test_choice(&clprim_run_length_encode_operation, choice);
}

/* Elements of the same size use the same kernel: each size gets some lengths and counts of runs, and some of the slower
 * variants. */
static bool is_sampled(clprim_run_length_encode_desc desc)
{
    const size_t size = clprim_type_size(desc.type);
    const bool is_wide = size == 2 || size == 8;
    return (desc.index_type == CLPRIM_U64) == is_wide && (desc.max_count != 0) == (size == 8) &&
           (desc.variant != CLPRIM_SCAN_REDUCE_THEN_SCAN || size == 2) &&
           (desc.variant != CLPRIM_SCAN_LOOK_BACK || size == 1);
}

TEST_WITH_RUNTIME(run_length_encode, types_by_lengths)
{
    static const struct {
        clprim_type type;
        size_t max_count;
    } lengths[] = {{CLPRIM_U32, 0}, {CLPRIM_U64, 0}, {CLPRIM_U64, (size_t)1 << 40}};
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (size_t v = 0; v < VARIANTS; v++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                const clprim_run_length_encode_desc desc = {.type = (clprim_type)type,
                                                            .index_type = lengths[l].type,
                                                            .variant = variant_of(v),
                                                            .max_count = lengths[l].max_count};
                const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 7 + (uint64_t)desc.variant;
                if (!test_is_full() && !is_sampled(desc))
                    continue;
                TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_run_length_encode_operation, &desc))
                    for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = seed}; test_next(&turn);)
                        test_check_turn(&self, &turn);
            }
}

/* Only runs of a minimum length, and their offsets. The data have runs of 1 and 2, of some hundreds, and of whole
 * tiles. By default, CPU_CHUNK runs all rows, and each of the other variants half of them. */
TEST_WITH_RUNTIME(run_length_encode, long_runs_and_offsets)
{
    static const struct {
        size_t min_length;
        bool offsets;
        clprim_type index_type;
        size_t max_count;
    } rows[] = {{0, true, CLPRIM_U32, 0},
                {1, true, CLPRIM_U64, (size_t)1 << 40},
                {2, true, CLPRIM_U32, 0},
                {2, false, CLPRIM_U64, 0},
                {3, true, CLPRIM_U64, 0},
                {300, true, CLPRIM_U32, 0},
                {5001, false, CLPRIM_U64, (size_t)1 << 40},
                {(size_t)1 << 33, true, CLPRIM_U32, 0}};
    static const clprim_type types[] = {CLPRIM_U8, CLPRIM_I16, CLPRIM_F32, CLPRIM_I64};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (size_t v = 1; v < VARIANTS; v++) {
                const clprim_run_length_encode_desc desc = {.type = types[t],
                                                            .min_length = rows[r].min_length,
                                                            .offsets = rows[r].offsets,
                                                            .index_type = rows[r].index_type,
                                                            .variant = variant_of(v),
                                                            .max_count = rows[r].max_count};
                if (!test_is_full() && (t != (r + v) % 4 || (v > 1 && r % 2 == v % 2)))
                    continue;
                TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_run_length_encode_operation, &desc))
                    for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = TEST_SEED + r * 7 + t}; test_next(&turn);)
                        test_check_turn(&self, &turn);
            }
}

/* Constants, so that not everything relies on the reference. */
TEST_WITH_RUNTIME(run_length_encode, known_by_heart)
{
    static int16_t in[] = {5, 5, 5, -1, 5, 7, 7}, elements[] = {5, -1, 5, 7};
    static uint64_t lengths[] = {3, 1, 1, 2};
    uint64_t runs = 4;
    test_check_known(runtime, &clprim_run_length_encode_operation,
                     &(clprim_run_length_encode_desc){.type = CLPRIM_I16, .index_type = CLPRIM_U64},
                     &(clprim_run_length_encode_call){.in = {.host = in},
                                                      .count = 7,
                                                      .out = {.host = elements},
                                                      .lengths_out = {.host = lengths},
                                                      .out_count = {.host = &runs}});
}

TEST_WITH_RUNTIME(run_length_encode, long_runs_known_by_heart)
{
    static int16_t in[] = {5, 5, 5, -1, 5, 7, 7}, elements[] = {5, 7};
    static uint32_t lengths[] = {3, 2}, offsets[] = {0, 5};
    uint32_t runs = 2;
    test_check_known(runtime, &clprim_run_length_encode_operation,
                     &(clprim_run_length_encode_desc){.type = CLPRIM_I16, .min_length = 2, .offsets = true},
                     &(clprim_run_length_encode_call){.in = {.host = in},
                                                      .count = 7,
                                                      .out = {.host = elements},
                                                      .lengths_out = {.host = lengths},
                                                      .offsets_out = {.host = offsets},
                                                      .out_count = {.host = &runs}});
}

Test(run_length_encode, reference_refuses)
{
    static const int16_t in[] = {5, 5};
    int16_t out[2] = {77};
    uint64_t lengths[2] = {99};
    size_t runs = 99;
#define REFERENCE(...) clprim_reference_run_length_encode(__VA_ARGS__)
    ASSERT_STATUS(REFERENCE(NULL, lengths, &runs, 2, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, NULL, &runs, 2, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, lengths, NULL, 2, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, lengths, &runs, 0, in, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, lengths, &runs, 2, NULL, 2), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && lengths[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(REFERENCE(NULL, NULL, &runs, 2, NULL, 0));
    cr_assert_eq(runs, 0);
}

TEST_WITH_RUNTIME(run_length_encode, refuses_variants_that_cannot_write_runs)
{
    test_refuse(runtime, &clprim_run_length_encode_operation,
                &(clprim_run_length_encode_desc){.variant = CLPRIM_SCAN_NAIVE}, CLPRIM_INVALID_ARGUMENT, "naive");
}
