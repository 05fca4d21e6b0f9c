// SPDX-License-Identifier: MIT
/* distributed_select.c: each rank selects from its piece; then the selected elements are redistributed over the
 * ranks. */
#include <stdlib.h>
#include <string.h>

#include "deal.h"
#include "team_piece.h"

enum { GROUPS = 3 };

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_array *out, *counts_out[GROUPS - 1];
    size_t size; /* size of an output element */
    void *kept;  /* the elements that this rank selected */
    /* Their number, in groups that follow one another: of a partition those of the second part, too. */
    uint64_t selected[GROUPS - 1];
    size_t num_groups;        /* selected groups */
    bool partition;           /* the elements that were not selected follow */
    uint64_t *counts, *rests; /* numbers of all ranks */
    clprim__deal deal;
    clprim_status (*select_piece)(struct job *self); /* collective */
} job;

static clprim_status allocate(job *self, clprim_type index_type)
{
    clprim_status status = CLPRIM_SUCCESS;
    self->size = clprim__element_size(self->task->operation, self->task->desc, "out");
    self->counts = self->team.numbers;
    self->rests = self->team.numbers + self->team.comm->size;
    CLPRIM__TRY(clprim__team_check_numbers(&self->team, index_type, self->task->room, "number"));
    CLPRIM__TRY(clprim__team_memory(&self->kept, self->task->count, self->size));
done:
    return status;
}

static uint64_t sum_of(const uint64_t *counts, unsigned size)
{
    uint64_t sum = 0;
    for (unsigned r = 0; r < size; r++)
        sum += counts[r];
    return sum;
}

/* How many of the elements from `first` on are in this rank's share. */
static uint64_t shared(const clprim__deal *deal, uint64_t first, uint64_t count)
{
    const uint64_t begin = first > deal->begin ? first : deal->begin;
    const uint64_t end = first + count < deal->end ? first + count : deal->end;
    return begin < end ? end - begin : 0;
}

static clprim_status deal_group(job *self, const char *kept, uint64_t first)
{
    return clprim__deal_exchange(&self->team, &self->deal, clprim__host_of(self->out, self->size), kept, self->size,
                                 self->counts, first);
}

/* Redistribute the selected elements of all ranks, group by group, and, for a partition, after them the others. */
static clprim_status deal_out(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__team *team = &self->team;
    const unsigned size = team->comm->size;
    const char *kept = self->kept;
    uint64_t first = 0;
    for (unsigned r = 0; r < size; r++)
        self->rests[r] = team->ranks[r].count;
    for (size_t g = 0; g < self->num_groups; g++) {
        const uint64_t mine = self->selected[g];
        CLPRIM__TRY(clprim__team_gather(team, &mine, sizeof mine, self->counts));
        const uint64_t count = sum_of(self->counts, size);
        if (g == 0)
            CLPRIM__TRY(clprim__deal_make(&self->deal, team, self->partition ? team->total_count : count));
        CLPRIM__TRY(deal_group(self, kept, first));
        for (unsigned r = 0; r < size; r++)
            self->rests[r] -= self->counts[r];
        self->selected[g] = shared(&self->deal, first, count);
        kept += mine * self->size;
        first += count;
    }
    memcpy(self->counts, self->rests, size * sizeof *self->counts);
    if (self->partition)
        status = deal_group(self, kept, first);
done:
    return status;
}

static clprim_status run_job(job *self, clprim_type index_type, clprim_distributed_part *part)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&self->team, self->task));
    CLPRIM__TRY(clprim__team_agree(&self->team, allocate(self, index_type)));
    CLPRIM__TRY(self->select_piece(self));
    CLPRIM__TRY(deal_out(self));
    for (size_t g = 0; g < self->num_groups; g++)
        clprim__team_put_number(self->counts_out[g], index_type, self->selected[g]);
    clprim__deal_tell(part, &self->deal);
done:
    free(self->kept);
    clprim__team_close(&self->team);
    return status;
}

/* Run the operation on this rank's piece, with wide numbers. second: of a partition, where the second number goes. */
#define DEFINE_PIECE(op, second)                                                                                       \
    static clprim_status op##_piece(job *self)                                                                         \
    {                                                                                                                  \
        clprim_##op##_desc desc = *(const clprim_##op##_desc *)self->task->desc;                                       \
        clprim_##op##_call call = *(const clprim_##op##_call *)self->task->call;                                       \
        desc.index_type = CLPRIM_U64;                                                                                  \
        call.out = (clprim_array){.host = self->kept};                                                                 \
        call.out_count = (clprim_array){.host = &self->selected[0]};                                                   \
        second;                                                                                                        \
        return clprim__team_run_piece(&self->team, self->task, &desc, &call);                                          \
    }

DEFINE_PIECE(select, (void)0)
DEFINE_PIECE(partition, call.second_count.host = desc.second_predicate != NULL ? &self->selected[1] : NULL)
DEFINE_PIECE(unique, (void)0)

/* others: NULL, or a member that only this operation has and that is not supported. */
#define JOB(op, others)                                                                                                \
    CLPRIM__BEGIN(op, call->count);                                                                                    \
    const char *obstacle = desc->input != NULL                          ? ".input"                                     \
                           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"                             \
                                                                        : (others);                                    \
    const clprim__task task = CLPRIM__TASK(op, CLPRIM__ROOM, obstacle);                                                \
    job self = {.task = &task, .out = &own.out, .counts_out = {&own.out_count}, .num_groups = 1}

clprim_status clprim_distributed_select(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_select_desc *desc, const clprim_select_call *call,
                                        const size_t *room, clprim_distributed_part *part)
{
    JOB(select, NULL);
    self.select_piece = select_piece;
    return run_job(&self, desc->index_type, part);
}

clprim_status clprim_distributed_partition(const clprim_comm *comm, clprim_runtime *runtime,
                                           const clprim_partition_desc *desc, const clprim_partition_call *call,
                                           const size_t *room, clprim_distributed_part *part)
{
    JOB(partition, desc->separate ? ".separate" : desc->reversed_rest ? ".reversed_rest" : NULL);
    self.partition = true;
    self.counts_out[1] = &own.second_count;
    self.num_groups = desc->second_predicate != NULL ? 2 : 1;
    self.select_piece = partition_piece;
    return run_job(&self, desc->index_type, part);
}

clprim_status clprim_distributed_unique(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_unique_desc *desc, const clprim_unique_call *call,
                                        const size_t *room, clprim_distributed_part *part)
{
    JOB(unique, desc->value_size != 0 ? ".value_size" : desc->indices ? ".indices" : NULL);
    self.select_piece = unique_piece;
    return run_job(&self, desc->index_type, part);
}
