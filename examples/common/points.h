// SPDX-License-Identifier: MIT
/* points.h: sets of points, read from files and generated. */
#ifndef CLPRIM_EXAMPLES_POINTS_H
#define CLPRIM_EXAMPLES_POINTS_H

#include "example.h"

enum { POINTS_LABEL_SIZE = 16, POINTS_MOST_CELLS = 1 << 28 };

typedef struct points {
    size_t count;
    cl_float4 *positions;              /* x, y, z, and 0 */
    char (*labels)[POINTS_LABEL_SIZE]; /* atom and residue, of files of the Protein Data Bank; else NULL */
    float radius;                      /* so far away are neighbours, at most */
} points;

/* The box around the points, in cubic cells that are a little larger than the radius: all neighbours of a point lie in
 * its cell or in one beside it, and no rounding changes that. */
typedef struct points_grid {
    cl_float4 low;
    float inverse; /* of a cell's side */
    cl_uint cells[3];
    size_t num_cells;
} points_grid;

/* Read atoms (lines ATOM and HETATM of the Protein Data Bank's format, in angstroms: the radius is 4) or lines "x y z"
 * (a cell then has four points on average). Other lines are passed over. In every case *out is to be cleared. */
clprim_status points_read(points *out, const char *path);

/* So many points anywhere in a cube, four of them in a cell. In every case *out is to be cleared. */
clprim_status points_generate(points *out, size_t count);

clprim_status points_make_grid(points_grid *out, const points *self);
void points_clear(points *self);

#endif
