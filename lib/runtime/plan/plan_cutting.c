/* plan_cutting.c: access to the memory of a call that is cut into parts, for the operations. */
#include "error.h"
#include "host.h"
#include "plan_host.h"
#include "plan_parts.h"
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
                   "clEnqueueCopyBuffer between parts");
    if (status != CLPRIM_SUCCESS)
        return status;
    status = clprim__cl(clWaitForEvents(1, &done), "clWaitForEvents");
    (void)clReleaseEvent(done);
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
