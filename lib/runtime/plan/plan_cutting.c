// SPDX-License-Identifier: MIT
/* plan_cutting.c: access to the memory of a call that is cut into pieces, for the operations. */
#include "error.h"
#include "host.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "runtime_internal.h"

clprim_status clprim__cutting_read(const clprim__cutting *self, void *out, cl_mem from, size_t byte, size_t bytes)
{
    return bytes == 0 ? CLPRIM_SUCCESS : clprim__host_down(out, self->runtime, self->runtime->queue, from, byte, bytes);
}

clprim_status clprim__cutting_write(const clprim__cutting *self, cl_mem to, size_t byte, const void *data, size_t bytes)
{
    return clprim__host_up(to, byte, self->runtime, self->runtime->queue, data, bytes);
}

clprim_status clprim__cutting_copy(const clprim__cutting *self, cl_mem from, size_t from_byte, cl_mem to,
                                   size_t to_byte, size_t bytes)
{
    cl_event done = NULL;
    clprim_status status =
        clprim__cl(clEnqueueCopyBuffer(self->runtime->queue, from, to, from_byte, to_byte, bytes, 0, NULL, &done),
                   "clEnqueueCopyBuffer between pieces");
    if (status != CLPRIM_SUCCESS)
        return status;
    status = clprim__cl(clWaitForEvents(1, &done), "clWaitForEvents");
    (void)clReleaseEvent(done);
    return status;
}

static clprim_status copy_buffer(const clprim_plan *plan, const clprim__slot *slot, const clprim_array *array,
                                 void *data, size_t count)
{
    const clprim_runtime *runtime = plan->runtime;
    const size_t at = array->offset * slot->element_size;
    const size_t bytes = count * slot->element_size;
    clprim__range range = {.name = slot->member->name,
                           .memory = array->buffer,
                           .offset = array->offset,
                           .count = count,
                           .element_size = slot->element_size};
    if (array->buffer == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is NULL", slot->member->name);
    const clprim_status status =
        clprim__check_range(&range, runtime->context, slot->is_written ? CLPRIM__WRITE : CLPRIM__READ);
    return status != CLPRIM_SUCCESS ? status
           : slot->is_written       ? clprim__host_up(array->buffer, at, runtime, runtime->queue, data, bytes)
                                    : clprim__host_down(data, runtime, runtime->queue, array->buffer, at, bytes);
}

clprim_status clprim__pieces_copy(const clprim_plan *plan, const void *call, const clprim__slot *slot, void *data,
                                  size_t count)
{
    clprim__svm svm = {.num_regions = 0};
    clprim__given own;
    if (count == 0)
        return CLPRIM_SUCCESS;
    if (clprim__is_on_host(call, slot)) {
        void *host = clprim__host_data(call, slot);
        memcpy(slot->is_written ? host : data, slot->is_written ? data : host, count * slot->element_size);
        return CLPRIM_SUCCESS;
    }
    memcpy(own.bytes, call, plan->operation->face->call_size);
    clprim_status status = clprim__svm_begin(&svm, plan, own.bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    status = copy_buffer(plan, slot, clprim__array_in(own.bytes, slot), data, count);
    clprim__svm_end(&svm);
    return status;
}

const clprim_array *clprim__cutting_array(const clprim__cutting *self, const char *name, size_t *element_size)
{
    const clprim__slot *slot = &self->plan->slots[clprim__slot_named(self->plan, name, 0)];
    *element_size = slot->element_size;
    return clprim__array_in(self->call.bytes, slot);
}

clprim_status clprim__cutting_put_number(const clprim__cutting *self, const char *name, size_t number)
{
    size_t size = 0;
    const clprim_array *array = clprim__cutting_array(self, name, &size);
    const cl_ulong wide = number;
    const cl_uint narrow = (cl_uint)number;
    return clprim__cutting_write(self, array->buffer, array->offset * size,
                                 size == sizeof wide ? (const void *)&wide : &narrow, size);
}

clprim_status clprim__cutting_get_number(size_t *out, const clprim__cutting *self, cl_mem from, size_t at, size_t size)
{
    return clprim__host_number(out, self->runtime, &(clprim_array){.buffer = from, .offset = at}, size, NULL);
}
