// SPDX-License-Identifier: MIT
/* plan_sort_kept.c: keep copies of sorted runs on the device, until slices of them are sorted there. */
#include "error.h"
#include "plan_sort_phase.h"
#include "runtime_internal.h"
#include "sizes.h"

void clprim__sort_kept_release(clprim__sort_kept *self)
{
    for (size_t i = 0; i < sizeof self->columns / sizeof *self->columns; i++)
        if (self->columns[i] != NULL)
            (void)clReleaseMemObject(self->columns[i]);
    *self = (clprim__sort_kept){.bytes = 0};
}

void clprim__sort_make_kept(clprim__sort_kept *out, clprim__sort *self)
{
    size_t bytes = 0;
    cl_int code = CL_SUCCESS;
    *out = (clprim__sort_kept){.bytes = 0};
    for (size_t i = 0; i < self->num_columns; i++)
        bytes = clprim__plus(bytes, clprim__times(self->total, self->columns[i].element_size));
    if (bytes > clprim__device_limit(self->runtime) / 2)
        return;
    for (size_t i = 0; i < self->num_columns && code == CL_SUCCESS; i++)
        out->columns[i] = clCreateBuffer(self->runtime->context, CL_MEM_READ_WRITE,
                                         self->total * self->columns[i].element_size, NULL, &code);
    if (code != CL_SUCCESS) {
        clprim__sort_kept_release(out);
        return;
    }
    for (size_t i = 0; i < self->num_columns; i++)
        self->columns[i].kept = out->columns[i];
    self->kept_bytes = out->bytes = bytes;
}

clprim_status clprim__sort_keep(const clprim__sort *self, size_t piece, size_t count, cl_event *done)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < self->num_columns && status == CLPRIM_SUCCESS; i++) {
        const clprim__sort_column *c = &self->columns[i];
        const cl_event sorted = *done;
        cl_event kept = NULL;
        status = clprim__cl(clEnqueueCopyBuffer(self->runtime->queue, c->lanes[piece % CLPRIM__SORT_LANES], c->kept, 0,
                                                piece * self->piece_size * c->element_size, count * c->element_size, 1,
                                                &sorted, &kept),
                            "clEnqueueCopyBuffer for a sorted piece");
        if (status != CLPRIM_SUCCESS)
            break;
        (void)clReleaseEvent(sorted);
        *done = kept;
    }
    return status;
}

clprim_status clprim__sort_copy_kept(const clprim__sort *self, const clprim__sort_column *c, cl_mem lane, size_t there)
{
    clprim_status status = CLPRIM_SUCCESS;
    if (self->num_kept == 0)
        return CLPRIM_SUCCESS;
    const char *begin = self->begins[self->first_kept * self->num_columns + (size_t)(c - self->columns)];
    for (size_t r = self->first_kept; r < self->first_kept + self->num_kept && status == CLPRIM_SUCCESS; r++) {
        const clprim__span *slice = &self->slices[r];
        if (slice->bytes > 0)
            status = clprim__cl(clEnqueueCopyBuffer(self->up, c->kept, lane, (size_t)(slice->data - begin), there,
                                                    slice->bytes, 0, NULL, NULL),
                                "clEnqueueCopyBuffer for a slice of a sorted piece");
        there += slice->bytes;
    }
    return status == CLPRIM_SUCCESS ? clprim__cl(clFlush(self->up), "clFlush") : status;
}
