// SPDX-License-Identifier: MIT
/* workspace.h: the scratch memory of a plan: a buffer that the caller supplied, or else memory from the runtime's
 * pool. */
#ifndef CLPRIM_LIB_WORKSPACE_H
#define CLPRIM_LIB_WORKSPACE_H

#include <clprim/runtime.h>
#include <stddef.h>

#include "launch.h"
#include "sizes.h"
#include "state.h"

/* Round up to the offset where the next part of scratch memory may begin: a multiple of the cache line, which is
 * aligned for every type. */
static inline size_t clprim__scratch_align(size_t bytes)
{
    enum { ALIGNMENT = 256 };
    return bytes > SIZE_MAX - ALIGNMENT ? SIZE_MAX : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The offset of the next part, after `count` elements of `size` bytes that begin at byte `at`. */
static inline cl_ulong clprim__scratch_behind(cl_ulong at, size_t count, size_t size)
{
    return clprim__plus((size_t)at, clprim__scratch_align(clprim__times(count, size)));
}

/* Zeroed: take memory from the pool. */
typedef struct clprim__workspace {
    cl_mem supplied;   /* a reference is held */
    cl_ulong lifetime; /* of the supplied buffer */
    size_t size;
    clprim__last_use use;   /* last use of the supplied buffer */
    clprim__scratch pooled; /* during a call */
    cl_mem recorded;        /* the memory of a recording, unless the caller supplied some */
    bool is_waited_for;     /* during a call that uses the supplied buffer */
} clprim__workspace;

/* Use the caller's buffer of `size` bytes from now on. NULL: use the pool again; this cannot fail. Errors: OpenCL's;
 * then nothing has changed. */
clprim_status clprim__workspace_supply(clprim__workspace *self, cl_mem memory, size_t size);

/* The implementation of clprim_plan_set_scratch: for `state` if it is not NULL, otherwise for the workspace.
 * Errors: CLPRIM_INVALID_BUFFER, OpenCL's. */
clprim_status clprim__workspace_set(clprim__workspace *self, clprim__state *state, const clprim_runtime *runtime,
                                    cl_mem scratch);

/* Get memory for one call, and let the chain wait for its last use. *out is NULL for 0 bytes. End the use when
 * everything is launched, or after a failure. A recording takes nothing from the pool: it gets its own buffer unless
 * the caller supplied one.
 * Errors: CLPRIM_INVALID_SCRATCH if the supplied buffer is too small; CLPRIM_OUT_OF_MEMORY, OpenCL's. */
clprim_status clprim__workspace_begin(cl_mem *out, clprim__workspace *self, clprim__chain *chain, size_t bytes);
void clprim__workspace_end(clprim__workspace *self, const clprim__chain *chain);

/* Release the memory of a recording that failed. */
void clprim__workspace_forget(clprim__workspace *self);

void clprim__workspace_clear(clprim__workspace *self);

#endif
