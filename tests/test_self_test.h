/* test_self_test.h: a directory of kernels that can be changed, and a cache of the test's own. */
#ifndef CLPRIM_TEST_SELF_TEST_H
#define CLPRIM_TEST_SELF_TEST_H

#include "support.h"

/* Kernels of this primitive and the common ones are read from the directory from now on, every plan is tried, and the
 * cache is empty. */
void kernels_begin(const char *stem);
/* Those of another one, too. */
void kernels_add(const char *stem);
void kernels_end(void);

/* In one file, by its path in kernels/, replace a text that is there once; set it back. */
void kernels_change(const char *file, const char *from, const char *to);
void kernels_repair(const char *file);

/* Where the cache is. */
const char *kernels_cache(void);

void kernels_set(const char *name, const char *value);

#endif
