// SPDX-License-Identifier: MIT
/* state.h: device memory with tagged words that outlive a launch (kernels/common/collect.cl,
 * clprim/device/look_back.h). The memory is not cleared before each launch. Instead, each word carries the epoch of the
 * launch that wrote it. */
#ifndef CLPRIM_LIB_STATE_H
#define CLPRIM_LIB_STATE_H

#include <clprim/runtime.h>
#include <stddef.h>

#include "launch.h"

/* Zeroed: no memory yet. */
typedef struct clprim__state {
    cl_mem memory;
    cl_ulong lifetime;
    size_t size;
    cl_uint epoch; /* of the last launch */
    cl_uint last_epoch;
    bool is_dirty; /* clear it before the next use */
    bool is_callers;
    bool is_waited_for; /* during a call */
    clprim__last_use use;
} clprim__state;

/* Allocate `size` zeroed bytes. Epochs run from 1 to last_epoch. */
clprim_status clprim__state_create(clprim__state *out, const clprim_runtime *runtime, size_t size, cl_uint last_epoch);

/* Use the caller's buffer, of `size` bytes, for the state. NULL: the state gets its own memory again, when it is
 * needed; this cannot fail. Errors: OpenCL's; then nothing has changed. */
clprim_status clprim__state_supply(clprim__state *self, cl_mem memory, size_t size);

/* Call this before a call's launches. It makes room for `size` bytes, lets the chain wait for the last use, and takes
 * one epoch for each launch; further launches increment `epoch` themselves. A recording clears the memory each time it
 * is replayed. With 0 launches, the call may write anything there, and the next call clears it.
 * Errors: CLPRIM_INVALID_SCRATCH if the caller's buffer is too small; OpenCL's. */
clprim_status clprim__state_begin(clprim__state *self, clprim__chain *chain, size_t size, cl_uint launches);

/* Call this after the launches, even if they failed. After a failure, the next call clears what the enqueued launches
 * have written. */
void clprim__state_end(clprim__state *self, const clprim__chain *chain, clprim_status status);

void clprim__state_clear(clprim__state *self);

#endif
