/* plan_host.h: a call's arrays on the host, for run. */
#ifndef CLPRIM_LIB_PLAN_HOST_H
#define CLPRIM_LIB_PLAN_HOST_H

#include "plan_internal.h"

/* Where the array of a call begins, which is on the host. */
void *clprim__host_data(const void *call, const clprim__slot *slot);

/* Whether the slot's array of the call is one on the host. */
static inline bool clprim__is_on_host(const void *call, const clprim__slot *slot)
{
    return !slot->is_value && clprim__array_in(call, slot)->host != NULL;
}

/* Check such an array; *length receives its number of elements.
 * Errors: CLPRIM_INVALID_ARGUMENT (beside a buffer, or the description has no such array), CLPRIM_INVALID_RANGE. */
clprim_status clprim__host_check(size_t *length, const clprim_plan *plan, const void *call, const clprim__slot *slot);

/* A buffer for the slot's array, which was checked: with what is on the host, where kernels read it, or keep some of it.
 * NULL if there are no elements. */
clprim_status clprim__host_bring(cl_mem *out, const clprim_plan *plan, const void *call, const clprim__slot *slot);

/* The number at an array of the call that is a count of `size` bytes, in a buffer; after the event, which may be NULL. */
clprim_status clprim__host_number(size_t *out, const clprim_runtime *runtime, const clprim_array *array, size_t size,
                                  cl_event done);

#endif
