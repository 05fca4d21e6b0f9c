/* test_comparison_sort.errors.c: variants that are refused, and which variant AUTO is. */
#include "call.h"

/* A variant that cannot do it says why; so does AUTO, if none can. */
Test(comparison_sort_errors, unsupported)
{
    static const struct {
        clprim_comparison_sort_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
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
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, &clprim_comparison_sort_operation, &rows[i].desc, rows[i].status, rows[i].culprit);
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
