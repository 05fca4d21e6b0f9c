/* test_search.errors.c: descriptions that are refused, by their status and a sentence that names what is wrong; searches
 * of arrays on the host, and in no elements. */
#include <clprim/reference.h>
#include <clprim/search.h>

#include "support.h"

Test(search_errors, descriptions_and_host_arrays)
{
    static const struct {
        clprim_search_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, CLPRIM_INVALID_ARGUMENT, "type"},
        {{.bound = (clprim_search_bound)2}, CLPRIM_INVALID_ARGUMENT, "bound"},
        {{.index_type = CLPRIM_F32}, CLPRIM_INVALID_ARGUMENT, "index_type"},
        {{.type_size = 4, .less = "1"}, CLPRIM_INVALID_ARGUMENT, "type_size"},
        {{.variant = (clprim_search_variant)-1}, CLPRIM_INVALID_ARGUMENT, "variant"},
        {{.variant = CLPRIM_SEARCH_SORTED_NEEDLES}, CLPRIM_INVALID_ARGUMENT, "needles_are_sorted"},
        {{.variant = CLPRIM_SEARCH_CPU_CHUNK}, CLPRIM_INVALID_ARGUMENT, "needles_are_sorted"},
        {{.work_group_size = 3}, CLPRIM_INVALID_ARGUMENT, "work_group_size"},
        {{.less = "a.x < b"}, CLPRIM_BUILD_FAILED, "less"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t in[5] = {1, 3, 3, 3, 9};
    uint32_t needles[4] = {3, 0, 10, 4};
    const uint64_t lower[4] = {1, 0, 5, 4};
    uint32_t found[4] = {77, 77, 77, 77};
    clprim_plan *plan = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ASSERT_STATUS(clprim_search_create(&plan, runtime, &rows[i].desc), rows[i].status);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert_null(plan);
    }
    ASSERT_STATUS(clprim_search_create(NULL, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_create(&plan, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(
        clprim_search_run(
            runtime, NULL,
            &(clprim_search_call){.needles = {.host = needles}, .count = 5, .needle_count = 4, .out = {.host = found}}),
        CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_run(
                      runtime, NULL,
                      &(clprim_search_call){.in = {.host = in}, .count = 5, .needle_count = 4, .out = {.host = found}}),
                  CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(
        clprim_search_run(
            runtime, NULL,
            &(clprim_search_call){.in = {.host = in}, .needles = {.host = needles}, .count = 5, .needle_count = 4}),
        CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_search_run(runtime, NULL,
                                    &(clprim_search_call){.in = {.host = in},
                                                          .needles = {.host = needles},
                                                          .count = 5,
                                                          .needle_count = SIZE_MAX,
                                                          .out = {.host = found}}),
                  CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_reference_search(NULL, NULL, false, in, 5, needles, 4), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(found[0], 77, "a refusal must not write");
    ASSERT_OK(clprim_search_run(
        NULL, NULL,
        &(clprim_search_call){
            .in = {.host = in}, .needles = {.host = needles}, .count = 5, .needle_count = 4, .out = {.host = found}}));
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(found[i], lower[i], "needle %zu is at %u", i, found[i]);
    ASSERT_OK(clprim_search_run(
        runtime, NULL, &(clprim_search_call){.needles = {.host = needles}, .needle_count = 4, .out = {.host = found}}));
    cr_assert(found[0] == 0 && found[3] == 0, "in no elements all belong at 0");
    ASSERT_OK(clprim_search_run(runtime, NULL, &(clprim_search_call){.in = {.host = in}, .count = 5}));
    clprim_runtime_destroy(runtime);
}
