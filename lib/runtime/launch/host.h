// SPDX-License-Identifier: MIT
/* host.h: arrays on the host for clprim_<operation>_run: copy inputs to the device, and results back. */
#ifndef CLPRIM_LIB_HOST_H
#define CLPRIM_LIB_HOST_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "ring.h"

/* A kernel loads this many bytes at once, whatever the element type. Host memory that kernels use directly must be
 * aligned accordingly. */
enum { CLPRIM__SHARED_ALIGNMENT = 16 };

/* Create a buffer with the contents of `data`. If host and device share memory and `data` is aligned for kernels'
 * loads, the buffer uses `data` itself, which must then outlive the buffer. Otherwise it is a copy. *out is NULL for 0
 * bytes. */
clprim_status clprim__host_input(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes);

/* Create a buffer of `bytes` bytes for results; NULL for 0 bytes. */
clprim_status clprim__host_result(cl_mem *out, const clprim_runtime *runtime, size_t bytes);

/* Copy `bytes` bytes of `data` to the beginning of a buffer. The caller may change `data` afterwards. */
clprim_status clprim__host_write(cl_mem buffer, const clprim_runtime *runtime, const void *data, size_t bytes);

/* Wait for `done` and copy the buffer's first `bytes` bytes to *out. */
clprim_status clprim__host_output(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t bytes, cl_event done);

/* The same, starting at byte `offset` of the buffer. */
clprim_status clprim__host_output_at(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t offset,
                                     size_t bytes, cl_event done);

/* Transfer a part of an array and wait until it is done. Another thread may transfer in the other direction at the same
 * time. Copies `bytes` bytes from `data` to byte `offset` of a buffer, or from there to *out. It uses this queue or the
 * runtime's pinned memory. The work that writes the buffer must be complete. */
clprim_status clprim__host_up(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                              const void *data, size_t bytes);
/* The same for several spans of host memory, which are written to the buffer one after another. The queue is
 * in-order. */
clprim_status clprim__host_up_spans(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                                    const clprim__span *spans, size_t num_spans);
clprim_status clprim__host_down(void *out, const clprim_runtime *runtime, cl_command_queue queue, cl_mem buffer,
                                size_t offset, size_t bytes);

/* Clean up at the end of a run, also after an error. Waits for `done`, then releases the event and all buffers that are
 * not NULL. If the operation failed, there is no `done`: the function waits for the runtime's queue instead, because
 * the device may still be using the host's arrays. Without buffers, it waits only if `is_shared`, because other memory
 * of the host may be in use. */
void clprim__host_finish(const clprim_runtime *runtime, cl_event done, const cl_mem *buffers, size_t num_buffers,
                         bool is_shared);

#endif
