// SPDX-License-Identifier: MIT
/* plan_cut_memory.c: the memory and the queues of a call that is cut into pieces. */
#include <stdlib.h>

#include "error.h"
#include "host.h"
#include "plan_pieces.h"
#include "runtime_internal.h"

static clprim_status make_buffer(cl_mem *out, const clprim__cutting *self, size_t bytes)
{
    return clprim__host_result(out, self->runtime, bytes);
}

static clprim_status make_lanes(clprim__cutting *self)
{
    const clprim_plan *plan = self->plan;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (!self->cuts[i].is_cut)
            continue;
        const size_t elements = CLPRIM__PIECE_MARGIN +
                                clprim__cut_length(self, slot, self->piece_size + self->halo.left + self->halo.right) +
                                CLPRIM__PIECE_MARGIN;
        for (size_t lane = 0; lane < CLPRIM__PIECE_LANES; lane++)
            CLPRIM__TRY(make_buffer(&self->cuts[i].lanes[lane], self, elements * slot->element_size));
        self->cuts[i].last = calloc(1, slot->element_size);
        if (self->cuts[i].last == NULL)
            return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a run in pieces");
    }
    if (self->pieces->carry != NULL)
        CLPRIM__TRY(make_buffer(&self->carry, self, self->pieces->carry(plan, self->desc.bytes)));
done:
    return status;
}

/* Allocate scratch memory for a piece: enough for both plans. */
static clprim_status make_scratch(clprim__cutting *self)
{
    const size_t count = self->piece_size + self->halo.left + self->halo.right;
    clprim__given call = self->call;
    clprim_status status = CLPRIM_SUCCESS;
    size_t most = 0;
    memcpy(call.bytes + self->count_place, &count, sizeof count);
    for (int k = 0; k < 2; k++) {
        size_t size = 0;
        if (self->plans[k] == NULL)
            continue;
        CLPRIM__TRY(clprim_plan_scratch_size(&size, self->plans[k], call.bytes));
        most = size > most ? size : most;
    }
    status = make_buffer(&self->scratch, self, most);
done:
    return status;
}

static clprim_status make_queue(cl_command_queue *out, const clprim_runtime *runtime)
{
    cl_int code = CL_SUCCESS;
    *out = clCreateCommandQueue(runtime->context, runtime->info.device,
                                runtime->timeline != NULL ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    return clprim__cl(code, "clCreateCommandQueue for transfers");
}

clprim_status clprim__cut_make_memory(clprim__cutting *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(make_scratch(self));
    CLPRIM__TRY(make_lanes(self));
    CLPRIM__TRY(make_queue(&self->up, self->runtime));
    CLPRIM__TRY(make_queue(&self->down, self->runtime));
done:
    return status;
}

static void release(cl_mem *buffer)
{
    if (*buffer != NULL)
        (void)clReleaseMemObject(*buffer);
    *buffer = NULL;
}

void clprim__cut_release_lanes(clprim__cutting *self)
{
    for (size_t i = 0; i < self->plan->num_slots; i++)
        for (size_t lane = 0; lane < CLPRIM__PIECE_LANES; lane++)
            release(&self->cuts[i].lanes[lane]);
}

void clprim__cut_clear(clprim__cutting *self, bool is_idle)
{
    const cl_command_queue queues[] = {self->up, self->down, self->runtime->queue};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (!is_idle && queues[i] != NULL)
            (void)clFinish(queues[i]);
    clprim__cut_release_lanes(self);
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        release(&self->cuts[i].whole);
        free(self->cuts[i].last);
    }
    release(&self->carry);
    release(&self->scratch);
    if (self->pieces->clear != NULL)
        self->pieces->clear(self);
    if (self->up != NULL)
        (void)clReleaseCommandQueue(self->up);
    if (self->down != NULL)
        (void)clReleaseCommandQueue(self->down);
    if (self->plans[1] != self->plans[0])
        clprim_plan_destroy(self->plans[1]);
    clprim_plan_destroy(self->plans[0]);
}
