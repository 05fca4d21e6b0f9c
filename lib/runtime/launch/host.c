// SPDX-License-Identifier: MIT
/* host.c: transfer arrays between the host and the device. */
#include "host.h"

#include <stdint.h>

#include "device.h"
#include "error.h"
#include "host_link.h"
#include "launch.h"
#include "runtime_internal.h"
#include "trace.h"

clprim_status clprim__host_input(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    *out = NULL;
    if (bytes == 0)
        return CLPRIM_SUCCESS;
    const clprim_status status = clprim__device_check_allocation(clprim_runtime_info(runtime), bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    union { /* OpenCL takes a pointer to non-const, but does not write to a read-only buffer through it */
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
    const clprim_status status = clprim__device_check_allocation(clprim_runtime_info(runtime), bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    *out = clCreateBuffer(clprim_runtime_context(runtime), CL_MEM_READ_WRITE, bytes, NULL, &code);
    return clprim__cl(code, "clCreateBuffer for the result");
}

/* Record a finished transfer between host and device in the timeline, and release the event. */
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

/* The most bytes in one transfer. After a transfer of 2^32 bytes, NVIDIA's driver returns CL_OUT_OF_RESOURCES, and so
 * do all later calls. */
static const size_t MOST_AT_ONCE = (size_t)1 << 30;

#define VERB(what)   ((what)->from != NULL ? "write" : "read")
#define OBJECT(what) ((what)->from != NULL ? "input" : "result")

/* Transfer one span to the device, or one range to the host. If `after` is not NULL, the transfer waits for that event.
 * A blocking call locks NVIDIA's driver, so nothing is transferred in the other direction meanwhile. With pinned
 * memory, where both directions at once are faster, the call is therefore not blocking. */
static clprim_status transfer_span(const clprim_runtime *runtime, cl_command_queue queue, const clprim__transfer *what,
                                   bool is_blocking, const cl_event *after)
{
    const cl_uint num_events = after != NULL;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t at = 0; at < what->bytes && status == CLPRIM_SUCCESS; at += MOST_AT_ONCE) {
        const long long began = clprim__trace_now();
        const size_t size = clprim__smaller(what->bytes - at, MOST_AT_ONCE);
        const size_t there = what->offset + at;
        cl_event event = NULL;
        cl_event *out = !is_blocking || runtime->timeline != NULL ? &event : NULL;
        if (what->from != NULL)
            status = clprim__cl(clEnqueueWriteBuffer(queue, what->buffer, is_blocking, there, size,
                                                     what->from->data + at, num_events, after, out),
                                "clEnqueueWriteBuffer for the input");
        else
            status = clprim__cl(clEnqueueReadBuffer(queue, what->buffer, is_blocking, there, size, what->to + at,
                                                    num_events, after, out),
                                "clEnqueueReadBuffer for the result");
        if (status == CLPRIM_SUCCESS && !is_blocking) {
            status = clprim__cl(clWaitForEvents(1, &event), "clWaitForEvents for a transfer");
            if (status != CLPRIM_SUCCESS)
                (void)clFinish(queue); /* the caller may free the host's memory after this returns */
        }
        record(runtime, queue, VERB(what), OBJECT(what), size, event, began, status);
    }
    return status;
}

/* Enqueue transfers of several spans of pinned memory, then wait for all of them. The queue is in-order. */
static clprim_status transfer_spans(const clprim_runtime *runtime, cl_command_queue queue, const clprim__transfer *what)
{
    const long long began = clprim__trace_now();
    size_t there = what->offset;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < what->num_spans && status == CLPRIM_SUCCESS; i++)
        for (size_t at = 0; at < what->from[i].bytes && status == CLPRIM_SUCCESS;) {
            const size_t size = clprim__smaller(what->from[i].bytes - at, MOST_AT_ONCE);
            status = clprim__cl(clEnqueueWriteBuffer(queue, what->buffer, CL_FALSE, there, size,
                                                     what->from[i].data + at, 0, NULL, NULL),
                                "clEnqueueWriteBuffer for the input");
            at += size;
            there += size;
        }
    const cl_int code = clFinish(queue); /* the caller may free the host's memory after this returns */
    if (status == CLPRIM_SUCCESS)
        status = clprim__cl(code, "clFinish for transfers");
    record(runtime, queue, VERB(what), OBJECT(what), what->bytes, NULL, began, status);
    return status;
}

static clprim_status transfer(const clprim_runtime *runtime, cl_command_queue queue, const clprim__transfer *what,
                              const cl_event *after)
{
    const long long began = clprim__trace_now();
    const bool is_pinned = clprim__host_link_is_pinned(runtime->host_link, what);
    bool took = false;
    clprim_status status = CLPRIM_SUCCESS;
    if (!is_pinned)
        status = clprim__host_link_run(&took, runtime->host_link, what);
    if (took) {
        record(runtime, queue, VERB(what), OBJECT(what), what->bytes, NULL, began, status);
        return status;
    }
    if (what->from == NULL)
        return transfer_span(runtime, queue, what, !is_pinned, after);
    if (is_pinned && what->num_spans > 1)
        return transfer_spans(runtime, queue, what);
    clprim__transfer one = *what;
    for (; one.num_spans > 0 && status == CLPRIM_SUCCESS; one.num_spans--, one.offset += one.bytes, one.from++) {
        one.bytes = one.from->bytes;
        status = transfer_span(runtime, queue, &one, !is_pinned, after);
    }
    return status;
}

clprim_status clprim__host_up_spans(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                                    const clprim__span *spans, size_t num_spans)
{
    clprim__transfer what = {.buffer = buffer, .offset = offset, .from = spans, .num_spans = num_spans};
    for (size_t i = 0; i < num_spans; i++)
        what.bytes += spans[i].bytes;
    return transfer(runtime, queue, &what, NULL);
}

clprim_status clprim__host_up(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                              const void *data, size_t bytes)
{
    const clprim__span span = {.data = data, .bytes = bytes};
    return clprim__host_up_spans(buffer, offset, runtime, queue, &span, 1);
}

clprim_status clprim__host_down(void *out, const clprim_runtime *runtime, cl_command_queue queue, cl_mem buffer,
                                size_t offset, size_t bytes)
{
    const clprim__transfer what = {.buffer = buffer, .offset = offset, .bytes = bytes, .to = out};
    return transfer(runtime, queue, &what, NULL);
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
    const clprim__transfer what = {.buffer = buffer, .offset = offset, .bytes = bytes, .to = out};
    return transfer(runtime, runtime->queue, &what, &done);
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
