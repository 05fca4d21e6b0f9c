/* test_merge.errors.c: what is refused of merges alone. */
#include <clprim/reference.h>

#include "call.h"

Test(merge_errors, a_type_larger_than_local_memory)
{
    const clprim_merge_desc desc = {.type_name = "t",
                                    .type_size = 1 << 20,
                                    .source = "typedef struct { char x[1 << 20]; } t;",
                                    .less = "1",
                                    .variant = CLPRIM_MERGE_PATH};
    clprim_runtime *runtime = test_runtime(NULL);
    test_refuse(runtime, &clprim_merge_operation, &desc, CLPRIM_UNSUPPORTED, "local memory");
    clprim_runtime_destroy(runtime);
}

/* Of two counts that size_t holds, the sum may be too large. */
Test(merge_errors, counts_and_host_arrays)
{
    static const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 2};
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t a[2] = {1, 3};
    uint32_t b[3] = {1, 2, 9};
    const uint32_t expected[5] = {1, 1, 2, 3, 9};
    uint32_t out[5] = {77, 77, 77, 77, 77};
    clprim_merge_call call = {
        .a_keys = {.host = a}, .b_keys = {.host = b}, .a_count = 2, .b_count = 3, .keys_out = {.host = out}};
    for (int i = 0; i < 2; i++) {
        call.b_count = too_many[i];
        ASSERT_STATUS(clprim_merge_run(runtime, NULL, &call), CLPRIM_INVALID_RANGE);
    }
    cr_assert_eq(out[0], 77, "a refusal must not write");
    ASSERT_OK(clprim_merge_run(runtime, NULL, &(clprim_merge_call){0}));
    call.b_count = 3;
    ASSERT_OK(clprim_merge_run(NULL, NULL, &call));
    test_expect_same(expected, out, sizeof *out, 5, "on the host");
    ASSERT_STATUS(clprim_reference_merge(out, NULL, NULL, 4, a, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    clprim_runtime_destroy(runtime);
}
