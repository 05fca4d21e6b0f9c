// SPDX-License-Identifier: MIT
/* plain.h: the same matrix by plain loops on one core of the CPU: what is timed and compared. */
#ifndef CLPRIM_EXAMPLES_CSR_PLAIN_H
#define CLPRIM_EXAMPLES_CSR_PLAIN_H

#include "edges.h"

/* Compressed sparse rows: the entries of row r are those from offsets[r] to offsets[r + 1] - 1. */
typedef struct plain_matrix {
    const edges *list;
    size_t num_entries;
    uint32_t *offsets; /* vertices + 1 */
    uint32_t *columns; /* these two with room for as many as there are edges */
    float *values;
    uint32_t *order; /* room for two orders of the edges */
} plain_matrix;

/* In every case *out is to be cleared. */
clprim_status plain_begin(plain_matrix *out, const edges *list);
void plain_clear(plain_matrix *self);

/* Build the matrix: a timing_call whose user is the plain_matrix. */
clprim_status plain_build(void *user);

/* Are these the same offsets, columns, values, and sums of the rows? The values as near as rounding allows. */
bool plain_is_same(const plain_matrix *self, const uint32_t *offsets, const uint32_t *columns, const float *values,
                   const float *row_sums);

#endif
