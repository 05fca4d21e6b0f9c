// SPDX-License-Identifier: MIT
/* comm_threads.c: a communicator whose ranks are threads of one process. Each rank publishes the addresses of its
 * arrays, and the others copy from them. Barriers before and after keep the arrays valid meanwhile. */
#include <clprim/comm.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "platform.h"

enum { OK = 0, ABORTED, SIZES_DIFFER };

/* The data that a rank has published. */
typedef struct place {
    const void *out;
    uint64_t *sums;
    const size_t *bytes; /* sizes of the blocks of out */
    void *shared;        /* memory that the other ranks read */
    size_t shared_size;
} place;

typedef struct group {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned size;
    unsigned waiting;
    unsigned round; /* counts uses of the barrier */
    bool is_aborted;
    place *places;
    uint32_t number;  /* number of this group in the process */
    uint32_t growths; /* how often ranks' shared memory has grown; changed atomically */
} group;

/* The `user` of a communicator. Those of all ranks are in one block of memory, whose address is comms[0].user. */
typedef struct member {
    group *all;
    unsigned rank;
} member;

static int barrier(group *all)
{
    (void)pthread_mutex_lock(&all->mutex);
    const unsigned round = all->round;
    if (!all->is_aborted && ++all->waiting == all->size) {
        all->waiting = 0;
        all->round++;
        (void)pthread_cond_broadcast(&all->changed);
    }
    while (all->round == round && !all->is_aborted)
        (void)pthread_cond_wait(&all->changed, &all->mutex);
    const int code = all->round == round ? ABORTED : OK;
    (void)pthread_mutex_unlock(&all->mutex);
    return code;
}

static void abort_all(void *user)
{
    group *all = ((member *)user)->all;
    (void)pthread_mutex_lock(&all->mutex);
    all->is_aborted = true;
    (void)pthread_cond_broadcast(&all->changed);
    (void)pthread_mutex_unlock(&all->mutex);
}

static int all_gather(void *user, const void *mine, size_t bytes, void *out)
{
    const member *self = user;
    group *all = self->all;
    all->places[self->rank].out = mine;
    const int code = barrier(all);
    for (unsigned r = 0; code == OK && bytes > 0 && r < all->size; r++)
        memcpy((char *)out + r * bytes, all->places[r].out, bytes);
    return code == OK ? barrier(all) : code;
}

/* Each rank adds up a part of the sums, and writes it to all ranks' arrays. */
static int all_reduce_sum(void *user, uint64_t *sums, size_t count)
{
    const member *self = user;
    group *all = self->all;
    const size_t part = count / all->size + 1;
    const size_t begin = self->rank * part < count ? self->rank * part : count;
    const size_t end = part < count - begin ? begin + part : count;
    all->places[self->rank].sums = sums;
    const int code = barrier(all);
    for (size_t i = begin; code == OK && i < end; i++) {
        uint64_t sum = 0;
        for (unsigned r = 0; r < all->size; r++)
            sum += all->places[r].sums[i];
        for (unsigned r = 0; r < all->size; r++)
            all->places[r].sums[i] = sum;
    }
    return code == OK ? barrier(all) : code;
}

/* Copy the blocks for this rank. */
static int take_blocks(const member *self, char *in, const size_t *in_bytes)
{
    int code = OK;
    for (unsigned r = 0; r < self->all->size; r++) {
        const place *from = &self->all->places[r];
        size_t begin = 0;
        for (unsigned before = 0; before < self->rank; before++)
            begin += from->bytes[before];
        if (from->bytes[self->rank] != in_bytes[r])
            code = SIZES_DIFFER;
        else if (in_bytes[r] > 0)
            memcpy(in, (const char *)from->out + begin, in_bytes[r]);
        in = in_bytes[r] > 0 ? in + in_bytes[r] : in;
    }
    return code;
}

static int all_to_all(void *user, const void *out, const size_t *out_bytes, void *in, const size_t *in_bytes)
{
    const member *self = user;
    group *all = self->all;
    all->places[self->rank].out = out;
    all->places[self->rank].bytes = out_bytes;
    int code = barrier(all);
    if (code != OK)
        return code;
    const int taken = take_blocks(self, in, in_bytes);
    code = barrier(all);
    return code == OK ? taken : code;
}

/* Versions of threads are even; those of MPI processes are odd. */
static int share(void *user, size_t bytes, void **mine, const void **of_ranks, uint64_t *version)
{
    const member *self = user;
    group *all = self->all;
    place *here = &all->places[self->rank];
    int code = barrier(all); /* after this, no rank has the memory pinned any more */
    if (code == OK && (here->shared_size < bytes || here->shared == NULL)) {
        clprim__whole_pages_release(here->shared);
        here->shared = clprim__whole_pages(bytes); /* so that pinned pages contain nothing else */
        here->shared_size = here->shared != NULL ? bytes : 0;
        (void)__atomic_add_fetch(&all->growths, 1, __ATOMIC_RELAXED);
    }
    code = code == OK ? barrier(all) : code;
    if (code != OK)
        return code;
    *mine = here->shared;
    *version = (uint64_t)all->number << 32 | (uint64_t)__atomic_load_n(&all->growths, __ATOMIC_RELAXED) << 1;
    bool is_there = true;
    for (unsigned r = 0; r < all->size; r++) {
        of_ranks[r] = all->places[r].shared;
        is_there = is_there && of_ranks[r] != NULL;
    }
    if (!is_there)
        of_ranks[0] = NULL;
    return barrier(all);
}

static uint32_t num_made; /* number of groups in this process so far */

clprim_status clprim_comm_threads_create(clprim_comm *comms, unsigned size)
{
    if (comms == NULL || size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comm_threads_create: %s",
                            comms == NULL ? "comms is NULL" : "size is 0");
    group *all = calloc(1, sizeof *all);
    place *places = calloc(size, sizeof *places);
    member *members = calloc(size, sizeof *members);
    if (all == NULL || places == NULL || members == NULL || pthread_mutex_init(&all->mutex, NULL) != 0) {
        free(all);
        free(places);
        free(members);
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the communicators of %u threads", size);
    }
    (void)pthread_cond_init(&all->changed, NULL); /* cannot fail: without attributes, it needs no memory */
    all->size = size;
    all->places = places;
    all->number = __atomic_add_fetch(&num_made, 1, __ATOMIC_RELAXED);
    for (unsigned r = 0; r < size; r++) {
        members[r] = (member){all, r};
        comms[r] = (clprim_comm){.rank = r,
                                 .size = size,
                                 .user = &members[r],
                                 .all_gather = all_gather,
                                 .all_reduce_sum = all_reduce_sum,
                                 .all_to_all = all_to_all,
                                 .abort = abort_all,
                                 .share = share};
    }
    return CLPRIM_SUCCESS;
}

void clprim_comm_threads_destroy(clprim_comm *comms)
{
    if (comms == NULL)
        return;
    member *members = comms[0].user;
    group *all = members->all;
    (void)pthread_cond_destroy(&all->changed);
    (void)pthread_mutex_destroy(&all->mutex);
    for (unsigned r = 0; r < all->size; r++)
        clprim__whole_pages_release(all->places[r].shared);
    free(all->places);
    free(all);
    free(members);
}
