// SPDX-License-Identifier: MIT
/* ranks_threads.c: ranks that are threads of this process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "ranks.h"

typedef struct rank {
    pthread_t thread;
    const clprim_comm *comm;
    ranks_work work;
    const void *user;
    bool is_well;
} rank;

static void *run(void *given)
{
    rank *self = given;
    self->is_well = self->work(self->comm, self->comm->rank, self->user);
    return NULL;
}

/* The other ranks wait for all ranks: one that cannot be started ends the program. */
static void start(rank *self)
{
    if (pthread_create(&self->thread, NULL, run, self) == 0)
        return;
    fprintf(stderr, "ranks: cannot start a thread for rank %u\n", self->comm->rank);
    exit(EXIT_FAILURE);
}

bool ranks_by_threads(unsigned size, ranks_work work, const void *user)
{
    bool is_well = true;
    clprim_comm *comms = calloc(size, sizeof *comms);
    rank *ranks = calloc(size, sizeof *ranks);
    if (comms == NULL || ranks == NULL || clprim_comm_threads_create(comms, size) != CLPRIM_SUCCESS) {
        fprintf(stderr, "ranks: no memory for %u ranks\n", size);
        free(comms);
        free(ranks);
        return false;
    }
    for (unsigned r = 0; r < size; r++) {
        ranks[r] = (rank){.comm = &comms[r], .work = work, .user = user};
        start(&ranks[r]);
    }
    for (unsigned r = 0; r < size; r++) {
        (void)pthread_join(ranks[r].thread, NULL);
        is_well = is_well && ranks[r].is_well;
    }
    clprim_comm_threads_destroy(comms);
    free(comms);
    free(ranks);
    return is_well;
}
