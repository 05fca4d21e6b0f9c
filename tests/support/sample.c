// SPDX-License-Identifier: MIT
/* sample.c: which tests a quick run includes (CLPRIM_TEST_QUICK, which `./dev test` sets). Nearly all of the time goes
 * into compiling kernels, some tenths of a second for each; and in each process, PoCL first reads its library of 9 MB.
 * So a quick run runs one test in TESTS, and at least one per program, unless tests are requested by name. Each
 * process, which is a test or a share of one, makes its first plan, and one in PLANS of the others. Hashes of the names
 * decide: tests with the same description make the same plan, and find its kernels in the driver's cache. `--all` makes
 * all plans.
 *
 * CLPRIM_TEST_TURN, 0 to TURNS - 1, which `.ci/run` sets: run all tests; each process makes its first plan, and one in
 * TURNS of the others, different ones in each turn. Together, all turns make all plans.
 *
 * CLPRIM_TEST_TALLY names a file to which each decision appends a byte: + for a plan that is made, - for one that is
 * not. ./dev test counts them. */
#include "files.h"
#include "support.h"

#include <criterion/hooks.h>
#include <criterion/options.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TESTS = 5, PLANS = 24, TURNS = 10, MOST_NAMES = 4096 };

/* FNV-1a, in which the high bits depend on all characters */
static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash >> 12;
}

/* How often this process has had this name before: descriptions that differ only in their texts have the same name. */
static unsigned times(uint32_t hash)
{
    static uint32_t names[MOST_NAMES];
    static unsigned counts[MOST_NAMES];
    static size_t num_names;
    size_t i = 0;
    while (i < num_names && names[i] != hash)
        i++;
    if (i == num_names && num_names < MOST_NAMES)
        names[num_names++] = hash;
    return i < MOST_NAMES ? counts[i]++ : 0;
}

static void tally(bool is_taken)
{
    const char *path = getenv("CLPRIM_TEST_TALLY");
    const int file = path != NULL && path[0] != '\0' ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    if (file < 0)
        return;
    if (write(file, is_taken ? "+" : "-", 1) != 1)
        perror(path);
    (void)close(file);
}

bool test_is_sampled_test(const char *suite, const char *test)
{
    char name[TEST_NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s/%s", suite, test);
    return !test_is_quick() || hash_of(name) % TESTS == 0;
}

/* Criterion calls it before it runs the first test. */
ReportHook(PRE_ALL)(struct criterion_test_set *set)
{
    struct criterion_test *first = NULL;
    size_t taken = 0;
    if (criterion_options.pattern != NULL)
        return;
    FOREACH_SET(struct criterion_suite_set *suite, set->suites)
        FOREACH_SET(struct criterion_test *test, suite->tests) {
            first = first == NULL ? test : first;
            test->data->disabled |= !test_is_sampled_test(test->category, test->name);
            taken += !test->data->disabled;
        }
    if (taken == 0 && first != NULL)
        first->data->disabled = false;
}

void test_make_every_plan(void)
{
    test_setenv("CLPRIM_TEST_QUICK", NULL);
    test_setenv("CLPRIM_TEST_TURN", NULL);
}

bool test_is_sampled(const char *name)
{
    static bool is_first = true;
    if (!test_is_sample())
        return true;
    const uint32_t hash = hash_of(name);
    const char *turn = getenv("CLPRIM_TEST_TURN");
    const uint32_t share = test_is_quick() ? PLANS : TURNS;
    const uint32_t place = test_is_quick() ? 0 : (uint32_t)strtoul(turn, NULL, 10) % TURNS;
    const bool is_taken = (hash % share + times(hash)) % share == place || is_first;
    is_first = false;
    tally(is_taken);
    return is_taken;
}
