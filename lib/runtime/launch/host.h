/* host.h: arrays on the host for clprim_<operation>_run: bring them to the device, and the results back. */
#ifndef CLPRIM_LIB_HOST_H
#define CLPRIM_LIB_HOST_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "ring.h"

/* A kernel loads so many bytes at once, whatever the elements: memory of the host that it uses is aligned to them. */
enum { CLPRIM__SHARED_ALIGNMENT = 16 };

/* A buffer with `bytes` bytes of `data`: the data itself where host and device share memory and it is aligned as
 * kernels load it (it must then outlive the buffer), else a copy. *out is NULL for 0 bytes. */
clprim_status clprim__host_input(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes);

/* A buffer of `bytes` bytes for results; NULL for 0 bytes. */
clprim_status clprim__host_result(cl_mem *out, const clprim_runtime *runtime, size_t bytes);

/* Copy `bytes` bytes of `data` to the beginning of a buffer; they may be changed afterwards. */
clprim_status clprim__host_write(cl_mem buffer, const clprim_runtime *runtime, const void *data, size_t bytes);

/* Wait for `done` and copy the buffer's first `bytes` bytes to *out. */
clprim_status clprim__host_output(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t bytes, cl_event done);

/* The same from byte `offset` of the buffer on. */
clprim_status clprim__host_output_at(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t offset,
                                     size_t bytes, cl_event done);

/* For parts of arrays, while another thread does the same the other way: copy `bytes` bytes of `data` to byte `offset`
 * of a buffer, or from there to *out, by commands of this queue or by the runtime's pinned memory, and wait for it.
 * What is in the buffer must be complete. */
clprim_status clprim__host_up(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                              const void *data, size_t bytes);
/* The same from several places, one after the other. The queue is in-order. */
clprim_status clprim__host_up_spans(cl_mem buffer, size_t offset, const clprim_runtime *runtime, cl_command_queue queue,
                                    const clprim__span *spans, size_t num_spans);
clprim_status clprim__host_down(void *out, const clprim_runtime *runtime, cl_command_queue queue, cl_mem buffer,
                                size_t offset, size_t bytes);

/* At the end, also after an error: wait for `done`, and release the event and the buffers that are not NULL. If the
 * operation failed, there is no `done`: wait for the runtime's queue, because the host's arrays may be in use until
 * then. Without buffers, wait only if `is_shared`: other memory of the host may be in use. */
void clprim__host_finish(const clprim_runtime *runtime, cl_event done, const cl_mem *buffers, size_t num_buffers,
                         bool is_shared);

#endif
