// SPDX-License-Identifier: MIT
/* team.h: what distributed operations share: the ranks that work together, and how they agree on errors.
 *
 * All functions that communicate are collective. They return the same status on all ranks, unless communication itself
 * has failed. Then the team is dead and does not communicate any more. */
#ifndef CLPRIM_LIB_TEAM_H
#define CLPRIM_LIB_TEAM_H

#include <clprim/distributed.h>
#include <stdbool.h>
#include <string.h>

#include "error.h"

/* The data that each rank sends to the others at the beginning. */
typedef struct clprim__rank {
    uint64_t desc;  /* a checksum of the description */
    uint64_t count; /* number of elements of its inputs */
    uint64_t room;  /* number of elements for which its outputs have room */
    uint64_t reads; /* 1 if it may read the other ranks' memory: the communicator has shared memory, and its device has
                     * its own memory */
    /* Bit i is about the call's array i, in the order of the table. given: the array is given; left_out: it is not,
     * although the rank's piece has elements. */
    uint64_t given, left_out;
} clprim__rank;

/* The most elements that all ranks together may have, or have room for if the output is redistributed: shares are
 * computed in 64 bits. */
#define CLPRIM__MOST_IN_ALL ((uint64_t)INT64_MAX)

/* The ranks during one operation. Before clprim__team_open, everything but comm is zeroed. */
typedef struct clprim__team {
    const clprim_comm *comm;
    const char *name; /* the operation's name */
    bool is_dead;     /* a callback has failed */
    clprim__rank *ranks;
    uint64_t *numbers;                /* for callers: 3 per rank, and one more */
    size_t *bytes;                    /* sizes of messages: 2 per rank */
    uint64_t total_count, total_room; /* total_room is UINT64_MAX if it is larger */
    bool all_read;                    /* every rank may read the other ranks' memory */
    uint64_t first_count, first_room; /* totals of the ranks before this one */
} clprim__team;

/* The operation that a rank is about to do. */
typedef struct clprim__task {
    const clprim_comm *comm;
    clprim_runtime *runtime;
    const clprim_operation *operation;
    const void *desc; /* never NULL */
    bool has_no_desc; /* the caller passed no description, and .desc is zeroed: create reports what is missing */
    void *call;       /* a copy of the caller's call, which clprim__team_open completes; NULL: there is none */
    size_t count;
    size_t room;             /* number of elements for which its outputs have room, if they are redistributed; otherwise
                              * count */
    bool has_spare_room;     /* outputs need less than the room if all ranks together have fewer elements */
    bool is_apart;           /* no output may be in place of an input */
    const void *checked;     /* the call that the operation's own check gets; NULL: .call */
    const char *unsupported; /* what the description asks for that is not supported; NULL: nothing */
} clprim__task;

/* What all functions begin with: they refuse a missing communicator. `own` holds a copy of the call, `desc` is a zeroed
 * description if there is none, and `count` the number of elements. */
#define CLPRIM__BEGIN(op, count_of_call)                                                                               \
    clprim_##op##_call own = {0};                                                                                      \
    static const clprim_##op##_desc zeroed = {0};                                                                      \
    const bool has_desc = desc != NULL;                                                                                \
    const size_t count = call != NULL ? (count_of_call) : 0;                                                           \
    clprim_status status = clprim__comm_check(comm, #op);                                                              \
    if (status != CLPRIM_SUCCESS)                                                                                      \
        return status;                                                                                                 \
    desc = has_desc ? desc : &zeroed

/* Make a task from that; `room` of the elements if the function has that argument. */
#define CLPRIM__TASK(op, room_, unsupported_)                                                                          \
    {                                                                                                                  \
        .comm = comm, .runtime = runtime, .operation = &clprim_##op##_operation, .desc = desc,                         \
        .has_no_desc = !has_desc, .call = call != NULL ? memcpy(&own, call, sizeof own) : NULL, .count = count,        \
        .room = (room_), .unsupported = (unsupported_)                                                                 \
    }
#define CLPRIM__ROOM (room != NULL ? *room : count)

/* Returns CLPRIM_INVALID_ARGUMENT if there is no communicator. */
clprim_status clprim__comm_check(const clprim_comm *comm, const char *name);

/* Check the task on each rank, agree on success, and exchange facts about the ranks. Arguments of the task's call get
 * explicit lengths, so that they keep these lengths if their texts are later evaluated for fewer elements. Call
 * clprim__team_close even after an error.
 * Errors: those of the operation's create; CLPRIM_INVALID_ARGUMENT (arrays that are missing; descriptions that differ;
 * arrays that only some ranks pass), CLPRIM_INVALID_RANGE (more elements in all than can be numbered),
 * CLPRIM_UNSUPPORTED, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__team_open(clprim__team *team, const clprim__task *task);
void clprim__team_close(clprim__team *team);

/* Check that the room of all ranks is that of all elements, as operations require that write as many elements as they
 * read. The result is the same on all ranks. Errors: CLPRIM_INVALID_RANGE. */
clprim_status clprim__team_check_room(const clprim__team *team);

/* Agree on a status: success if all ranks succeeded, otherwise the status of the lowest rank that failed, with its
 * error sentence. */
clprim_status clprim__team_agree(clprim__team *team, clprim_status status);

/* The callbacks of the communicator. Errors: CLPRIM_COMM_FAILED. */
clprim_status clprim__team_gather(clprim__team *team, const void *mine, size_t bytes, void *all);
clprim_status clprim__team_sum(clprim__team *team, uint64_t *sums, size_t count);
/* Get shared memory for this rank, and the addresses of all ranks' memory; of_ranks[0] is NULL if there is not
 * enough. */
clprim_status clprim__team_share(clprim__team *team, size_t bytes, void **mine, const void **of_ranks,
                                 uint64_t *version);
clprim_status clprim__team_exchange(clprim__team *team, const void *out, const size_t *out_bytes, void *in,
                                    const size_t *in_bytes);
/* Send one number to each rank, and receive one from each. */
clprim_status clprim__team_transpose(clprim__team *team, const uint64_t *out, uint64_t *in);

/* A checksum of the parts of a description that must be the same on all ranks, by the operation's table. */
uint64_t clprim__desc_checksum(const clprim_operation *operation, const void *desc);

/* Check the call's arrays: all that the description needs must be on the host, and outputs must have room for what a
 * call of `room` elements writes. Sets mine->given and ->left_out. */
clprim_status clprim__host_arrays_check(const clprim__task *task, clprim__rank *mine);

/* Check that all ranks pass the same arrays. A rank without elements may leave arrays out. Errors:
 * CLPRIM_INVALID_ARGUMENT, on all ranks with the same sentence. */
clprim_status clprim__host_arrays_agree(const clprim__team *team, const clprim_operation *operation);

/* Set the default lengths of arguments that are arrays explicitly. */
void clprim__argument_lengths_fix(const clprim__task *task);

/* Check that numbers of type index_type can be as large as `most`, the number of some elements. what: "number" or
 * "indices". Errors: CLPRIM_INVALID_RANGE. */
clprim_status clprim__team_check_numbers(const clprim__team *team, clprim_type index_type, uint64_t most,
                                         const char *what);

/* Write a number of that type to an array on the host. */
void clprim__team_put_number(const clprim_array *out, clprim_type index_type, uint64_t number);

/* The size in bytes of an element of the call's array of that name; 0: the call has no such array. */
size_t clprim__element_size(const clprim_operation *operation, const void *desc, const char *name);

/* Allocate memory for count elements of `size` bytes, at least one byte. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__team_memory(void **out, size_t count, size_t size);

/* The address of the first element of an array on the host; NULL: there is no array. */
static inline void *clprim__host_of(const clprim_array *array, size_t size)
{
    return array->host != NULL ? (char *)array->host + array->offset * size : NULL;
}

/* Write which elements this rank got, unless `part` is NULL, if each rank gets as many as it has room for. */
static inline void clprim__team_tell_room(clprim_distributed_part *part, const clprim__team *team)
{
    if (part != NULL)
        *part =
            (clprim_distributed_part){team->first_room, (size_t)team->ranks[team->comm->rank].room, team->total_room};
}

/* A description's max_count, increased if the rank has received more elements. */
static inline size_t clprim__max_count_for(size_t max_count, size_t count)
{
    const size_t least = max_count != 0 ? max_count : UINT32_MAX;
    return count > least ? count : max_count;
}

#endif
