// SPDX-License-Identifier: MIT
/* test_distributed.ranks.c: ranks that are threads of the test. */
#include <pthread.h>

#include "ranks.h"

typedef struct thread {
    pthread_t id;
    cases_rank *rank;
    ranks_work work;
    void *user;
} thread;

static void *run(void *given)
{
    thread *self = given;
    self->work(self->rank, self->user);
    return NULL;
}

clprim_runtime *ranks_runtime(bool has_own_memory)
{
    enum { LITTLE = 8 << 10 }; /* bytes */
    clprim_runtime *runtime = NULL;
    if (has_own_memory)
        test_without("unified_memory");
    runtime = test_runtime(NULL);
    test_without("");
    if (has_own_memory)
        ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = LITTLE}));
    return runtime;
}

void ranks_run(cases_rank *results, unsigned size, clprim_runtime *const *runtimes, bool share, ranks_work work,
               void *user)
{
    clprim_comm comms[CASES_RANKS];
    thread threads[CASES_RANKS];
    ASSERT_OK(clprim_comm_threads_create(comms, size));
    for (unsigned r = 0; r < size; r++) {
        results[r] = (cases_rank){.comm = &comms[r], .runtime = runtimes[share ? 0 : r]};
        threads[r] = (thread){.rank = &results[r], .work = work, .user = user};
        cr_assert(pthread_create(&threads[r].id, NULL, run, &threads[r]) == 0);
    }
    for (unsigned r = 0; r < size; r++)
        cr_assert(pthread_join(threads[r].id, NULL) == 0);
    for (unsigned r = 0; r < (share ? 1 : size); r++)
        clprim_runtime_trim(runtimes[r]); /* the communicators' memory may be pinned */
    clprim_comm_threads_destroy(comms);
}

void ranks_expect_ok(const cases_rank *results, unsigned size)
{
    for (unsigned r = 0; r < size; r++)
        cr_assert(results[r].message[0] == '\0', "%s", results[r].message);
}
