/* state.h: device memory that carries tagged words from one launch of a plan to the next (kernels/common/collect.cl,
 * clprim/device/look_back.h). Instead of being cleared before each launch, its words carry the launch's epoch. */
#ifndef CLPRIM_LIB_STATE_H
#define CLPRIM_LIB_STATE_H

#include <clprim/runtime.h>
#include <stddef.h>

#include "launch.h"

/* Zeroed: none yet. */
typedef struct clprim__state {
    cl_mem memory;
    cl_ulong lifetime;
    size_t size;
    cl_uint epoch; /* of the last launch */
    cl_uint last_epoch;
    bool is_dirty; /* to be cleared before its next use */
    bool is_callers;
    bool is_waited_for; /* during a call */
    clprim__last_use use;
} clprim__state;

/* Memory of `size` bytes, all 0. Epochs run from 1 to last_epoch. */
clprim_status clprim__state_create(clprim__state *out, const clprim_runtime *runtime, size_t size, cl_uint last_epoch);

/* Put the state into a buffer of the caller's, of `size` bytes; NULL, with which it cannot fail: back into memory of
 * its own, made when needed. Errors: OpenCL's; then nothing has changed. */
clprim_status clprim__state_supply(clprim__state *self, cl_mem memory, size_t size);

/* Before a call's launches: make room for `size` bytes, let the chain wait for the last use, take the next epoch, with
 * as many to follow as there are further launches in the call: these count `epoch` up themselves. What is recorded
 * clears the memory each time that it is replayed. 0 launches: the call writes what it likes there, and the next one clears
 * it.
 * Errors: CLPRIM_INVALID_SCRATCH where the caller's buffer is too small; OpenCL's. */
clprim_status clprim__state_begin(clprim__state *self, clprim__chain *chain, size_t size, cl_uint launches);

/* After the launches, also where they failed: what those that were made have left there is cleared by the next call. */
void clprim__state_end(clprim__state *self, const clprim__chain *chain, clprim_status status);

void clprim__state_clear(clprim__state *self);

#endif
