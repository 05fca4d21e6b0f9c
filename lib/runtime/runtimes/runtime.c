// SPDX-License-Identifier: MIT
/* runtime.c: create a runtime on the best device, or from the caller's own OpenCL objects. */
#include <clprim/runtime.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "device.h"
#include "error.h"
#include "host_link.h"
#include "runtime_internal.h"

/* The device of a context; the context must have exactly one. */
static clprim_status only_device(cl_device_id *out, cl_context context)
{
    cl_uint count = 0;
    clprim_status status =
        clprim__cl(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL), "clGetContextInfo");
    if (status != CLPRIM_SUCCESS)
        return status;
    if (count != 1)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the context has %u devices: set .device", count);
    return clprim__cl(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof *out, out, NULL), "clGetContextInfo");
}

static clprim_status context_has_device(cl_context context, cl_device_id device)
{
    size_t size = 0;
    bool found = false;
    cl_device_id *devices = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__cl(clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size), "clGetContextInfo"));
    devices = malloc(size + 1);
    if (devices == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a list of devices");
    CLPRIM__TRY(clprim__cl(clGetContextInfo(context, CL_CONTEXT_DEVICES, size, devices, NULL), "clGetContextInfo"));
    for (size_t i = 0; i < size / sizeof *devices; i++)
        found = found || devices[i] == device;
    if (!found)
        status = clprim__fail(CLPRIM_INVALID_ARGUMENT, "the device does not belong to the context");
done:
    free(devices);
    return status;
}

/* Fill in the context and the device if the caller did not give them. A queue knows both; a context with one device
 * knows the device. */
static clprim_status complete_wrapping(clprim_runtime_desc *desc)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (desc->queue != NULL) {
        cl_context context = NULL;
        cl_device_id device = NULL;
        CLPRIM__TRY(clprim__cl(clGetCommandQueueInfo(desc->queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL),
                               "clGetCommandQueueInfo"));
        CLPRIM__TRY(clprim__cl(clGetCommandQueueInfo(desc->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL),
                               "clGetCommandQueueInfo"));
        if ((desc->context != NULL && desc->context != context) || (desc->device != NULL && desc->device != device))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the queue belongs to another context or device");
        desc->context = context;
        desc->device = device;
    } else if (desc->device == NULL) {
        CLPRIM__TRY(only_device(&desc->device, desc->context));
    } else {
        CLPRIM__TRY(context_has_device(desc->context, desc->device));
    }
done:
    return status;
}

static clprim_status wrap(clprim_runtime *self, clprim_runtime_desc desc)
{
    cl_platform_id platform = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(complete_wrapping(&desc));
    CLPRIM__TRY(clprim__cl(clGetDeviceInfo(desc.device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL),
                           "clGetDeviceInfo(PLATFORM)"));
    CLPRIM__TRY(clprim__device_query(&self->info, platform, desc.device));
    self->info.index = SIZE_MAX;
    CLPRIM__TRY(clprim__device_check_selected(&self->info, desc.select));
    CLPRIM__TRY(clprim__cl(clRetainContext(desc.context), "clRetainContext"));
    self->context = desc.context;
    if (desc.queue != NULL) {
        CLPRIM__TRY(clprim__cl(clRetainCommandQueue(desc.queue), "clRetainCommandQueue"));
        self->queue = desc.queue;
    }
done:
    return status;
}

static clprim_status make_own(clprim_runtime *self, const char *selection)
{
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__device_select(&self->info, selection));
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)self->info.platform, 0};
    self->context = clCreateContext(properties, 1, &self->info.device, NULL, NULL, &code);
    CLPRIM__TRY(clprim__cl(code, "clCreateContext"));
done:
    return status;
}

/* Set the context, the device, and the caller's queue if there is one. */
static clprim_status connect(clprim_runtime *self, const clprim_runtime_desc *desc)
{
    if (desc->context != NULL || desc->queue != NULL)
        return wrap(self, *desc);
    clprim__driver_lock();
    const clprim_status status = make_own(self, desc->select != NULL ? desc->select : getenv("CLPRIM_DEVICE"));
    clprim__driver_unlock();
    return status;
}

static void note_cache(const clprim_runtime *runtime)
{
    char problem[512];
    if (runtime->timeline != NULL && clprim_runtime_cache_problem(runtime, problem, sizeof problem) > 0)
        clprim__trace_note(runtime->timeline, "compiled kernels are not kept", problem);
}

clprim_status clprim_runtime_create(clprim_runtime **out, const clprim_runtime_desc *desc)
{
    static const clprim_runtime_desc defaults = {0};
    if (out == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_create: out is NULL");
    if (desc == NULL)
        desc = &defaults;
    if (desc->device != NULL && desc->context == NULL && desc->queue == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, ".device is given without .context or .queue");
    clprim_runtime *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    self->references = 1;
    const long long began = clprim__trace_now();
    const bool is_timed = desc->profiling || clprim__trace_is_wanted();

    clprim_status status = CLPRIM_SUCCESS;
    cl_int code = CL_SUCCESS;
    CLPRIM__TRY(clprim__device_check_without());
    CLPRIM__TRY(connect(self, desc));
    if (self->queue == NULL) {
        self->queue =
            clCreateCommandQueue(self->context, self->info.device, is_timed ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
        CLPRIM__TRY(clprim__cl(code, "clCreateCommandQueue"));
    }
    CLPRIM__TRY(clprim__trace_open(&self->timeline, self->context, &self->info));
    CLPRIM__TRY(clprim__programs_create(&self->programs, self->context, &self->info, self->timeline));
    CLPRIM__TRY(clprim__scratch_pool_create(&self->scratch, self->context));
    CLPRIM__TRY(clprim__host_link_create(&self->host_link, self));
    CLPRIM__TRY(clprim__tuning_create(&self->tuning, &self->info));
    CLPRIM__TRY(clprim__verdicts_create(&self->verdicts, &self->info, self->programs));
    if (clprim__verdicts_take_notes(self->verdicts))
        clprim__programs_take_notes(self->programs);
    clprim__tuning_note(self);
    note_cache(self);
    clprim__trace_host(self->timeline, &(clprim__trace_span){.verb = "create", .object = "runtime"}, began);
    *out = self;
    self = NULL; /* the caller now owns it */
done:
    clprim_runtime_destroy(self);
    return status;
}

clprim_runtime *clprim__runtime_retain(clprim_runtime *runtime)
{
    __atomic_add_fetch(&runtime->references, 1, __ATOMIC_RELAXED);
    return runtime;
}

void clprim_runtime_destroy(clprim_runtime *runtime)
{
    if (runtime == NULL || __atomic_sub_fetch(&runtime->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (runtime->timeline != NULL && runtime->queue != NULL)
        (void)clFlush(runtime->queue);
    clprim__trace_close(runtime->timeline);
    clprim__verdicts_destroy(runtime->verdicts);
    clprim__tuning_destroy(runtime->tuning);
    clprim__host_link_destroy(runtime->host_link);
    clprim__scratch_pool_destroy(runtime->scratch);
    clprim__programs_destroy(runtime->programs);
    if (runtime->queue != NULL)
        clReleaseCommandQueue(runtime->queue);
    if (runtime->context != NULL)
        clReleaseContext(runtime->context);
    free(runtime);
}

void clprim_runtime_trim(clprim_runtime *runtime)
{
    if (runtime == NULL)
        return;
    clprim__scratch_pool_trim(runtime->scratch);
    clprim__host_link_trim(runtime->host_link);
}

clprim_status clprim_runtime_set_run_limits(clprim_runtime *runtime, const clprim_run_limits *limits)
{
    static const clprim_run_limits defaults;
    if (limits == NULL)
        limits = &defaults;
    if (runtime == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_set_run_limits: runtime is NULL");
    if ((limits->allocate == NULL) != (limits->release == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_set_run_limits: %s is given without %s",
                            limits->allocate != NULL ? "allocate" : "release",
                            limits->allocate != NULL ? "release" : "allocate");
    runtime->limits = *limits;
    return CLPRIM_SUCCESS;
}

clprim_status clprim_memory_register(clprim_runtime *runtime, void *data, size_t bytes)
{
    if (runtime == NULL || data == NULL || bytes == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_memory_register: %s",
                            runtime == NULL ? "runtime is NULL"
                            : data == NULL  ? "data is NULL"
                                            : "bytes is 0");
    return clprim__host_link_register(runtime->host_link, data, bytes);
}

clprim_status clprim_memory_unregister(clprim_runtime *runtime, const void *data)
{
    if (runtime == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_memory_unregister: runtime is NULL");
    return clprim__host_link_unregister(runtime->host_link, data);
}

const clprim_device_info *clprim_runtime_info(const clprim_runtime *runtime)
{
    return runtime != NULL ? &runtime->info : NULL;
}

cl_context clprim_runtime_context(const clprim_runtime *runtime)
{
    return runtime != NULL ? runtime->context : NULL;
}

cl_command_queue clprim_runtime_queue(const clprim_runtime *runtime)
{
    return runtime != NULL ? runtime->queue : NULL;
}

clprim_program_stats clprim_runtime_program_stats(const clprim_runtime *runtime)
{
    return runtime != NULL ? clprim__programs_stats(runtime->programs) : (clprim_program_stats){0};
}

/* The report without a runtime: there are no problems to report. */
static size_t say_nothing(char *out, size_t capacity)
{
    if (out != NULL && capacity > 0)
        out[0] = '\0';
    return 0;
}

size_t clprim_runtime_tuning_problems(const clprim_runtime *runtime, char *out, size_t capacity)
{
    return runtime == NULL ? say_nothing(out, capacity)
                           : clprim__tuning_problems(runtime->tuning, out, out != NULL ? capacity : 0);
}

size_t clprim_runtime_cache_problem(const clprim_runtime *runtime, char *out, size_t capacity)
{
    return runtime == NULL ? say_nothing(out, capacity)
                           : clprim__programs_cache_problem(runtime->programs, out, out != NULL ? capacity : 0);
}

size_t clprim_runtime_set_aside(const clprim_runtime *runtime, char *out, size_t capacity)
{
    return runtime == NULL ? say_nothing(out, capacity)
                           : clprim__verdicts_set_aside(runtime->verdicts, out, out != NULL ? capacity : 0);
}

void clprim_runtime_set_trace(clprim_runtime *runtime, clprim_trace_fn trace, void *user)
{
    if (runtime == NULL)
        return;
    runtime->trace = trace;
    runtime->trace_user = user;
}

clprim_status clprim_runtime_default(clprim_runtime **out)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static clprim_runtime *shared; /* never destroyed: at exit, the drivers may be unloaded before the library */
    if (out == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_runtime_default: out is NULL");
    pthread_mutex_lock(&mutex);
    const clprim_status status = shared != NULL ? CLPRIM_SUCCESS : clprim_runtime_create(&shared, NULL);
    if (status == CLPRIM_SUCCESS)
        *out = shared;
    pthread_mutex_unlock(&mutex);
    return status;
}
