// SPDX-License-Identifier: MIT
/* trouble.c: errors in one process of an MPI program: a plain program for mpirun, with one of the cases below. */
#include <clprim/distributed.h>
#include <clprim/mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000, CULPRIT = 1 };

static uint32_t keys[COUNT];

static clprim_status sort(const clprim_comm *comm)
{
    const clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = COUNT, .keys_out = {.host = keys}};
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = (i + COUNT * comm->rank) * 2654435761u;
    return clprim_distributed_radix_sort(comm, NULL, NULL, &call, NULL, NULL);
}

/* On this rank. */
static int is_sorted(void)
{
    for (size_t i = 1; i < COUNT; i++)
        if (keys[i - 1] > keys[i])
            return 0;
    return 1;
}

static int fail(const clprim_comm *comm, const char *sentence)
{
    fprintf(stderr, "rank %u: %s (%s)\n", comm->rank, sentence, clprim_last_error());
    return 1;
}

/* MPI_Init requests MPI_THREAD_SINGLE. That is enough as long as only the main thread calls MPI, whatever threads
 * OpenCL's driver has. */
static int expect_sorted(const clprim_comm *comm)
{
    return sort(comm) == CLPRIM_SUCCESS && is_sorted() ? 0 : fail(comm, "the sort has failed");
}

static void *create_in_thread(void *refused)
{
    clprim_comm comm = {0};
    *(int *)refused = clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, NULL) == CLPRIM_INVALID_ARGUMENT &&
                      strstr(clprim_last_error(), "not MPI's main thread") != NULL;
    return NULL;
}

/* In that case a thread other than the main thread must not call MPI. */
static int expect_thread_refused(const clprim_comm *comm)
{
    int refused = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, create_in_thread, &refused) != 0 || pthread_join(thread, NULL) != 0)
        return fail(comm, "no thread");
    return refused ? 0 : fail(comm, "another thread than MPI's is not refused");
}

static int run_single(const clprim_comm *comm)
{
    int level = -1;
    (void)MPI_Query_thread(&level);
    return expect_sorted(comm) || (level < MPI_THREAD_SERIALIZED && expect_thread_refused(comm));
}

/* All ranks are told which rank has no device. Then they go on. */
static int run_no_device(const clprim_comm *comm)
{
    if (comm->rank == CULPRIT)
        (void)setenv("CLPRIM_DEVICE", "nonsense", 1);
    if (sort(comm) != CLPRIM_NO_DEVICE || strstr(clprim_last_error(), "rank 1: ") == NULL ||
        strstr(clprim_last_error(), "\"nonsense\"") == NULL)
        return fail(comm, "this is not the failure of rank 1");
    if (comm->rank == CULPRIT)
        (void)unsetenv("CLPRIM_DEVICE");
    return expect_sorted(comm);
}

/* A communicator whose rank 1 ends at a certain call. */
typedef struct mortal {
    const clprim_comm *inner;
    long calls_left;
} mortal;

static void live(mortal *self)
{
    if (self->inner->rank == CULPRIT && --self->calls_left == 0)
        (void)raise(SIGKILL);
}

static int gather(void *user, const void *mine, size_t bytes, void *all)
{
    mortal *self = user;
    live(self);
    return self->inner->all_gather(self->inner->user, mine, bytes, all);
}

static int reduce(void *user, uint64_t *sums, size_t count)
{
    mortal *self = user;
    live(self);
    return self->inner->all_reduce_sum(self->inner->user, sums, count);
}

static int exchange(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes)
{
    mortal *self = user;
    live(self);
    return self->inner->all_to_all(self->inner->user, out, out_bytes, in, in_bytes);
}

/* No rank returns from the sort: when a rank is killed, MPI ends the others. */
static int run_killed(const clprim_comm *comm, long calls)
{
    mortal self = {.inner = comm, .calls_left = calls};
    const clprim_comm mine = {comm->rank, comm->size, &self, gather, reduce, exchange, comm->abort, NULL};
    (void)sort(&mine);
    printf("rank %u has come back\n", comm->rank);
    return 0;
}

int main(int argc, char **argv)
{
    clprim_comm comm;
    int level = 0;
    if (argc < 2 || MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
        return 2;
    int failed = clprim_mpi_comm_create(&comm, MPI_COMM_WORLD, NULL) != CLPRIM_SUCCESS;
    if (failed) {
        fprintf(stderr, "%s\n", clprim_last_error());
        (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
    failed = strcmp(argv[1], "single") == 0      ? run_single(&comm)
             : strcmp(argv[1], "no_device") == 0 ? run_no_device(&comm)
                                                 : run_killed(&comm, atol(argv[1]));
    clprim_mpi_comm_destroy(&comm);
    (void)MPI_Finalize();
    return failed;
}
