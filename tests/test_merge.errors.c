/* test_merge.errors.c: descriptions that are refused, by their status and a sentence that names what is wrong; sizes
 * that no memory can have. */
#include <clprim/reference.h>

#include "support.h"

enum { SENSELESS = 9 };

Test(merge_errors, descriptions_and_host_arrays)
{
    static const struct {
        clprim_merge_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[SENSELESS] = {
        {{.key_type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.value_size = 3}, CLPRIM_INVALID_ARGUMENT, "value_size"},
        {{.type_name = "t", .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.type_name = "t", .type_size = 4}, CLPRIM_INVALID_ARGUMENT, "less"},
        {{.source = "typedef int t;"}, CLPRIM_INVALID_ARGUMENT, "source"},
        {{.variant = (clprim_merge_variant)(CLPRIM_MERGE_TILES + 1)}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.less = "a << < b"}, CLPRIM_BUILD_FAILED, "less"},
        {{.type_name = "t",
          .type_size = 1 << 20,
          .source = "typedef struct { char x[1 << 20]; } t;",
          .less = "1",
          .variant = CLPRIM_MERGE_PATH},
         CLPRIM_UNSUPPORTED,
         "local memory"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t a[2] = {1, 3};
    uint32_t b[3] = {1, 2, 9};
    const uint32_t expected[5] = {1, 1, 2, 3, 9};
    uint32_t out[5] = {77, 77, 77, 77, 77};
    uint32_t values[5] = {0};
    for (size_t i = 0; i < SENSELESS; i++) {
        clprim_plan *plan = NULL;
        ASSERT_STATUS(clprim_merge_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    ASSERT_STATUS(clprim_merge_run(
                      runtime, NULL,
                      &(clprim_merge_call){.a_keys = {.host = a}, .b_keys = {.host = b}, .a_count = 2, .b_count = 3}),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_run(runtime, NULL,
                                   &(clprim_merge_call){
                                       .b_keys = {.host = b}, .a_count = 2, .b_count = 3, .keys_out = {.host = out}}),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_run(runtime, NULL,
                                   &(clprim_merge_call){.a_keys = {.host = a},
                                                        .b_keys = {.host = b},
                                                        .a_count = 2,
                                                        .b_count = 3,
                                                        .keys_out = {.host = out},
                                                        .values_out = {.host = values}}),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_merge_run(runtime, NULL,
                                   &(clprim_merge_call){.a_keys = {.host = a},
                                                        .b_keys = {.host = b},
                                                        .a_count = 2,
                                                        .b_count = SIZE_MAX,
                                                        .keys_out = {.host = out}}),
                  CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_merge_run(runtime, NULL,
                                   &(clprim_merge_call){.a_keys = {.host = a},
                                                        .b_keys = {.host = b},
                                                        .a_count = 2,
                                                        .b_count = SIZE_MAX / 2,
                                                        .keys_out = {.host = out}}),
                  CLPRIM_INVALID_RANGE);
    cr_assert_eq(out[0], 77, "a refusal must not write");
    ASSERT_OK(clprim_merge_run(runtime, NULL, &(clprim_merge_call){0}));
    ASSERT_OK(clprim_merge_run(
        NULL, NULL,
        &(clprim_merge_call){
            .a_keys = {.host = a}, .b_keys = {.host = b}, .a_count = 2, .b_count = 3, .keys_out = {.host = out}}));
    test_expect_same(expected, out, sizeof *out, 5, "on the host");
    ASSERT_STATUS(clprim_reference_merge(out, NULL, NULL, 4, a, NULL, 2, b, NULL, 3), CLPRIM_INVALID_ARGUMENT);
    clprim_runtime_destroy(runtime);
}
