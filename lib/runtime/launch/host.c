/* host.c: arrays on the host, in and out. */
#include "host.h"

#include <stdint.h>

#include "error.h"
#include "host_link.h"
#include "runtime_internal.h"
#include "trace.h"

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
    const bool is_unified = clprim_runtime_info(runtime)->is_unified_memory;
    const bool is_shared = is_unified && (uintptr_t)data % CLPRIM__SHARED_ALIGNMENT == 0;
    const cl_mem_flags sharing = is_shared ? CL_MEM_USE_HOST_PTR : is_unified ? CL_MEM_COPY_HOST_PTR : 0;
    const long long began = clprim__trace_now();
    *out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_ONLY | sharing, bytes,
                          is_unified ? pointer.out : NULL, &code);
    const clprim_status made = clprim__cl(code, "clCreateBuffer for the input");
    if (made == CLPRIM_SUCCESS && !is_unified)
        return clprim__host_write(*out, runtime, data, bytes);
    const clprim__trace_span span = {
        .verb = is_shared ? "share" : "copy", .object = "input", .unit = "bytes", .number = bytes, .status = made};
    clprim__trace_host(runtime->timeline, &span, began);
    return made;
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

/* A copy between host and device is over. The event is given up. */
static void record(const clprim_runtime *runtime, cl_command_queue queue, const char *verb, const char *object,
                   size_t bytes, cl_event event, long long began, clprim_status status)
{
    const clprim__trace_command command = {.name = verb, .bytes = bytes};
    const clprim__trace_span span = {
        .verb = verb, .object = object, .unit = "bytes", .number = bytes, .status = status};
    if (event != NULL) {
        clprim__trace_device(runtime->timeline, &command, queue, event, began);
        (void)clReleaseEvent(event);
    }
    clprim__trace_host(runtime->timeline, &span, began);
}

/* Bytes of a transfer: of one of 2^32 NVIDIA's driver says CL_OUT_OF_RESOURCES, and of everything from then on. */
static const size_t MOST_AT_ONCE = (size_t)1 << 30;

static size_t part_of(size_t left)
{
    return left < MOST_AT_ONCE ? left : MOST_AT_ONCE;
}

clprim_status clprim__host_up(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                              const void *data, size_t bytes)
{
    bool took = false;
    const long long started = clprim__trace_now();
    clprim_status status = clprim__host_link_write(&took, runtime->host_link, buffer, offset, data, bytes);
    if (took) {
        record(runtime, queue, "write", "input", bytes, NULL, started, status);
        return status;
    }
    for (size_t at = 0; at < bytes && status == CLPRIM_SUCCESS; at += MOST_AT_ONCE) {
        const long long began = clprim__trace_now();
        cl_event event = NULL;
        status = clprim__cl(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset + at, part_of(bytes - at),
                                                 (const char *)data + at, 0, NULL,
                                                 runtime->timeline != NULL ? &event : NULL),
                            "clEnqueueWriteBuffer for the input");
        record(runtime, queue, "write", "input", part_of(bytes - at), event, began, status);
    }
    return status;
}

/* When the event, if there is one, is complete. */
static clprim_status read(void *out, const clprim_runtime *runtime, cl_command_queue queue, cl_mem buffer,
                          size_t offset, size_t bytes, const cl_event *done)
{
    bool took = false;
    const long long started = clprim__trace_now();
    clprim_status status = clprim__host_link_read(&took, runtime->host_link, out, buffer, offset, bytes);
    if (took) {
        record(runtime, queue, "read", "result", bytes, NULL, started, status);
        return status;
    }
    for (size_t at = 0; at < bytes && status == CLPRIM_SUCCESS; at += MOST_AT_ONCE) {
        const long long began = clprim__trace_now();
        cl_event event = NULL;
        status =
            clprim__cl(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset + at, part_of(bytes - at), (char *)out + at,
                                           done != NULL, done, runtime->timeline != NULL ? &event : NULL),
                       "clEnqueueReadBuffer for the result");
        record(runtime, queue, "read", "result", part_of(bytes - at), event, began, status);
    }
    return status;
}

clprim_status clprim__host_down(void *out, const clprim_runtime *runtime, cl_command_queue queue, cl_mem buffer,
                                size_t offset, size_t bytes)
{
    return read(out, runtime, queue, buffer, offset, bytes, NULL);
}

clprim_status clprim__host_write(cl_mem buffer, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    return clprim__host_up(buffer, 0, runtime, runtime->queue, data, bytes);
}

clprim_status clprim__host_output(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t bytes, cl_event done)
{
    return clprim__host_output_at(out, runtime, buffer, 0, bytes, done);
}

clprim_status clprim__host_output_at(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t offset,
                                     size_t bytes, cl_event done)
{
    return read(out, runtime, runtime->queue, buffer, offset, bytes, &done);
}

void clprim__host_finish(const clprim_runtime *runtime, cl_event done, const cl_mem *buffers, size_t num_buffers,
                         bool is_shared)
{
    bool is_in_use = is_shared;
    for (size_t i = 0; i < num_buffers; i++)
        is_in_use = is_in_use || buffers[i] != NULL;
    if (is_in_use && (done == NULL || clWaitForEvents(1, &done) != CL_SUCCESS))
        (void)clFinish(clprim_runtime_queue(runtime));
    if (done != NULL)
        (void)clReleaseEvent(done);
    for (size_t i = 0; i < num_buffers; i++)
        if (buffers[i] != NULL)
            (void)clReleaseMemObject(buffers[i]);
}
