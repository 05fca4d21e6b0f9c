// SPDX-License-Identifier: MIT
/* recording.h: record the commands of one operation into a caller's command buffer (cl_khr_command_buffer) instead of
 * enqueuing them.
 *
 * The types are declared here, because not every system's CL/cl_ext.h has them. The library calls only two functions of
 * the extension, whose binary interface is the same in all of its revisions. The commands for fills and barriers have
 * gained a parameter, so kernels replace them. */
#ifndef CLPRIM_LIB_RECORDING_H
#define CLPRIM_LIB_RECORDING_H

#include "launch.h"

struct _cl_command_buffer_khr;

typedef cl_int(CL_API_CALL *clprim__command_kernel_fn)(struct _cl_command_buffer_khr *buffer, cl_command_queue queue,
                                                       const void *properties, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint num_waits, const cl_uint *waits, cl_uint *done,
                                                       void *handle);

/* Each plan has one, zeroed at first. It keeps the kernels of its commands until it is cleared. */
typedef struct clprim__recording {
    struct _cl_command_buffer_khr *buffer;
    clprim__command_kernel_fn command_kernel;
    cl_uint num_waits; /* given by the caller, for the first command */
    const cl_uint *waits;
    bool started;
    cl_uint previous; /* the sync point of the last command; the next command waits for it */
    cl_kernel *kernels;
    size_t num_kernels, capacity;
} clprim__recording;

/* Check that commands can be recorded into the buffer. *queue receives the buffer's queue.
 * Errors: CLPRIM_UNSUPPORTED if the device has no command buffers; CLPRIM_INVALID_ARGUMENT if the buffer is finalized
 * or has several queues, or if the wait list is invalid; OpenCL's. */
clprim_status clprim__recording_begin(clprim__recording *self, cl_command_queue *queue, const clprim_runtime *runtime,
                                      struct _cl_command_buffer_khr *buffer, cl_uint num_waits, const cl_uint *waits);

/* Create another object of the same kernel, for one command: PoCL 3.1 does not copy a kernel's arguments when the
 * kernel is recorded.
 * Errors: CLPRIM_OUT_OF_MEMORY, OpenCL's. */
clprim_status clprim__recording_copy(clprim__kernel *out, clprim__recording *self, const clprim__kernel *kernel);

/* Create the kernel `name` of kernels/common/record.cl, for one command. Errors: those of clprim__kernels_create. */
clprim_status clprim__recording_own(clprim__kernel *out, clprim__recording *self, const clprim_runtime *runtime,
                                    const char *name);

/* Record such a kernel, whose arguments must be set, as the next command. Errors: OpenCL's. */
clprim_status clprim__recording_launch(clprim__recording *self, const clprim__kernel *kernel, size_t groups);

void clprim__recording_clear(clprim__recording *self);

#endif
