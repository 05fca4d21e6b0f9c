// SPDX-License-Identifier: MIT
/* distributed_scan.c: each rank but the last reduces its piece, then scans it. The scan begins with the combined results of
 * the pieces before it. */
#include <stdlib.h>
#include <string.h>

#include "partials.h"

typedef struct job {
    clprim__team team;
    clprim__partials partials;
    const clprim_scan_desc *desc;
    const clprim_scan_call *call;
    void *carry; /* the combined results of the pieces before this one */
    void *own;   /* memory for the prefixes, if the caller's output overwrites the input; NULL: they go to the caller's
                  * output */
} job;

static const char *unsupported(const clprim_scan_desc *desc)
{
    const bool is_indexed = desc->custom == NULL && (desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX);
    return desc->input != NULL                          ? ".input"
           : desc->count_at_type != CLPRIM_TYPE_DEFAULT ? ".count_at_type"
           : desc->has_initial_at                       ? ".has_initial_at"
           : desc->reproducible                         ? ".reproducible"
           : desc->output != NULL                       ? ".output"
           : desc->segments != CLPRIM_SEGMENTS_NONE     ? ".segments"
           : is_indexed                                 ? "a scan by ARGMIN or ARGMAX"
                                                        : NULL;
}

static bool overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

static clprim_status allocate(job *self, size_t in_size, size_t size)
{
    clprim_status status = CLPRIM_SUCCESS;
    const clprim_scan_call *call = self->call;
    CLPRIM__TRY(clprim__partials_make(&self->partials, self->team.comm->size, size));
    CLPRIM__TRY(clprim__team_memory(&self->carry, 1, size));
    if (overlap(clprim__host_of(&call->in, in_size), call->count * in_size, clprim__host_of(&call->out, size),
                call->count * size))
        CLPRIM__TRY(clprim__team_memory(&self->own, call->count, size));
done:
    return status;
}

/* Compute the prefixes of this rank's piece, which continue those of the rank before. */
static clprim_status scan_part(job *self)
{
    clprim_status status = CLPRIM_SUCCESS;
    clprim_scan_desc desc = *self->desc;
    clprim_scan_call call = *self->call;
    if (self->own != NULL)
        call.out = (clprim_array){.host = self->own};
    if (call.count == 0)
        return CLPRIM_SUCCESS;
    if (self->team.first_count > 0) {
        static const uint64_t zero;
        const bool begins_with_zero =
            desc.exclusive && desc.custom == NULL && desc.op == CLPRIM_SUM; /* begin with +0.0 instead of -0.0 */
        const clprim_reduce_desc last = {.initial = desc.initial == NULL && begins_with_zero ? &zero : desc.initial};
        CLPRIM__TRY(clprim__partials_combine(&self->partials, self->carry, &last, 0, self->team.comm->rank));
        desc.initial = self->carry;
    }
    CLPRIM__TRY(clprim_scan_run(self->partials.runtime, &desc, &call));
done:
    return status;
}

static clprim_status scan(job *self, const clprim__task *task)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__team_open(&self->team, task));
    const size_t size = clprim__element_size(task->operation, task->desc, "out");
    status = allocate(self, clprim__element_size(task->operation, task->desc, "in"), size);
    const bool is_followed = self->team.comm->rank + 1 < self->team.comm->size; /* else nobody asks for its result */
    if (status == CLPRIM_SUCCESS)
        status = clprim__partials_fold(&self->partials, &self->call->in, is_followed ? task->count : 0);
    CLPRIM__TRY(clprim__team_agree(&self->team, status));
    CLPRIM__TRY(clprim__team_gather(&self->team, self->partials.mine, self->partials.stride, self->partials.records));
    CLPRIM__TRY(clprim__team_agree(&self->team, scan_part(self)));
    if (self->own != NULL && task->count > 0)
        memcpy(clprim__host_of(&self->call->out, size), self->own, task->count * size);
done:
    free(self->carry);
    free(self->own);
    clprim__partials_free(&self->partials);
    clprim__team_close(&self->team);
    return status;
}

clprim_status clprim_distributed_scan(const clprim_comm *comm, clprim_runtime *runtime, const clprim_scan_desc *desc,
                                      const clprim_scan_call *call)
{
    CLPRIM__BEGIN(scan, call->count);
    const clprim__task task = CLPRIM__TASK(scan, count, unsupported(desc));
    job self = {.desc = desc,
                .call = &own,
                .partials = {.runtime = runtime,
                             .desc = {.type = desc->type,
                                      .op = desc->op,
                                      .accumulator_type = desc->accumulator_type,
                                      .custom = desc->custom,
                                      .text = desc->text,
                                      .nan_order = desc->nan_order,
                                      .max_count = desc->max_count},
                             .arguments = own.arguments}};
    return scan(&self, &task);
}
