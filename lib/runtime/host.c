/* host.c: arrays on the host, in and out. */
#include "host.h"

#include "error.h"

clprim_status clprim__host_input(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    *out = NULL;
    if (bytes == 0)
        return CLPRIM_SUCCESS;
    const clprim_device_info *info = clprim_runtime_info(runtime);
    if (bytes > info->max_allocation_size)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%zu bytes are more than %s takes in one buffer (%zu)", bytes,
                            info->name, info->max_allocation_size);
    union { /* OpenCL takes a pointer to non-const, but does not write through it to a read-only buffer */
        const void *in;
        void *out;
    } pointer = {.in = data};
    cl_int code = CL_SUCCESS;
    const cl_mem_flags sharing = info->is_unified_memory ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
    *out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_ONLY | sharing, bytes, pointer.out, &code);
    return clprim__cl(code, "clCreateBuffer for the input");
}

clprim_status clprim__host_output(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t bytes, cl_event done)
{
    return clprim__cl(
        clEnqueueReadBuffer(clprim_runtime_queue(runtime), buffer, CL_TRUE, 0, bytes, out, 1, &done, NULL),
        "clEnqueueReadBuffer for the result");
}
