// SPDX-License-Identifier: MIT
/* plan_host.h: the arrays on the host of a call of run. */
#ifndef CLPRIM_LIB_PLAN_HOST_H
#define CLPRIM_LIB_PLAN_HOST_H

#include "plan_internal.h"

/* The address where an array on the host begins. */
void *clprim__host_data(const void *call, const clprim__slot *slot);

/* Whether the slot's array is on the host in this call. */
static inline bool clprim__is_on_host(const void *call, const clprim__slot *slot)
{
    return !slot->is_value && clprim__array_in(call, slot)->host != NULL;
}

/* Check an array on the host. *length receives its number of elements.
 * Errors: CLPRIM_INVALID_ARGUMENT (there is a buffer, too, or the description has no such array),
 * CLPRIM_INVALID_RANGE. */
clprim_status clprim__host_check(size_t *length, const clprim_plan *plan, const void *call, const clprim__slot *slot);

/* Create a buffer of `length` elements for the slot's array, which was checked. It gets the array's contents if kernels read them, or keep
 * some of them. *out is NULL if there are no elements. */
clprim_status clprim__host_bring(cl_mem *out, const clprim_plan *plan, const void *call, const clprim__slot *slot,
                                 size_t length);

/* Read a count of `size` bytes from a buffer of the call, after the event `done`, which may be NULL. */
clprim_status clprim__host_number(size_t *out, const clprim_runtime *runtime, const clprim_array *array, size_t size,
                                  cl_event done);

#endif
