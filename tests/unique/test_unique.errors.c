/* test_unique.errors.c: the reference; descriptions need not outlive create. */
#include <clprim/reference.h>
#include <clprim/unique.h>

#include "support.h"

/* Known by heart, so that not everything rests on one function. */
Test(unique_errors, reference)
{
    static const int16_t in[] = {5, 5, 5, -1, 5, 7, 7};
    static const int16_t expected[] = {5, -1, 5, 7, 77};
    int16_t out[5] = {77, 77, 77, 77, 77};
    size_t runs = 99;
    ASSERT_STATUS(clprim_reference_unique(NULL, &runs, 2, NULL, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, NULL, 2, NULL, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, &runs, 0, NULL, in, 7), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_reference_unique(out, &runs, 2, NULL, NULL, 7), CLPRIM_INVALID_ARGUMENT);
    cr_assert(out[0] == 77 && runs == 99, "a refusal must not write");
    ASSERT_OK(clprim_reference_unique(out, &runs, sizeof *in, NULL, in, 7));
    cr_assert_eq(runs, 4);
    cr_assert(memcmp(out, expected, sizeof out) == 0);
    ASSERT_OK(clprim_reference_unique(NULL, &runs, sizeof *in, NULL, NULL, 0));
    cr_assert_eq(runs, 0);
}

/* The strings are the library's own copies. */
Test(unique_errors, the_texts_may_go_once_the_plan_is_made)
{
    static const int32_t data[] = {1, 2, 4, 5, 9};
    char equal[] = "b - a < STEP";
    char source[] = "#define STEP 2";
    int32_t result[3] = {0};
    cl_uint number = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    clprim_unique_desc desc = {.equal = equal, .source = source};
    ASSERT_OK(clprim_unique_create(&plan, runtime, &desc));
    memset(equal, '?', sizeof equal);
    memset(source, '?', sizeof source);
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, sizeof data);
    test_output selected = test_output_create(runtime, sizeof number, 1);
    ASSERT_OK(clprim_unique_enqueue(
        plan, NULL, &(clprim_unique_call){.in = {in}, .count = 5, .out = {out}, .out_count = {selected.buffer, 1}}, 0,
        NULL, NULL));
    test_output_read(runtime, &selected, &number, "after the texts went");
    test_read(runtime, result, out, sizeof result);
    cr_assert(number == 3 && result[0] == 1 && result[1] == 4 && result[2] == 9);
    clprim_plan_destroy(plan);
    test_output_destroy(&selected);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}
