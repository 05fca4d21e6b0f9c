/* test_radix_sort.errors.c: variants that are refused. */
#include "call.h"

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
        clprim_radix_sort_desc desc = rows[i].desc;
        uint32_t keys[2] = {77, 7};
        test_refuse(runtime, &clprim_radix_sort_operation, &desc, CLPRIM_UNSUPPORTED, rows[i].culprit);
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
