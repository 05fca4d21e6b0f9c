/* test_self_test.all.c: clprim_runtime_self_test: knows all primitives, tells each plan, and finds what is wrong. */
#define _XOPEN_SOURCE 700
#include <clprim/self_test.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_self_test.h"

/* What was told. */
typedef struct tally {
    size_t right, wrong, unsupported;
    char primitive[64];
} tally;

static void note(void *user, const clprim_self_test_record *record)
{
    tally *t = user;
    t->right += record->outcome == CLPRIM_SELF_TEST_RIGHT;
    t->wrong += record->outcome == CLPRIM_SELF_TEST_WRONG;
    t->unsupported += record->outcome == CLPRIM_SELF_TEST_UNSUPPORTED;
    (void)snprintf(t->primitive, sizeof t->primitive, "%s", record->primitive);
    cr_assert_eq(record->why[0] == '\0', record->outcome == CLPRIM_SELF_TEST_RIGHT, "%s of %s, %s: %s", record->variant,
                 record->primitive, record->plan, record->why);
    cr_assert_gt(strlen(record->plan), 0);
}

static tally run(clprim_runtime *runtime, clprim_self_test_desc desc, size_t wrong)
{
    size_t found = SIZE_MAX;
    char text[4096];
    tally t = {0};
    desc.report = note;
    desc.user = &t;
    ASSERT_OK(clprim_runtime_self_test(&found, runtime, &desc));
    (void)clprim_runtime_set_aside(runtime, text, sizeof text);
    cr_assert(found == wrong && t.wrong == wrong, "%zu wrong, %zu told: %s", found, t.wrong, text);
    return t;
}

/* It knows every primitive; one variant of some, and all where there is time. */
Test(self_test, finds_nothing_wrong_with_the_library, .timeout = 3000)
{
    static const char *const stems[] = {CLPRIM_TEST_STEMS};
    size_t wrong = 7;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        const clprim_self_test_desc nothing = {.primitive = stems[i], .variant = "?"};
        ASSERT_STATUS(clprim_runtime_self_test(&wrong, runtime, &nothing), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), "no variant ?"), "%s", clprim_last_error());
    }
    cr_assert_eq(wrong, 7);
    if (test_is_full()) {
        const tally all = run(runtime, (clprim_self_test_desc){0}, 0);
        cr_assert_gt(all.right, 100);
    } else {
        for (size_t i = 0; i < sizeof stems / sizeof *stems; i += 5) { /* each costs a second */
            const bool has_variants = strcmp(stems[i], "sort_by_key") != 0;
            const clprim_self_test_desc chunk = {
                .primitive = stems[i], .variant = has_variants ? "cpu_chunk" : NULL, .quick = true};
            cr_assert_eq(run(runtime, chunk, 0).right, 1, "%s", stems[i]);
        }
    }
    cr_assert_not_null(strstr(clprim_last_error(), "no variant ?"), "a success changes the last error");
    clprim_runtime_destroy(runtime);
}

Test(self_test, finds_what_is_wrong, .timeout = 600)
{
    char text[1024];
    clprim_plan *plan = NULL;
    const clprim_merge_desc naive = {.variant = CLPRIM_MERGE_NAIVE};
    kernels_begin();
    kernels_change("merge/naive.cl", "upper_bound(ARRAY(a)", "lower_bound(ARRAY(a)");
    kernels_set("CLPRIM_SELF_TEST", "");
    clprim_runtime *runtime = test_runtime(NULL);
    const tally t = run(runtime, (clprim_self_test_desc){.primitive = "merge", .variant = "naive", .quick = true}, 1);
    cr_assert_eq(t.right + t.unsupported, 0, "a quick one goes on");
    cr_assert_str_eq(t.primitive, "merge");
    cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 1);
    cr_assert_eq(strstr(text, "naive of merge"), text, "%s", text);
    ASSERT_STATUS(clprim_merge_create(&plan, runtime, &naive), CLPRIM_UNSUPPORTED); /* though the driver is known */
    cr_assert_null(plan);
    clprim_runtime_destroy(runtime);
    kernels_end();
}

Test(self_test, refuses_what_it_does_not_know)
{
    size_t wrong = 7;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_self_test_desc primitive = {.primitive = "sorting"};
    const clprim_self_test_desc variant = {.primitive = "merge", .variant = "sorting"};
    ASSERT_STATUS(clprim_runtime_self_test(NULL, runtime, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runtime_self_test(&wrong, NULL, NULL), CLPRIM_INVALID_ARGUMENT);
    ASSERT_STATUS(clprim_runtime_self_test(&wrong, runtime, &primitive), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "no primitive sorting"), "%s", clprim_last_error());
    ASSERT_STATUS(clprim_runtime_self_test(&wrong, runtime, &variant), CLPRIM_INVALID_ARGUMENT);
    cr_assert_not_null(strstr(clprim_last_error(), "no variant sorting"), "%s", clprim_last_error());
    cr_assert_eq(wrong, 7);
    clprim_runtime_destroy(runtime);
    cr_assert_eq(clprim_runtime_set_aside(NULL, NULL, 0), 0);
}

static void count_launch(void *user, const clprim_trace_record *record)
{
    (void)record;
    ++*(size_t *)user;
}

/* A plan for either order of NaNs is tried, each for itself, and found to be right. */
#define TRY_BOTH(stem, ...)                                                                                            \
    for (int order = CLPRIM_NAN_TOTAL; order <= CLPRIM_NAN_LAST; order++) {                                            \
        clprim_plan *plan = NULL;                                                                                      \
        const clprim_##stem##_desc desc = {__VA_ARGS__, .nan_order = (clprim_nan_order)order};                         \
        launches = 0;                                                                                                  \
        ASSERT_OK(clprim_##stem##_create(&plan, runtime, &desc));                                                      \
        cr_assert_gt(launches, 0, #stem " with order %d is not tried", order);                                         \
        cr_assert_eq(clprim_runtime_set_aside(runtime, text, sizeof text), 0, "%s", text);                             \
        clprim_plan_destroy(plan);                                                                                     \
    }

Test(self_test, tries_both_orders_of_nans, .timeout = 600)
{
    char text[1024];
    size_t launches = 0;
    kernels_begin();
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_runtime_set_trace(runtime, count_launch, &launches);
    TRY_BOTH(reduce, .type = CLPRIM_F32, .op = CLPRIM_MAX)
    TRY_BOTH(scan, .type = CLPRIM_F32, .op = CLPRIM_MIN)
    TRY_BOTH(radix_sort, .key_type = CLPRIM_F32)
    TRY_BOTH(merge, .key_type = CLPRIM_F32)
    TRY_BOTH(search, .type = CLPRIM_F32, .needles_are_sorted = true)
    TRY_BOTH(is_sorted, .type = CLPRIM_F32, .descending = true)
    clprim_runtime_destroy(runtime);
    kernels_end();
}
