// SPDX-License-Identifier: MIT
/* test_slots.sample.c: a quick run makes a sample of the plans, always the same, and counts them; other runs make all. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 1200, LEAST = 25, MOST = 100 };

/* The number of these names that belong to the sample. */
static size_t take(bool *is_taken)
{
    size_t taken = 0;
    for (size_t i = 0; i < NAMES; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "scan by look_back, type %zu", i);
        is_taken[i] = test_is_sampled(name);
        taken += is_taken[i];
    }
    return taken;
}

Test(sample, all_but_in_a_quick_run)
{
    static bool is_taken[NAMES];
    test_setenv("CLPRIM_TEST_QUICK", "1");
    test_setenv("CLPRIM_TEST_TURN", "1");
    test_make_every_plan();
    cr_assert_eq(take(is_taken), NAMES);
    test_setenv("CLPRIM_TEST_TURN", "1");
    test_setenv("CLPRIM_TEST_QUICK", "1");
    test_setenv("CLPRIM_TEST_FULL", "1");
    cr_assert_eq(take(is_taken), NAMES);
}

Test(sample, the_first_and_a_few_others)
{
    static bool is_taken[NAMES];
    char folder[TEST_PATH_SIZE];
    size_t size = 0;
    test_directory_create(folder);
    test_setenv("CLPRIM_TEST_FULL", NULL);
    test_setenv("CLPRIM_TEST_QUICK", "1");
    test_setenv("CLPRIM_TEST_TALLY", test_path(folder, "tally"));
    const size_t taken = take(is_taken);
    char *tally = test_read_file(test_path(folder, "tally"), &size);
    cr_assert(is_taken[0], "the first one is left out");
    cr_assert(taken > LEAST && taken < MOST, "%zu", taken);
    cr_assert_eq(size, NAMES);
    for (size_t i = 0; i < NAMES; i++)
        cr_assert_eq(tally[i], is_taken[i] ? '+' : '-', "%zu", i);
    free(tally);
    test_directory_remove(folder);
}

/* Each of ten successive runs makes a different plan. */
Test(sample, each_in_its_turn)
{
    static bool is_taken[NAMES];
    size_t taken = 0;
    test_setenv("CLPRIM_TEST_FULL", NULL);
    test_setenv("CLPRIM_TEST_QUICK", NULL);
    test_setenv("CLPRIM_TEST_TURN", "0");
    cr_assert(test_is_sampled("the first one"), "is made in each");
    taken = take(is_taken);
    cr_assert(taken > NAMES / 20 && taken < NAMES / 6, "%zu", taken);
    test_setenv("CLPRIM_TEST_TURN", "2"); /* one of several plans with the same name */
    for (size_t i = taken = 0; i < 10; i++)
        taken += test_is_sampled("one of ten");
    cr_assert_eq(taken, 1);
}

/* About a fifth of the tests. */
Test(sample, some_of_the_tests)
{
    size_t taken = 0;
    test_setenv("CLPRIM_TEST_FULL", NULL);
    test_setenv("CLPRIM_TEST_QUICK", "1");
    for (size_t i = 0; i < NAMES; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "test_%zu", i);
        taken += test_is_sampled_test("sample", name);
    }
    cr_assert(taken > NAMES / 7 && taken < NAMES / 4, "%zu", taken);
    test_setenv("CLPRIM_TEST_QUICK", NULL);
    cr_assert(test_is_sampled_test("sample", "test_0") && test_is_sampled_test("sample", "test_1"));
}

/* If the descriptions of plans have the same name, because only their texts differ, not all of them are left out. */
Test(sample, the_same_name_many_times)
{
    size_t taken = 0;
    test_setenv("CLPRIM_TEST_FULL", NULL);
    test_setenv("CLPRIM_TEST_QUICK", "1");
    test_setenv("CLPRIM_TEST_TALLY", NULL);
    (void)test_is_sampled("another one");
    for (size_t i = 0; i < NAMES; i++)
        taken += test_is_sampled("select by cpu_chunk, predicate");
    cr_assert(taken > LEAST && taken < MOST, "%zu", taken);
}
