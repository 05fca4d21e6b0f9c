/* team.h: what distributed operations share: the ranks that work together, and how they agree on errors.
 *
 * All functions that communicate are collective. A function returns the same status on all ranks, unless communication
 * itself has failed. Then the team is dead and does not communicate any more. */
#ifndef CLPRIM_LIB_TEAM_H
#define CLPRIM_LIB_TEAM_H

#include <clprim/distributed.h>
#include <stdbool.h>
#include <string.h>

#include "error.h"

/* What each rank tells the others at the beginning. */
typedef struct clprim__rank {
    uint64_t desc;  /* a checksum of the description */
    uint64_t count; /* elements of its inputs */
    uint64_t room;  /* elements that its outputs have room for */
    uint64_t reads; /* 1: it may read the others' memory: there is such memory, and its device has memory of its own */
    /* Bit i: the call's array i, in the order of the table, is given; or it is left out, though its part has elements. */
    uint64_t given, left_out;
} clprim__rank;

/* Elements that all ranks may have, and may have room for where that is dealt out: shares are worked out in 64 bits. */
#define CLPRIM__MOST_IN_ALL ((uint64_t)INT64_MAX)

/* The ranks during one operation. Zeroed but for comm before clprim__team_open. */
typedef struct clprim__team {
    const clprim_comm *comm;
    const char *name; /* of the operation */
    bool is_dead;     /* a callback has failed */
    clprim__rank *ranks;
    uint64_t *numbers;                /* for callers: 3 per rank, and one more */
    size_t *bytes;                    /* of messages: 2 per rank */
    uint64_t total_count, total_room; /* the latter UINT64_MAX where it is more */
    bool all_read;                    /* every rank may read the others' memory */
    uint64_t first_count, first_room; /* of the ranks before this one */
} clprim__team;

/* What a rank is about to do. */
typedef struct clprim__task {
    const clprim_comm *comm;
    clprim_runtime *runtime;
    const clprim_operation *operation;
    const void *desc; /* never NULL */
    bool has_no_desc; /* the caller passed none, and .desc is zeroed: create says what is missing */
    void *call;       /* a copy of the caller's, which clprim__team_open completes; NULL: there is none */
    size_t count;
    size_t room;             /* elements that its outputs have room for, if they are distributed; else count */
    bool has_spare_room;     /* which is more than they need where all ranks together have fewer elements */
    const char *unsupported; /* what the description asks for and is not supported; NULL: nothing */
} clprim__task;

/* From the arguments that all functions have: comm, runtime, desc and call, and `own`, which has room for a copy of the
 * call. */
#define CLPRIM__TASK(op, count_, room_, unsupported_)                                                                  \
    {                                                                                                                  \
        .comm = comm, .runtime = runtime, .operation = &clprim_##op##_operation, .desc = desc,                         \
        .call = call != NULL ? memcpy(&own, call, sizeof own) : NULL, .count = (count_), .room = (room_),              \
        .unsupported = (unsupported_)                                                                                  \
    }

/* CLPRIM_INVALID_ARGUMENT if there is no communicator. */
clprim_status clprim__comm_check(const clprim_comm *comm, const char *name);

/* Check the task on each rank, agree on success, and exchange facts about the ranks. In the task's call, arguments
 * then have the lengths that they have in it, also where their texts are computed for fewer elements.
 * Errors: those of the operation's create; CLPRIM_INVALID_ARGUMENT (arrays that are missing; descriptions that differ;
 * arrays that only some ranks pass), CLPRIM_INVALID_RANGE (more elements in all than can be numbered),
 * CLPRIM_UNSUPPORTED, CLPRIM_OUT_OF_MEMORY. clprim__team_close in any case. */
clprim_status clprim__team_open(clprim__team *team, const clprim__task *task);
void clprim__team_close(clprim__team *team);

/* This rank's status becomes that of all ranks: success, or the status of the first rank that failed, with its
 * sentence. */
clprim_status clprim__team_agree(clprim__team *team, clprim_status status);

/* The callbacks of the communicator. Errors: CLPRIM_COMM_FAILED. */
clprim_status clprim__team_gather(clprim__team *team, const void *mine, size_t bytes, void *all);
clprim_status clprim__team_sum(clprim__team *team, uint64_t *sums, size_t count);
/* Memory of this rank's, and where all ranks' is; of_ranks[0] is NULL where there is not enough. */
clprim_status clprim__team_share(clprim__team *team, size_t bytes, void **mine, const void **of_ranks,
                                 uint64_t *version);
clprim_status clprim__team_exchange(clprim__team *team, const void *out, const size_t *out_bytes, void *in,
                                    const size_t *in_bytes);
/* One number to and from each rank. */
clprim_status clprim__team_transpose(clprim__team *team, const uint64_t *out, uint64_t *in);

/* A checksum of a description, by the operation's table: what all ranks must have in common. */
uint64_t clprim__desc_checksum(const clprim_operation *operation, const void *desc);

/* Check the call's arrays: all that the description asks for must be on the host, and outputs must have room for what a
 * call of `room` elements writes. mine->given and ->left_out become what there is. */
clprim_status clprim__host_arrays_check(const clprim__task *task, clprim__rank *mine);

/* Whether all ranks pass the same arrays; those without elements may be left out, or not. Errors:
 * CLPRIM_INVALID_ARGUMENT, on all ranks with the same sentence. */
clprim_status clprim__host_arrays_agree(const clprim__team *team, const clprim_operation *operation);

/* Arguments that are arrays get the lengths that they have in the task's call, by default or not. */
void clprim__argument_lengths_fix(const clprim__task *task);

/* Bytes of an element of the call's array of that name; 0: the call has no such array. */
size_t clprim__element_size(const clprim_operation *operation, const void *desc, const char *name);

/* Memory for count elements of `size` bytes, at least one byte. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__team_memory(void **out, size_t count, size_t size);

/* The first element of an array on the host; NULL: there is no array. */
static inline void *clprim__host_of(const clprim_array *array, size_t size)
{
    return array->host != NULL ? (char *)array->host + array->offset * size : NULL;
}

#endif
