// SPDX-License-Identifier: MIT
/* reduce_pieces.c: reduce arrays that do not fit in the device's memory: each piece begins with the result of the
 * previous piece. */
#include <clprim/reference.h>
#include <math.h>

#include "error.h"
#include "kinds.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "reduce_internal.h"

typedef clprim_reduce_desc description;

/* ARGMIN and ARGMAX have no initial value, so the results of the pieces are compared here. Float sums of the pieces are
 * added here, with compensation for rounding errors (kernels/common/long_sum.cl). So they are as accurate as the sum of
 * a single piece, however many pieces there are. */
typedef struct notes {
    clprim_indexed best;
    double sum, error;
    bool is_there;
} notes;

_Static_assert(sizeof(notes) <= CLPRIM__PIECE_NOTES, "there is no room for the notes");

static bool is_indexed(const description *d)
{
    return d->custom == NULL && (d->op == CLPRIM_ARGMIN || d->op == CLPRIM_ARGMAX);
}

static clprim_element result_of(const description *d)
{
    return clprim__result(d->type, d->op, d->accumulator_type, d->custom);
}

static bool is_float_sum(const description *d)
{
    return d->custom == NULL && d->op == CLPRIM_SUM && clprim__is_float(result_of(d).type);
}

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->reproducible && (d->custom != NULL || clprim__is_rounding(result_of(d), d->op))
               ? "with .reproducible, the bits must not depend on where arrays are cut"
               : NULL;
}

static size_t carry(const clprim_plan *plan, const void *desc)
{
    (void)plan;
    return result_of(desc).size;
}

static void without_output(description *d)
{
    d->output = NULL;
    d->output_type = CLPRIM_TYPE_DEFAULT;
    d->output_type_name = NULL;
    d->output_type_size = 0;
}

static void describe(void *desc, const clprim_plan *plan, bool is_first)
{
    description *d = desc;
    (void)plan;
    without_output(d);
    if (is_first || is_indexed(d))
        return;
    d->initial = NULL;
    d->has_initial_at = !is_float_sum(d);
}

static clprim_status prepare(clprim__cutting *self, void *call)
{
    clprim_reduce_call *c = call;
    const description *d = (const void *)self->desc.bytes;
    if (self->piece > 0)
        c->initial_at = is_indexed(d) || is_float_sum(d) ? (clprim_array){0} : (clprim_array){.buffer = self->carry};
    c->out = (clprim_array){.buffer = self->carry};
    return CLPRIM_SUCCESS;
}

/* Keep the better one of the best result so far and a piece's result, by the operator. */
static clprim_status compare(notes *n, const description *d, const clprim_indexed *found)
{
    const size_t size = clprim_type_size(d->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : d->type);
    const clprim_reference_operator by = CLPRIM__REFERENCE_OPERATOR_OF(d, d->type);
    unsigned char values[2 * sizeof(uint64_t)];
    clprim_indexed chosen;
    memcpy(values, &n->best.value, size);
    memcpy(values + size, &found->value, size);
    const clprim_status status = clprim_reference_reduce(&chosen, &by, values, 2);
    if (status == CLPRIM_SUCCESS && chosen.index == 1)
        n->best = *found;
    return status;
}

static double load_float(clprim_type type, const void *from)
{
    uint16_t f16;
    float f32;
    double f64;
    switch (type) {
    case CLPRIM_F16: memcpy(&f16, from, sizeof f16); return (double)clprim_half_to_float(f16);
    case CLPRIM_F32: memcpy(&f32, from, sizeof f32); return (double)f32;
    default: memcpy(&f64, from, sizeof f64); return f64;
    }
}

static void store_float(clprim_type type, void *to, double value)
{
    const double f64 = isnan(value) ? (double)NAN : value; /* the quiet NaN, as kernels write it */
    const float f32 = (float)f64;
    const uint16_t f16 = clprim_half_from_float(f32);
    switch (type) {
    case CLPRIM_F16: memcpy(to, &f16, sizeof f16); break;
    case CLPRIM_F32: memcpy(to, &f32, sizeof f32); break;
    default: memcpy(to, &f64, sizeof f64); break;
    }
}

/* Add the sum of one piece. */
static clprim_status add(clprim__cutting *self, notes *n, clprim_element result)
{
    unsigned char bytes[sizeof(double)];
    const clprim_status status = clprim__cutting_read(self, bytes, self->carry, 0, result.size);
    if (status != CLPRIM_SUCCESS)
        return status;
    const double x = load_float(result.type, bytes);
    const double before = n->is_there ? n->sum : -0.0;
    n->sum = before + x;
    n->error += fabs(before) >= fabs(x) ? (before - n->sum) + x : (x - n->sum) + before;
    n->is_there = true;
    return CLPRIM_SUCCESS;
}

/* Write the sum of all pieces in place of the last piece's sum. */
static clprim_status write_sum(clprim__cutting *self, const notes *n, clprim_element result)
{
    unsigned char bytes[sizeof(double)];
    const bool is_corrected = n->error != 0 && isfinite(n->error);
    store_float(result.type, bytes, is_corrected ? n->sum + n->error : n->sum);
    return clprim__cutting_write(self, self->carry, 0, bytes, result.size);
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const description *d = (const void *)self->desc.bytes;
    notes *n = (void *)self->notes.bytes;
    clprim_indexed found;
    (void)call;
    (void)landing;
    if (is_float_sum(d))
        return add(self, n, result_of(d));
    if (!is_indexed(d))
        return CLPRIM_SUCCESS;
    const clprim_status status = clprim__cutting_read(self, &found, self->carry, 0, sizeof found);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (self->count > 0)
        found.index += self->begin;
    if (n->is_there)
        return compare(n, d, &found);
    *n = (notes){.best = found, .is_there = true};
    return CLPRIM_SUCCESS;
}

/* Apply .output to the result: a call without elements returns its initial value through .output. */
static clprim_status make_output(clprim__cutting *self, const void *desc)
{
    clprim__any_desc last = {0};
    description *d = (void *)last.bytes;
    clprim_plan *plan = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    cl_event done = NULL;
    clprim__given call;
    clprim_reduce_call *c = (void *)call.bytes;
    clprim__cutting_rest(&call, self);
    *d = *(const description *)desc;
    d->initial = NULL;
    d->has_initial_at = true;
    d->max_count = 1;
    c->count = 0;
    c->initial_at = (clprim_array){.buffer = self->carry};
    CLPRIM__TRY(clprim__plan_create(&plan, self->runtime, self->plan->subject, d));
    CLPRIM__TRY(clprim__plan_enqueue(plan, plan->operation, NULL, c, 0, NULL, &done));
    CLPRIM__TRY(clprim__cl(clWaitForEvents(1, &done), "clWaitForEvents"));
done:
    if (done != NULL)
        (void)clReleaseEvent(done);
    clprim_plan_destroy(plan);
    return status;
}

static clprim_status finish(clprim__cutting *self, const void *desc)
{
    const description *d = desc;
    const notes *n = (const void *)self->notes.bytes;
    size_t size = 0;
    const clprim_array *out = clprim__cutting_array(self, "out", &size);
    if (is_float_sum(d)) {
        const clprim_status status = write_sum(self, n, result_of(d));
        if (status != CLPRIM_SUCCESS)
            return status;
    }
    if (d->output != NULL)
        return make_output(self, desc);
    if (is_indexed(d))
        return clprim__cutting_write(self, out->buffer, out->offset * size, &n->best, size);
    return clprim__cutting_copy(self, self->carry, 0, out->buffer, out->offset * size, size);
}

static const char *const texts[] = {"input", NULL};

const clprim__pieces clprim__reduce_pieces = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_reduce_call, count),
    .carry = carry,
    .texts = texts,
    .describe = describe,
    .prepare = prepare,
    .launched = launched,
    .finish = finish,
};
