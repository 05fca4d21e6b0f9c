/* test_run_length_encode.c: every variant finds the runs and lengths that the reference finds, for elements of every
 * type, lengths of both types, all sizes of arrays, offsets, data and lengths of runs. By default the variants share
 * the sizes of elements among them; with CLPRIM_TEST_FULL everything meets everything. */
#include <clprim/reference.h>

#include "cases.h"

static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_CPU_CHUNK, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                               CLPRIM_SCAN_LOOK_BACK};

static void check_desc(clprim_runtime *runtime, clprim_run_length_encode_desc desc)
{
    test_call self;
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 7 + (uint64_t)desc.variant;
    if (!test_call_create(&self, runtime, &clprim_run_length_encode_operation, &desc))
        return;
    for (test_turn turn = {.kinds = TEST_RUNS_END, .seed = seed}; test_next(&turn);)
        test_check_turn(&self, &turn);
    test_call_destroy(&self);
}

/* Elements of one size are one kernel: each size meets some lengths and counts of runs, and some of the slower
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
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                const clprim_run_length_encode_desc desc = {.type = (clprim_type)type,
                                                            .index_type = lengths[l].type,
                                                            .variant = variants[v],
                                                            .max_count = lengths[l].max_count};
                if (test_is_full() || is_sampled(desc))
                    check_desc(runtime, desc);
            }
}

/* Known by heart, so that not everything rests on one function. */
Test(run_length_encode, reference)
{
    static const int16_t in[] = {5, 5, 5, -1, 5, 7, 7};
    static const int16_t expected[] = {5, -1, 5, 7, 77};
    static const uint64_t expected_lengths[] = {3, 1, 1, 2, 99};
    int16_t out[5] = {77, 77, 77, 77, 77};
    uint64_t lengths[5] = {99, 99, 99, 99, 99};
    size_t runs = 99;
#define REFERENCE(...) clprim_reference_run_length_encode(__VA_ARGS__)
    ASSERT_STATUS(REFERENCE(NULL, lengths, &runs, 2, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, NULL, &runs, 2, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, lengths, NULL, 2, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, lengths, &runs, 0, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(REFERENCE(out, lengths, &runs, 2, NULL, 7), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && lengths[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_run_length_encode(out, lengths, &runs, sizeof *in, in, 7));
    cr_assert_eq(runs, 4);
    test_expect_same(expected, out, sizeof *out, 5, "elements");
    test_expect_same(expected_lengths, lengths, sizeof *lengths, 5, "lengths");
    ASSERT_OK(clprim_reference_run_length_encode(NULL, NULL, &runs, sizeof *in, NULL, 0));
    cr_assert_eq(runs, 0);
}

TEST_WITH_RUNTIME(run_length_encode, refuses_variants_that_cannot_write_runs)
{
    test_refuse(runtime, &clprim_run_length_encode_operation,
                &(clprim_run_length_encode_desc){.variant = CLPRIM_SCAN_NAIVE}, CLPRIM_INVALID_ARGUMENT, "naive");
}
