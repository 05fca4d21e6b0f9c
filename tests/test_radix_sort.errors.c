/* test_radix_sort.errors.c: variants that are refused, and arrays that lie in one buffer. */
#include "support.h"

/* In one buffer side by side they are fine: keys 3, 1, 2 and their values, to their right. */
Test(radix_sort_errors, ranges_beside_each_other)
{
    static const uint32_t before[12] = {3, 1, 2, 30, 10, 20};
    static const uint32_t expected[12] = {3, 1, 2, 30, 10, 20, 1, 2, 3, 10, 20, 30};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    const clprim_radix_sort_desc desc = {.value_size = sizeof(uint32_t)};
    uint32_t found[12];
    ASSERT_OK(clprim_radix_sort_create(&plan, runtime, &desc));
    cl_mem all = test_upload(runtime, before, sizeof before);
    ASSERT_OK(clprim_radix_sort_enqueue(
        plan, NULL,
        &(clprim_radix_sort_call){
            .keys_in = {all}, .values_in = {all, 3}, .count = 3, .keys_out = {all, 6}, .values_out = {all, 9}},
        0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected, found, sizeof *found, 12, "beside each other");
    ASSERT_OK(clprim_radix_sort_enqueue(
        plan, NULL,
        &(clprim_radix_sort_call){
            .keys_in = {all}, .values_in = {all, 3}, .count = 3, .keys_out = {all}, .values_out = {all, 3}},
        0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected + 6, found, sizeof *found, 6, "in place beside each other");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(all));
    clprim_runtime_destroy(runtime);
}

/* A variant that cannot do it says why. AUTO finds another one. */
Test(radix_sort_errors, unsupported)
{
    static const struct {
        clprim_radix_sort_desc desc;
        const char *culprit;
    } rows[] = {
        {{.variant = CLPRIM_RADIX_SORT_SINGLE_GROUP}, "max_count"},
        {{.variant = CLPRIM_RADIX_SORT_SINGLE_GROUP, .max_count = 1 << 24}, "max_count"},
        {{.variant = CLPRIM_RADIX_SORT_ONESWEEP, .max_count = (size_t)1 << 33}, ""},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_plan *plan = NULL;
        clprim_radix_sort_desc desc = rows[i].desc;
        uint32_t keys[2] = {77, 7};
        ASSERT_STATUS(clprim_radix_sort_create(&plan, runtime, &desc), CLPRIM_UNSUPPORTED);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
        ASSERT_STATUS(clprim_radix_sort_run(
                          runtime, &desc,
                          &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}}),
                      CLPRIM_UNSUPPORTED);
        cr_assert(keys[0] == 77 && keys[1] == 7, "a refusal must not write");
        desc.variant = CLPRIM_RADIX_SORT_AUTO;
        ASSERT_OK(clprim_radix_sort_run(
            runtime, &desc,
            &(clprim_radix_sort_call){.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}}));
        cr_assert(keys[0] == 7 && keys[1] == 77);
    }
    clprim_runtime_destroy(runtime);
}
