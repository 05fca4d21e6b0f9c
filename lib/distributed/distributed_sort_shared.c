// SPDX-License-Identifier: MIT
/* distributed_sort_shared.c: a sort in memory that all ranks can read. Each rank sorts pieces of its arrays into runs in
 * its shared memory, then merges its share of all ranks' runs. */
#include <stdlib.h>

#include "distributed_sort.h"
#include "host_link.h"
#include "plan_sort.h"
#include "runtime_internal.h"
#include "sizes.h"

/* The offset of a row in a rank's shared memory; for the number after the last row, the total size. */
static size_t row_begin(const clprim__sort_job *self, size_t number, size_t count)
{
    enum { LINE = 64 };
    size_t begin = 0;
    for (size_t i = 0; i < number; i++)
        begin = clprim__plus(begin, clprim__plus(clprim__times(count, self->rows[i].size), LINE - 1) / LINE * LINE);
    return begin;
}

/* Sort this rank's elements into runs. */
static clprim_status make_shared_runs(clprim__sort_job *self, char *mine, uint64_t *run_size, clprim__sort_kept *kept)
{
    const clprim__task *task = self->task;
    clprim_plan *plan = NULL;
    clprim__any_desc desc;
    clprim__given call;
    void *in[CLPRIM__SORT_MAX_ROWS];
    void *out[CLPRIM__SORT_MAX_ROWS];
    size_t size = 1;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_rows; i++) {
        in[i] = self->rows[i].in;
        out[i] = mine + row_begin(self, i, task->count);
    }
    self->describe(self, true, &desc, &call, in, out, task->count);
    CLPRIM__TRY(task->operation->create(&plan, task->runtime, desc.bytes));
    CLPRIM__TRY(clprim__sort_make_runs(&size, kept, plan, desc.bytes, call.bytes, self->team.first_count, out));
    *run_size = size;
done:
    clprim_plan_destroy(plan);
    return status;
}

/* List the runs of all ranks, in the order of the ranks. The caller frees the list. */
static clprim_status list_shared_runs(const clprim__sort_job *self, clprim__sort_run **out, size_t *num_runs,
                                      const uint64_t *run_sizes, const void *const *of_ranks, size_t *first_mine)
{
    void *memory = NULL;
    size_t n = 0;
    clprim_status status = CLPRIM_SUCCESS;
    for (unsigned r = 0; r < self->team.comm->size; r++)
        n += clprim__divide_up((size_t)self->team.ranks[r].count, (size_t)run_sizes[r]);
    CLPRIM__TRY(clprim__team_memory(&memory, n, sizeof **out));
    clprim__sort_run *run = *out = memory;
    for (unsigned r = 0; r < self->team.comm->size; r++) {
        const size_t count = (size_t)self->team.ranks[r].count;
        if (r == self->team.comm->rank)
            *first_mine = (size_t)(run - *out);
        for (size_t begin = 0; begin < count; begin += (size_t)run_sizes[r], run++) {
            run->count = clprim__smaller((size_t)run_sizes[r], count - begin);
            for (size_t i = 0; i < self->num_rows; i++)
                run->begins[i] = (const char *)of_ranks[r] + row_begin(self, i, count) + begin * self->rows[i].size;
        }
    }
    *num_runs = n;
done:
    return status;
}

/* Take this rank's share from the runs of all ranks. */
static clprim_status take_shared_runs(clprim__sort_job *self, const uint64_t *run_sizes, void *mine,
                                      const void *const *of_ranks, clprim__sort_kept *kept)
{
    const clprim__task *task = self->task;
    clprim_plan *plan = NULL;
    clprim__sort_run *runs = NULL;
    clprim__any_desc desc;
    clprim__given call;
    void *in[CLPRIM__SORT_MAX_ROWS]; /* not read */
    void *out[CLPRIM__SORT_MAX_ROWS];
    size_t num_runs = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (task->room == 0)
        return CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_rows; i++) {
        clprim__sort_row *at = &self->rows[i];
        if (at->out != NULL && clprim__sort_overlaps_inputs(self, at))
            CLPRIM__TRY(clprim__team_memory(&at->own, task->room, at->size));
        out[i] = at->own != NULL ? at->own : at->out;
        in[i] = mine;
    }
    CLPRIM__TRY(list_shared_runs(self, &runs, &num_runs, run_sizes, of_ranks, &kept->first));
    self->describe(self, false, &desc, &call, in, out, task->room);
    CLPRIM__TRY(task->operation->create(&plan, task->runtime, desc.bytes));
    status = clprim__sort_take_runs(plan, desc.bytes, call.bytes, runs, num_runs, (size_t)self->team.first_room, kept);
done:
    clprim_plan_destroy(plan);
    free(runs);
    return status;
}

/* Get shared memory of all ranks. places[0] is NULL if there is not enough. *is_shared says whether the link uses
 * it. */
static clprim_status begin_sharing(clprim__sort_job *self, clprim__host_link *link, void **mine, const void **places,
                                   bool *is_shared)
{
    const clprim_comm *comm = self->team.comm;
    clprim_status status = CLPRIM_SUCCESS;
    clprim__shared what = {.data = places, .bytes = self->team.bytes, .ranks = comm->size};
    for (unsigned r = 0; r < comm->size; r++)
        self->team.bytes[r] = row_begin(self, self->num_rows, (size_t)self->team.ranks[r].count);
    clprim__host_link_before_share(link, self->team.bytes, comm->size);
    status = clprim__team_share(&self->team, self->team.bytes[comm->rank], mine, places, &what.version);
    if (status == CLPRIM_SUCCESS && places[0] != NULL)
        *is_shared = clprim__host_link_share(link, &what);
    return status;
}

clprim_status clprim__sort_shared(clprim__sort_job *self, bool *took)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_runtime *runtime = self->task->runtime;
    clprim__host_link *link = NULL;
    clprim__sort_kept kept = {.bytes = 0};
    void *mine = NULL;
    void *of_ranks = NULL;
    uint64_t *run_sizes = self->team.numbers;
    uint64_t run_size = 1;
    bool is_shared = false;
    *took = false;
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime)); /* this cannot create a runtime: opening the team already did */
    link = runtime->host_link;
    CLPRIM__TRY(
        clprim__team_agree(&self->team, clprim__team_memory(&of_ranks, self->team.comm->size, sizeof(const void *))));
    const void **places = of_ranks;
    CLPRIM__TRY(begin_sharing(self, link, &mine, places, &is_shared));
    if (places[0] == NULL)
        goto done;
    *took = true;
    CLPRIM__TRY(clprim__team_agree(&self->team, make_shared_runs(self, mine, &run_size, &kept)));
    CLPRIM__TRY(clprim__team_gather(&self->team, &run_size, sizeof run_size, run_sizes));
    CLPRIM__TRY(clprim__team_agree(&self->team, take_shared_runs(self, run_sizes, mine, places, &kept)));
done:
    if (is_shared)
        clprim__host_link_unshare(link);
    clprim__sort_kept_release(&kept);
    free(of_ranks);
    return status;
}
