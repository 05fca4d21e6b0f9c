/* test_distributed.c: operations on arrays in parts, by ranks that are threads. */
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

/* Each group of cases by each number of ranks; of three ranks each has a runtime of its own. */
Test(distributed, gives_what_one_array_gives)
{
    static const unsigned sizes[] = {1, 2, 3, 4, 7};
    for (size_t group = 0; group < cases_num_groups; group++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            check_group(group, sizes[s], sizes[s] != 3, false);
}

/* Sorts of devices with memory of their own, in parts, from and to memory that all ranks read. */
Test(distributed, sorts_without_sending)
{
    static const unsigned sizes[] = {2, 3, 7};
    for (size_t group = 0; group < cases_num_groups; group++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && strncmp(cases_groups[group].name, "sort", 4) == 0; s++)
            check_group(group, sizes[s], sizes[s] != 3, true);
}
