// SPDX-License-Identifier: MIT
/* distributed_runs.c: find runs of equal keys, and fold the values of each run; a run's length is the fold of ones. If
 * a run spans several ranks, it belongs to the rank where it begins. That rank folds the values of the others. */
#include <clprim/run_length_encode.h>
#include <stdlib.h>
#include <string.h>

#include "deal.h"
#include "partials.h"

typedef struct job {
    clprim__team team;
    clprim__partials partials; /* folds values */
    const clprim__task *task;
    const char *values_name; /* name of that output of the call */
    const clprim_array *keys_out, *values_out, *out_count;
    clprim_type index_type;
    size_t key_size, value_size, count_size;
    char *keys, *values; /* this rank's runs */
    uint64_t num;        /* number of runs */
    size_t stride;       /* size of a rank's record of ends, in bytes */
    char *ends;          /* the ends of all ranks, then of this rank */
    clprim__deal deal;
    clprim_status (*run_piece)(struct job *self, void *number);
} job;

/* A rank's record of ends: the number of its runs, then the keys of its first and last run, then their values. */
static char *ends_of(const job *self, unsigned rank)
{
    return self->ends + rank * self->stride;
}

static uint64_t num_of(const job *self, unsigned rank)
{
    uint64_t num = 0;
    memcpy(&num, ends_of(self, rank), sizeof num);
    return num;
}

static char *key_of(const job *self, unsigned rank, bool last)
{
    return ends_of(self, rank) + sizeof(uint64_t) + (last ? self->key_size : 0);
}

static char *value_of(const job *self, unsigned rank, bool last)
{
    return ends_of(self, rank) + sizeof(uint64_t) + 2 * self->key_size + (last ? self->value_size : 0);
}

static clprim_status allocate(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim__task *task = self->task;
    const unsigned size = self->team.comm->size;
    self->key_size = clprim__element_size(task->operation, task->desc,
                                          task->operation == &clprim_reduce_by_key_operation ? "keys_out" : "out");
    self->value_size = clprim__element_size(task->operation, task->desc, self->values_name);
    self->count_size = self->index_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    CLPRIM__TRY(clprim__team_check_numbers(&self->team, self->index_type, self->team.total_count, "number"));
    self->stride = sizeof(uint64_t) + 2 * (self->key_size + self->value_size);
    CLPRIM__TRY(clprim__team_memory((void **)&self->keys, task->count, self->key_size));
    CLPRIM__TRY(clprim__team_memory((void **)&self->values, task->count, self->value_size));
    CLPRIM__TRY(clprim__team_memory((void **)&self->ends, (size_t)size + 1, self->stride));
    CLPRIM__TRY(clprim__partials_make(&self->partials, size, self->value_size));
done:
    return status;
}

static clprim_status find_runs(job *self)
{
    const unsigned size = self->team.comm->size;
    uint32_t narrow = 0;
    uint64_t wide = 0;
    memset(ends_of(self, size), 0, self->stride);
    if (self->task->count == 0)
        return CLPRIM_SUCCESS;
    const clprim_status status =
        self->run_piece(self, self->count_size == sizeof wide ? (void *)&wide : (void *)&narrow);
    if (status != CLPRIM_SUCCESS)
        return status;
    self->num = wide + narrow;
    const size_t last = (size_t)self->num - 1;
    memcpy(ends_of(self, size), &self->num, sizeof self->num);
    memcpy(key_of(self, size, false), self->keys, self->key_size);
    memcpy(key_of(self, size, true), self->keys + last * self->key_size, self->key_size);
    memcpy(value_of(self, size, false), self->values, self->value_size);
    memcpy(value_of(self, size, true), self->values + last * self->value_size, self->value_size);
    return CLPRIM_SUCCESS;
}

/* Whether the rank's first run continues the last run of an earlier rank. */
static bool goes_on(const job *self, unsigned rank)
{
    unsigned before = rank;
    while (before > 0 && num_of(self, before - 1) == 0)
        before--;
    return before > 0 && num_of(self, rank) > 0 &&
           memcmp(key_of(self, rank, false), key_of(self, before - 1, true), self->key_size) == 0;
}

/* Compute the final value of this rank's last run, from its own piece and the pieces of later ranks. */
static clprim_status finish_last(job *self)
{
    static const uint64_t yes = 1;
    const unsigned size = self->team.comm->size;
    const unsigned rank = self->team.comm->rank;
    size_t num = 0;
    if (self->num == 0 || (self->num == 1 && goes_on(self, rank)))
        return CLPRIM_SUCCESS;
    for (unsigned r = rank; r < size; r++) {
        if (num_of(self, r) == 0)
            continue;
        if (r > rank && !goes_on(self, r))
            break;
        char *record = self->partials.records + num++ * self->partials.stride;
        memcpy(record, &yes, sizeof yes);
        memcpy(record + sizeof yes, value_of(self, r, r == rank), self->value_size);
        if (r > rank && num_of(self, r) > 1)
            break;
    }
    return num > 1 ? clprim__partials_combine(&self->partials, self->values + (self->num - 1) * self->value_size, NULL,
                                              0, num)
                   : CLPRIM_SUCCESS;
}

static clprim_status deal_out(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__team *team = &self->team;
    uint64_t total = 0;
    const size_t skipped = goes_on(self, team->comm->rank);
    for (unsigned r = 0; r < team->comm->size; r++) {
        team->numbers[r] = num_of(self, r) - goes_on(self, r);
        total += team->numbers[r];
    }
    CLPRIM__TRY(clprim__deal_make(&self->deal, team, total));
    CLPRIM__TRY(clprim__deal_exchange(team, &self->deal, clprim__host_of(self->keys_out, self->key_size),
                                      self->keys + skipped * self->key_size, self->key_size, team->numbers, 0));
    CLPRIM__TRY(clprim__deal_exchange(team, &self->deal, clprim__host_of(self->values_out, self->value_size),
                                      self->values + skipped * self->value_size, self->value_size, team->numbers, 0));
done:
    return status;
}

static clprim_status run_job(job *self, clprim_distributed_part *part)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&self->team, self->task));
    const unsigned size = self->team.comm->size;
    status = allocate(self);
    if (status == CLPRIM_SUCCESS)
        status = find_runs(self);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    CLPRIM__TRY(clprim__team_gather(&self->team, ends_of(self, size), self->stride, self->ends));
    CLPRIM__TRY(clprim__team_agree(&self->team, finish_last(self)));
    CLPRIM__TRY(deal_out(self));
    clprim__team_put_number(self->out_count, self->index_type, self->deal.end - self->deal.begin);
    clprim__deal_tell(part, &self->deal);
done:
    free(self->keys);
    free(self->values);
    free(self->ends);
    clprim__partials_free(&self->partials);
    clprim__team_close(&self->team);
    return status;
}

static clprim_status encode_piece(job *self, void *number)
{
    clprim_run_length_encode_call call = *(const clprim_run_length_encode_call *)self->task->call;
    call.out = (clprim_array){.host = self->keys};
    call.lengths_out = (clprim_array){.host = self->values};
    call.out_count = (clprim_array){.host = number};
    return clprim_run_length_encode_run(self->task->runtime, self->task->desc, &call);
}

clprim_status clprim_distributed_run_length_encode(const clprim_comm *comm, clprim_runtime *runtime,
                                                   const clprim_run_length_encode_desc *desc,
                                                   const clprim_run_length_encode_call *call, const size_t *room,
                                                   clprim_distributed_part *part)
{
    CLPRIM__BEGIN(run_length_encode, call->count);
    static const clprim_array no_arguments[CLPRIM_MAX_PARAMETERS] = {{0}};
    const clprim__task task = CLPRIM__TASK(run_length_encode, CLPRIM__ROOM,
                                           desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
                                           : desc->min_length > 1                     ? ".min_length"
                                           : desc->type_name != NULL                  ? ".type_name"
                                           : desc->equal != NULL                      ? ".equal"
                                           : desc->offsets                            ? ".offsets"
                                                                                      : NULL);
    job self = {.task = &task,
                .values_name = "lengths_out",
                .index_type = desc->index_type,
                .run_piece = encode_piece,
                .partials = {.runtime = runtime,
                             .desc = {.type = desc->index_type == CLPRIM_U64 ? CLPRIM_U64 : CLPRIM_U32},
                             .arguments = no_arguments}};
    self.keys_out = &own.out;
    self.values_out = &own.lengths_out;
    self.out_count = &own.out_count;
    return run_job(&self, part);
}

static clprim_status fold_piece(job *self, void *number)
{
    const clprim_reduce_by_key_desc *desc = self->task->desc;
    clprim_reduce_by_key_call call = *(const clprim_reduce_by_key_call *)self->task->call;
    call.keys_out = (clprim_array){.host = self->keys};
    call.values_out = (clprim_array){.host = self->values};
    call.out_count = (clprim_array){.host = number};
    const clprim_status status = clprim_reduce_by_key_run(self->task->runtime, desc, &call);
    if (status != CLPRIM_SUCCESS || desc->custom != NULL || (desc->op != CLPRIM_ARGMIN && desc->op != CLPRIM_ARGMAX))
        return status;
    const uint64_t num = self->count_size == sizeof num ? *(uint64_t *)number : *(uint32_t *)number;
    for (uint64_t i = 0; i < num; i++)
        ((clprim_indexed *)(void *)self->values)[i].index += self->team.first_count;
    return status;
}

clprim_status clprim_distributed_reduce_by_key(const clprim_comm *comm, clprim_runtime *runtime,
                                               const clprim_reduce_by_key_desc *desc,
                                               const clprim_reduce_by_key_call *call, const size_t *room,
                                               clprim_distributed_part *part)
{
    CLPRIM__BEGIN(reduce_by_key, call->count);
    const clprim__task task = CLPRIM__TASK(reduce_by_key, CLPRIM__ROOM,
                                           desc->input != NULL                          ? ".input"
                                           : desc->key_type_name != NULL                ? ".key_type_name"
                                           : desc->equal != NULL                        ? ".equal"
                                           : desc->output != NULL                       ? ".output"
                                           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
                                                                                        : NULL);
    job self = {.task = &task,
                .values_name = "values_out",
                .index_type = desc->index_type,
                .run_piece = fold_piece,
                .partials = {.runtime = runtime,
                             .desc = {.type = desc->type,
                                      .op = desc->op,
                                      .accumulator_type = desc->accumulator_type,
                                      .custom = desc->custom,
                                      .text = desc->text,
                                      .nan_order = desc->nan_order}}};
    self.partials.arguments = own.arguments;
    self.keys_out = &own.keys_out;
    self.values_out = &own.values_out;
    self.out_count = &own.out_count;
    return run_job(&self, part);
}
