/* test_run_length_encode.errors.c: the reference, and descriptions that are refused. */
#include <clprim/reference.h>
#include <clprim/run_length_encode.h>

#include "support.h"

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

static void check_desc(clprim_runtime *runtime, clprim_run_length_encode_desc desc, clprim_status expected,
                       const char *word)
{
    clprim_plan *none = NULL;
    ASSERT_STATUS(clprim_run_length_encode_create(&none, runtime, &desc), expected);
    cr_assert_null(none);
    cr_assert_not_null(strstr(clprim_last_error(), word), "\"%s\" does not say \"%s\"", clprim_last_error(), word);
}

Test(run_length_encode_errors, descriptions)
{
    typedef clprim_run_length_encode_desc desc;
    clprim_runtime *runtime = test_runtime(NULL);
    check_desc(runtime, (desc){.type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (desc){.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT, "-1");
    check_desc(runtime, (desc){.index_type = CLPRIM_I32}, CLPRIM_INVALID_ARGUMENT, "index_type");
    check_desc(runtime, (desc){.index_type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "index_type");
    check_desc(runtime, (desc){.max_count = (size_t)UINT32_MAX + 1}, CLPRIM_INVALID_ARGUMENT, "U64");
    check_desc(runtime, (desc){.variant = (clprim_scan_variant)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (desc){.variant = CLPRIM_SCAN_NAIVE}, CLPRIM_INVALID_ARGUMENT, "naive");
    clprim_runtime_destroy(runtime);
}
