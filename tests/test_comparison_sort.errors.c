/* test_comparison_sort.errors.c: descriptions that are refused, by their status and a sentence that names what is wrong;
 * and which variant AUTO is. */
#include "support.h"

Test(comparison_sort_errors, descriptions)
{
    static const struct {
        clprim_comparison_sort_desc desc;
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
        {{.variant = (clprim_comparison_sort_variant)(CLPRIM_COMPARISON_SORT_SAMPLE_SORT + 1)},
         CLPRIM_INVALID_ARGUMENT,
         "variant"},
        {{.variant = (clprim_comparison_sort_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        /* a variant that cannot do it says why; so does AUTO, where none can */
        {{.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK, .stable = true}, CLPRIM_UNSUPPORTED, "stable"},
        {{.variant = CLPRIM_COMPARISON_SORT_BITONIC, .stable = true}, CLPRIM_UNSUPPORTED, "stable"},
        {{.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT, .stable = true}, CLPRIM_UNSUPPORTED, "stable"},
        {{.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT, .max_count = (size_t)1 << 32},
         CLPRIM_UNSUPPORTED,
         "max_count"},
        {{.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT, .in_place_only = true}, CLPRIM_UNSUPPORTED, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_RADIX, .less = "a < b"}, CLPRIM_UNSUPPORTED, "less"},
        {{.variant = CLPRIM_COMPARISON_SORT_MERGE_PATH, .in_place_only = true}, CLPRIM_UNSUPPORTED, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK, .in_place_only = true}, CLPRIM_UNSUPPORTED, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_RADIX, .in_place_only = true}, CLPRIM_UNSUPPORTED, "in_place_only"},
        {{.variant = CLPRIM_COMPARISON_SORT_CPU_CHUNK, .in_place_only = true}, CLPRIM_UNSUPPORTED, "in_place_only"},
        {{.stable = true, .in_place_only = true, .less = "a < b"}, CLPRIM_UNSUPPORTED, "in_place_only"},
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
        const clprim_comparison_sort_call call = {.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}};
        ASSERT_STATUS(clprim_comparison_sort_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
        ASSERT_STATUS(clprim_comparison_sort_run(runtime, &rows[i].desc, &call), rows[i].status);
        cr_assert(keys[0] == 77 && keys[1] == 7, "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* What AUTO is, as the header has it. BITONIC alone takes no scratch memory for so many elements. */
Test(comparison_sort_errors, automatic)
{
    enum { COUNT = 1000 };
    clprim_runtime *runtime = test_runtime(NULL);
    const bool is_cpu = clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU;
    const struct {
        clprim_comparison_sort_desc desc;
        size_t count;
        clprim_comparison_sort_variant expected;
    } rows[] = {
        {{.max_count = COUNT}, COUNT, is_cpu ? CLPRIM_COMPARISON_SORT_RADIX : CLPRIM_COMPARISON_SORT_BITONIC},
        {{.stable = true, .value_size = 8}, 100 * COUNT, CLPRIM_COMPARISON_SORT_RADIX},
        {{.stable = true, .in_place_only = true}, 100 * COUNT, CLPRIM_COMPARISON_SORT_BITONIC},
        {{.stable = true, .key_type = CLPRIM_U16, .value_size = 2, .less = "a < b"},
         100 * COUNT,
         is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : CLPRIM_COMPARISON_SORT_MERGE_PATH},
        {{.key_type = CLPRIM_U16, .value_size = 2, .less = "a < b"},
         100 * COUNT,
         is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : CLPRIM_COMPARISON_SORT_SAMPLE_SORT},
        {{.key_type = CLPRIM_U16, .value_size = 2, .less = "a < b", .max_count = 100 * COUNT},
         100 * COUNT,
         is_cpu ? CLPRIM_COMPARISON_SORT_CPU_CHUNK : CLPRIM_COMPARISON_SORT_MERGE_NETWORK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_comparison_sort_call call = {.count = rows[i].count};
        clprim_plan *plan = NULL;
        size_t bytes = 1;
        ASSERT_OK(clprim_comparison_sort_create(&plan, runtime, &rows[i].desc));
        cr_assert_eq(clprim_plan_variant(plan)->id, (int)rows[i].expected, "row %zu: %s", i,
                     clprim_plan_variant(plan)->name);
        ASSERT_OK(clprim_plan_scratch_size(&bytes, plan, &call));
        cr_assert((bytes == 0) == (rows[i].expected == CLPRIM_COMPARISON_SORT_BITONIC), "row %zu: %zu bytes", i, bytes);
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}
