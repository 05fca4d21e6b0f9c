/* test_run_length_encode.errors.c: the reference, and variants that are refused. */
#include <clprim/reference.h>

#include "call.h"

/* Known by heart, so that not everything rests on one function. */
Test(run_length_encode_errors, reference)
{
    static const int16_t in[] = {5, 5, 5, -1, 5, 7, 7};
    static const int16_t expected[] = {5, -1, 5, 7, 77};
    static const uint64_t expected_lengths[] = {3, 1, 1, 2, 99};
    int16_t out[5] = {77, 77, 77, 77, 77};
    uint64_t lengths[5] = {99, 99, 99, 99, 99};
    size_t runs = 99;
    ASSERT_STATUS(clprim_reference_run_length_encode(NULL, lengths, &runs, 2, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_run_length_encode(out, NULL, &runs, 2, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_run_length_encode(out, lengths, NULL, 2, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_run_length_encode(out, lengths, &runs, 0, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_run_length_encode(out, lengths, &runs, 2, NULL, 7), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && lengths[0] == 99 && runs == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_run_length_encode(out, lengths, &runs, sizeof *in, in, 7));
    cr_assert_eq(runs, 4);
    cr_assert(memcmp(out, expected, sizeof out) == 0);
    cr_assert(memcmp(lengths, expected_lengths, sizeof lengths) == 0);
    ASSERT_OK(clprim_reference_run_length_encode(NULL, NULL, &runs, sizeof *in, NULL, 0));
    cr_assert_eq(runs, 0);
}

Test(run_length_encode_errors, variants_that_cannot_write_runs)
{
    const clprim_run_length_encode_desc desc = {.variant = CLPRIM_SCAN_NAIVE};
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_run_length_encode_operation, &desc, CLPRIM_INVALID_ARGUMENT, "naive");
    clprim_runtime_destroy(runtime);
}
