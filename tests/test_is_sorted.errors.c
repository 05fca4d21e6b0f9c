/* test_is_sorted.errors.c: descriptions that are refused, by their status and a sentence that names what is wrong; no
 * elements. */
#include <clprim/is_sorted.h>
#include <clprim/reference.h>

#include "support.h"

Test(is_sorted_errors, descriptions_and_no_elements)
{
    static const struct {
        clprim_is_sorted_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.index_type = CLPRIM_I32}, CLPRIM_INVALID_ARGUMENT, "index_type"},
        {{.max_count = (size_t)1 << 32}, CLPRIM_INVALID_ARGUMENT, "index_type U64"},
        {{.type_size = 4, .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.variant = (clprim_is_sorted_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.less = "a.x < b"}, CLPRIM_BUILD_FAILED, "less"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    uint32_t until = 77;
    const uint32_t two[2] = {2, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ASSERT_STATUS(clprim_is_sorted_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    ASSERT_STATUS(clprim_reference_is_sorted(NULL, NULL, two, 2), CLPRIM_INVALID_ARGUMENT);
    ASSERT_OK(clprim_is_sorted_run(NULL, NULL, &(clprim_is_sorted_call){.out = {.host = &until}}));
    cr_assert_eq(until, 0, "no elements are sorted");
    clprim_runtime_destroy(runtime);
}
