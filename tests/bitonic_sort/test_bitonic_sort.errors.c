/* test_bitonic_sort.errors.c: variants that are refused. */
#include "call.h"

/* A variant that cannot do it says why. AUTO finds another one. */
Test(bitonic_sort_errors, unsupported)
{
    static const size_t max_counts[] = {0, 1 << 24, (size_t)1 << 33};
    const clprim_bitonic_sort_desc segmented = {.segmented = true, .variant = CLPRIM_BITONIC_SORT_NAIVE};
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_bitonic_sort_operation, &segmented, CLPRIM_UNSUPPORTED, "segments");
    for (size_t i = 0; i < sizeof max_counts / sizeof *max_counts; i++) {
        clprim_bitonic_sort_desc desc = {.variant = CLPRIM_BITONIC_SORT_SHARED_PAIRS, .max_count = max_counts[i]};
        uint32_t keys[2] = {77, 7};
        const clprim_bitonic_sort_call call = {.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}};
        ASSERT_STATUS(clprim_bitonic_sort_run(runtime, &desc, &call), CLPRIM_UNSUPPORTED);
        cr_assert_not_null(strstr(clprim_last_error(), "max_count"), "row %zu: %s", i, clprim_last_error());
        cr_assert(keys[0] == 77 && keys[1] == 7, "a refusal must not write");
        desc.variant = CLPRIM_BITONIC_SORT_AUTO;
        ASSERT_OK(clprim_bitonic_sort_run(runtime, &desc, &call));
        cr_assert(keys[0] == 7 && keys[1] == 77);
    }
    clprim_runtime_destroy(runtime);
}
