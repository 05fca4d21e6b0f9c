/* test_bitonic_sort.errors.c: descriptions that are refused, by their status and a sentence that names what is wrong. */
#include "support.h"

Test(bitonic_sort_errors, descriptions)
{
    static const struct {
        clprim_bitonic_sort_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.key_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.key_type = (clprim_type)-1}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.value_size = 3}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.value_size = 32}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.type_name = "t", .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.type_size = 4, .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.type_name = "t", .type_size = 4}, CLPRIM_INVALID_ARGUMENT, "less"},
        {{.source = "typedef int t;"}, CLPRIM_INVALID_ARGUMENT, "source"},
        {{.offsets_type = CLPRIM_I32, .segmented = true}, CLPRIM_INVALID_ARGUMENT, "offsets_type"},
        {{.variant = (clprim_bitonic_sort_variant)(CLPRIM_BITONIC_SORT_CPU_CHUNK + 1)},
         CLPRIM_INVALID_ARGUMENT,
         "variant"},
        {{.variant = (clprim_bitonic_sort_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.segmented = true, .variant = CLPRIM_BITONIC_SORT_NAIVE}, CLPRIM_UNSUPPORTED, "segments"},
        /* where the mistake is, is named as a file */
        {{.less = "a << < b"}, CLPRIM_BUILD_FAILED, "less"},
        {{.less = "a.x < b.x"}, CLPRIM_BUILD_FAILED, "less"},
        {{.less = "a < unknown", .key_type = CLPRIM_F32}, CLPRIM_BUILD_FAILED, "less"},
        {{.less = "a < b", .source = "typedef nothing;;; x"}, CLPRIM_BUILD_FAILED, "source"},
        {{.less = "a.x < b.x", .source = "typedef struct { int x; } t;", .type_name = "t", .type_size = 8},
         CLPRIM_BUILD_FAILED,
         "type_size_differs_from_the_host"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_plan *plan = NULL;
        uint32_t keys[2] = {77, 7};
        const clprim_bitonic_sort_call call = {.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}};
        ASSERT_STATUS(clprim_bitonic_sort_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
        ASSERT_STATUS(clprim_bitonic_sort_run(runtime, &rows[i].desc, &call), rows[i].status);
        cr_assert(keys[0] == 77 && keys[1] == 7, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* A variant that cannot do it says why. AUTO finds another one. */
Test(bitonic_sort_errors, unsupported)
{
    static const size_t max_counts[] = {0, 1 << 24, (size_t)1 << 33};
    clprim_runtime *runtime = test_runtime(NULL);
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
