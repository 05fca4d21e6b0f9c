// SPDX-License-Identifier: MIT
/* equaliser.h: equalisation on the device. */
#ifndef CLPRIM_EXAMPLES_EQUALISER_H
#define CLPRIM_EXAMPLES_EQUALISER_H

#include <clprim/histogram.h>
#include <clprim/scan.h>

#include "tiling.h"

enum { EQUALISER_NUM_KERNELS = 4 };

typedef struct equaliser {
    const example *program;
    tiling tiles;
    cl_kernel kernels[EQUALISER_NUM_KERNELS];
    clprim_plan *count;
    clprim_plan *add_up;
    cl_mem in, out;               /* the pixels, row by row */
    cl_mem bins;                  /* of each pixel its tile and level, a cl_ushort */
    cl_mem counts, heads, darker; /* pixels of each tile and level; where tiles begin; how many pixels are darker */
    cl_mem tables;                /* what becomes of each tile's levels */
} equaliser;

/* Make plans, kernels and buffers. In every case *out is to be ended. */
clprim_status equaliser_begin(equaliser *out, const example *program, const image *photo, const tiling *tiles);
void equaliser_end(equaliser *self);

/* Enqueue it all, from pixels to pixels: a timing_call whose user is the equaliser. */
clprim_status equaliser_run(void *user);

#endif
