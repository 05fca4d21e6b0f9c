// SPDX-License-Identifier: MIT
/* matrix.h: a sparse matrix in compressed rows (CSR) on the device. */
#ifndef CLPRIM_EXAMPLES_CSR_MATRIX_H
#define CLPRIM_EXAMPLES_CSR_MATRIX_H

#include <clprim/radix_sort.h>
#include <clprim/reduce_by_key.h>
#include <clprim/search.h>

#include "edges.h"

enum { MATRIX_NUM_KERNELS = 4 };

typedef struct matrix {
    const example *program;
    const edges *list;
    cl_kernel kernels[MATRIX_NUM_KERNELS];
    clprim_plan *sort;
    clprim_plan *sum_duplicates;
    clprim_plan *find_rows;
    cl_mem from, to, weights;          /* the edges */
    cl_mem keys, sorted_weights, rows; /* in between */
    cl_mem entries, num_entries;       /* a key for each entry of the matrix; a cl_ulong */
    cl_mem offsets, columns, values;   /* the matrix: row r's entries are those from offsets[r] to offsets[r + 1] - 1 */
    cl_mem x, y;                       /* ones, and A x */
} matrix;

/* Make plans, kernels and buffers. In every case *out is to be ended. */
clprim_status matrix_begin(matrix *out, const example *program, const edges *list);
void matrix_end(matrix *self);

/* Enqueue it all, from the edges to y: a timing_call whose user is the matrix. */
clprim_status matrix_build(void *user);

#endif
