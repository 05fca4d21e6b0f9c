// SPDX-License-Identifier: MIT
/* trace_clock.c: convert device times to host times. OpenCL 1.2 cannot read both clocks at once. But the time at which
 * a command was queued lies between two readings of the host's clock. */
#include "trace_clock.h"

#include <limits.h>

#include "platform.h"

enum { TRIALS = 8, SLACK = 50000 /* nanoseconds of drift after which the clocks are compared again */ };

long long clprim__trace_now(void)
{
    return clprim__time();
}

/* Narrow down the difference between the clocks by one trial. The first trial takes longest, because drivers must
 * initialise. A later one that contradicts the earlier ones is ignored. */
static cl_int try_once(long long *least, long long *most, cl_command_queue queue, cl_mem memory)
{
    static const cl_uint word = 0; /* static, because the driver may still read it if waiting fails */
    cl_event event = NULL;
    cl_ulong queued = 0;
    const long long began = clprim__trace_now();
    cl_int code = clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, sizeof word, &word, 0, NULL, &event);
    const long long ended = clprim__trace_now();
    if (code != CL_SUCCESS)
        return code;
    code = clWaitForEvents(1, &event);
    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL);
    (void)clReleaseEvent(event);
    if (code != CL_SUCCESS || began - (long long)queued > *most || ended - (long long)queued < *least)
        return code;
    *least = began - (long long)queued > *least ? began - (long long)queued : *least;
    *most = ended - (long long)queued < *most ? ended - (long long)queued : *most;
    return code;
}

void clprim__trace_clock_set(clprim__trace_clock *out, cl_context context, cl_device_id device)
{
    long long least = LLONG_MIN;
    long long most = LLONG_MAX;
    cl_int code = CL_SUCCESS;
    cl_mem memory = NULL;
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code == CL_SUCCESS)
        memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &code);
    for (int i = 0; i < TRIALS && code == CL_SUCCESS; i++)
        code = try_once(&least, &most, queue, memory);
    if (memory != NULL)
        (void)clReleaseMemObject(memory);
    if (queue != NULL)
        (void)clReleaseCommandQueue(queue);
    if (least != LLONG_MIN)
        *out = (clprim__trace_clock){.ahead = least + (most - least) / 2, .is_set = true};
}

void clprim__trace_clock_check(clprim__trace_clock *self, cl_ulong queued, long long began, long long ended)
{
    const long long least = began - (long long)queued;
    const long long most = ended - (long long)queued;
    if (!self->is_set)
        self->ahead = least + (most - least) / 2;
    else if (self->ahead < least - SLACK)
        self->ahead = least;
    else if (self->ahead > most + SLACK)
        self->ahead = most;
    self->is_set = true;
}
