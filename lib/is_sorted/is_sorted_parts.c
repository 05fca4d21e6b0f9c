/* is_sorted_parts.c: tests of arrays that do not fit the device, up to the first part that is not sorted. */
#include "is_sorted_internal.h"
#include "plan_parts.h"

static clprim__halo halo(const void *desc)
{
    (void)desc;
    return (clprim__halo){.left = 1};
}

static clprim_status launched(clprim__cutting *self, const void *call, clprim__landing *landing)
{
    const clprim_is_sorted_call *c = call;
    size_t *until = (void *)self->notes.bytes;
    size_t sorted = 0;
    (void)landing;
    const clprim_status status =
        clprim__cutting_get_number(&sorted, self, c->out.buffer, c->out.offset, self->plan->index_size);
    *until = self->begin - self->left + sorted;
    if (sorted < c->count)
        __atomic_store_n(&self->is_over, true, __ATOMIC_RELEASE);
    return status;
}

static clprim_status finish(clprim__cutting *self, const void *desc)
{
    const size_t *until = (const void *)self->notes.bytes;
    (void)desc;
    return clprim__cutting_put_number(self, "out", *until);
}

static const char *const texts[] = {"input", NULL};

const clprim__parts clprim__is_sorted_parts = {
    .count_place = offsetof(clprim_is_sorted_call, count),
    .halo = halo,
    .texts = texts,
    .launched = launched,
    .finish = finish,
};
