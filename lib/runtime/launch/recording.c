// SPDX-License-Identifier: MIT
/* recording.c: record commands into a caller's command buffer. */
#include "recording.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "kernels_common.h"
#include "program.h"
#include "runtime_internal.h"
#include "sizes.h"

/* Constants from CL/cl_ext.h. They are the same in all revisions of the extension. */
enum {
    COMMAND_BUFFER_QUEUES = 0x1294,
    COMMAND_BUFFER_NUM_QUEUES = 0x1295,
    COMMAND_BUFFER_STATE = 0x1297,
    STATE_RECORDING = 0
};

enum { GROUP = 256, NAME_SIZE = 256 };

typedef cl_int(CL_API_CALL *info_fn)(struct _cl_command_buffer_khr *buffer, cl_uint what, size_t size, void *out,
                                     size_t *used);

/* A function of the extension. C does not convert pointers to data into pointers to functions. */
typedef union function {
    void *found;
    clprim__command_kernel_fn command_kernel;
    info_fn info;
} function;

static clprim_status find(function *out, const clprim_runtime *runtime, const char *name)
{
    out->found = clGetExtensionFunctionAddressForPlatform(runtime->info.platform, name);
    return out->found != NULL
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_UNSUPPORTED, "the driver of %s has no %s", runtime->info.name, name);
}

/* PoCL before 5.0 returns the address of its array of queues instead of the array's contents (PoCL pull request
 * 1276). */
static bool gives_address(const clprim_device_info *info)
{
    static const char name[] = "PoCL ";
    const char *version = info->vendor == CLPRIM_VENDOR_POCL ? strstr(info->platform_version, name) : NULL;
    return version != NULL && strtol(version + sizeof name - 1, NULL, 10) < 5;
}

static clprim_status find_queue(cl_command_queue *out, const clprim_runtime *runtime, info_fn info,
                                struct _cl_command_buffer_khr *buffer)
{
    union {
        cl_command_queue queue;
        const cl_command_queue *address;
    } answer = {NULL};
    cl_uint count = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__cl(info(buffer, COMMAND_BUFFER_NUM_QUEUES, sizeof count, &count, NULL),
                           "clGetCommandBufferInfoKHR(NUM_QUEUES)"));
    if (count != 1)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the command buffer has %u queues, but it must have one", count);
    CLPRIM__TRY(clprim__cl(info(buffer, COMMAND_BUFFER_QUEUES, sizeof answer, &answer, NULL),
                           "clGetCommandBufferInfoKHR(QUEUES)"));
    *out = gives_address(&runtime->info) ? *answer.address : answer.queue;
done:
    return status;
}

clprim_status clprim__recording_begin(clprim__recording *self, cl_command_queue *queue, const clprim_runtime *runtime,
                                      struct _cl_command_buffer_khr *buffer, cl_uint num_waits, const cl_uint *waits)
{
    function command_kernel;
    function buffer_info;
    cl_uint state = STATE_RECORDING;
    clprim_status status = CLPRIM_SUCCESS;
    if (!runtime->info.has_command_buffers)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no command buffers (cl_khr_command_buffer)",
                            runtime->info.name);
    if ((num_waits == 0) != (waits == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "num_waits is %u but waits is %s", num_waits,
                            waits == NULL ? "NULL" : "not NULL");
    CLPRIM__TRY(find(&command_kernel, runtime, "clCommandNDRangeKernelKHR"));
    CLPRIM__TRY(find(&buffer_info, runtime, "clGetCommandBufferInfoKHR"));
    CLPRIM__TRY(clprim__cl(buffer_info.info(buffer, COMMAND_BUFFER_STATE, sizeof state, &state, NULL),
                           "clGetCommandBufferInfoKHR(STATE)"));
    if (state != STATE_RECORDING)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "the command buffer is finalized and takes no more commands");
    CLPRIM__TRY(find_queue(queue, runtime, buffer_info.info, buffer));
    self->buffer = buffer;
    self->command_kernel = command_kernel.command_kernel;
    self->num_waits = num_waits;
    self->waits = waits;
    self->started = false;
done:
    return status;
}

/* Make room for one more kernel. */
static clprim_status make_room(clprim__recording *self)
{
    if (self->num_kernels < self->capacity)
        return CLPRIM_SUCCESS;
    const size_t capacity = self->capacity == 0 ? 8 : 2 * self->capacity;
    cl_kernel *larger = realloc(self->kernels, capacity * sizeof(cl_kernel));
    if (larger == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a recording of %zu kernels", capacity);
    self->kernels = larger;
    self->capacity = capacity;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__recording_copy(clprim__kernel *out, clprim__recording *self, const clprim__kernel *kernel)
{
    char name[NAME_SIZE]; /* with a caller's text, kernels have reserved names, so kernel->name is not enough */
    cl_program program = NULL;
    cl_int code = CL_SUCCESS;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(make_room(self));
    CLPRIM__TRY(clprim__cl(clGetKernelInfo(kernel->kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL),
                           "clGetKernelInfo(PROGRAM)"));
    CLPRIM__TRY(clprim__cl(clGetKernelInfo(kernel->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL),
                           "clGetKernelInfo(FUNCTION_NAME)"));
    cl_kernel made = clCreateKernel(program, name, &code);
    CLPRIM__TRY(clprim__cl(code, "clCreateKernel"));
    self->kernels[self->num_kernels++] = made;
    *out = *kernel;
    out->kernel = made;
    memset(out->known, 0, sizeof out->known);
done:
    return status;
}

clprim_status clprim__recording_own(clprim__kernel *out, clprim__recording *self, const clprim_runtime *runtime,
                                    const char *name)
{
    const clprim__program_request request = {.source = &clprim__source_common_record, .options = ""};
    size_t group_size = clprim__smaller(GROUP, runtime->info.max_work_group_size);
    cl_kernel made = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(make_room(self));
    CLPRIM__TRY(clprim__kernels_create(&made, &group_size, runtime->programs, &request, &name, 1));
    self->kernels[self->num_kernels++] = made;
    *out = (clprim__kernel){
        .kernel = made, .name = name, .program = clprim__source_common_record.path, .group_size = group_size};
done:
    return status;
}

/* Each command waits for the one before it, because the command buffer may be for an out-of-order queue. */
clprim_status clprim__recording_launch(clprim__recording *self, const clprim__kernel *kernel, size_t groups)
{
    const size_t global_size = clprim__times(groups, kernel->group_size);
    cl_uint done = 0;
    const clprim_status status =
        clprim__cl(self->command_kernel(self->buffer, NULL, NULL, kernel->kernel, 1, NULL, &global_size,
                                        &kernel->group_size, self->started ? 1 : self->num_waits,
                                        self->started ? &self->previous : self->waits, &done, NULL),
                   "clCommandNDRangeKernelKHR");
    if (status != CLPRIM_SUCCESS)
        return status;
    self->started = true;
    self->previous = done;
    return status;
}

void clprim__recording_clear(clprim__recording *self)
{
    while (self->num_kernels > 0)
        (void)clReleaseKernel(self->kernels[--self->num_kernels]);
    free(self->kernels);
    *self = (clprim__recording){.buffer = NULL};
}
