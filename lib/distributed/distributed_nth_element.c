// SPDX-License-Identifier: MIT
/* distributed_nth_element.c: each rank counts the digits of its keys; the counters are summed over all ranks, so that all
 * of them choose the same digits. */
#include <stdlib.h>
#include <string.h>

#include "nth_element_digits.h"
#include "team.h"

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_nth_element_desc *desc;
    const clprim_nth_element_call *call;
    size_t key_size, rank_size;
    uint64_t *ranks;
    void *found;
} job;

static const char *unsupported(const clprim_nth_element_desc *desc)
{
    return desc->input != NULL ? ".input" : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type" : NULL;
}

static clprim_status read_ranks(job *self)
{
    const clprim_nth_element_call *call = self->call;
    const size_t most = self->desc->max_ranks != 0 ? self->desc->max_ranks : CLPRIM_NTH_ELEMENT_SELECTED_RANKS;
    clprim_status status = CLPRIM_SUCCESS;
    if (call->rank_count > most)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "clprim_distributed_nth_element: %zu ranks are more than .max_ranks %zu", call->rank_count,
                            most);
    for (size_t i = 0; i < CLPRIM_MAX_PARAMETERS; i++)
        if (call->arguments[i].host != NULL || call->arguments[i].buffer != NULL || call->arguments[i].svm != NULL)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "arguments[%zu] is given, but the description does not ask for it", i);
    self->key_size = clprim__element_size(self->task->operation, self->desc, "keys_out");
    self->rank_size = clprim__element_size(self->task->operation, self->desc, "ranks");
    CLPRIM__TRY(clprim__team_memory((void **)&self->ranks, call->rank_count, sizeof *self->ranks));
    CLPRIM__TRY(clprim__team_memory(&self->found, call->rank_count, self->key_size));
    for (size_t i = 0; i < call->rank_count; i++) {
        uint64_t rank = 0; /* little-endian, like all supported devices */
        memcpy(&rank, (const char *)clprim__host_of(&call->ranks, self->rank_size) + i * self->rank_size,
               self->rank_size);
        if (rank >= self->team.total_count)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "clprim_distributed_nth_element: ranks[%zu] is %llu, but there are only %llu elements",
                                i, (unsigned long long)rank, (unsigned long long)self->team.total_count);
        self->ranks[i] = rank;
    }
done:
    return status;
}

/* Check that all ranks of the communicator look for the same keys: by the sum of FNV-1a (Fowler, Noll, Vo). */
static clprim_status agree_on_ranks(job *self)
{
    uint64_t mine = UINT64_C(0xcbf29ce484222325) + self->call->rank_count;
    uint64_t *all = self->team.numbers;
    for (size_t i = 0; i < self->call->rank_count; i++)
        mine = (mine ^ self->ranks[i]) * UINT64_C(0x100000001b3);
    const clprim_status status = clprim__team_gather(&self->team, &mine, sizeof mine, all);
    for (unsigned r = 1; r < self->team.comm->size && status == CLPRIM_SUCCESS; r++)
        if (all[r] != all[0])
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "clprim_distributed_nth_element: the .ranks of ranks 0 and %u differ", r);
    return status;
}

static clprim_status add_up(void *user, clprim_status status, uint64_t *counts, size_t num)
{
    job *self = user;
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    status = clprim__team_sum(&self->team, counts, num);
done:
    return status;
}

static clprim_status find(job *self)
{
    const clprim_nth_element_desc *desc = self->desc;
    clprim__digits digits = {
        .runtime = self->task->runtime,
        .order = {.key_type = desc->key_type, .descending = desc->descending, .nan_order = desc->nan_order},
        .bins = CLPRIM__DIGITS_BINS,
        .add_up = add_up,
        .user = self};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&self->team, self->task));
    status = read_ranks(self);
    if (status == CLPRIM_SUCCESS && digits.runtime == NULL)
        status = clprim_runtime_default(&digits.runtime);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    CLPRIM__TRY(agree_on_ranks(self));
    digits.count = self->task->count;
    digits.keys = clprim__host_of(&self->call->keys_in, self->key_size);
    CLPRIM__TRY(clprim__digits_select(self->found, &digits, self->ranks, self->call->rank_count));
    if (self->call->rank_count > 0)
        memcpy(clprim__host_of(&self->call->keys_out, self->key_size), self->found,
               self->call->rank_count * self->key_size);
done:
    free(self->ranks);
    free(self->found);
    clprim__team_close(&self->team);
    return status;
}

clprim_status clprim_distributed_nth_element(const clprim_comm *comm, clprim_runtime *runtime,
                                             const clprim_nth_element_desc *desc, const clprim_nth_element_call *call)
{
    CLPRIM__BEGIN(nth_element, call->count);
    /* The output has a key for each of .ranks also if this rank has no elements. */
    clprim__task task = CLPRIM__TASK(nth_element, count > 0 ? count : 1, unsupported(desc));
    clprim_nth_element_call without_ranks = {.count = count}; /* which are less than the number of all elements */
    if (call != NULL) {
        without_ranks = own;
        without_ranks.rank_count = 0;
    }
    task.checked = &without_ranks;
    job self = {.task = &task, .desc = desc, .call = &own};
    return find(&self);
}
