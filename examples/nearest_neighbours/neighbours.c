// SPDX-License-Identifier: MIT
/* neighbours.c: the buffers of a task. */
#include "neighbours.h"

clprim_status neighbours_begin(neighbours *self)
{
    const size_t results = self->num_queries * self->k;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(
        example_upload(&self->device_queries, self->program, self->queries, self->num_queries * sizeof(cl_float4)));
    EXAMPLE_TRY(
        example_upload(&self->device_points, self->program, self->points, self->num_points * sizeof(cl_float4)));
    EXAMPLE_TRY(example_upload(&self->indices, self->program, NULL, results * sizeof(cl_uint)));
    EXAMPLE_TRY(example_upload(&self->vectors, self->program, NULL, results * sizeof(cl_float4)));
done:
    return status;
}

void neighbours_end(neighbours *self)
{
    example_release(self->device_queries);
    example_release(self->device_points);
    example_release(self->indices);
    example_release(self->vectors);
}
