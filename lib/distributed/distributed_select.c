/* distributed_select.c: each rank selects from its part; then the selected elements are redistributed over the
 * ranks. */
#include <stdlib.h>
#include <string.h>

#include "deal.h"
#include "team_piece.h"
#include "tokens.h"

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_array *out, *out_count;
    size_t size;       /* size of an output element */
    void *kept;        /* the elements that this rank selected */
    uint64_t selected; /* number of selected elements */
    bool partition;    /* the elements that were not selected follow */
    uint64_t *counts;  /* numbers of all ranks */
    clprim__deal deal;
    size_t count_size;                              /* size of *out_count */
    clprim_status (*select_part)(struct job *self); /* collective */
} job;

/* Whether the text contains the word i: an element's index, which a rank of a partition would count from the beginning
 * of its own part. */
static bool uses_index(const char *text)
{
    clprim__tokens tokens = {.at = text, .end = text != NULL ? text + strlen(text) : NULL};
    clprim__token token;
    while (text != NULL && clprim__next_token(&token, &tokens))
        if (clprim__is_word(&token, "i"))
            return true;
    return false;
}

static const char *unsupported_by_partition(const clprim_partition_desc *desc)
{
    return desc->separate                   ? ".separate"
           : desc->reversed_rest            ? ".reversed_rest"
           : desc->second_predicate != NULL ? ".second_predicate"
           : uses_index(desc->predicate)    ? "the index i in .predicate"
           : uses_index(desc->output)       ? "the index i in .output"
                                            : NULL;
}

static clprim_status allocate(job *self, clprim_type index_type)
{
    clprim_status status = CLPRIM_SUCCESS;
    self->count_size = index_type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    self->size = clprim__element_size(self->task->operation, self->task->desc, "out");
    self->counts = self->team.numbers;
    if (self->count_size < sizeof(uint64_t) && self->task->room > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "clprim_distributed_%s: index_type U32 cannot hold the number of %zu elements",
                            self->team.name, self->task->room);
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

/* Redistribute the selected elements of all ranks and, for a partition, after them the others. */
static clprim_status deal_out(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim__team *team = &self->team;
    const unsigned size = team->comm->size;
    char *out = clprim__host_of(self->out, self->size);
    const char *kept = self->kept;
    CLPRIM__TRY(clprim__team_gather(team, &self->selected, sizeof self->selected, self->counts));
    const uint64_t selected = sum_of(self->counts, size);
    CLPRIM__TRY(clprim__deal_make(&self->deal, team, self->partition ? team->total_count : selected));
    CLPRIM__TRY(clprim__deal_exchange(team, &self->deal, out, kept, self->size, self->counts, 0));
    if (!self->partition)
        return CLPRIM_SUCCESS;
    const uint64_t mine = self->selected;
    for (unsigned r = 0; r < size; r++)
        self->counts[r] = team->ranks[r].count - self->counts[r];
    CLPRIM__TRY(
        clprim__deal_exchange(team, &self->deal, out, kept + mine * self->size, self->size, self->counts, selected));
    /* How many of this rank's share are selected elements. */
    self->selected = selected > self->deal.begin ? selected - self->deal.begin : 0;
    if (self->selected > self->deal.end - self->deal.begin)
        self->selected = self->deal.end - self->deal.begin;
done:
    return status;
}

static void write_count(const job *self)
{
    void *out = clprim__host_of(self->out_count, self->count_size);
    const uint64_t wide = self->partition ? self->selected : self->deal.end - self->deal.begin;
    const uint32_t narrow = (uint32_t)wide;
    memcpy(out, self->count_size == sizeof wide ? (const void *)&wide : &narrow, self->count_size);
}

static clprim_status run_job(job *self, clprim_type index_type, clprim_distributed_part *part)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&self->team, self->task));
    CLPRIM__TRY(clprim__team_agree(&self->team, allocate(self, index_type)));
    CLPRIM__TRY(self->select_part(self));
    CLPRIM__TRY(deal_out(self));
    write_count(self);
    if (part != NULL)
        *part =
            (clprim_distributed_part){self->deal.begin, (size_t)(self->deal.end - self->deal.begin), self->deal.total};
done:
    free(self->kept);
    clprim__team_close(&self->team);
    return status;
}

static clprim_status select_part(job *self)
{
    clprim_select_desc desc = *(const clprim_select_desc *)self->task->desc;
    clprim_select_call call = *(const clprim_select_call *)self->task->call;
    desc.index_type = CLPRIM_U64;
    call.out = (clprim_array){.host = self->kept};
    call.out_count = (clprim_array){.host = &self->selected};
    return clprim__team_run_piece(&self->team, self->task, &desc, &call);
}

static clprim_status partition_part(job *self)
{
    clprim_partition_desc desc = *(const clprim_partition_desc *)self->task->desc;
    clprim_partition_call call = *(const clprim_partition_call *)self->task->call;
    desc.index_type = CLPRIM_U64;
    call.out = (clprim_array){.host = self->kept};
    call.out_count = (clprim_array){.host = &self->selected};
    return clprim__team_agree(&self->team, call.count > 0 ? clprim_partition_run(self->task->runtime, &desc, &call)
                                                          : CLPRIM_SUCCESS);
}

static clprim_status unique_part(job *self)
{
    clprim_unique_desc desc = *(const clprim_unique_desc *)self->task->desc;
    clprim_unique_call call = *(const clprim_unique_call *)self->task->call;
    desc.index_type = CLPRIM_U64;
    call.out = (clprim_array){.host = self->kept};
    call.out_count = (clprim_array){.host = &self->selected};
    return clprim__team_run_piece(&self->team, self->task, &desc, &call);
}

/* others: NULL, or a member that only this operation has and that is not supported. */
#define JOB(op, others)                                                                                                \
    clprim_##op##_call own;                                                                                            \
    static const clprim_##op##_desc zeroed = {0};                                                                      \
    const clprim_status status = clprim__comm_check(comm, #op);                                                        \
    if (status != CLPRIM_SUCCESS)                                                                                      \
        return status;                                                                                                 \
    desc = desc != NULL ? desc : &zeroed;                                                                              \
    const size_t count = call != NULL ? call->count : 0;                                                               \
    const char *obstacle = desc->input != NULL                          ? ".input"                                     \
                           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"                             \
                                                                        : (others);                                    \
    const clprim__task task = CLPRIM__TASK(op, count, room != NULL ? *room : count, obstacle);                         \
    job self = {.task = &task, .out = call != NULL ? &own.out : NULL, .out_count = call != NULL ? &own.out_count : NULL}

clprim_status clprim_distributed_select(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_select_desc *desc, const clprim_select_call *call,
                                        const size_t *room, clprim_distributed_part *part)
{
    JOB(select, NULL);
    self.select_part = select_part;
    return run_job(&self, desc->index_type, part);
}

clprim_status clprim_distributed_partition(const clprim_comm *comm, clprim_runtime *runtime,
                                           const clprim_partition_desc *desc, const clprim_partition_call *call,
                                           const size_t *room, clprim_distributed_part *part)
{
    JOB(partition, unsupported_by_partition(desc));
    self.partition = true;
    self.select_part = partition_part;
    return run_job(&self, desc->index_type, part);
}

clprim_status clprim_distributed_unique(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_unique_desc *desc, const clprim_unique_call *call,
                                        const size_t *room, clprim_distributed_part *part)
{
    JOB(unique, desc->value_size != 0 ? ".value_size" : desc->indices ? ".indices" : NULL);
    self.select_part = unique_part;
    return run_job(&self, desc->index_type, part);
}
