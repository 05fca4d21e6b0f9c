// SPDX-License-Identifier: MIT
/* team.c: the ranks that work together, and how they agree on errors. */
#include "team.h"

#include <stdlib.h>
#include <string.h>

#include "plan_internal.h"
#include "sizes.h"

enum { SENTENCE = 512 /* maximum size of an error sentence that is sent to other ranks, with its terminating zero */ };

clprim_status clprim__comm_check(const clprim_comm *comm, const char *name)
{
    const char *wrong = comm == NULL               ? "comm is NULL"
                        : comm->size == 0          ? "comm->size is 0"
                        : comm->rank >= comm->size ? "comm->rank is not less than comm->size"
                        : comm->all_gather == NULL || comm->all_reduce_sum == NULL || comm->all_to_all == NULL
                            ? "comm lacks a callback"
                            : NULL;
    return wrong == NULL ? CLPRIM_SUCCESS
                         : clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_distributed_%s: %s", name, wrong);
}

clprim_status clprim_comm_fail(clprim_status status, const char *sentence)
{
    return clprim__fail(status, "%s", sentence != NULL ? sentence : "");
}

static clprim_status after(clprim__team *team, int code, const char *callback)
{
    if (code == 0)
        return CLPRIM_SUCCESS;
    team->is_dead = true;
    if (team->comm->abort != NULL)
        team->comm->abort(team->comm->user);
    return clprim__fail(CLPRIM_COMM_FAILED, "clprim_distributed_%s: %s of the communicator returned %d on rank %u",
                        team->name, callback, code, team->comm->rank);
}

clprim_status clprim__team_gather(clprim__team *team, const void *mine, size_t bytes, void *all)
{
    return after(team, team->comm->all_gather(team->comm->user, mine, bytes, all), "all_gather");
}

clprim_status clprim__team_sum(clprim__team *team, uint64_t *sums, size_t count)
{
    return after(team, team->comm->all_reduce_sum(team->comm->user, sums, count), "all_reduce_sum");
}

clprim_status clprim__team_share(clprim__team *team, size_t bytes, void **mine, const void **of_ranks,
                                 uint64_t *version)
{
    *version = 0;
    return after(team, team->comm->share(team->comm->user, bytes, mine, of_ranks, version), "share");
}

clprim_status clprim__team_exchange(clprim__team *team, const void *out, const size_t *out_bytes, void *in,
                                    const size_t *in_bytes)
{
    return after(team, team->comm->all_to_all(team->comm->user, out, out_bytes, in, in_bytes), "all_to_all");
}

clprim_status clprim__team_transpose(clprim__team *team, const uint64_t *out, uint64_t *in)
{
    for (unsigned r = 0; r < team->comm->size; r++)
        team->bytes[r] = sizeof *out;
    return clprim__team_exchange(team, out, team->bytes, in, team->bytes);
}

/* Find the lowest rank that has failed, bit by bit from the highest: does any remaining candidate have a 0 bit? */
static clprim_status find_failed(clprim__team *team, unsigned *out, bool has_failed)
{
    clprim_status status = CLPRIM_SUCCESS;
    unsigned found = 0;
    for (unsigned bit = 1u << 31; bit != 0; bit >>= 1) {
        const unsigned rank = team->comm->rank;
        if (bit >= team->comm->size)
            continue;
        uint64_t with_zero = has_failed && (rank & ~(2 * bit - 1)) == found && (rank & bit) == 0;
        CLPRIM__TRY(clprim__team_sum(team, &with_zero, 1));
        found |= with_zero == 0 ? bit : 0;
    }
    *out = found;
done:
    return status;
}

/* This needs no memory, because the failed rank may have none left. The failed rank sends its message as a sum to which
 * only it contributes. */
clprim_status clprim__team_agree(clprim__team *team, clprim_status mine)
{
    clprim_status status = CLPRIM_SUCCESS;
    unsigned failed = 0;
    struct {
        int64_t status;
        char sentence[SENTENCE];
    } message = {0};
    uint64_t words[sizeof message / sizeof(uint64_t)] = {mine != CLPRIM_SUCCESS};
    if (team->is_dead)
        return mine != CLPRIM_SUCCESS ? mine : CLPRIM_COMM_FAILED;
    CLPRIM__TRY(clprim__team_sum(team, words, 1));
    if (words[0] == 0)
        return CLPRIM_SUCCESS;
    CLPRIM__TRY(find_failed(team, &failed, mine != CLPRIM_SUCCESS));
    if (failed == team->comm->rank) {
        message.status = mine;
        strncpy(message.sentence, clprim_last_error(), SENTENCE - 1);
    }
    memcpy(words, &message, sizeof message);
    CLPRIM__TRY(clprim__team_sum(team, words, sizeof words / sizeof words[0]));
    memcpy(&message, words, sizeof message);
    status = team->comm->size == 1
                 ? mine
                 : clprim__fail((clprim_status)message.status, "rank %u: %s", failed, message.sentence);
done:
    return status;
}

clprim_status clprim__team_memory(void **out, size_t count, size_t size)
{
    const size_t bytes = clprim__times(count, size);
    *out = bytes == SIZE_MAX ? NULL : malloc(bytes > 0 ? bytes : 1);
    return *out != NULL
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu elements of %zu bytes", count, size);
}

/* The checks that this rank can make without the others. */
static clprim_status check_alone(clprim__team *team, const clprim__task *task, clprim__rank *mine)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_plan *plan = NULL;
    const size_t size = team->comm->size;
    clprim_runtime *runtime = task->runtime;
    if (task->call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_distributed_%s: call is NULL", team->name);
    if (task->unsupported != NULL)
        return clprim__fail(CLPRIM_UNSUPPORTED, "clprim_distributed_%s: %s is not supported by distributed operations",
                            team->name, task->unsupported);
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    mine->reads = team->comm->share != NULL && !clprim_runtime_info(runtime)->is_unified_memory;
    CLPRIM__TRY(task->operation->create(&plan, runtime, task->has_no_desc ? NULL : task->desc));
    CLPRIM__TRY(clprim__plan_check_given(plan, task->checked != NULL ? task->checked : task->call));
    CLPRIM__TRY(clprim__host_arrays_check(task, mine));
    clprim__argument_lengths_fix(task);
    mine->desc = clprim__desc_checksum(task->operation, task->desc);
    mine->count = task->count;
    mine->room = task->room;
    CLPRIM__TRY(clprim__team_memory((void **)&team->ranks, size, sizeof *team->ranks));
    CLPRIM__TRY(
        clprim__team_memory((void **)&team->numbers, clprim__plus(clprim__times(3, size), 1), sizeof *team->numbers));
    CLPRIM__TRY(clprim__team_memory((void **)&team->bytes, clprim__times(2, size), sizeof *team->bytes));
done:
    clprim_plan_destroy(plan);
    return status;
}

/* A sum that becomes UINT64_MAX if it overflows. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* Add up what the ranks have. The result is the same on all ranks, because it depends only on data that all ranks
 * have. */
static clprim_status add_up(clprim__team *team)
{
    team->all_read = true;
    for (unsigned r = 0; r < team->comm->size; r++) {
        const clprim__rank *rank = &team->ranks[r];
        if (rank->desc != team->ranks[0].desc)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "clprim_distributed_%s: the descriptions of rank 0 and rank %u differ", team->name, r);
        if (r == team->comm->rank) {
            team->first_count = team->total_count;
            team->first_room = team->total_room;
        }
        team->all_read = team->all_read && rank->reads != 0;
        team->total_count = sum_of(team->total_count, rank->count);
        team->total_room = sum_of(team->total_room, rank->room);
        if (team->total_count > CLPRIM__MOST_IN_ALL)
            return clprim__fail(CLPRIM_INVALID_RANGE,
                                "clprim_distributed_%s: with the %llu elements of rank %u, the ranks have 2^63 or more",
                                team->name, (unsigned long long)rank->count, r);
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__team_check_room(const clprim__team *team)
{
    return team->total_room == team->total_count
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_RANGE,
                              "clprim_distributed_%s: the ranks have room for %llu elements, but there are %llu",
                              team->name, (unsigned long long)team->total_room, (unsigned long long)team->total_count);
}

clprim_status clprim__team_open(clprim__team *team, const clprim__task *task)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__rank mine = {.count = 0};
    team->comm = task->comm;
    team->name = task->operation->name;
    CLPRIM__TRY(clprim__team_agree(team, check_alone(team, task, &mine)));
    CLPRIM__TRY(clprim__team_gather(team, &mine, sizeof mine, team->ranks));
    CLPRIM__TRY(add_up(team));
    CLPRIM__TRY(clprim__host_arrays_agree(team, task->operation));
done:
    return status;
}

void clprim__team_close(clprim__team *team)
{
    free(team->ranks);
    free(team->numbers);
    free(team->bytes);
}
