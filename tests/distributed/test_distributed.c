// SPDX-License-Identifier: MIT
/* test_distributed.c: operations on arrays in pieces, with ranks that are threads. */
#include <stdio.h>

#include "cases_operations.h"
#include "ranks.h"

static void run_group(cases_rank *self, void *user)
{
    ((const cases_group *)user)->run(self);
}

static void check_group(size_t group, unsigned size, bool share, bool has_own_memory)
{
    clprim_runtime *runtimes[CASES_RANKS] = {0};
    cases_rank results[CASES_RANKS];
    for (unsigned r = 0; r < (share ? 1 : size); r++)
        runtimes[r] = ranks_runtime(has_own_memory);
    ranks_run(results, size, runtimes, share, run_group, (void *)&cases_groups[group]);
    ranks_expect_ok(results, size);
    for (unsigned r = 0; r < (share ? 1 : size); r++)
        clprim_runtime_destroy(runtimes[r]);
}

TestSuite(distributed, .timeout = 600);

/* Run each group of cases with each number of ranks. If there are three ranks, each has a separate runtime. */
Test(distributed, gives_what_one_array_gives)
{
    static const unsigned sizes[] = {1, 2, 3, 4, 7};
    for (size_t group = 0; group < cases_num_groups; group++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            check_group(group, sizes[s], sizes[s] != 3, false);
}

/* Arguments on devices with memory of their own, which have no elements past their length. */
Test(distributed, takes_arguments_by_their_length)
{
    static const unsigned sizes[] = {1, 2, 3};
    for (size_t group = 0; group < cases_num_groups; group++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && strcmp(cases_groups[group].name, "arguments") == 0;
             s++)
            check_group(group, sizes[s], sizes[s] != 3, true);
}

/* The list of distributed operations matches the names that the library exports. */
Test(distributed, has_cases_for_all_operations)
{
    static const char prefix[] = "clprim_distributed_";
#define NAME(op, more) #op,
    static const char *const names[] = {CASES_OPERATIONS(NAME)};
    char line[256];
    size_t found = 0;
    FILE *symbols = fopen(CLPRIM_TEST_SYMBOLS, "r");
    cr_assert_not_null(symbols);
    while (fgets(line, sizeof line, symbols) != NULL) {
        bool is_there = strncmp(line, prefix, sizeof prefix - 1) != 0;
        found += !is_there;
        for (size_t i = 0; i < sizeof names / sizeof *names && !is_there; i++) {
            const char *rest = line + sizeof prefix - 1;
            is_there = strncmp(rest, names[i], strlen(names[i])) == 0 && strchr(" \n", rest[strlen(names[i])]) != NULL;
        }
        cr_assert(is_there, "tests/distributed/cases_operations.h lacks %s", line);
    }
    (void)fclose(symbols);
    cr_assert_eq(found, sizeof names / sizeof *names);
}

/* Sorts on devices with memory of their own, in pieces, from and to memory that all ranks can read. */
Test(distributed, sorts_without_sending)
{
    static const unsigned sizes[] = {2, 3, 7};
    for (size_t group = 0; group < cases_num_groups; group++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && strncmp(cases_groups[group].name, "sort", 4) == 0; s++)
            check_group(group, sizes[s], sizes[s] != 3, true);
}
