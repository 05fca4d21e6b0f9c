/* reduce_by_key_parts.c: runs of arrays that do not fit the device: the result of the last run of a part is the first value
 * of the next part, which writes it once more. */
#include "plan_parts.h"
#include "plan_table.h"
#include "reduce_by_key_internal.h"

typedef clprim_reduce_by_key_desc description;

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    const clprim_element result = clprim__result(d->type, d->op, d->accumulator_type, d->custom);
    const clprim_element value = clprim__operand(d->type, d->custom);
    (void)plan;
    return d->output != NULL  ? "with .output the results are not kept, with which runs go on in the next part"
           : d->input != NULL ? "a run that goes on in the next part has its result among the values: there are none"
           : result.size != value.size || result.type != value.type
               ? "a run that goes on in the next part has its result among the values, which are of another type"
               : NULL;
}

/* The last key of the part before, with the result of its run in the place of its value. */
static clprim__halo halo(const void *desc)
{
    (void)desc;
    return (clprim__halo){.left = 1};
}

static size_t carry(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return clprim__operand(d->type, d->custom).size;
}

static clprim_status prepare(clprim__cutting *self, void *call)
{
    const clprim_reduce_by_key_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    return self->left == 0
               ? CLPRIM_SUCCESS
               : clprim__cutting_copy(self, self->carry, 0, c->values_in.buffer, c->values_in.offset * size, size);
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_reduce_by_key_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    if (self->left > 0)
        *landing = (clprim__landing){.at = landing->at - 1, .count = landing->count + 1};
    if (landing->count == 0)
        return CLPRIM_SUCCESS;
    return clprim__cutting_copy(self, c->values_out.buffer, (landing->count - 1) * size, self->carry, 0, size);
}

const clprim__parts clprim__reduce_by_key_parts = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_reduce_by_key_call, count),
    .halo = halo,
    .carry = carry,
    .prepare = prepare,
    .launched = launched,
};
