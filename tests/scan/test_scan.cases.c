/* test_scan.cases.c: what few scans meet: an initial NaN, millions of elements, scans of scans, and devices that lack
 * something. */
#include <clprim/reference.h>
#include <stdlib.h>

#include "cases.h"

/* A NaN that a scan begins with is propagated, too, whatever its bits; on the host as well. */
TEST_WITH_RUNTIME(scan_cases, propagates_an_initial_nan)
{
    static const uint32_t nans[] = {0x7fffffff, 0xffffffff, 0xff800001};
    static uint32_t expected[] = {0x7fc00000, 0x7fc00000};
    static float in[] = {1, 2};
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++)
        test_check_known(runtime, &clprim_scan_operation,
                         &(clprim_scan_desc){.type = CLPRIM_F32,
                                             .op = CLPRIM_MIN,
                                             .nan_order = CLPRIM_NAN_LAST,
                                             .exclusive = true,
                                             .initial = &nans[i]},
                         &(clprim_scan_call){.in = {.host = in}, .count = 2, .out = {.host = expected}});
}

/* Several levels of block sums, and more tiles than a device runs at once; in place and not. */
TEST_WITH_RUNTIME(scan_cases, millions_of_elements)
{
    for (int variant = 1; variant <= CLPRIM_SCAN_FIXED_TREE; variant++) {
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variant};
        const bool is_slow = variant == CLPRIM_SCAN_NAIVE || variant == CLPRIM_SCAN_WORK_EFFICIENT ||
                             variant == CLPRIM_SCAN_BIT_REVERSED;
        test_call self;
        if ((is_slow && !test_is_full()) || !test_call_create(&self, runtime, &clprim_scan_operation, &desc))
            continue;
        for (uint64_t seed = 3; seed < 5; seed++) /* in place by the first */
            test_check_turn(&self, &(test_turn){.kinds = 1, .count = 3000017, .pattern = TEST_RANDOM, .seed = seed});
        test_call_destroy(&self);
    }
}

/* Each scan takes the one before it, in place, on a queue that keeps their order by itself: sums of sums of sums. */
TEST_WITH_RUNTIME(scan_cases, in_place_again_and_again)
{
    enum { COUNT = 100003, TIMES = 5 };
    static int32_t in[COUNT];
    static int32_t expected[COUNT];
    test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    ASSERT_OK(clprim_reference_scan(expected, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), NULL, in, COUNT));
    for (int i = 1; i < TIMES; i++)
        ASSERT_OK(
            clprim_reference_scan(expected, TEST_FOLD(CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32), NULL, expected, COUNT));
    for (int variant = 1; variant <= CLPRIM_SCAN_FIXED_TREE; variant++) {
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variant};
        test_call self;
        if (!test_call_create(&self, runtime, &clprim_scan_operation, &desc))
            continue;
        self.in_place = true;
        test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = COUNT, .out = {.host = expected}}, 1);
        for (int i = 1; i < TIMES; i++)
            ASSERT_OK(test_call_enqueue(&self, &self.call));
        test_call_check(&self, "%d times", TIMES);
        test_call_destroy(&self);
    }
}

/* Several calls in a row on one plan: the state is used again. False where the variant is refused. */
static bool check_on(clprim_runtime *runtime, clprim_type type, clprim_scan_variant variant, const char *lacking)
{
    const clprim_scan_desc desc = {.type = type, .variant = variant, .items_per_work_item = 4};
    test_call self;
    if (!test_call_create(&self, runtime, &clprim_scan_operation, &desc))
        return false;
    cr_log_info("without %s", lacking);
    for (size_t i = 0; i < 5; i++)
        test_check_turn(
            &self, &(test_turn){
                       .kinds = 1, .count = i % 2 == 0 ? 50021 : 3001, .pattern = TEST_RANDOM, .seed = TEST_SEED + i});
    test_call_destroy(&self);
    return true;
}

/* The ways of look_back on devices that lack something, forced by CLPRIM_WITHOUT. */
Test(scan_paths, look_back_by_other_means)
{
    static const char *const lists[] = {"int64_atomics", "sub_groups", "group_order", "sub_groups,int64_atomics",
                                        "device_fence,group_order,sub_groups"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        cr_assert_eq(setenv("CLPRIM_WITHOUT", lists[i], 1), 0);
        clprim_runtime *runtime = test_runtime(NULL);
        const bool expected = test_can_look_back(runtime);
        cr_assert_eq(check_on(runtime, CLPRIM_U32, CLPRIM_SCAN_LOOK_BACK, lists[i]), expected, "%s", lists[i]);
        cr_assert_eq(check_on(runtime, CLPRIM_U64, CLPRIM_SCAN_LOOK_BACK, lists[i]), expected, "%s", lists[i]);
        cr_assert(check_on(runtime, CLPRIM_U32, CLPRIM_SCAN_REDUCE_THEN_SCAN, lists[i]));
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
    cr_assert(check_on(runtime, CLPRIM_U32, CLPRIM_SCAN_AUTO, "forward_progress"));
    clprim_runtime_destroy(runtime);
}
