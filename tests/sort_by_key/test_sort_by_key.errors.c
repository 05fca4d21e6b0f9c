/* test_sort_by_key.errors.c: variants that are refused, and arrays that lie in one buffer. */
#include "call.h"

/* In one buffer side by side they are fine, and what is only read may be read twice: keys 3, 1, 2, then their first
 * array, then three words more, which all are their second one, too. */
Test(sort_by_key_errors, ranges_beside_each_other)
{
    static const uint32_t before[24] = {3, 1, 2, 30, 10, 20, 7, 8, 9};
    static const uint32_t expected[24] = {3,  1,  2,  30, 10, 20, 7, 8, 9, 1, 2, 3,
                                          10, 20, 30, 30, 10, 20, 7, 8, 9, 3, 1, 2};
    const clprim_sort_by_key_desc desc = {.num_arrays = 2, .element_sizes = {4, 12}};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    uint32_t found[24];
    ASSERT_OK(clprim_sort_by_key_create(&plan, runtime, &desc));
    cl_mem all = test_upload(runtime, before, sizeof before);
    clprim_sort_by_key_call call = {.keys_in = {all},
                                    .arrays_in = {{all, 3}, {all}},
                                    .count = 3,
                                    .keys_out = {all, 9},
                                    .arrays_out = {{all, 12}, {all, 5}}};
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected, found, sizeof *found, 24, "beside each other");
    call.arrays_in[1].offset = 5;
    call.keys_out = call.keys_in;
    memcpy(call.arrays_out, call.arrays_in, sizeof call.arrays_out);
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_read(runtime, found, all, sizeof found);
    test_expect_same(expected + 9, found, sizeof *found, 3, "keys in place beside each other");
    test_expect_same(expected + 12, found + 3, sizeof *found, 3, "arrays in place beside each other");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(all));
    clprim_runtime_destroy(runtime);
}

/* A variant that cannot do it says why. */
Test(sort_by_key_errors, unsupported)
{
    static const clprim_sort_by_key_desc descs[] = {
        {.variant = CLPRIM_RADIX_SORT_SINGLE_GROUP},
        {.variant = CLPRIM_RADIX_SORT_ONESWEEP, .max_count = (size_t)1 << 33},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++)
        test_refuse(runtime, &clprim_sort_by_key_operation, &descs[i], CLPRIM_UNSUPPORTED, "");
    clprim_runtime_destroy(runtime);
}
