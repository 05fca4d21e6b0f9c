/* host.c: arrays on the host, in and out. */
#include "host.h"

#include <stdint.h>

#include "error.h"

enum { SHARED_ALIGNMENT = 16 /* bytes that a kernel loads at once, whatever the elements */ };

static clprim_status check_size(const clprim_runtime *runtime, size_t bytes)
{
    const clprim_device_info *info = clprim_runtime_info(runtime);
    if (bytes > info->max_allocation_size)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%zu bytes are more than %s takes in one buffer (%zu)", bytes,
                            info->name, info->max_allocation_size);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__host_input(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    *out = NULL;
    if (bytes == 0)
        return CLPRIM_SUCCESS;
    const clprim_status status = check_size(runtime, bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    union { /* OpenCL takes a pointer to non-const, but does not write through it to a read-only buffer */
        const void *in;
        void *out;
    } pointer = {.in = data};
    cl_int code = CL_SUCCESS;
    const bool is_shared = clprim_runtime_info(runtime)->is_unified_memory && (uintptr_t)data % SHARED_ALIGNMENT == 0;
    const cl_mem_flags sharing = is_shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
    *out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_ONLY | sharing, bytes, pointer.out, &code);
    return clprim__cl(code, "clCreateBuffer for the input");
}

clprim_status clprim__host_result(cl_mem *out, const clprim_runtime *runtime, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    *out = NULL;
    if (bytes == 0)
        return CLPRIM_SUCCESS;
    const clprim_status status = check_size(runtime, bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    *out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, bytes, NULL, &code);
    return clprim__cl(code, "clCreateBuffer for the result");
}

clprim_status clprim__host_output(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t bytes, cl_event done)
{
    return clprim__cl(
        clEnqueueReadBuffer(clprim_runtime_queue(runtime), buffer, CL_TRUE, 0, bytes, out, 1, &done, NULL),
        "clEnqueueReadBuffer for the result");
}

void clprim__host_finish(cl_event done, const cl_mem *buffers, size_t num_buffers)
{
    if (done != NULL) {
        (void)clWaitForEvents(1, &done);
        (void)clReleaseEvent(done);
    }
    for (size_t i = 0; i < num_buffers; i++)
        if (buffers[i] != NULL)
            (void)clReleaseMemObject(buffers[i]);
}
