/* ranks.h: ranks that are threads of the test. Everything asserts by itself. */
#ifndef CLPRIM_TEST_DISTRIBUTED_RANKS_H
#define CLPRIM_TEST_DISTRIBUTED_RANKS_H

#include "cases.h"
#include "support.h"

/* What a rank does. */
typedef void (*ranks_work)(cases_rank *self, void *user);

/* As many threads do it at once, each with a communicator of its own, and with runtimes[rank], or the first of them
 * if they share it. `results` are theirs: the test looks at their messages. */
void ranks_run(cases_rank *results, unsigned size, clprim_runtime *const *runtimes, bool share, ranks_work work,
               void *user);
/* A runtime, or one whose device has memory of its own, of which sorts use little: they then read other ranks' memory. */
clprim_runtime *ranks_runtime(bool has_own_memory);

/* None has a message. */
void ranks_expect_ok(const cases_rank *results, unsigned size);

#endif
