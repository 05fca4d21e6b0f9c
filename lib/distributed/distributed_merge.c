// SPDX-License-Identifier: MIT
/* distributed_merge.c: merges of two sorted arrays, and set operations on them.
 *
 * The merged order of both arrays is cut at exact splitters. Each rank receives its slices of both arrays in the order
 * of the ranks, so they are sorted, and runs the operation on them. A merge is done then: a rank's piece of the output is
 * as long as those that it has received. The results of a set operation are redistributed. */
#include <stdlib.h>
#include <string.h>

#include "deal.h"
#include "plan_internal.h"
#include "splitters.h"

enum { NUM = CLPRIM__SPLIT_ARRAYS };

/* Keys, or the values that move with them. */
typedef struct row {
    size_t size;
    const char *in[NUM]; /* this rank's elements of both arrays; NULL: none */
    char *received;      /* those of the first array, then those of the second one */
    char *found;         /* the results of a set operation */
    void *out;
} row;

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    clprim_key_order order;
    clprim__sorted sorted;
    row rows[2];        /* keys, values */
    bool takes[2][NUM]; /* which rows of which arrays there are */
    size_t counts[NUM]; /* received elements */
    uint64_t *cuts[NUM], *lengths;
    void *memory; /* for the splitters */
    uint64_t num_found;
    clprim__deal deal;
    /* Run the operation on the received elements. */
    clprim_status (*run)(struct job *self);
} job;

static clprim_status allocate(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const size_t size = self->team.comm->size;
    const size_t most = self->sorted.keeps_pairs ? self->task->count + 1 : self->task->room;
    for (int i = 0; i < 2; i++) {
        row *at = &self->rows[i];
        CLPRIM__TRY(clprim__team_memory((void **)&at->received, most, at->size));
        if (self->sorted.keeps_pairs)
            CLPRIM__TRY(clprim__team_memory((void **)&at->found, most, at->size));
    }
    CLPRIM__TRY(clprim__team_memory(&self->memory, size, CLPRIM__SPLIT_SIZE));
    CLPRIM__TRY(clprim__team_memory((void **)&self->lengths, 2 * size + (size_t)NUM * (size + 1), sizeof(uint64_t)));
    for (size_t k = 0; k < NUM; k++)
        self->cuts[k] = self->lengths + 2 * size + k * (size + 1);
done:
    return status;
}

/* Exchange the slices of both arrays. */
static clprim_status exchange(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const unsigned size = self->team.comm->size;
    uint64_t *out = self->lengths;
    uint64_t *in = out + size;
    for (size_t k = 0; k < NUM; k++) {
        CLPRIM__TRY(clprim__split_lengths(&self->team, out, in, self->cuts[k]));
        for (int i = 0; i < 2; i++)
            if (self->takes[i][k])
                CLPRIM__TRY(
                    clprim__split_exchange(&self->team, self->rows[i].in[k],
                                           self->rows[i].received + (k > 0 ? self->counts[0] : 0) * self->rows[i].size,
                                           self->rows[i].size, out, in));
        for (unsigned r = 0; r < size; r++)
            self->counts[k] += (size_t)in[r];
    }
done:
    return status;
}

/* Redistribute the results of a set operation. */
static clprim_status deal_out(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__team *team = &self->team;
    uint64_t total = 0;
    CLPRIM__TRY(clprim__team_gather(team, &self->num_found, sizeof self->num_found, team->numbers));
    for (unsigned r = 0; r < team->comm->size; r++)
        total += team->numbers[r];
    CLPRIM__TRY(clprim__deal_make(&self->deal, team, total));
    for (int i = 0; i < 2; i++)
        if (self->rows[i].size > 0)
            CLPRIM__TRY(clprim__deal_exchange(team, &self->deal, self->rows[i].out, self->rows[i].found,
                                              self->rows[i].size, team->numbers, 0));
done:
    return status;
}

/* out_count: of a set operation; NULL: this is a merge. */
static clprim_status run_job(job *self, const clprim_array *out_count, clprim_type index_type,
                             clprim_distributed_part *part)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__team *team = &self->team;
    self->sorted.keeps_pairs = out_count != NULL;
    CLPRIM__TRY(clprim__team_open(team, self->task));
    if (out_count == NULL)
        CLPRIM__TRY(clprim__team_check_room(team));
    else
        status = clprim__team_check_numbers(team, index_type, self->task->room, "number");
    if (status == CLPRIM_SUCCESS)
        status = clprim__key_image_of(&self->sorted.image, &self->order);
    if (status == CLPRIM_SUCCESS)
        status = allocate(self);
    CLPRIM__TRY(clprim__team_agree(team, status));
    CLPRIM__TRY(clprim__split(team, self->cuts, &self->sorted, self->memory));
    CLPRIM__TRY(exchange(self));
    CLPRIM__TRY(clprim__team_agree(team, self->counts[0] + self->counts[1] > 0 ? self->run(self) : CLPRIM_SUCCESS));
    if (out_count == NULL) {
        clprim__team_tell_room(part, team);
    } else {
        CLPRIM__TRY(deal_out(self));
        clprim__team_put_number(out_count, index_type, self->deal.end - self->deal.begin);
        clprim__deal_tell(part, &self->deal);
    }
done:
    for (int i = 0; i < 2; i++) {
        free(self->rows[i].received);
        free(self->rows[i].found);
    }
    free(self->memory);
    free(self->lengths);
    clprim__team_close(team);
    return status;
}

/* The received elements of array k; the operation's results. */
static clprim_array received(const job *self, int i, size_t k)
{
    const row *at = &self->rows[i];
    return (clprim_array){.host = self->takes[i][k] ? at->received + (k > 0 ? self->counts[0] : 0) * at->size : NULL};
}

static clprim_array results(const job *self, int i)
{
    const row *at = &self->rows[i];
    return (clprim_array){.host = at->size == 0 ? NULL : at->found != NULL ? at->found : at->out};
}

/* What the descriptions and calls of both operations have in common. */
#define DESCRIBE(op)                                                                                                   \
    clprim_##op##_desc desc = *(const clprim_##op##_desc *)self->task->desc;                                           \
    clprim_##op##_call call = *(const clprim_##op##_call *)self->task->call;                                           \
    desc.max_count = clprim__max_count_for(desc.max_count, self->counts[0] + self->counts[1]);                         \
    call.a_keys = received(self, 0, 0);                                                                                \
    call.b_keys = received(self, 0, 1);                                                                                \
    call.a_values = received(self, 1, 0);                                                                              \
    call.b_values = received(self, 1, 1);                                                                              \
    call.a_count = self->counts[0];                                                                                    \
    call.b_count = self->counts[1];                                                                                    \
    call.keys_out = results(self, 0);                                                                                  \
    call.values_out = results(self, 1)

/* takes_b: whether results may have values of b. */
#define JOB(op, takes_b)                                                                                               \
    CLPRIM__BEGIN(op, clprim__plus(call->a_count, call->b_count));                                                     \
    const char *obstacle = desc->less != NULL                           ? ".less"                                      \
                           : desc->type_name != NULL                    ? ".type_name"                                 \
                           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"                             \
                                                                        : NULL;                                        \
    clprim__task task = CLPRIM__TASK(op, CLPRIM__ROOM, obstacle);                                                      \
    task.is_apart = true;                                                                                              \
    const size_t key_size = clprim_type_size(desc->key_type != CLPRIM_TYPE_DEFAULT ? desc->key_type : CLPRIM_U32);     \
    const size_t value_size = desc->value_size;                                                                        \
    job self = {                                                                                                       \
        .task = &task,                                                                                                 \
        .order = {.key_type = desc->key_type, .descending = desc->descending, .nan_order = desc->nan_order},           \
        .sorted = {.num_arrays = NUM,                                                                                  \
                   .keys = {clprim__host_of(&own.a_keys, key_size), clprim__host_of(&own.b_keys, key_size)},           \
                   .counts = {own.a_count, own.b_count}},                                                              \
        .rows = {{.size = key_size,                                                                                    \
                  .in = {clprim__host_of(&own.a_keys, key_size), clprim__host_of(&own.b_keys, key_size)},              \
                  .out = clprim__host_of(&own.keys_out, key_size)},                                                    \
                 {.size = value_size,                                                                                  \
                  .in = {clprim__host_of(&own.a_values, value_size), clprim__host_of(&own.b_values, value_size)},      \
                  .out = clprim__host_of(&own.values_out, value_size)}},                                               \
        .takes = {{true, true}, {value_size > 0, value_size > 0 && (takes_b)}},                                        \
        .run = run_##op}

static clprim_status run_merge(job *self)
{
    DESCRIBE(merge);
    return clprim_merge_run(self->task->runtime, &desc, &call);
}

clprim_status clprim_distributed_merge(const clprim_comm *comm, clprim_runtime *runtime, const clprim_merge_desc *desc,
                                       const clprim_merge_call *call, const size_t *room, clprim_distributed_part *part)
{
    JOB(merge, true);
    return run_job(&self, NULL, CLPRIM_U64, part);
}

static clprim_status run_set_operation(job *self)
{
    DESCRIBE(set_operation);
    desc.index_type = CLPRIM_U64;
    call.out_count = (clprim_array){.host = &self->num_found};
    return clprim_set_operation_run(self->task->runtime, &desc, &call);
}

clprim_status clprim_distributed_set_operation(const clprim_comm *comm, clprim_runtime *runtime,
                                               const clprim_set_operation_desc *desc,
                                               const clprim_set_operation_call *call, const size_t *room,
                                               clprim_distributed_part *part)
{
    JOB(set_operation, desc->op == CLPRIM_SET_UNION || desc->op == CLPRIM_SET_SYMMETRIC_DIFFERENCE);
    return run_job(&self, &own.out_count, desc->index_type, part);
}
