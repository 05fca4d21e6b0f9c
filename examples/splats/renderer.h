// SPDX-License-Identifier: MIT
/* renderer.h: a picture of splats, on the device. */
#ifndef CLPRIM_EXAMPLES_RENDERER_H
#define CLPRIM_EXAMPLES_RENDERER_H

#include <clprim/radix_sort.h>
#include <clprim/scan.h>
#include <clprim/search.h>

#include "scene.h"

enum { RENDERER_TILE = 16 }; /* pixels wide and high */

/* Splats are drawn whose depth is from NEAR on and below FAR. The bits of a positive float are in the order of the
 * floats, so the bits of a depth less those of NEAR are a key. FAR is 16 times NEAR, so it has 2 more bits than the 23
 * of a fraction. */
#define RENDERER_NEAR 1.0F
#define RENDERER_FAR  16.0F
enum { RENDERER_DEPTH_BITS = 25 };

typedef enum renderer_step {
    RENDERER_PROJECT, /* splats to the screen; count the tiles that each covers */
    RENDERER_SCAN,    /* where the pairs of each splat begin */
    RENDERER_EMIT,    /* a pair for each splat and tile: tile and depth, splat */
    RENDERER_SORT,    /* the pairs */
    RENDERER_RANGES,  /* where the pairs of each tile begin */
    RENDERER_BLEND,   /* the pixels of each tile */
    RENDERER_STEPS
} renderer_step;

enum { RENDERER_KERNELS = 3 };

typedef struct renderer {
    const example *program;
    const scene *scene;
    camera camera;
    cl_uint columns, rows; /* of tiles */
    cl_uint num_pairs;     /* of the first frame */
    cl_uint capacity;      /* so many pairs fit */
    cl_kernel kernels[RENDERER_KERNELS];
    clprim_plan *scan, *sort, *find_ranges;
    cl_mem centres, covariances, colours; /* of the scene */
    cl_mem shapes;                        /* on the screen: x, y, and how far the splat reaches to the side and down */
    cl_mem conics;                        /* the inverse of the covariance there: xx, xy, yy; opacity */
    cl_mem depths;
    cl_mem counts, offsets; /* pairs of each splat, and where they begin; behind the last splat: 0, all pairs */
    cl_mem keys, splats;    /* the pairs */
    cl_mem sorted_keys, sorted_splats;
    cl_mem ranges;  /* where the pairs of each tile begin, and at the end how many there are */
    cl_mem picture; /* red, green, blue of each pixel, as floats */
} renderer;

/* Make plans, kernels and buffers, for as many pairs as the first frame has, and a quarter more. In every case *out is
 * to be ended. */
clprim_status renderer_begin(renderer *out, const example *program, const scene *from, const camera *by);
void renderer_end(renderer *self);

/* Enqueue one step. Each can be repeated, since none overwrites what it reads. */
clprim_status renderer_enqueue(const renderer *self, renderer_step step);

/* Enqueue all steps: a timing_call whose user is the renderer. */
clprim_status renderer_frame(void *user);

#endif
