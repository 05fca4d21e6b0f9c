// SPDX-License-Identifier: MIT
/* neighbours.h: a task: the k nearest points of each query. fused.c and separate.c do it on the device, plain.c on the
 * host, and all give the same bits. */
#ifndef CLPRIM_EXAMPLES_NEIGHBOURS_H
#define CLPRIM_EXAMPLES_NEIGHBOURS_H

#include "example.h"

#define NEIGHBOURS_NONE UINT32_MAX

/* The nearest point comes first. Of two points that are equally far, the one with the lower index comes first. Each has
 * an index and a vector: x, y, z from the query to the point, and the square of the distance. If there are fewer than k
 * points, the row of a query ends with NEIGHBOURS_NONE and vectors (0, 0, 0, INFINITY). */
typedef struct neighbours {
    const example *program;
    size_t num_queries, num_points, k;
    const cl_float4 *queries, *points; /* on the host: x, y, z, and 0 */
    cl_mem device_queries, device_points;
    cl_mem indices, vectors; /* results: num_queries rows of k */
} neighbours;

/* Make the buffers: the caller has set the members before them. In every case the task is to be ended. */
clprim_status neighbours_begin(neighbours *self);
void neighbours_end(neighbours *self);

#endif
