// SPDX-License-Identifier: MIT
/* reduce_by_key_pieces.c: runs of arrays that do not fit the device. The last run of a piece may continue in the next
 * piece, which then writes its result again. The earlier result becomes the first value of the next piece. If values have
 * another type, or come from an expression, it is combined with the next piece's first result on the host. */
#include <clprim/reference.h>

#include "error.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "plan_table.h"
#include "reduce_by_key_internal.h"

typedef clprim_reduce_by_key_desc description;

static clprim_element result_of(const description *d)
{
    return clprim__result(d->type, d->op, d->accumulator_type, d->custom);
}

/* Only the device can apply a custom operator, and its results have the values' type. */
static bool joins_on_host(const description *d)
{
    return d->custom == NULL && (d->input != NULL || result_of(d).type != clprim__operand(d->type, NULL).type);
}

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->output != NULL ? "with .output, the results that the next piece continues from are not kept"
           : d->input != NULL && d->custom != NULL
               ? "a run that continues in the next piece keeps its result among the values, but there are none"
           : d->equal != NULL ? "with .equal, only the device knows whether a run continues in the next piece"
           : d->custom == NULL && (d->op == CLPRIM_ARGMIN || d->op == CLPRIM_ARGMAX)
               ? "ARGMIN and ARGMAX write indices within a piece"
               : NULL;
}

/* The last key of the previous piece, with the result of its run as its value. */
static clprim__halo halo(const void *desc)
{
    return (clprim__halo){.left = !joins_on_host(desc)};
}

static size_t carry(const clprim_plan *plan, const void *desc)
{
    (void)plan;
    return result_of(desc).size;
}

static clprim_status prepare(clprim__cutting *self, void *call)
{
    const clprim_reduce_by_key_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    return self->left == 0
               ? CLPRIM_SUCCESS
               : clprim__cutting_copy(self, self->carry, 0, c->values_in.buffer, c->values_in.offset * size, size);
}

/* Whether the piece's first key continues the last run of the previous piece. */
static bool goes_on(const clprim__cutting *self)
{
    const clprim__slot *slot = &self->plan->slots[clprim__slot_named(self->plan, "keys_in", 0)];
    const char *first = (const char *)clprim__host_data(self->given, slot) + self->begin * slot->element_size;
    return self->piece > 0 && self->count > 0 && memcmp(first - slot->element_size, first, slot->element_size) == 0;
}

/* Combine the first result with the run's beginning, which is in .carry. */
static clprim_status join(clprim__cutting *self, cl_mem results)
{
    const description *d = (const void *)self->desc.bytes;
    const clprim_type type = result_of(d).type;
    const size_t size = result_of(d).size;
    const clprim_reference_operator by = {
        .type = type, .op = d->op, .accumulator_type = type, .nan_order = d->nan_order};
    static const unsigned char keys[2]; /* equal keys, of one run */
    unsigned char values[2 * sizeof(cl_ulong)], sum[sizeof(cl_ulong)], key[1];
    size_t runs = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__cutting_read(self, values, self->carry, 0, size));
    CLPRIM__TRY(clprim__cutting_read(self, values + size, results, 0, size));
    CLPRIM__TRY(clprim_reference_reduce_by_key(key, sum, &runs, sizeof *keys, &by, keys, values, 2));
    CLPRIM__TRY(clprim__cutting_write(self, results, 0, sum, size));
done:
    return status;
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_reduce_by_key_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    clprim_status status = CLPRIM_SUCCESS;
    if (self->left > 0)
        *landing = (clprim__landing){.at = landing->at - 1, .count = landing->count + 1};
    if (landing->count == 0)
        return CLPRIM_SUCCESS;
    if (self->left == 0 && goes_on(self)) {
        landing->at--;
        CLPRIM__TRY(join(self, c->values_out.buffer));
    }
    status = clprim__cutting_copy(self, c->values_out.buffer, (landing->count - 1) * size, self->carry, 0, size);
done:
    return status;
}

static const char *needs_all(const void *desc)
{
    (void)desc;
    return "the last run of a batch may continue in the next batch";
}

static const char *const texts[] = {"input", NULL};

const clprim__pieces clprim__reduce_by_key_pieces = {
    .obstacle = obstacle,
    .needs_all = needs_all,
    .count_place = offsetof(clprim_reduce_by_key_call, count),
    .halo = halo,
    .carry = carry,
    .texts = texts,
    .prepare = prepare,
    .launched = launched,
};
