/* host.h: what the *_host functions share: arrays on the host, in and out. */
#ifndef CLPRIM_LIB_HOST_H
#define CLPRIM_LIB_HOST_H

#include <clprim/runtime.h>
#include <stddef.h>

/* A buffer with `bytes` bytes of `data`: the data itself where host and device share memory (it must then outlive the
 * buffer), else a copy. *out is NULL for 0 bytes. */
clprim_status clprim__host_input(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes);

/* Wait for `done` and copy the buffer's first `bytes` bytes to *out. */
clprim_status clprim__host_output(void *out, const clprim_runtime *runtime, cl_mem buffer, size_t bytes, cl_event done);

#endif
