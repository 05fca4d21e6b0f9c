/* test_search.errors.c: variants that need sorted needles; searches of arrays on the host, and in no elements. */
#include <clprim/reference.h>

#include "call.h"

Test(search_errors, needles_that_are_not_sorted)
{
    static const struct {
        clprim_search_desc desc;
        clprim_status status;
        const char *culprit;
    } rows[] = {
        {{.variant = CLPRIM_SEARCH_SORTED_NEEDLES}, CLPRIM_INVALID_ARGUMENT, "needles_are_sorted"},
        {{.variant = CLPRIM_SEARCH_CPU_CHUNK}, CLPRIM_INVALID_ARGUMENT, "needles_are_sorted"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_refuse(runtime, &clprim_search_operation, &rows[i].desc, rows[i].status, rows[i].culprit);
    clprim_runtime_destroy(runtime);
}

Test(search_errors, host_arrays)
{
    clprim_runtime *runtime = test_runtime(NULL);
    uint32_t in[5] = {1, 3, 3, 3, 9};
    uint32_t needles[4] = {3, 0, 10, 4};
    const uint32_t lower[4] = {1, 0, 5, 4};
    uint32_t found[4] = {77, 77, 77, 77};
    clprim_search_call call = {
        .in = {.host = in}, .needles = {.host = needles}, .count = 5, .needle_count = SIZE_MAX, .out = {.host = found}};
    ASSERT_STATUS(clprim_search_run(runtime, NULL, &call), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_reference_search(NULL, NULL, false, in, 5, needles, 4), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(found[0], 77, "a refusal must not write");
    call.needle_count = 4;
    ASSERT_OK(clprim_search_run(NULL, NULL, &call));
    test_expect_same(lower, found, sizeof *found, 4, "lower bounds");
    call.count = 0;
    call.in.host = NULL;
    ASSERT_OK(clprim_search_run(runtime, NULL, &call));
    cr_assert(found[0] == 0 && found[3] == 0, "in no elements all belong at 0");
    ASSERT_OK(clprim_search_run(runtime, NULL, &(clprim_search_call){.in = {.host = in}, .count = 5}));
    clprim_runtime_destroy(runtime);
}
