// SPDX-License-Identifier: MIT
/* state.c: device memory with tagged words that outlive a launch. */
#include "state.h"

#include <stdlib.h>

#include "device.h"
#include "error.h"
#include "runtime_internal.h"
#include "sizes.h"

enum { EPOCHS_BEFORE_THE_END = 3 };

/* Allocate with room to grow if possible, so that slowly growing arrays do not need an allocation each time. */
static clprim_status make_memory(clprim__state *self, const clprim_runtime *runtime, size_t needed)
{
    clprim_status status = clprim__device_check_allocation(&runtime->info, needed);
    if (status != CLPRIM_SUCCESS)
        return status;
    cl_int code = CL_SUCCESS;
    size_t size = clprim__smaller(clprim__plus(needed, needed / 2), runtime->info.max_allocation_size);
    cl_mem memory = clCreateBuffer(runtime->context, CL_MEM_READ_WRITE, size, NULL, &code);
    if (code != CL_SUCCESS) {
        size = needed;
        memory = clCreateBuffer(runtime->context, CL_MEM_READ_WRITE, size, NULL, &code);
    }
    status = clprim__cl(code, "clCreateBuffer for a plan's state");
    if (status != CLPRIM_SUCCESS)
        return status;
    if (self->memory != NULL)
        (void)clReleaseMemObject(self->memory); /* OpenCL keeps the memory until the work that uses it is complete */
    self->memory = memory;
    self->lifetime = clprim__new_lifetime();
    self->size = size;
    self->is_dirty = true;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__state_create(clprim__state *out, const clprim_runtime *runtime, size_t size, cl_uint last_epoch)
{
    /* Epochs start shortly before the last one. So every plan, and every test, soon runs out of epochs and begins
     * anew. */
    clprim__state self = {.lifetime = clprim__new_lifetime(),
                          .size = size,
                          .last_epoch = last_epoch,
                          .epoch = last_epoch - EPOCHS_BEFORE_THE_END};
    cl_int code = CL_SUCCESS;
    void *zeros = calloc(1, size);
    if (zeros == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan's state");
    self.memory = clCreateBuffer(runtime->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, zeros, &code);
    free(zeros);
    const clprim_status status = clprim__cl(code, "clCreateBuffer for a plan's state");
    if (status == CLPRIM_SUCCESS)
        *out = self;
    return status;
}

clprim_status clprim__state_supply(clprim__state *self, cl_mem memory, size_t size)
{
    const clprim_status status =
        memory != NULL ? clprim__cl(clRetainMemObject(memory), "clRetainMemObject") : CLPRIM_SUCCESS;
    if (status != CLPRIM_SUCCESS)
        return status;
    if (self->memory != NULL)
        (void)clReleaseMemObject(self->memory);
    self->memory = memory;
    self->lifetime = clprim__new_lifetime();
    self->size = memory != NULL ? size : 0;
    self->is_callers = memory != NULL;
    self->is_dirty = true;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__state_begin(clprim__state *self, clprim__chain *chain, size_t size, cl_uint launches)
{
    clprim_status status = CLPRIM_SUCCESS;
    bool has_failed = false;
    if (self->size < size && self->is_callers)
        return clprim__fail(CLPRIM_INVALID_SCRATCH, "the scratch memory supplied has %zu bytes; this call takes %zu",
                            self->size, size);
    if (self->size < size)
        CLPRIM__TRY(make_memory(self, chain->runtime, size));
    clprim__chain_keeps(chain, self->memory, self->lifetime);
    CLPRIM__TRY(clprim__chain_depend(chain, &has_failed, &self->use));
    self->is_waited_for = true;
    if (launches == 0) {
        self->is_dirty = true;
        return CLPRIM_SUCCESS;
    }
    /* Each replay of a recording uses the same epochs, and finds the words that the replay before it wrote. So a
     * recording clears the memory that it uses. */
    self->is_dirty = self->is_dirty || has_failed || chain->recording != NULL;
    if (self->is_dirty || self->epoch > self->last_epoch - launches) {
        const size_t cleared = chain->recording != NULL ? size : self->size;
        CLPRIM__TRY(clprim__fill_zeros(chain, self->memory, 0, cleared / 4 * 4));
        self->is_dirty = false;
        self->epoch = self->epoch > self->last_epoch - launches ? 0 : self->epoch;
    }
    self->epoch++;
done:
    return status;
}

void clprim__state_end(clprim__state *self, const clprim__chain *chain, clprim_status status)
{
    self->is_dirty = self->is_dirty || status != CLPRIM_SUCCESS || chain->recording != NULL;
    if (self->is_waited_for) /* false if the call failed before it waited: then the last use stays as it was */
        clprim__chain_used(chain, &self->use);
    self->is_waited_for = false;
}

void clprim__state_clear(clprim__state *self)
{
    clprim__last_use_clear(&self->use);
    if (self->memory != NULL)
        (void)clReleaseMemObject(self->memory);
    *self = (clprim__state){0};
}
