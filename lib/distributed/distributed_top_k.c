// SPDX-License-Identifier: MIT
/* distributed_top_k.c: each rank finds the first k elements of its piece. Among these, the first k are the result,
 * because pieces are in the order of the ranks and equal keys keep their order. */
#include <stdlib.h>
#include <string.h>

#include "sizes.h"
#include "team.h"
#include "top_k_first.h"

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_top_k_desc *desc;
    const clprim_top_k_call *call;
    size_t most;            /* most keys of any rank */
    size_t num;             /* total number of keys of all ranks */
    size_t sizes[2];        /* sizes of a key and of its value */
    void *mine[2], *all[2]; /* keys and values of this rank, and of all ranks */
} job;

static const char *unsupported(const clprim_top_k_desc *desc)
{
    return desc->input != NULL                          ? ".input"
           : desc->then.inputs[0] != NULL               ? ".then"
           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
                                                        : NULL;
}

static size_t found_by(const job *self, unsigned rank)
{
    const uint64_t count = self->team.ranks[rank].count;
    return count < self->desc->k ? (size_t)count : self->desc->k;
}

static clprim_status allocate(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (unsigned r = 0; r < self->team.comm->size; r++) {
        const size_t found = found_by(self, r);
        self->most = found > self->most ? found : self->most;
        self->num += found;
    }
    self->sizes[0] = clprim__element_size(self->task->operation, self->desc, "keys_out");
    self->sizes[1] = clprim__element_size(self->task->operation, self->desc, "values_out");
    if (self->desc->indices && self->sizes[1] == sizeof(uint32_t) && self->team.total_count > (uint64_t)UINT32_MAX + 1)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "clprim_distributed_top_k: index_type U32 cannot hold the indices of %llu elements",
                            (unsigned long long)self->team.total_count);
    for (int i = 0; i < 2; i++) {
        CLPRIM__TRY(clprim__team_memory(&self->mine[i], self->most, self->sizes[i]));
        memset(self->mine[i], 0, self->most * self->sizes[i]);
        CLPRIM__TRY(
            clprim__team_memory(&self->all[i], clprim__times(self->most, self->team.comm->size), self->sizes[i]));
    }
done:
    return status;
}

static clprim_status find_in_piece(job *self)
{
    clprim_top_k_call call = *self->call;
    call.keys_out = (clprim_array){.host = self->mine[0]};
    call.values_out = (clprim_array){.host = self->sizes[1] > 0 ? self->mine[1] : NULL};
    if (call.count == 0)
        return CLPRIM_SUCCESS;
    const clprim_status status = clprim_top_k_run(self->task->runtime, self->desc, &call);
    if (status == CLPRIM_SUCCESS && self->desc->indices)
        clprim__top_k_shift(self->mine[1], self->sizes[1], found_by(self, self->team.comm->rank),
                            self->team.first_count);
    return status;
}

/* Close the gaps between what the ranks found. */
static void close_gaps(job *self)
{
    for (int i = 0; i < 2; i++) {
        char *to = self->all[i];
        for (unsigned r = 0; r < self->team.comm->size && self->sizes[i] > 0; r++) {
            const size_t bytes = found_by(self, r) * self->sizes[i];
            memmove(to, (const char *)self->all[i] + r * self->most * self->sizes[i], bytes);
            to += bytes;
        }
    }
}

static clprim_status find(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&self->team, self->task));
    status = allocate(self);
    if (status == CLPRIM_SUCCESS)
        status = find_in_piece(self);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    for (int i = 0; i < 2; i++)
        if (self->sizes[i] > 0)
            CLPRIM__TRY(clprim__team_gather(&self->team, self->mine[i], self->most * self->sizes[i], self->all[i]));
    close_gaps(self);
    if (self->num > 0)
        status = clprim__top_k_first(self->task->runtime, self->task->operation, self->desc, self->call, self->all[0],
                                     self->all[1], self->sizes[1], self->num);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
done:
    for (int i = 0; i < 2; i++) {
        free(self->mine[i]);
        free(self->all[i]);
    }
    clprim__team_close(&self->team);
    return status;
}

clprim_status clprim_distributed_top_k(const clprim_comm *comm, clprim_runtime *runtime, const clprim_top_k_desc *desc,
                                       const clprim_top_k_call *call)
{
    CLPRIM__BEGIN(top_k, call->count);
    clprim__task task = CLPRIM__TASK(top_k, desc->k, unsupported(desc));
    task.has_spare_room = true;
    job self = {.task = &task, .desc = desc, .call = &own};
    return find(&self);
}
