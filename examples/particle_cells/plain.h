// SPDX-License-Identifier: MIT
/* plain.h: neighbours by plain loops on one core of the CPU. */
#ifndef CLPRIM_EXAMPLES_CELLS_PLAIN_H
#define CLPRIM_EXAMPLES_CELLS_PLAIN_H

#include "points.h"

/* The same way as on the device: points in the order of their cells. This is what is timed. */
typedef struct plain_cells {
    const points *set;
    points_grid grid;
    uint32_t *cells;   /* of each point */
    uint32_t *begins;  /* num_cells + 1: where each cell's points begin */
    uint32_t *order;   /* the points, cell by cell */
    cl_float4 *sorted; /* their positions */
    uint32_t *counts;  /* neighbours of each point */
} plain_cells;

/* In every case *out is to be cleared. */
clprim_status plain_begin(plain_cells *out, const points *set, const points_grid *grid);
void plain_clear(plain_cells *self);

/* Count: a timing_call whose user is the plain_cells. */
clprim_status plain_count(void *user);

/* Are these the neighbours of the points, counted without cells, by comparing each with all others? Of large sets a
 * sample is compared. What lies at the radius itself, within rounding, may count or not. */
bool plain_is_right(const points *set, const uint32_t *counts);

#endif
