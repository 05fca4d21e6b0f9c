/* test_self_test.kernels.c: a directory of kernels, which are the real ones until one is changed. */
#define _XOPEN_SOURCE 700 /* setenv */
#include <stdio.h>
#include <stdlib.h>

#include "test_self_test.h"

static char directory[TEST_PATH_SIZE];
static char cache[TEST_PATH_SIZE + 16];

void kernels_set(const char *name, const char *value)
{
    cr_assert_eq(setenv(name, value, 1), 0);
}

const char *kernels_cache(void)
{
    return cache;
}

void kernels_begin(void)
{
    test_directory_create(directory);
    test_kernels_copy(directory);
    (void)snprintf(cache, sizeof cache, "%s/cache", directory);
    kernels_set("CLPRIM_KERNEL_DIR", directory);
    kernels_set("CLPRIM_CACHE_DIR", cache);
    kernels_set("CLPRIM_CACHE", "on");
    kernels_set("CLPRIM_SELF_TEST", "always");
}

void kernels_end(void)
{
    test_directory_remove(directory);
}

void kernels_repair(void)
{
    test_kernels_copy(directory);
}

void kernels_change(const char *file, const char *from, const char *to)
{
    test_kernels_change(directory, &(const test_mistake){file, from, to});
}
