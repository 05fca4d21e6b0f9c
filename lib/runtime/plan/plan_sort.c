/* plan_sort.c: sorts of arrays on the host that do not fit the device: sorted runs, then ranges of ranks. */
#include "plan_sort.h"

#include <stdint.h>
#include <stdlib.h>

#include "error.h"
#include "host.h"
#include "pipeline.h"
#include "plan_host.h"
#include "runtime_internal.h"
#include "sizes.h"

/* One part goes up, one is sorted, and one comes down. */
enum { LANES = 3, MAX_COLUMNS = CLPRIM_SORT_BY_KEY_MAX_ARRAYS + 1, ROUND = 4096 };

/* A range needs a piece of each run, so there are not many runs: so many are enough to keep transfers and kernels busy at
 * once, unless parts would be smaller than this. */
enum { ENOUGH_PARTS = 16 };
static const size_t SMALL_PART = (size_t)64 << 20; /* bytes of the widest array */

/* An array that is sorted: of keys, or one that moves along. */
typedef struct column {
    const clprim__slot *in, *out;
    size_t element_size;
    const char *from; /* NULL: indices */
    char *to;         /* NULL: not wanted */
    char *runs;       /* on the host: one run behind the other */
    cl_mem lanes[LANES];
} column;

typedef struct sort {
    clprim_plan *plan; /* of the whole call */
    clprim_runtime *runtime;
    const void *desc, *call;
    clprim_key_order order;
    column columns[MAX_COLUMNS]; /* the first one has the keys */
    size_t num_columns;
    size_t total;
    size_t count_place; /* of the number of elements in the call struct */
    bool is_first;      /* runs are made; else pieces of them are sorted */
    /* Of the phase. */
    clprim_plan *phase_plan;
    cl_mem scratch;
    cl_command_queue up, down;
    size_t part_size, num_parts;
    /* The runs, and where they are cut: cuts[i] elements of run i have gone up. */
    size_t run_size, num_runs;
    clprim_sorted_run *runs;
    size_t *cuts, *next_cuts;
} sort;

/* Elements of a part. */
static size_t part_count(const sort *self, size_t part)
{
    return clprim__smaller(self->part_size, self->total - part * self->part_size);
}

static clprim_status check_column(const sort *self, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(self->call, slot);
    size_t length = 0;
    if (clprim__is_on_host(self->call, slot))
        return clprim__host_check(&length, self->plan, self->call, slot);
    if (slot->element_size > 0 && (array->buffer != NULL || array->svm != NULL))
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: the call does not fit the device, and only arrays on the host can be cut "
                            "into parts: %s has no .host",
                            self->plan->operation->face->name, slot->member->name);
    return CLPRIM_SUCCESS;
}

/* The arrays of the call, keys first: outputs, and the inputs in whose places they may be. */
static clprim_status find_columns(sort *self)
{
    const clprim_plan *plan = self->plan;
    clprim_status status = CLPRIM_SUCCESS;
    self->num_columns = 1;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *out = &plan->slots[i];
        if (out->in_place_of < 0)
            continue;
        const clprim__slot *in = &plan->slots[out->in_place_of];
        const size_t size = clprim__larger(in->element_size, out->element_size);
        CLPRIM__TRY(check_column(self, in));
        CLPRIM__TRY(check_column(self, out));
        if (size == 0)
            continue;
        const bool is_key = strcmp(in->member->name, "keys_in") == 0;
        column *c = &self->columns[is_key ? 0 : self->num_columns++];
        *c = (column){.in = in, .out = out, .element_size = size};
        if (clprim__is_on_host(self->call, in))
            c->from = clprim__host_data(self->call, in);
        if (clprim__is_on_host(self->call, out))
            c->to = clprim__host_data(self->call, out);
    }
done:
    return status;
}

/* A call of so many elements in a lane's buffers, for the phase's plan. What is wrong with the caller's stays wrong. */
static const void *call_of(clprim__given *out, const sort *self, size_t lane, size_t count)
{
    memcpy(out->bytes, self->call, self->plan->operation->face->call_size);
    memcpy(out->bytes + self->count_place, &count, sizeof count);
    for (size_t i = 0; i < self->num_columns; i++) {
        const column *c = &self->columns[i];
        const clprim_array there = {.buffer = c->lanes[lane]};
        const bool is_made = c->in->element_size == 0 && self->is_first; /* indices */
        const bool is_dropped = c->out->element_size == 0 && !self->is_first;
        if (!is_made && (c->from != NULL || c->in->element_size == 0))
            *clprim__array_of(out->bytes, c->in) = there;
        if (!is_dropped && (c->to != NULL || c->out->element_size == 0))
            *clprim__array_of(out->bytes, c->out) = there;
    }
    return out->bytes;
}

/* Device memory of a phase with parts of so many elements; SIZE_MAX where a buffer would be too large. */
static size_t bytes_of(size_t *scratch, const sort *self, size_t count)
{
    const clprim_plan *plan = self->phase_plan;
    const size_t largest = self->runtime->info.max_allocation_size;
    clprim__given call;
    *scratch = plan->operation->scratch != NULL ? plan->operation->scratch(plan, call_of(&call, self, 0, count)) : 0;
    size_t sum = *scratch > largest ? SIZE_MAX : *scratch;
    for (size_t i = 0; i < self->num_columns; i++) {
        const size_t bytes = clprim__times(count, self->columns[i].element_size);
        sum = bytes > largest ? SIZE_MAX : clprim__plus(sum, clprim__times(bytes, LANES));
    }
    return sum;
}

/* How many elements a part has: as many as there is room for, and not more than are worth it. */
static clprim_status lay_out(sort *self)
{
    const size_t limit = clprim__device_limit(self->runtime);
    size_t widest = 0;
    size_t scratch = 0;
    size_t least = 0;
    for (size_t i = 0; i < self->num_columns; i++)
        widest = clprim__larger(widest, self->columns[i].element_size);
    const size_t share = clprim__larger(self->total / ENOUGH_PARTS + 1, SMALL_PART / widest);
    size_t most = clprim__smaller(clprim__smaller(share, self->phase_plan->max_count), self->total);
    if (bytes_of(&scratch, self, most) <= limit)
        least = most;
    while (most - least > 1) { /* `least` fits, `most` does not */
        const size_t middle = least + (most - least) / 2;
        if (bytes_of(&scratch, self, middle) <= limit)
            least = middle;
        else
            most = middle;
    }
    if (least == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: %zu bytes of device memory are not enough for a part of one element",
                            self->plan->operation->face->name, limit);
    self->part_size = least > ROUND ? least - least % ROUND : least;
    self->num_parts = (self->total - 1) / self->part_size + 1;
    return CLPRIM_SUCCESS;
}

static clprim_status make_buffer(cl_mem *out, const sort *self, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    *out = clCreateBuffer(self->runtime->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    return clprim__cl(code, "clCreateBuffer for parts of a sort");
}

static void end_phase(sort *self)
{
    for (size_t i = 0; i < self->num_columns; i++)
        for (size_t k = 0; k < LANES; k++)
            if (self->columns[i].lanes[k] != NULL) {
                (void)clReleaseMemObject(self->columns[i].lanes[k]);
                self->columns[i].lanes[k] = NULL;
            }
    if (self->phase_plan != self->plan)
        clprim_plan_destroy(self->phase_plan);
    else if (self->scratch != NULL)
        (void)clprim_plan_set_scratch(self->plan, NULL);
    self->phase_plan = NULL;
    if (self->scratch != NULL)
        (void)clReleaseMemObject(self->scratch);
    self->scratch = NULL;
}

/* The phase's plan: that of the whole call, if its description says the same. */
static clprim_status make_plan(sort *self)
{
    clprim__any_desc desc = {.bytes = {0}};
    const size_t size = self->plan->operation->face->desc_size;
    memcpy(desc.bytes, self->desc, size);
    clprim__sort_describe(desc.bytes, self->plan, self->is_first);
    if (memcmp(desc.bytes, self->desc, size) != 0)
        return clprim__plan_create(&self->phase_plan, self->runtime, self->plan->subject, desc.bytes);
    self->phase_plan = self->plan;
    return CLPRIM_SUCCESS;
}

static clprim_status begin_phase(sort *self, bool is_first)
{
    clprim__given call;
    clprim__call checked;
    size_t scratch = 0;
    clprim_status status = CLPRIM_SUCCESS;
    self->is_first = is_first;
    CLPRIM__TRY(make_plan(self));
    CLPRIM__TRY(lay_out(self));
    const size_t lanes = clprim__smaller(self->num_parts, LANES);
    for (size_t i = 0; i < self->num_columns; i++)
        for (size_t k = 0; k < lanes; k++)
            CLPRIM__TRY(make_buffer(&self->columns[i].lanes[k], self, self->part_size * self->columns[i].element_size));
    CLPRIM__TRY(clprim__plan_check_call(&checked, self->phase_plan, call_of(&call, self, 0, part_count(self, 0))));
    (void)bytes_of(&scratch, self, self->part_size);
    if (scratch == 0)
        goto done;
    CLPRIM__TRY(make_buffer(&self->scratch, self, scratch));
    status = clprim_plan_set_scratch(self->phase_plan, self->scratch);
done:
    return status;
}

/* Part of the arrays. */
static clprim_status part_up(void *user, size_t part)
{
    sort *self = user;
    const size_t begin = part * self->part_size;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_columns; i++) {
        const column *c = &self->columns[i];
        if (c->from != NULL)
            CLPRIM__TRY(clprim__host_up(c->lanes[part % LANES], 0, self->runtime, self->up,
                                        c->from + begin * c->element_size, part_count(self, part) * c->element_size));
    }
done:
    return status;
}

static clprim_status sort_part(void *user, size_t part)
{
    sort *self = user;
    clprim__given call;
    cl_event done = NULL;
    clprim_status status =
        clprim__plan_enqueue(self->phase_plan, self->plan->operation, NULL,
                             call_of(&call, self, part % LANES, part_count(self, part)), 0, NULL, &done);
    if (status == CLPRIM_SUCCESS)
        status = clprim__cl(clWaitForEvents(1, &done), "clWaitForEvents");
    if (status != CLPRIM_SUCCESS)
        (void)clFinish(self->runtime->queue); /* it may be using the buffers */
    if (done != NULL)
        (void)clReleaseEvent(done);
    return status;
}

/* Indices in a run become those in the whole array. */
static void add_to_indices(void *indices, size_t size, size_t count, size_t begin)
{
    uint32_t *narrow = indices;
    uint64_t *wide = indices;
    for (size_t i = 0; i < count && size == sizeof *narrow; i++)
        narrow[i] += (uint32_t)begin;
    for (size_t i = 0; i < count && size == sizeof *wide; i++)
        wide[i] += begin;
}

static clprim_status run_down(void *user, size_t part)
{
    sort *self = user;
    const size_t begin = part * self->part_size;
    const size_t count = part_count(self, part);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_columns; i++) {
        const column *c = &self->columns[i];
        char *to = c->runs + begin * c->element_size;
        CLPRIM__TRY(
            clprim__host_down(to, self->runtime, self->down, c->lanes[part % LANES], 0, count * c->element_size));
        if (c->in->element_size == 0)
            add_to_indices(to, c->element_size, count, begin);
    }
    status = clprim__run_progress(self->plan, (begin + count) / 2, self->total);
done:
    return status;
}

/* What the runs have of these ranks. */
static clprim_status pieces_up(void *user, size_t part)
{
    sort *self = user;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim_runs_split(self->next_cuts, &self->order, self->runs, self->num_runs,
                                  part * self->part_size + part_count(self, part)));
    for (size_t i = 0; i < self->num_columns; i++) {
        const column *c = &self->columns[i];
        size_t at = 0;
        for (size_t r = 0; r < self->num_runs; r++) {
            const size_t bytes = (self->next_cuts[r] - self->cuts[r]) * c->element_size;
            const char *from = c->runs + (r * self->run_size + self->cuts[r]) * c->element_size;
            if (bytes > 0)
                CLPRIM__TRY(clprim__host_up(c->lanes[part % LANES], at, self->runtime, self->up, from, bytes));
            at += bytes;
        }
    }
    size_t *cuts = self->cuts;
    self->cuts = self->next_cuts;
    self->next_cuts = cuts;
done:
    return status;
}

static clprim_status range_down(void *user, size_t part)
{
    sort *self = user;
    const size_t begin = part * self->part_size;
    const size_t count = part_count(self, part);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_columns; i++) {
        const column *c = &self->columns[i];
        if (c->to != NULL)
            CLPRIM__TRY(clprim__host_down(c->to + begin * c->element_size, self->runtime, self->down,
                                          c->lanes[part % LANES], 0, count * c->element_size));
    }
    status = clprim__run_progress(self->plan, self->total - (self->total - begin - count) / 2, self->total);
done:
    return status;
}

static clprim_status run_phase(sort *self, bool is_first)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(begin_phase(self, is_first));
    status = clprim__pipeline_run(&(const clprim__pipeline){.num_parts = self->num_parts,
                                                            .num_lanes = LANES,
                                                            .user = self,
                                                            .up = is_first ? part_up : pieces_up,
                                                            .launch = sort_part,
                                                            .down = is_first ? run_down : range_down});
done:
    return status;
}

/* Room for the runs, when it is known how many there are. */
static clprim_status make_runs(sort *self)
{
    for (size_t i = 0; i < self->num_columns; i++) {
        column *c = &self->columns[i];
        c->runs = clprim__host_allocate(self->runtime, clprim__times(self->total, c->element_size));
        if (c->runs == NULL)
            return CLPRIM_OUT_OF_MEMORY;
    }
    return CLPRIM_SUCCESS;
}

static clprim_status list_runs(sort *self)
{
    const column *keys = &self->columns[0];
    self->run_size = self->part_size;
    self->num_runs = self->num_parts;
    self->runs = calloc(self->num_runs, sizeof *self->runs);
    self->cuts = calloc(self->num_runs, sizeof *self->cuts);
    self->next_cuts = calloc(self->num_runs, sizeof *self->next_cuts);
    if (self->runs == NULL || self->cuts == NULL || self->next_cuts == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for %zu runs", self->num_runs);
    for (size_t r = 0; r < self->num_runs; r++)
        self->runs[r] = (clprim_sorted_run){.keys = keys->runs + r * self->run_size * keys->element_size,
                                            .count = part_count(self, r)};
    return CLPRIM_SUCCESS;
}

static clprim_status make_queue(cl_command_queue *out, const clprim_runtime *runtime)
{
    cl_int code = CL_SUCCESS;
    *out = clCreateCommandQueue(runtime->context, runtime->info.device,
                                runtime->timeline != NULL ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    return clprim__cl(code, "clCreateCommandQueue for parts of a sort");
}

static void clear(sort *self, bool is_idle)
{
    const cl_command_queue queues[] = {self->up, self->down, self->runtime->queue};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (!is_idle && queues[i] != NULL)
            (void)clFinish(queues[i]);
    end_phase(self);
    for (size_t i = 0; i < self->num_columns; i++)
        clprim__host_release(self->runtime, self->columns[i].runs, self->total * self->columns[i].element_size);
    free(self->runs);
    free(self->cuts);
    free(self->next_cuts);
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

static clprim_status run(clprim_plan *plan, const void *desc, const void *call)
{
    static const clprim__any_desc zeroed;
    sort self = {.plan = plan, .runtime = plan->runtime, .desc = desc != NULL ? desc : zeroed.bytes, .call = call};
    clprim_status status = CLPRIM_SUCCESS;
    self.order = clprim__sort_order(plan, self.desc);
    self.total = plan->operation->count(call);
    self.count_place = place_of_count(plan->operation->face);
    CLPRIM__TRY(find_columns(&self));
    CLPRIM__TRY(make_queue(&self.up, self.runtime));
    CLPRIM__TRY(make_queue(&self.down, self.runtime));
    CLPRIM__TRY(make_runs(&self));
    CLPRIM__TRY(run_phase(&self, true));
    CLPRIM__TRY(list_runs(&self));
    end_phase(&self);
    status = run_phase(&self, false);
done:
    clear(&self, status == CLPRIM_SUCCESS);
    return status;
}

const clprim__parts clprim__sort_parts = {.run = run, .obstacle = clprim__sort_obstacle};
