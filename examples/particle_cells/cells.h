// SPDX-License-Identifier: MIT
/* cells.h: the neighbours of all points, by cells, on the device. */
#ifndef CLPRIM_EXAMPLES_CELLS_H
#define CLPRIM_EXAMPLES_CELLS_H

#include <clprim/search.h>
#include <clprim/sort_by_key.h>

#include "points.h"

enum { CELLS_NUM_KERNELS = 2 };

typedef struct cells {
    const example *program;
    const points *set;
    points_grid grid;
    cl_kernel kernels[CELLS_NUM_KERNELS];
    clprim_plan *sort;
    clprim_plan *find_begins;
    cl_mem positions, numbers;               /* of the points; 0, 1, 2, ... */
    cl_mem cells;                            /* each point's, then in order */
    cl_mem sorted_positions, sorted_numbers; /* of the points, cell by cell */
    cl_mem all_cells, begins;                /* 0, 1, 2, ...; where each cell's points begin */
    cl_mem counts;                           /* the neighbours of each point */
} cells;

/* Make plans, kernels and buffers. In every case *out is to be ended. */
clprim_status cells_begin(cells *out, const example *program, const points *set, const points_grid *grid);
void cells_end(cells *self);

/* Enqueue it all, from positions to counts: a timing_call whose user is the cells. */
clprim_status cells_count(void *user);

#endif
