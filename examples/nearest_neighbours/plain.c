// SPDX-License-Identifier: MIT
/* plain.c: the k nearest points of queries by plain loops on one core of the CPU. */
#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t MOST_PAIRS = (size_t)1 << 26;

clprim_status plain_begin(plain *out, const neighbours *task)
{
    const size_t sample = MOST_PAIRS / task->num_points + 1;
    *out = (plain){.task = task, .step = (task->num_queries + sample - 1) / sample};
    out->rows = (task->num_queries + out->step - 1) / out->step;
    out->indices = malloc(out->rows * task->k * sizeof *out->indices);
    out->vectors = malloc(out->rows * task->k * sizeof *out->vectors);
    if (out->indices == NULL || out->vectors == NULL)
        return example_fail("no memory for %zu rows of neighbours on the host", out->rows);
    return CLPRIM_SUCCESS;
}

void plain_clear(plain *self)
{
    free(self->indices);
    free(self->vectors);
    *self = (plain){0};
}

/* From a to b, and the square of the distance. */
static cl_float4 vector(const cl_float4 *a, const cl_float4 *b)
{
    const float x = b->s[0] - a->s[0];
    const float y = b->s[1] - a->s[1];
    const float z = b->s[2] - a->s[2];
    const float xx = x * x; /* in statements of their own: no compiler rounds x * x + y * y only once */
    const float yy = y * y;
    const float zz = z * z;
    return (cl_float4){{x, y, z, xx + yy + zz}};
}

/* A list in order: what is nearer than the last moves up to its place, behind those that are as near. */
static void find(const neighbours *task, const cl_float4 *query, cl_uint *indices, cl_float4 *vectors)
{
    const size_t k = task->k;
    for (size_t p = 0; p < k; p++) {
        indices[p] = NEIGHBOURS_NONE;
        vectors[p] = (cl_float4){{0, 0, 0, INFINITY}};
    }
    for (size_t i = 0; i < task->num_points; i++) {
        const cl_float4 v = vector(query, &task->points[i]);
        if (!(v.s[3] < vectors[k - 1].s[3]))
            continue;
        size_t p = k - 1;
        for (; p > 0 && vectors[p - 1].s[3] > v.s[3]; p--) {
            indices[p] = indices[p - 1];
            vectors[p] = vectors[p - 1];
        }
        indices[p] = (cl_uint)i;
        vectors[p] = v;
    }
}

clprim_status plain_find(void *user)
{
    const plain *self = user;
    const size_t k = self->task->k;
    for (size_t row = 0; row < self->rows; row++)
        find(self->task, &self->task->queries[row * self->step], self->indices + row * k, self->vectors + row * k);
    return CLPRIM_SUCCESS;
}

bool plain_is_same(const plain *self, const cl_uint *indices, const cl_float4 *vectors)
{
    const size_t k = self->task->k;
    for (size_t row = 0; row < self->rows; row++) {
        const size_t at = row * self->step * k;
        if (memcmp(indices + at, self->indices + row * k, k * sizeof *indices) != 0 ||
            memcmp(vectors + at, self->vectors + row * k, k * sizeof *vectors) != 0)
            return false;
    }
    return true;
}
