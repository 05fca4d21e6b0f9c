/* test_self_test.h: a directory of kernels that can be changed, and a cache of the test's own. */
#ifndef CLPRIM_TEST_SELF_TEST_H
#define CLPRIM_TEST_SELF_TEST_H

#include "support.h"

/* Kernels are read from the directory from now on, every plan is tried, and the cache is empty. */
void kernels_begin(void);
void kernels_end(void);

/* In one file, by its path in kernels/, replace a text that is there once; set all back. */
void kernels_change(const char *file, const char *from, const char *to);
void kernels_repair(void);

/* Where the cache is. */
const char *kernels_cache(void);

void kernels_set(const char *name, const char *value);

#endif
