// SPDX-License-Identifier: MIT
/* plan_host.c: the arrays on the host of a call of run. */
#include "plan_host.h"

#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "sizes.h"

void *clprim__host_data(const void *call, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    return (char *)array->host + array->offset * slot->element_size;
}

clprim_status clprim__check_length(const clprim_plan *plan, const void *call, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    const char *name = slot->member->name;
    const size_t needed = slot->is_always_read ? slot->member->length(plan->desc.bytes, call)
                                               : clprim__length_of(slot, plan->desc.bytes, call);
    if (array->length == 0 || array->length >= needed)
        return CLPRIM_SUCCESS;
    return slot->is_always_read
               ? clprim__fail(CLPRIM_INVALID_RANGE,
                              "%s[%zu] has a length of %zu: a text reads it at i, up to %zu elements", name,
                              slot->index, array->length, needed)
               : clprim__fail(CLPRIM_INVALID_RANGE, "%s has a length of %zu: the call needs %zu elements", name,
                              array->length, needed);
}

clprim_status clprim__host_check(size_t *length, const clprim_plan *plan, const void *call, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    const char *name = slot->member->name;
    size_t end = 0;
    if (array->buffer != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s has both a buffer and an array on the host", name);
    if (slot->element_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the description does not ask for it", name);
    *length = clprim__length_of(slot, plan->desc.bytes, call);
    const clprim_status status = clprim__check_length(plan, call, slot);
    if (status != CLPRIM_SUCCESS)
        return status;
    return clprim__check_end(
        &end,
        &(clprim__range){.name = name, .offset = array->offset, .count = *length, .element_size = slot->element_size});
}

/* Whether the contents of an output before the call matter: it is also read, or not everything that is copied back was
 * written. */
static bool keeps_some(const clprim_plan *plan, const clprim__slot *slot)
{
    return slot->is_read || slot->member->is_partial || (plan->counts.number > 0 && slot->counted_by < 0);
}

clprim_status clprim__host_bring(cl_mem *out, const clprim_plan *plan, const void *call, const clprim__slot *slot,
                                 size_t length)
{
    const void *data = clprim__host_data(call, slot);
    const size_t bytes = length * slot->element_size;
    if (!slot->is_written)
        return clprim__host_input(out, plan->runtime, data, bytes);
    const clprim_status status = clprim__host_result(out, plan->runtime, bytes);
    return status == CLPRIM_SUCCESS && keeps_some(plan, slot) && bytes > 0
               ? clprim__host_write(*out, plan->runtime, data, bytes)
               : status;
}

clprim_status clprim__host_number(size_t *out, const clprim_runtime *runtime, const clprim_array *array, size_t size,
                                  cl_event done)
{
    cl_uint narrow = 0;
    cl_ulong wide = 0;
    const bool is_wide = size == sizeof wide;
    void *number = is_wide ? (void *)&wide : &narrow;
    const clprim_status status =
        done != NULL ? clprim__host_output_at(number, runtime, array->buffer, array->offset * size, size, done)
                     : clprim__host_down(number, runtime, runtime->queue, array->buffer, array->offset * size, size);
    *out = clprim__size_of(is_wide ? wide : narrow);
    return status;
}
