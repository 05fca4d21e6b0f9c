/* test_scan.cases.c: what few scans meet: numbers that a float accumulator rounds, an initial NaN, millions of elements,
 * scans of scans, and devices that lack something. */
#include <stdlib.h>

#include "test_scan.h"

/* Integers scanned in floats that do not hold them: each is rounded once, to nearest, ties to even, before it is added.
 * Sums of up to 2^18 of them are exact in any order once they are rounded, so all prefixes are. By default each variant
 * meets two pairs of types, and each pair three variants. test_reduce.accumulators.c has the reference. */
Test(scan_cases, integers_are_rounded_before_they_are_added, .timeout = 120)
{
    enum { COUNT = 4099 };
    static uint64_t in[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < CLPRIM_SCAN_FIXED_TREE; v++)
        for (size_t p = 0; p < TEST_ROUNDED; p++) {
            const clprim_scan_desc desc = {.type = test_rounded[p][0],
                                           .accumulator_type = test_rounded[p][1],
                                           .exclusive = v % 2 == 1,
                                           .variant = (clprim_scan_variant)(v + 1)};
            test_call self;
            if (((v + p) % 3 != 0 && !test_is_full()) ||
                !test_call_create(&self, runtime, &clprim_scan_operation, &desc))
                continue;
            test_fill_rounded(in, desc.type, desc.accumulator_type, COUNT, TEST_SEED + v);
            test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = COUNT}, v);
            test_call_check(&self, "pair %zu", p);
            test_call_destroy(&self);
        }
    clprim_runtime_destroy(runtime);
}

/* A NaN that a scan begins with is propagated, too, whatever its bits; on the host as well. */
Test(scan_cases, propagates_an_initial_nan)
{
    static const uint32_t nans[] = {0x7fffffff, 0xffffffff, 0xff800001};
    static uint32_t expected[] = {0x7fc00000, 0x7fc00000};
    static float in[] = {1, 2};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        const clprim_scan_desc desc = {
            .type = CLPRIM_F32, .op = CLPRIM_MIN, .nan_order = CLPRIM_NAN_LAST, .exclusive = true, .initial = &nans[i]};
        test_call self;
        cr_assert(test_call_create(&self, runtime, &clprim_scan_operation, &desc));
        test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = 2, .out = {.host = expected}}, i);
        test_call_check(&self, "from NaN %zu", i);
        test_call_check_run(&self, "from NaN %zu", i);
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Several levels of block sums, and more tiles than a device runs at once; in place and not. */
Test(scan_cases, millions_of_elements)
{
    enum { COUNT = 3000017 };
    static int32_t in[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
    test_fill(in, CLPRIM_I32, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    for (int variant = 1; variant <= CLPRIM_SCAN_FIXED_TREE; variant++) {
        const clprim_scan_desc desc = {.variant = (clprim_scan_variant)variant};
        test_call self;
        if ((variant == CLPRIM_SCAN_NAIVE || variant == CLPRIM_SCAN_WORK_EFFICIENT ||
             variant == CLPRIM_SCAN_BIT_REVERSED) &&
            !test_is_full())
            continue;
        if (!test_call_create(&self, runtime, &clprim_scan_operation, &desc))
            continue;
        for (int in_place = 0; in_place < 2; in_place++) {
            self.in_place = in_place != 0;
            test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = COUNT}, (uint64_t)variant);
            test_call_check(&self, "%d elements%s", COUNT, in_place ? " in place" : "");
        }
        test_call_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* Each scan takes the one before it, in place, on a queue that keeps their order by itself: sums of sums of sums. */
Test(scan_cases, in_place_again_and_again)
{
    enum { COUNT = 100003, TIMES = 5 };
    static int32_t in[COUNT];
    static int32_t expected[COUNT];
    clprim_runtime *runtime = test_runtime(NULL);
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
    clprim_runtime_destroy(runtime);
}

/* Several calls in a row on one plan: the state is used again. False where the variant is refused. */
static bool check_on(clprim_runtime *runtime, clprim_type type, clprim_scan_variant variant, const char *lacking)
{
    enum { COUNT = 50021, REPETITIONS = 5 };
    static uint64_t in[COUNT];
    const clprim_scan_desc desc = {.type = type, .variant = variant, .items_per_work_item = 4};
    test_call self;
    if (!test_call_create(&self, runtime, &clprim_scan_operation, &desc))
        return false;
    test_fill(in, type, CLPRIM_SUM, TEST_RANDOM, COUNT, TEST_SEED);
    for (size_t i = 0; i < REPETITIONS; i++) {
        const size_t count = i % 2 == 0 ? COUNT : 3001;
        test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = count}, i);
        test_call_check(&self, "without %s, call %zu", lacking, i);
    }
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
