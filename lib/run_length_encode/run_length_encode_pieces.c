// SPDX-License-Identifier: MIT
/* run_length_encode_pieces.c: runs of arrays that do not fit the device. The first run of a piece may continue the last
 * run of the previous piece. */
#include "error.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "run_length_encode_internal.h"

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const clprim_run_length_encode_desc *d = desc;
    (void)plan;
    return d->min_length > 1  ? "with .min_length, how long a run is may depend on the next piece"
           : d->equal != NULL ? "with .equal, only the device knows whether a run continues in the next piece"
                              : NULL;
}

/* Make offsets count from the first element of all pieces. */
static clprim_status prepare(clprim__cutting *self, void *call)
{
    (void)call;
    ((clprim__scan_plan *)(void *)self->plans[self->piece > 0])->first_index = self->begin;
    return CLPRIM_SUCCESS;
}

/* Whether the piece's first element continues the last run of the previous piece. */
static bool goes_on(const clprim__cutting *self)
{
    const clprim__slot *slot = &self->plan->slots[clprim__slot_named(self->plan, "in", 0)];
    const char *first = (const char *)clprim__host_data(self->given, slot) + self->begin * slot->element_size;
    return self->piece > 0 && memcmp(first - slot->element_size, first, slot->element_size) == 0;
}

typedef struct run {
    size_t length, offset;
} run;

/* Overwrite the first number of a piece's output. */
static clprim_status put_first(const clprim__cutting *self, cl_mem to, size_t number)
{
    const size_t size = self->plan->index_size;
    const cl_ulong wide = number;
    const cl_uint narrow = (cl_uint)number;
    return clprim__cutting_write(self, to, 0, size == sizeof wide ? (const void *)&wide : &narrow, size);
}

/* A run that continues is written again, with its new length. */
static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_run_length_encode_call *c = call;
    const size_t size = self->plan->index_size;
    const bool has_offsets = c->offsets_out.buffer != NULL;
    run *open = (void *)self->notes.bytes; /* the last run so far */
    size_t length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (landing->count == 0)
        return CLPRIM_SUCCESS;
    if (goes_on(self)) {
        landing->at--;
        CLPRIM__TRY(clprim__cutting_get_number(&length, self, c->lengths_out.buffer, 0, size));
        CLPRIM__TRY(put_first(self, c->lengths_out.buffer, open->length + length));
        if (has_offsets)
            CLPRIM__TRY(put_first(self, c->offsets_out.buffer, open->offset));
    }
    CLPRIM__TRY(clprim__cutting_get_number(&open->length, self, c->lengths_out.buffer, landing->count - 1, size));
    if (has_offsets)
        CLPRIM__TRY(clprim__cutting_get_number(&open->offset, self, c->offsets_out.buffer, landing->count - 1, size));
done:
    return status;
}

static const char *needs_all(const void *desc)
{
    (void)desc;
    return "the last run of a batch may continue in the next batch";
}

const clprim__pieces clprim__run_length_encode_pieces = {
    .obstacle = obstacle,
    .needs_all = needs_all,
    .count_place = offsetof(clprim_run_length_encode_call, count),
    .prepare = prepare,
    .launched = launched,
};
