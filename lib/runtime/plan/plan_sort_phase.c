// SPDX-License-Identifier: MIT
/* plan_sort_phase.c: the arrays, piece sizes, plan and buffers of the two phases of a sort in pieces. */
#include "plan_sort_phase.h"

#include <stdint.h>

#include "error.h"
#include "plan_host.h"
#include "runtime_internal.h"
#include "sizes.h"

enum { ROUND = 4096 };

/* The number of pieces, which become runs. Each range needs a slice of every run, so there should be few runs. This many
 * are enough to overlap transfers and kernels; fewer are made if pieces would otherwise be smaller than SMALL_PIECE. */
enum { ENOUGH_PIECES = 64 };
static const size_t SMALL_PIECE = (size_t)128 << 20; /* size of the widest array's piece, in bytes */

size_t clprim__sort_count(const clprim__sort *self, size_t piece)
{
    return clprim__smaller(self->piece_size, self->total - piece * self->piece_size);
}

static clprim_status check_column(const clprim__sort *self, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(self->call, slot);
    size_t length = 0;
    if (clprim__is_on_host(self->call, slot))
        return clprim__host_check(&length, self->plan, self->call, slot);
    if (slot->element_size > 0 && (array->buffer != NULL || array->svm != NULL))
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: the call does not fit the device, and only arrays on the host can be cut "
                            "into pieces: %s has no .host",
                            self->plan->operation->face->name, slot->member->name);
    return CLPRIM_SUCCESS;
}

/* Find the arrays of the call, keys first: the outputs, and the inputs that they may overwrite. */
clprim_status clprim__sort_find_columns(clprim__sort *self)
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
        clprim__sort_column *c = &self->columns[is_key ? 0 : self->num_columns++];
        *c = (clprim__sort_column){.in = in, .out = out, .element_size = size};
        if (clprim__is_on_host(self->call, in))
            c->from = clprim__host_data(self->call, in);
        if (clprim__is_on_host(self->call, out))
            c->to = clprim__host_data(self->call, out);
    }
done:
    return status;
}

const void *clprim__sort_call(clprim__given *out, const clprim__sort *self, size_t lane, size_t count)
{
    memcpy(out->bytes, self->call, self->plan->operation->face->call_size);
    memcpy(out->bytes + self->count_place, &count, sizeof count);
    if (self->count_at != NULL)
        *clprim__array_of(out->bytes, self->count_at) = (clprim_array){0};
    for (size_t i = 0; i < self->num_columns; i++) {
        const clprim__sort_column *c = &self->columns[i];
        const clprim_array there = {.buffer = c->lanes[lane]};
        const bool is_made = c->in->element_size == 0 && self->is_first; /* indices are generated */
        const bool is_dropped = c->out->element_size == 0 && !self->is_first;
        if (!is_made && (c->from != NULL || c->in->element_size == 0))
            *clprim__array_of(out->bytes, c->in) = there;
        if (!is_dropped && (c->to != NULL || c->out->element_size == 0))
            *clprim__array_of(out->bytes, c->out) = there;
    }
    return out->bytes;
}

/* Device memory of a phase with pieces of `count` elements; SIZE_MAX if a buffer would be too large. */
static size_t bytes_of(size_t *scratch, const clprim__sort *self, size_t count)
{
    const clprim_plan *plan = self->phase_plan;
    const size_t largest = self->runtime->info.max_allocation_size;
    clprim__given call;
    *scratch = clprim__plan_scratch(plan, clprim__sort_call(&call, self, 0, count));
    size_t sum = *scratch > largest ? SIZE_MAX : *scratch;
    for (size_t i = 0; i < self->num_columns; i++) {
        const size_t bytes = clprim__times(count, self->columns[i].element_size);
        sum = bytes > largest ? SIZE_MAX : clprim__plus(sum, clprim__times(bytes, CLPRIM__SORT_LANES));
    }
    return sum;
}

/* Choose the size of a piece: as large as memory allows, but no larger than brings a gain. */
static clprim_status lay_out(clprim__sort *self)
{
    const size_t limit = clprim__device_limit(self->runtime) - self->kept_bytes;
    size_t widest = 1;
    size_t scratch = 0;
    size_t least = 0;
    for (size_t i = 0; i < self->num_columns; i++)
        widest = clprim__larger(widest, self->columns[i].element_size);
    const size_t share = clprim__larger(self->total / ENOUGH_PIECES + 1, SMALL_PIECE / widest);
    size_t most = clprim__smaller(clprim__smaller(share, self->phase_plan->max_count), self->total);
    if (bytes_of(&scratch, self, most) <= limit)
        least = most;
    while (most - least > 1) { /* invariant: `least` fits, `most` does not */
        const size_t middle = least + (most - least) / 2;
        if (bytes_of(&scratch, self, middle) <= limit)
            least = middle;
        else
            most = middle;
    }
    if (least == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "clprim_%s_run: the call does not fit the device, and %zu bytes of its memory are not "
                            "enough for a piece of one element",
                            self->plan->operation->face->name, limit);
    self->piece_size = least > ROUND ? least - least % ROUND : least;
    self->num_pieces = (self->total - 1) / self->piece_size + 1;
    return CLPRIM_SUCCESS;
}

static clprim_status make_buffer(cl_mem *out, const clprim__sort *self, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    *out = clCreateBuffer(self->runtime->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    return clprim__cl(code, "clCreateBuffer for pieces of a sort");
}

void clprim__sort_end(clprim__sort *self)
{
    for (size_t i = 0; i < self->num_columns; i++)
        for (size_t k = 0; k < CLPRIM__SORT_LANES; k++)
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

/* Make the phase's plan. The plan of the whole call is used if its description is the same. */
static clprim_status make_plan(clprim__sort *self)
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

clprim_status clprim__sort_begin(clprim__sort *self, bool is_first)
{
    clprim__given call;
    clprim__call checked;
    size_t scratch = 0;
    clprim_status status = CLPRIM_SUCCESS;
    self->is_first = is_first;
    CLPRIM__TRY(make_plan(self));
    CLPRIM__TRY(lay_out(self));
    const size_t lanes = clprim__smaller(self->num_pieces, CLPRIM__SORT_LANES);
    for (size_t i = 0; i < self->num_columns; i++)
        for (size_t k = 0; k < lanes; k++)
            CLPRIM__TRY(
                make_buffer(&self->columns[i].lanes[k], self, self->piece_size * self->columns[i].element_size));
    CLPRIM__TRY(clprim__plan_check_call(&checked, self->phase_plan,
                                        clprim__sort_call(&call, self, 0, clprim__sort_count(self, 0))));
    (void)bytes_of(&scratch, self, self->piece_size);
    if (scratch == 0)
        goto done;
    CLPRIM__TRY(make_buffer(&self->scratch, self, scratch));
    status = clprim_plan_set_scratch(self->phase_plan, self->scratch);
done:
    return status;
}
