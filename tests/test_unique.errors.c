/* test_unique.errors.c: descriptions that are refused, and that need not outlive create; the reference. */
#include <clprim/reference.h>
#include <clprim/unique.h>

#include "support.h"

static void check_desc(clprim_runtime *runtime, clprim_unique_desc desc, clprim_status expected, const char *word)
{
    clprim_plan *none = NULL;
    ASSERT_STATUS(clprim_unique_create(&none, runtime, &desc), expected);
    cr_assert_null(none);
    cr_assert_not_null(strstr(clprim_last_error(), word), "\"%s\" does not say \"%s\"", clprim_last_error(), word);
}

Test(unique_errors, descriptions)
{
    clprim_runtime *runtime = test_runtime(NULL);
    check_desc(runtime, (clprim_unique_desc){.type = (clprim_type)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (clprim_unique_desc){.type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT, "-1");
    check_desc(runtime, (clprim_unique_desc){.variant = (clprim_select_variant)99}, CLPRIM_INVALID_ARGUMENT, "99");
    check_desc(runtime, (clprim_unique_desc){.type_size = 4}, CLPRIM_INVALID_ARGUMENT, "type_name");
    check_desc(runtime, (clprim_unique_desc){.index_type = CLPRIM_U16}, CLPRIM_INVALID_ARGUMENT, "index_type");
    check_desc(runtime, (clprim_unique_desc){.max_count = SIZE_MAX}, CLPRIM_INVALID_ARGUMENT, "index_type U64");
    check_desc(runtime, (clprim_unique_desc){.type_name = "int"}, CLPRIM_INVALID_ARGUMENT, "type_size");
    check_desc(runtime, (clprim_unique_desc){.type_name = "int", .type_size = 8}, CLPRIM_BUILD_FAILED, "differs");
    check_desc(runtime, (clprim_unique_desc){.equal = "a == missing"}, CLPRIM_BUILD_FAILED, "equal");
    check_desc(runtime, (clprim_unique_desc){.equal = "1", .source = "typedef missing number;"}, CLPRIM_BUILD_FAILED,
               "source");
    clprim_runtime_destroy(runtime);
}

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
