// SPDX-License-Identifier: MIT
/* kernel_times.c: the library's trace says which kernels a call launched, their events say how long each one ran. */
#include "kernel_times.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LAUNCHES = 512, MOST_KERNELS = sizeof(((kernel_times *)NULL)->kernels) / sizeof(kernel_time), CALLS = 5 };

typedef struct recording {
    kernel_times times;
    cl_event events[MOST_LAUNCHES]; /* retained */
    size_t kernel_of[MOST_LAUNCHES];
    size_t num_events;
    bool has_lost_one; /* a launch that found no room, or an event that could not be kept */
} recording;

/* The kernel's place in the table; MOST_KERNELS: there is none left. */
static size_t find_or_add(kernel_times *times, const char *kernel)
{
    for (size_t i = 0; i < times->count; i++)
        if (strcmp(times->kernels[i].kernel, kernel) == 0)
            return i;
    if (times->count == MOST_KERNELS)
        return MOST_KERNELS;
    (void)snprintf(times->kernels[times->count].kernel, sizeof times->kernels->kernel, "%s", kernel);
    return times->count++;
}

/* Times are there only after the launch has run: the event is kept until then. */
static void record(void *user, const clprim_trace_record *launch)
{
    recording *self = user;
    const size_t kernel = find_or_add(&self->times, launch->kernel);
    if (self->num_events == MOST_LAUNCHES || kernel == MOST_KERNELS || clRetainEvent(launch->event) != CL_SUCCESS) {
        self->has_lost_one = true;
        return;
    }
    self->events[self->num_events] = launch->event;
    self->kernel_of[self->num_events++] = kernel;
}

static clprim_status sum_up(recording *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_events; i++) {
        kernel_time *kernel = &self->times.kernels[self->kernel_of[i]];
        cl_ulong begin = 0;
        cl_ulong end = 0;
        EXAMPLE_TRY(clGetEventProfilingInfo(self->events[i], CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
        EXAMPLE_TRY(clGetEventProfilingInfo(self->events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
        kernel->launches++;
        kernel->seconds += (double)(end - begin) * 1e-9;
        self->times.seconds += (double)(end - begin) * 1e-9;
    }
done:
    return status;
}

static clprim_status measure_once(kernel_times *out, const example *program, timing_call call, void *user)
{
    recording now = {0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim_runtime_set_trace(program->runtime, record, &now);
    status = call(user);
    clprim_runtime_set_trace(program->runtime, NULL, NULL);
    EXAMPLE_TRY(status);
    EXAMPLE_TRY(clFinish(program->queue));
    EXAMPLE_TRY(sum_up(&now));
    if (now.has_lost_one)
        status = example_fail("a call could not be timed: only %d launches of %d kernels can", (int)MOST_LAUNCHES,
                              (int)MOST_KERNELS);
    *out = now.times;
done:
    for (size_t i = 0; i < now.num_events; i++)
        (void)clReleaseEvent(now.events[i]);
    return status;
}

clprim_status kernel_times_measure(kernel_times *out, example *program, timing_call call, void *user)
{
    const cl_command_queue usual = program->queue;
    const size_t calls = program->check ? 1 : CALLS;
    kernel_times times = {0};
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    program->queue = clCreateCommandQueue(clprim_runtime_context(program->runtime), program->device->device,
                                          CL_QUEUE_PROFILING_ENABLE, &code);
    EXAMPLE_TRY(code);
    for (size_t i = 0; i < calls; i++) {
        EXAMPLE_TRY(measure_once(&times, program, call, user));
        if (i == 0 || times.seconds < out->seconds)
            *out = times;
    }
done:
    if (program->queue != NULL)
        (void)clReleaseCommandQueue(program->queue);
    program->queue = usual;
    return status;
}

kernel_time kernel_times_of(const kernel_times *self, const char *part)
{
    kernel_time sum = {0};
    for (size_t i = 0; i < self->count; i++) {
        if (strstr(self->kernels[i].kernel, part) == NULL)
            continue;
        sum.launches += self->kernels[i].launches;
        sum.seconds += self->kernels[i].seconds;
    }
    (void)snprintf(sum.kernel, sizeof sum.kernel, "%s", part);
    return sum;
}
