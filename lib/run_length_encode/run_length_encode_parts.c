/* run_length_encode_parts.c: runs of arrays that do not fit the device: the first run of a part may be the rest of the last
 * one before it. */
#include "plan_host.h"
#include "plan_parts.h"
#include "run_length_encode_internal.h"

/* Whether the part's first element belongs to the last run of the part before. */
static bool goes_on(const clprim__cutting *self)
{
    const clprim__slot *slot = &self->plan->slots[clprim__slot_named(self->plan, "in", 0)];
    const char *first = (const char *)clprim__host_data(self->given, slot) + self->begin * slot->element_size;
    return self->part > 0 && memcmp(first - slot->element_size, first, slot->element_size) == 0;
}

/* A run that goes on is written once more, with the length that it has then. */
static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_run_length_encode_call *c = call;
    const size_t size = self->plan->index_size;
    size_t *open = (void *)self->notes.bytes; /* the length of the last run so far */
    size_t length = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (landing->count == 0)
        return CLPRIM_SUCCESS;
    if (goes_on(self)) {
        landing->at--;
        status = clprim__cutting_get_number(&length, self, c->lengths_out.buffer, 0, size);
        const cl_ulong wide = *open + length;
        const cl_uint narrow = (cl_uint)wide;
        if (status == CLPRIM_SUCCESS)
            status = clprim__cutting_write(self, c->lengths_out.buffer, 0,
                                           size == sizeof wide ? (const void *)&wide : &narrow, size);
    }
    return status == CLPRIM_SUCCESS
               ? clprim__cutting_get_number(open, self, c->lengths_out.buffer, landing->count - 1, size)
               : status;
}

const clprim__parts clprim__run_length_encode_parts = {
    .count_place = offsetof(clprim_run_length_encode_call, count),
    .launched = launched,
};
