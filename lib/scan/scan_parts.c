/* scan_parts.c: scans of arrays that do not fit the device: each part begins with the last prefix of the one before. */
#include "plan_parts.h"
#include "plan_table.h"
#include "scan_internal.h"

typedef clprim_scan_desc description;

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->segments != CLPRIM_SEGMENTS_NONE ? "segments may reach from one part into the next"
           : d->output != NULL ? "with .output the prefixes are not kept, which the next part would begin with"
           : d->reproducible   ? "with .reproducible the bits must not depend on where arrays are cut"
           : d->custom == NULL && (d->op == CLPRIM_ARGMIN || d->op == CLPRIM_ARGMAX)
               ? "scans by ARGMIN and ARGMAX cannot begin with the prefix of the part before"
               : NULL;
}

/* An exclusive part has the first element of the next one, too: the prefix there is what that begins with. */
static clprim__halo halo(const void *desc)
{
    return (clprim__halo){.right = ((const description *)desc)->exclusive};
}

static size_t carry(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return clprim__result(d->type, d->op, d->accumulator_type, d->custom).size;
}

static void describe(void *desc, const clprim_plan *plan, bool is_first)
{
    description *d = desc;
    (void)plan;
    if (is_first)
        return;
    d->initial = NULL;
    d->has_initial_at = true;
}

static clprim_status prepare(clprim__cutting *self, void *call)
{
    if (self->part > 0)
        ((clprim_scan_call *)call)->initial_at = (clprim_array){.buffer = self->carry};
    return CLPRIM_SUCCESS;
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_scan_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    (void)landing;
    if (self->part + 1 == self->num_parts)
        return CLPRIM_SUCCESS;
    return clprim__cutting_copy(self, c->out.buffer, (c->count - 1) * size, self->carry, 0, size);
}

static const char *const texts[] = {"input", NULL};

const clprim__parts clprim__scan_parts = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_scan_call, count),
    .halo = halo,
    .carry = carry,
    .texts = texts,
    .describe = describe,
    .prepare = prepare,
    .launched = launched,
};
