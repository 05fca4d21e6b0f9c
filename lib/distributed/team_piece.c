// SPDX-License-Identifier: MIT
/* team_piece.c: run a rank's call on its piece of the whole array. */
#include "team_piece.h"

#include <limits.h>
#include <stdlib.h>

#include "plan_host.h"
#include "plan_pieces.h"

typedef struct job {
    clprim__team *team;
    const clprim__task *task;
    const void *desc, *given;
    clprim_plan *plan;
    clprim__given call; /* outputs that overlap an input are replaced by `own` */
    clprim__halo halo;
    clprim__around around;
    char *ends;    /* the first and last elements of the inputs: of all ranks, then of this rank */
    size_t stride; /* size of a rank's ends */
    void *own[CLPRIM__MAX_ARRAYS];
} job;

/* Whether the array may have an element for each element of the call. */
static bool is_input(const clprim__slot *slot)
{
    return !slot->is_written && slot->element_size > 0 && !slot->is_value;
}

static clprim_status prepare(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim__pieces *pieces = NULL;
    const char *obstacle = NULL;
    clprim_runtime *runtime = self->task->runtime;
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(self->task->operation->create(&self->plan, runtime, self->desc));
    obstacle = clprim__pieces_obstacle(self->plan, self->desc);
    if (obstacle != NULL)
        return clprim__fail(CLPRIM_UNSUPPORTED, "clprim_distributed_%s: the array cannot be divided: %s",
                            self->team->name, obstacle);
    pieces = self->plan->operation->pieces;
    if (pieces->halo != NULL)
        self->halo = pieces->halo(self->desc);
    for (size_t i = 0; i < self->plan->num_slots; i++)
        self->stride += is_input(&self->plan->slots[i]) ? 2 * self->plan->slots[i].element_size : 0;
    status = clprim__team_memory((void **)&self->ends, (size_t)self->team->comm->size + 1, self->stride);
done:
    return status;
}

/* The next rank in this direction that has elements; the number of ranks if there is none. */
static unsigned neighbour(const clprim__team *team, bool is_right)
{
    unsigned rank = team->comm->rank;
    do {
        rank += is_right ? 1U : UINT_MAX;
    } while (rank < team->comm->size && team->ranks[rank].count == 0);
    return rank < team->comm->size ? rank : team->comm->size;
}

/* Exchange the ends of the pieces, and find the neighbouring elements. */
static clprim_status meet_neighbours(job *self)
{
    const unsigned size = self->team->comm->size;
    const unsigned left = neighbour(self->team, false);
    const unsigned right = neighbour(self->team, true);
    char *mine = self->ends + size * self->stride;
    size_t at = 0;
    self->around.first = (size_t)self->team->first_count;
    self->around.is_open = right < size;
    if (self->halo.left + self->halo.right == 0)
        return CLPRIM_SUCCESS;
    memset(mine, 0, self->stride);
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        if (!is_input(slot))
            continue;
        if (self->task->count > 0 && clprim__is_on_host(self->given, slot) &&
            clprim__length_of(slot, self->plan->desc.bytes, self->given) >= self->task->count) {
            const char *data = clprim__host_data(self->given, slot);
            memcpy(mine + at, data, slot->element_size);
            memcpy(mine + at + slot->element_size, data + (self->task->count - 1) * slot->element_size,
                   slot->element_size);
        }
        self->around.left[i] = left < size ? self->ends + left * self->stride + at + slot->element_size : NULL;
        self->around.right[i] = right < size ? self->ends + right * self->stride + at : NULL;
        at += 2 * slot->element_size;
    }
    return clprim__team_gather(self->team, mine, self->stride, self->ends);
}

static bool overlaps_input(const job *self, const char *begin, size_t bytes)
{
    const clprim_plan *plan = self->plan;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->is_written || slot->element_size == 0 || !clprim__is_on_host(self->given, slot))
            continue;
        const char *other = clprim__host_data(self->given, slot);
        if (begin < other + clprim__length_of(slot, plan->desc.bytes, self->given) * slot->element_size &&
            other < begin + bytes)
            return true;
    }
    return false;
}

/* Keep inputs until all ranks have succeeded. An output has at most as many elements as the piece. */
static clprim_status replace_outputs(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_plan *plan = self->plan;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        clprim_array *array = clprim__array_of(self->call.bytes, slot);
        if (!slot->is_written || slot->element_size == 0 || array->host == NULL ||
            !overlaps_input(self, clprim__host_data(self->given, slot), self->task->count * slot->element_size))
            continue;
        CLPRIM__TRY(clprim__team_memory(&self->own[i], self->task->count, slot->element_size));
        *array = (clprim_array){.host = self->own[i]};
    }
done:
    return status;
}

static clprim_status run(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    memcpy(self->call.bytes, self->given, self->task->operation->call_size);
    CLPRIM__TRY(replace_outputs(self));
    CLPRIM__TRY(clprim__plan_check_given(self->plan, self->call.bytes));
    CLPRIM__TRY(clprim__plan_check_places(self->plan, self->call.bytes));
    status = clprim__pieces_run_around(self->plan, self->desc, self->call.bytes, &self->around);
done:
    return status;
}

/* With one output for each pair of neighbours, the first rank that has elements has one less. */
static size_t written(const job *self)
{
    return self->task->count - (self->halo.is_of_pairs && self->around.first == 0 ? 1 : 0);
}

clprim_status clprim__team_run_piece(clprim__team *team, const clprim__task *task, const void *desc, const void *call)
{
    job self = {.team = team, .task = task, .desc = desc, .given = call};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_agree(team, prepare(&self)));
    CLPRIM__TRY(meet_neighbours(&self));
    CLPRIM__TRY(clprim__team_agree(team, task->count > 0 ? run(&self) : CLPRIM_SUCCESS));
    for (size_t i = 0; i < self.plan->num_slots; i++)
        if (self.own[i] != NULL)
            memcpy(clprim__host_data(call, &self.plan->slots[i]), self.own[i],
                   written(&self) * self.plan->slots[i].element_size);
done:
    for (size_t i = 0; i < CLPRIM__MAX_ARRAYS; i++)
        free(self.own[i]);
    free(self.ends);
    clprim_plan_destroy(self.plan);
    return status;
}
