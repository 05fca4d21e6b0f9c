/* sample.c: what a quick run tests (CLPRIM_TEST_QUICK, which `./dev test` sets). Nearly all of the tests' time goes into
 * compiling kernels, once for each plan. So a quick run makes of the plans of one process, which is a test or a share of
 * it, the first, and of the others one in SHARE. A hash of the plan's description decides: tests with the same
 * description make the same plan, and find its kernels in the cache of the driver. `--all` makes all plans.
 *
 * CLPRIM_TEST_TALLY names a file to which each decision appends a byte: + for a plan that is made, - for one that is
 * not. ./dev test counts them. */
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHARE = 12, MOST_NAMES = 4096 };

/* FNV-1a */
static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* How often this process has had the name before: descriptions with other texts have the same name. */
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

bool test_is_sampled(const char *name)
{
    static bool is_first = true;
    if (!test_is_quick())
        return true;
    const uint32_t hash = hash_of(name);
    const bool is_taken = (hash % SHARE + times(hash)) % SHARE == 0 || is_first;
    is_first = false;
    tally(is_taken);
    return is_taken;
}
