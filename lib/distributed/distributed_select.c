/* distributed_select.c: each rank selects from its part; then the selected elements are redistributed over the
 * ranks. */
#include <stdlib.h>
#include <string.h>

#include "deal.h"
#include "tokens.h"

typedef struct job {
    clprim__team team;
    const clprim__task *task;
    const clprim_array *out, *out_count;
    size_t size;       /* size of an output element */
    void *kept;        /* the elements that this rank selected */
    size_t skipped;    /* 1 if its first selected element is skipped, because it belongs to a run of an earlier rank;
                        * otherwise 0 */
    uint64_t selected; /* number of selected elements */
    bool partition;    /* the elements that were not selected follow */
    uint64_t *counts;  /* numbers of all ranks */
    clprim__deal deal;
    size_t count_size; /* size of *out_count */
    clprim_status (*select_part)(struct job *self);
    clprim_status (*join_parts)(struct job *self); /* adjusts neighbouring parts after that; NULL: not needed */
    void *ends;                                    /* memory for it */
} job;

/* Whether the text contains the word i: an element's index, which a rank would count from the beginning of its own
 * part. */
static bool uses_index(const char *text)
{
    clprim__tokens tokens = {.at = text, .end = text != NULL ? text + strlen(text) : NULL};
    clprim__token token;
    while (text != NULL && clprim__next_token(&token, &tokens))
        if (clprim__is_word(&token, "i"))
            return true;
    return false;
}

static const char *unsupported(const char *input, clprim_type count_at_type, const char *text, const char *output)
{
    return input != NULL                          ? ".input"
           : count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
           : uses_index(text)                     ? "the index i in .predicate"
           : uses_index(output)                   ? "the index i in .output"
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
    const char *kept = (const char *)self->kept + self->skipped * self->size;
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
    status = allocate(self, index_type);
    if (status == CLPRIM_SUCCESS && self->task->count > 0)
        status = self->select_part(self);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    if (self->join_parts != NULL)
        CLPRIM__TRY(self->join_parts(self));
    CLPRIM__TRY(deal_out(self));
    write_count(self);
    if (part != NULL)
        *part =
            (clprim_distributed_part){self->deal.begin, (size_t)(self->deal.end - self->deal.begin), self->deal.total};
done:
    free(self->kept);
    free(self->ends);
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
    return clprim_select_run(self->task->runtime, &desc, &call);
}

static clprim_status partition_part(job *self)
{
    clprim_partition_desc desc = *(const clprim_partition_desc *)self->task->desc;
    clprim_partition_call call = *(const clprim_partition_call *)self->task->call;
    desc.index_type = CLPRIM_U64;
    call.out = (clprim_array){.host = self->kept};
    call.out_count = (clprim_array){.host = &self->selected};
    return clprim_partition_run(self->task->runtime, &desc, &call);
}

static clprim_status unique_part(job *self)
{
    clprim_unique_desc desc = *(const clprim_unique_desc *)self->task->desc;
    clprim_unique_call call = *(const clprim_unique_call *)self->task->call;
    desc.index_type = CLPRIM_U64;
    call.out = (clprim_array){.host = self->kept};
    call.out_count = (clprim_array){.host = &self->selected};
    return clprim_unique_run(self->task->runtime, &desc, &call);
}

/* Whether b belongs to a's run. Only the device can evaluate .equal, so it is asked. */
static clprim_status are_equal(bool *out, const job *self, void *pair)
{
    clprim_unique_desc desc = *(const clprim_unique_desc *)self->task->desc;
    clprim_unique_call call = *(const clprim_unique_call *)self->task->call;
    uint64_t number = 0;
    desc.index_type = CLPRIM_U64;
    call.in = (clprim_array){.host = pair};
    call.count = 2;
    call.out_count = (clprim_array){.host = &number};
    void *kept = NULL;
    clprim_status status = clprim__team_memory(&kept, 2, self->size);
    call.out = (clprim_array){.host = kept};
    if (status == CLPRIM_SUCCESS)
        status = clprim_unique_run(self->task->runtime, &desc, &call);
    free(kept);
    *out = number == 1;
    return status;
}

/* Skip the first element of a part if it continues the run of the last element before it. */
static clprim_status join_runs(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    const unsigned size = self->team.comm->size;
    const clprim_unique_call *call = self->task->call;
    const size_t bytes = clprim__element_size(self->task->operation, self->task->desc, "in");
    const char *in = clprim__host_of(&call->in, bytes);
    bool is_joined = false;
    unsigned left = self->team.comm->rank;
    char *ends = NULL; /* the last elements of all ranks, then this rank's last element, then a pair */
    CLPRIM__TRY(clprim__team_agree(&self->team, clprim__team_memory(&self->ends, size + 3, bytes)));
    ends = self->ends;
    memset(ends + size * bytes, 0, bytes);
    if (call->count > 0)
        memcpy(ends + size * bytes, in + (call->count - 1) * bytes, bytes);
    CLPRIM__TRY(clprim__team_gather(&self->team, ends + size * bytes, bytes, ends));
    while (left > 0 && self->team.ranks[left - 1].count == 0)
        left--;
    if (left > 0 && call->count > 0) {
        char *pair = ends + (size + 1) * bytes;
        memcpy(pair, ends + (left - 1) * bytes, bytes);
        memcpy(pair + bytes, in, bytes);
        status = are_equal(&is_joined, self, pair);
    }
    self->skipped = is_joined;
    self->selected -= is_joined;
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
done:
    return status;
}

/* others: NULL, or a member that only this operation has and that is not supported. */
#define JOB(op, text_member, others)                                                                                   \
    clprim_##op##_call own;                                                                                            \
    static const clprim_##op##_desc zeroed = {0};                                                                      \
    const clprim_status status = clprim__comm_check(comm, #op);                                                        \
    if (status != CLPRIM_SUCCESS)                                                                                      \
        return status;                                                                                                 \
    desc = desc != NULL ? desc : &zeroed;                                                                              \
    const size_t count = call != NULL ? call->count : 0;                                                               \
    const char *obstacle = (others);                                                                                   \
    if (obstacle == NULL)                                                                                              \
        obstacle = unsupported(desc->input, desc->count_at_type, desc->text_member, desc->output);                     \
    const clprim__task task = CLPRIM__TASK(op, count, room != NULL ? *room : count, obstacle);                         \
    job self = {.task = &task, .out = call != NULL ? &own.out : NULL, .out_count = call != NULL ? &own.out_count : NULL}

clprim_status clprim_distributed_select(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_select_desc *desc, const clprim_select_call *call,
                                        const size_t *room, clprim_distributed_part *part)
{
    JOB(select, predicate, NULL);
    self.select_part = select_part;
    return run_job(&self, desc->index_type, part);
}

clprim_status clprim_distributed_partition(const clprim_comm *comm, clprim_runtime *runtime,
                                           const clprim_partition_desc *desc, const clprim_partition_call *call,
                                           const size_t *room, clprim_distributed_part *part)
{
    JOB(partition, predicate,
        desc->separate                   ? ".separate"
        : desc->reversed_rest            ? ".reversed_rest"
        : desc->second_predicate != NULL ? ".second_predicate"
                                         : NULL);
    self.partition = true;
    self.select_part = partition_part;
    return run_job(&self, desc->index_type, part);
}

clprim_status clprim_distributed_unique(const clprim_comm *comm, clprim_runtime *runtime,
                                        const clprim_unique_desc *desc, const clprim_unique_call *call,
                                        const size_t *room, clprim_distributed_part *part)
{
    JOB(unique, equal, desc->value_size != 0 ? ".value_size" : desc->indices ? ".indices" : NULL);
    self.select_part = unique_part;
    self.join_parts = join_runs;
    return run_job(&self, desc->index_type, part);
}
