// SPDX-License-Identifier: MIT
/* scan_pieces.c: scans of arrays that do not fit the device. Each piece begins with the last prefix of the previous
 * piece. */
#include "plan_pieces.h"
#include "plan_table.h"
#include "scan_internal.h"

typedef clprim_scan_desc description;

static clprim_element result_of(const description *d)
{
    return clprim__result(d->type, d->op, d->accumulator_type, d->custom);
}

static bool has_segments(const description *d)
{
    return d->segments != CLPRIM_SEGMENTS_NONE;
}

static bool has_initial(const description *d)
{
    return d->initial != NULL || d->has_initial_at;
}

/* With segments, the prefix of the previous piece becomes an element. It cannot be the initial value, because all
 * segments begin with that. */
static const char *segments_obstacle(const description *d)
{
    const clprim_element result = result_of(d);
    const clprim_element value = clprim__operand(d->type, d->custom);
    return has_initial(d) && !d->sees_segments
               ? "a segment that continues in the next piece must not begin there with the "
                 "initial value"
           : d->exclusive && d->custom != NULL && d->custom->identity == NULL
               ? "an exclusive scan of segments cannot continue in the next piece without an identity"
           : d->input != NULL
               ? "a segment that continues in the next piece keeps its prefix among the elements, but there are none"
           : result.size != value.size || result.type != value.type
               ? "a segment that continues in the next piece keeps its prefix among the elements, which are of another "
                 "type"
               : NULL;
}

static const char *obstacle(const clprim_plan *plan, const void *desc)
{
    const description *d = desc;
    (void)plan;
    return d->output != NULL ? "with .output, the prefixes that the next piece begins with are not kept"
           : d->reproducible && (d->custom != NULL || clprim__is_rounding(result_of(d), d->op))
               ? "with .reproducible, the bits must not depend on where arrays are cut"
           : d->custom == NULL && (d->op == CLPRIM_ARGMIN || d->op == CLPRIM_ARGMAX)
               ? "scans by ARGMIN and ARGMAX cannot begin with the prefix of the previous piece"
           : d->segments == CLPRIM_SEGMENTS_BY_OFFSETS ? "offsets of segments count from the first element of the call"
           : has_segments(d)                           ? segments_obstacle(d)
                                                       : NULL;
}

/* An exclusive piece also has the first element of the next piece: its prefix is what the next piece begins with. With
 * segments, this prefix replaces the last element before the piece. */
static clprim__halo halo(const void *desc)
{
    const description *d = desc;
    return (clprim__halo){
        .left = has_segments(d), .right = d->exclusive, .is_any_right = !has_segments(d) && d->input == NULL};
}

static size_t carry(const clprim_plan *plan, const void *desc)
{
    (void)plan;
    return result_of(desc).size;
}

static void describe(void *desc, const clprim_plan *plan, bool is_first)
{
    description *d = desc;
    (void)plan;
    if (is_first)
        return;
    d->initial = NULL;
    d->has_initial_at = !has_segments(d);
}

static clprim_status prepare(clprim__cutting *self, void *call)
{
    clprim_scan_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    if (self->piece == 0)
        return CLPRIM_SUCCESS;
    c->initial_at = (clprim_array){0};
    if (has_segments((const description *)(const void *)self->desc.bytes))
        return clprim__cutting_copy(self, self->carry, 0, c->in.buffer, c->in.offset * size, size);
    c->initial_at.buffer = self->carry;
    return CLPRIM_SUCCESS;
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_scan_call *c = call;
    const size_t size = carry(self->plan, self->desc.bytes);
    (void)landing;
    if (self->is_last)
        return CLPRIM_SUCCESS;
    return clprim__cutting_copy(self, c->out.buffer, (c->count - 1) * size, self->carry, 0, size);
}

static const char *const texts[] = {"input", NULL};

const clprim__pieces clprim__scan_pieces = {
    .obstacle = obstacle,
    .count_place = offsetof(clprim_scan_call, count),
    .halo = halo,
    .carry = carry,
    .texts = texts,
    .describe = describe,
    .prepare = prepare,
    .launched = launched,
};
