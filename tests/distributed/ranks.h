// SPDX-License-Identifier: MIT
/* ranks.h: ranks that are threads of the test. All functions check their results with assertions. */
#ifndef CLPRIM_TEST_DISTRIBUTED_RANKS_H
#define CLPRIM_TEST_DISTRIBUTED_RANKS_H

#include "cases.h"
#include "support.h"

/* The work that a rank does. */
typedef void (*ranks_work)(cases_rank *self, void *user);

/* `size` threads do the work at the same time, each with its own communicator, and with runtimes[rank], or with the
 * first of them if they share it. `results` belong to the threads until they end; then the test looks at their
 * messages. */
void ranks_run(cases_rank *results, unsigned size, clprim_runtime *const *runtimes, bool share, ranks_work work,
               void *user);
/* A runtime, or one whose device has memory of its own, of which sorts may use only a little. Sorts then read other
 * ranks' memory. */
clprim_runtime *ranks_runtime(bool has_own_memory);

/* Check that no rank has a message. */
void ranks_expect_ok(const cases_rank *results, unsigned size);

#endif
