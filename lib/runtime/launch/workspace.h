/* workspace.h: the scratch memory of a plan: the caller's, where they supplied some, else the runtime's pool. */
#ifndef CLPRIM_LIB_WORKSPACE_H
#define CLPRIM_LIB_WORKSPACE_H

#include <clprim/runtime.h>
#include <stddef.h>

#include "launch.h"
#include "sizes.h"
#include "state.h"

/* Where the next part of scratch memory may begin: in whole cache lines, and aligned for every type. */
static inline size_t clprim__scratch_align(size_t bytes)
{
    enum { ALIGNMENT = 256 };
    return bytes > SIZE_MAX - ALIGNMENT ? SIZE_MAX : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Where the next part may begin behind `count` elements of `size` bytes that begin at byte `at`. */
static inline cl_ulong clprim__scratch_behind(cl_ulong at, size_t count, size_t size)
{
    return clprim__plus((size_t)at, clprim__scratch_align(clprim__times(count, size)));
}

/* Zeroed: from the pool. */
typedef struct clprim__workspace {
    cl_mem supplied;   /* a reference is held */
    cl_ulong lifetime; /* of what was supplied */
    size_t size;
    clprim__last_use use;   /* of what was supplied */
    clprim__scratch pooled; /* during a call */
    cl_mem recorded;        /* what a recording uses, unless memory was supplied */
    bool is_waited_for;     /* what was supplied: during a call that uses it */
} clprim__workspace;

/* Use the caller's buffer of `size` bytes from now on; NULL, with which it cannot fail: the pool again. Errors:
 * OpenCL's; then nothing has changed. */
clprim_status clprim__workspace_supply(clprim__workspace *self, cl_mem memory, size_t size);

/* What clprim_plan_set_scratch does: for `state`, if it is not NULL, otherwise for the workspace.
 * Errors: CLPRIM_INVALID_BUFFER, OpenCL's. */
clprim_status clprim__workspace_set(clprim__workspace *self, clprim__state *state, const clprim_runtime *runtime,
                                    cl_mem scratch);

/* Memory for one call, for which the chain waits; *out is NULL for 0 bytes. End the use when all is launched, or
 * failed. A recording takes nothing of the pool: unless memory was supplied, it has a buffer of its own.
 * Errors: CLPRIM_INVALID_SCRATCH where the supplied buffer is too small; CLPRIM_OUT_OF_MEMORY, OpenCL's. */
clprim_status clprim__workspace_begin(cl_mem *out, clprim__workspace *self, clprim__chain *chain, size_t bytes);
void clprim__workspace_end(clprim__workspace *self, const clprim__chain *chain);

/* Give up the recording's memory: it failed. */
void clprim__workspace_forget(clprim__workspace *self);

void clprim__workspace_clear(clprim__workspace *self);

#endif
