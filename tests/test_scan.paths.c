/* test_scan.paths.c: the ways of look_back and of AUTO on devices that lack something, forced by CLPRIM_WITHOUT. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <clprim/select.h>
#include <stdlib.h>

#include "support.h"

enum { COUNT = 50021, REPETITIONS = 5 };

/* Several calls in a row on one plan: the state is used again. False where the variant is refused. */
static bool check_scan(clprim_runtime *runtime, clprim_type type, clprim_scan_variant variant, const char *what)
{
    const clprim_scan_desc desc = {.type = type, .variant = variant, .items_per_work_item = 4};
    const size_t size = clprim_type_size(type);
    clprim_plan *plan = NULL;
    const clprim_status status = clprim_scan_create(&plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED)
        return false;
    ASSERT_OK(status);
    uint64_t *in = malloc(COUNT * sizeof *in);
    uint64_t *expected = malloc(COUNT * sizeof *expected);
    uint64_t *got = malloc(COUNT * sizeof *got);
    cr_assert(in != NULL && expected != NULL && got != NULL);
    test_fill(in, type, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    ASSERT_OK(clprim_reference_scan(expected, type, CLPRIM_SUM, type, NULL, in, COUNT));
    cl_mem from = test_upload(runtime, in, COUNT * size);
    cl_mem to = test_buffer(runtime, COUNT * size);
    for (size_t i = 0; i < REPETITIONS; i++) {
        const size_t n = i % 2 == 0 ? COUNT : 3001;
        ASSERT_OK(
            clprim_scan_enqueue(plan, NULL, &(clprim_scan_call){.in = {from}, .count = n, .out = {to}}, 0, NULL, NULL));
        test_read(runtime, got, to, n * size);
        cr_assert(memcmp(got, expected, n * size) == 0, "without %s: %s, call %zu", what, clprim_type_name(type), i);
    }
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(from));
    ASSERT_CL(clReleaseMemObject(to));
    free(in);
    free(expected);
    free(got);
    return true;
}

Test(scan_paths, look_back_by_other_means)
{
    static const char *const lists[] = {"int64_atomics", "sub_groups", "group_order", "sub_groups,int64_atomics",
                                        "device_fence,group_order,sub_groups"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        cr_assert_eq(setenv("CLPRIM_WITHOUT", lists[i], 1), 0);
        clprim_runtime *runtime = test_runtime(NULL);
        const clprim_device_info *info = clprim_runtime_info(runtime);
        const bool expected = info->has_forward_progress && (info->sub_group_means == CLPRIM_SUB_GROUP_PTX ||
                                                             info->has_int64_atomics || info->has_device_fence);
        cr_assert_eq(check_scan(runtime, CLPRIM_U32, CLPRIM_SCAN_LOOK_BACK, lists[i]), expected, "%s", lists[i]);
        cr_assert_eq(check_scan(runtime, CLPRIM_U64, CLPRIM_SCAN_LOOK_BACK, lists[i]), expected, "%s", lists[i]);
        cr_assert(check_scan(runtime, CLPRIM_U32, CLPRIM_SCAN_REDUCE_THEN_SCAN, lists[i]));
        clprim_runtime_destroy(runtime);
    }
}

/* Where groups may not wait for one another, nobody does. */
Test(scan_paths, no_waiting_without_forward_progress)
{
    cr_assert_eq(setenv("CLPRIM_WITHOUT", "forward_progress", 1), 0);
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_scan_desc scan_desc = {.variant = CLPRIM_SCAN_LOOK_BACK};
    const clprim_select_desc select_desc = {.predicate = "x > 0", .variant = CLPRIM_SELECT_LOOK_BACK};
    clprim_plan *scan = NULL;
    clprim_plan *select = NULL;
    ASSERT_STATUS(clprim_scan_create(&scan, runtime, &scan_desc), CLPRIM_UNSUPPORTED);
    ASSERT_STATUS(clprim_select_create(&select, runtime, &select_desc), CLPRIM_UNSUPPORTED);
    cr_assert(check_scan(runtime, CLPRIM_U32, CLPRIM_SCAN_AUTO, "forward_progress"));
    clprim_runtime_destroy(runtime);
}
