// SPDX-License-Identifier: MIT
/* workspace.c: the scratch memory of a plan. */
#include "workspace.h"

#include "check.h"
#include "error.h"
#include "runtime_internal.h"

clprim_status clprim__workspace_supply(clprim__workspace *self, cl_mem memory, size_t size)
{
    const clprim_status status =
        memory != NULL ? clprim__cl(clRetainMemObject(memory), "clRetainMemObject") : CLPRIM_SUCCESS;
    if (status != CLPRIM_SUCCESS)
        return status;
    if (self->supplied != NULL)
        (void)clReleaseMemObject(self->supplied);
    self->supplied = memory;
    self->lifetime = clprim__new_lifetime();
    self->size = size;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__workspace_set(clprim__workspace *self, clprim__state *state, const clprim_runtime *runtime,
                                    cl_mem scratch)
{
    size_t size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (scratch != NULL)
        CLPRIM__TRY(clprim__check_scratch(&size, scratch, runtime->context));
    status = state != NULL ? clprim__state_supply(state, scratch, size) : clprim__workspace_supply(self, scratch, size);
done:
    return status;
}

/* Replays use the same memory each time, so it cannot come from the pool. */
static clprim_status make_recorded(clprim__workspace *self, const clprim_runtime *runtime, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    cl_mem memory = clCreateBuffer(runtime->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    const clprim_status status = clprim__cl(code, "clCreateBuffer for scratch memory");
    if (status == CLPRIM_SUCCESS)
        self->recorded = memory;
    return status;
}

void clprim__workspace_forget(clprim__workspace *self)
{
    if (self->recorded != NULL)
        (void)clReleaseMemObject(self->recorded);
    self->recorded = NULL;
}

clprim_status clprim__workspace_begin(cl_mem *out, clprim__workspace *self, clprim__chain *chain, size_t bytes)
{
    clprim_status status = CLPRIM_SUCCESS;
    *out = NULL;
    if (bytes == 0)
        return CLPRIM_SUCCESS;
    if (self->supplied != NULL) {
        if (self->size < bytes)
            return clprim__fail(CLPRIM_INVALID_SCRATCH,
                                "the scratch memory supplied has %zu bytes; this call takes %zu", self->size, bytes);
        CLPRIM__TRY(clprim__chain_depend(chain, NULL, &self->use));
        self->is_waited_for = true;
        clprim__chain_keeps(chain, self->supplied, self->lifetime);
        *out = self->supplied;
    } else if (chain->recording != NULL) {
        CLPRIM__TRY(make_recorded(self, chain->runtime, bytes));
        *out = self->recorded;
    } else {
        CLPRIM__TRY(clprim__scratch_acquire(&self->pooled, chain->runtime->scratch, bytes, chain->queue));
        CLPRIM__TRY(clprim__chain_depend(chain, NULL, &self->pooled.last));
        clprim__chain_keeps(chain, self->pooled.memory, self->pooled.lifetime);
        *out = self->pooled.memory;
    }
done:
    return status;
}

void clprim__workspace_end(clprim__workspace *self, const clprim__chain *chain)
{
    if (self->pooled.memory != NULL) {
        clprim__chain_used(chain, &self->pooled.last);
        clprim__scratch_release(chain->runtime->scratch, &self->pooled);
    } else if (self->is_waited_for) { /* a call that did not wait leaves the last use as it was */
        clprim__chain_used(chain, &self->use);
    }
    self->is_waited_for = false;
}

void clprim__workspace_clear(clprim__workspace *self)
{
    (void)clprim__workspace_supply(self, NULL, 0);
    clprim__workspace_forget(self);
    clprim__last_use_clear(&self->use);
}
