// SPDX-License-Identifier: MIT
/* separate.h: distances, selection and vectors by three calls of clPRIM. */
#ifndef CLPRIM_EXAMPLES_SEPARATE_H
#define CLPRIM_EXAMPLES_SEPARATE_H

#include <clprim/segmented_top_k.h>
#include <clprim/transform.h>

#include "neighbours.h"

typedef struct separate {
    const neighbours *task;
    size_t rows;     /* queries whose distances the matrix has room for: so many at a time */
    cl_mem matrix;   /* squares of distances: a row for each query, a column for each point */
    cl_mem smallest; /* the k smallest of each row */
    clprim_plan *fill, *choose, *gather;
} separate;

/* Make plans and buffers. k may be at most the number of points. In every case *out is to be ended. */
clprim_status separate_begin(separate *out, const neighbours *task);
void separate_end(separate *self);

/* Enqueue it: a timing_call whose user is the separate. */
clprim_status separate_find(void *user);

#endif
