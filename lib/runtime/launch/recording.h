/* recording.h: the commands of one operation in a caller's command buffer (cl_khr_command_buffer) instead of on a queue.
 *
 * The types are written out, since not every system's CL/cl_ext.h has them. Only two functions of the extension are
 * called: their binary interface is the same in all of its revisions. The commands for fills and barriers have got
 * another parameter since, so kernels stand in for them. */
#ifndef CLPRIM_LIB_RECORDING_H
#define CLPRIM_LIB_RECORDING_H

#include "launch.h"

struct _cl_command_buffer_khr;

typedef cl_int(CL_API_CALL *clprim__command_kernel_fn)(struct _cl_command_buffer_khr *buffer, cl_command_queue queue,
                                                       const void *properties, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint num_waits, const cl_uint *waits, cl_uint *done,
                                                       void *handle);

/* A plan has one, zeroed at first. It keeps the kernels of its commands until it is cleared. */
typedef struct clprim__recording {
    struct _cl_command_buffer_khr *buffer;
    clprim__command_kernel_fn command_kernel;
    cl_uint num_waits; /* of the caller, for the first command */
    const cl_uint *waits;
    bool started;
    cl_uint previous; /* the sync point of the last command, for the next one */
    cl_kernel *kernels;
    size_t num_kernels, capacity;
} clprim__recording;

/* Check that commands can be recorded into the buffer; *queue receives its queue.
 * Errors: CLPRIM_UNSUPPORTED if the device has no command buffers; CLPRIM_INVALID_ARGUMENT if the buffer is finalized
 * or has several queues, or the wait list is invalid; OpenCL's. */
clprim_status clprim__recording_begin(clprim__recording *self, cl_command_queue *queue, const clprim_runtime *runtime,
                                      struct _cl_command_buffer_khr *buffer, cl_uint num_waits, const cl_uint *waits);

/* Another object of the same kernel, for one command: PoCL 3.1 does not copy a kernel's arguments when it is recorded.
 * Errors: CLPRIM_OUT_OF_MEMORY, OpenCL's. */
clprim_status clprim__recording_copy(clprim__kernel *out, clprim__recording *self, const clprim__kernel *kernel);

/* The kernel NAME of kernels/common/record.cl, for one command. Errors: as clprim__kernels_create. */
clprim_status clprim__recording_own(clprim__kernel *out, clprim__recording *self, const clprim_runtime *runtime,
                                    const char *name);

/* Record such a kernel, whose arguments are set, as the next command. Errors: OpenCL's. */
clprim_status clprim__recording_launch(clprim__recording *self, const clprim__kernel *kernel, size_t groups);

void clprim__recording_clear(clprim__recording *self);

#endif
