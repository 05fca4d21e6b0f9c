// SPDX-License-Identifier: MIT
/* plan_sort.c: sort arrays on the host that do not fit the device: first into sorted runs, then range by range of the
 * result. */
#include "plan_sort.h"

#include <stdint.h>
#include <stdlib.h>

#include "error.h"
#include "host.h"
#include "pipeline.h"
#include "plan_host.h"
#include "plan_sort_phase.h"
#include "runtime_internal.h"
#include "sizes.h"

/* Send a piece of the arrays to the device. */
static clprim_status piece_up(void *user, size_t piece)
{
    clprim__sort *self = user;
    const size_t begin = piece * self->piece_size;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_columns; i++) {
        const clprim__sort_column *c = &self->columns[i];
        if (c->from != NULL)
            CLPRIM__TRY(clprim__host_up(c->lanes[piece % CLPRIM__SORT_LANES], 0, self->runtime, self->up,
                                        c->from + begin * c->element_size,
                                        clprim__sort_count(self, piece) * c->element_size));
    }
done:
    return status;
}

static clprim_status sort_piece(void *user, size_t piece)
{
    clprim__sort *self = user;
    const size_t lane = piece % CLPRIM__SORT_LANES;
    const size_t count = clprim__sort_count(self, piece);
    clprim__given call;
    cl_event done = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__plan_enqueue(self->phase_plan, self->plan->operation, NULL,
                                     clprim__sort_call(&call, self, lane, count), 0, NULL, &done));
    for (size_t i = 0; i < self->num_columns && self->is_first; i++)
        if (self->columns[i].in->element_size == 0)
            CLPRIM__TRY(clprim__sort_shift(self, self->columns[i].lanes[lane],
                                           self->columns[i].element_size == sizeof(cl_ulong),
                                           self->first_index + piece * self->piece_size, count, &done));
    if (self->is_first && self->columns[0].kept != NULL)
        CLPRIM__TRY(clprim__sort_keep(self, piece, count, &done));
    status = clprim__cl(clWaitForEvents(1, &done), "clWaitForEvents");
done:
    if (status != CLPRIM_SUCCESS)
        (void)clFinish(self->runtime->queue); /* the device may still be using the buffers */
    if (done != NULL)
        (void)clReleaseEvent(done);
    return status;
}

static size_t bytes_of_slices(const clprim__sort *self, size_t begin, size_t end)
{
    size_t sum = 0;
    for (size_t r = begin; r < end; r++)
        sum += self->slices[r].bytes;
    return sum;
}

/* Send the slices of a column to the device, in the order of the runs. Slices that are on the device already are copied
 * there. */
static clprim_status column_up(const clprim__sort *self, const clprim__sort_column *c, cl_mem lane)
{
    const size_t end_kept = self->first_kept + self->num_kept;
    const size_t before = bytes_of_slices(self, 0, self->first_kept);
    const size_t kept = bytes_of_slices(self, self->first_kept, end_kept);
    clprim_status status = clprim__sort_copy_kept(self, c, lane, before);
    if (status == CLPRIM_SUCCESS)
        status = clprim__host_up_spans(lane, 0, self->runtime, self->up, self->slices, self->first_kept);
    if (status == CLPRIM_SUCCESS)
        status = clprim__host_up_spans(lane, before + kept, self->runtime, self->up, self->slices + end_kept,
                                       self->num_runs - end_kept);
    if (self->num_kept > 0) {
        const cl_int code = clFinish(self->up);
        if (status == CLPRIM_SUCCESS)
            status = clprim__cl(code, "clFinish for copies on the device");
    }
    return status;
}

/* Send the slices of all runs that belong to this range. */
static clprim_status slices_up(void *user, size_t piece)
{
    clprim__sort *self = user;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim_runs_split(self->next_cuts, &self->order, self->runs, self->num_runs,
                                  self->first + piece * self->piece_size + clprim__sort_count(self, piece)));
    for (size_t i = 0; i < self->num_columns; i++) {
        const clprim__sort_column *c = &self->columns[i];
        for (size_t r = 0; r < self->num_runs; r++)
            self->slices[r] =
                (clprim__span){.data = self->begins[r * self->num_columns + i] + self->cuts[r] * c->element_size,
                               .bytes = (self->next_cuts[r] - self->cuts[r]) * c->element_size};
        CLPRIM__TRY(column_up(self, c, c->lanes[piece % CLPRIM__SORT_LANES]));
    }
    size_t *cuts = self->cuts;
    self->cuts = self->next_cuts;
    self->next_cuts = cuts;
done:
    return status;
}

/* Copy a sorted run, or a range of the result, to the host. */
static clprim_status piece_down(void *user, size_t piece)
{
    clprim__sort *self = user;
    const size_t begin = piece * self->piece_size;
    const size_t count = clprim__sort_count(self, piece);
    const size_t left = self->total - begin - count;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_columns; i++) {
        const clprim__sort_column *c = &self->columns[i];
        char *to = self->is_first ? c->runs : c->to;
        if (to != NULL)
            CLPRIM__TRY(clprim__host_down(to + begin * c->element_size, self->runtime, self->down,
                                          c->lanes[piece % CLPRIM__SORT_LANES], 0, count * c->element_size));
    }
    status =
        clprim__run_progress(self->plan, self->is_first ? (begin + count) / 2 : self->total - left / 2, self->total);
done:
    return status;
}

static clprim_status run_phase(clprim__sort *self, bool is_first)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__sort_begin(self, is_first));
    status = clprim__pipeline_run(&(const clprim__pipeline){.num_pieces = self->num_pieces,
                                                            .num_lanes = CLPRIM__SORT_LANES,
                                                            .user = self,
                                                            .up = is_first ? piece_up : slices_up,
                                                            .launch = sort_piece,
                                                            .down = piece_down});
done:
    return status;
}

/* Allocate memory for the runs, when their number is known. */
static clprim_status make_runs(clprim__sort *self)
{
    for (size_t i = 0; i < self->num_columns; i++) {
        clprim__sort_column *c = &self->columns[i];
        c->runs = clprim__host_allocate(self->runtime, clprim__times(self->total, c->element_size));
        if (c->runs == NULL)
            return CLPRIM_OUT_OF_MEMORY;
    }
    return CLPRIM_SUCCESS;
}

static clprim_status make_lists(clprim__sort *self, size_t num_runs)
{
    self->num_runs = num_runs;
    self->runs = calloc(num_runs, sizeof *self->runs);
    self->begins = calloc(num_runs * self->num_columns, sizeof *self->begins);
    self->cuts = calloc(num_runs, sizeof *self->cuts);
    self->next_cuts = calloc(num_runs, sizeof *self->next_cuts);
    self->slices = calloc(num_runs, sizeof *self->slices);
    return self->runs != NULL && self->begins != NULL && self->cuts != NULL && self->next_cuts != NULL &&
                   self->slices != NULL
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu runs", num_runs);
}

static clprim_status list_runs(clprim__sort *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(make_lists(self, self->num_pieces));
    for (size_t r = 0; r < self->num_runs; r++) {
        const char **begins = self->begins + r * self->num_columns;
        for (size_t i = 0; i < self->num_columns; i++)
            begins[i] = self->columns[i].runs + r * self->piece_size * self->columns[i].element_size;
        self->runs[r] = (clprim_sorted_run){.keys = begins[0], .count = clprim__sort_count(self, r)};
    }
done:
    return status;
}

static clprim_status make_queue(cl_command_queue *out, const clprim_runtime *runtime)
{
    cl_int code = CL_SUCCESS;
    *out = clCreateCommandQueue(runtime->context, runtime->info.device,
                                runtime->timeline != NULL ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    return clprim__cl(code, "clCreateCommandQueue for pieces of a sort");
}

static void clear(clprim__sort *self, bool is_idle)
{
    const cl_command_queue queues[] = {self->up, self->down, self->runtime->queue};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (!is_idle && queues[i] != NULL)
            (void)clFinish(queues[i]);
    clprim__sort_end(self);
    clprim__kernel_clear(&self->shift);
    clprim__queue_clear(&self->shift_queue);
    free(self->runs);
    free(self->begins);
    free(self->cuts);
    free(self->next_cuts);
    free(self->slices);
    if (self->up != NULL)
        (void)clReleaseCommandQueue(self->up);
    if (self->down != NULL)
        (void)clReleaseCommandQueue(self->down);
}

static size_t place_of_count(const clprim_operation *face)
{
    const clprim_member *m = face->call_members;
    while (strcmp(m->name, "count") != 0)
        m++;
    return m->place;
}

/* If the call has a count on the device, it limits the count on the host. */
static clprim_status take_count(clprim__sort *self)
{
    const clprim_plan *plan = self->plan;
    const int i = clprim__slot_named(plan, "count_at", 0);
    size_t limit = SIZE_MAX;
    clprim_status status = CLPRIM_SUCCESS;
    self->total = plan->operation->count(self->call);
    if (i < 0 || plan->slots[i].element_size == 0)
        return CLPRIM_SUCCESS;
    const clprim__slot *slot = &plan->slots[i];
    const clprim_array *at = clprim__array_in(self->call, slot);
    self->count_at = slot;
    if (clprim__is_on_host(self->call, slot)) {
        const void *number = clprim__host_data(self->call, slot);
        CLPRIM__TRY(clprim__host_check(&limit, plan, self->call, slot));
        limit = clprim__size_of(slot->element_size == sizeof(cl_ulong) ? *(const cl_ulong *)number
                                                                       : *(const cl_uint *)number);
    } else if (at->buffer != NULL) {
        status = clprim__host_number(&limit, self->runtime, at, slot->element_size, NULL);
    } else if (at->svm != NULL) {
        status =
            clprim__fail(CLPRIM_UNSUPPORTED,
                         "clprim_%s_run: the call does not fit the device, and to cut it into pieces .count_at must "
                         "be on the host or in a buffer",
                         plan->operation->face->name);
    }
    self->total = clprim__smaller(self->total, limit);
done:
    return status;
}

static clprim_status begin(clprim__sort *self, clprim_plan *plan, const void *desc, const void *call)
{
    static const clprim__any_desc zeroed;
    clprim_status status = CLPRIM_SUCCESS;
    *self = (clprim__sort){
        .plan = plan, .runtime = plan->runtime, .desc = desc != NULL ? desc : zeroed.bytes, .call = call};
    self->order = clprim__sort_order(plan, self->desc);
    self->count_place = place_of_count(plan->operation->face);
    CLPRIM__TRY(clprim__sort_find_columns(self));
    CLPRIM__TRY(take_count(self));
    CLPRIM__TRY(make_queue(&self->up, self->runtime));
    status = make_queue(&self->down, self->runtime);
done:
    return status;
}

static clprim_status run(clprim_plan *plan, const void *desc, const void *call)
{
    clprim__sort self;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(begin(&self, plan, desc, call));
    if (self.total == 0)
        goto done;
    CLPRIM__TRY(make_runs(&self));
    CLPRIM__TRY(run_phase(&self, true));
    CLPRIM__TRY(list_runs(&self));
    clprim__sort_end(&self);
    status = run_phase(&self, false);
done:
    clear(&self, status == CLPRIM_SUCCESS);
    for (size_t i = 0; i < self.num_columns; i++)
        clprim__host_release(self.runtime, self.columns[i].runs, self.total * self.columns[i].element_size);
    return status;
}

clprim_status clprim__sort_make_runs(size_t *run_size, clprim__sort_kept *kept, clprim_plan *plan, const void *desc,
                                     const void *call, uint64_t first_index, void *const *memory)
{
    clprim__sort self;
    clprim_status status = CLPRIM_SUCCESS;
    *run_size = 1;
    CLPRIM__TRY(begin(&self, plan, desc, call));
    self.first_index = first_index;
    if (self.total == 0)
        goto done;
    for (size_t i = 0; i < self.num_columns; i++)
        self.columns[i].runs = memory[i];
    clprim__sort_make_kept(kept, &self);
    status = run_phase(&self, true);
    *run_size = self.piece_size;
    kept->num_runs = kept->columns[0] != NULL ? self.num_pieces : 0;
done:
    clear(&self, status == CLPRIM_SUCCESS);
    return status;
}

clprim_status clprim__sort_take_runs(clprim_plan *plan, const void *desc, const void *call,
                                     const clprim__sort_run *runs, size_t num_runs, size_t first,
                                     const clprim__sort_kept *kept)
{
    clprim__sort self;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(begin(&self, plan, desc, call));
    self.first = first;
    self.first_kept = kept->first;
    self.num_kept = kept->num_runs;
    self.kept_bytes = kept->bytes;
    for (size_t i = 0; i < CLPRIM__SORT_MAX_COLUMNS; i++)
        self.columns[i].kept = kept->columns[i];
    if (self.total == 0)
        goto done;
    CLPRIM__TRY(make_lists(&self, num_runs));
    for (size_t r = 0; r < num_runs; r++) {
        memcpy(self.begins + r * self.num_columns, runs[r].begins, self.num_columns * sizeof *self.begins);
        self.runs[r] = (clprim_sorted_run){.keys = runs[r].begins[0], .count = runs[r].count};
    }
    CLPRIM__TRY(clprim_runs_split(self.cuts, &self.order, self.runs, num_runs, first));
    status = run_phase(&self, false);
done:
    clear(&self, status == CLPRIM_SUCCESS);
    return status;
}

const clprim__pieces clprim__sort_pieces = {.run = run, .obstacle = clprim__sort_obstacle};
