// SPDX-License-Identifier: MIT
/* tiling.h: a picture cut into tiles, each of which is equalised by its own grey levels. */
#ifndef CLPRIM_EXAMPLES_TILING_H
#define CLPRIM_EXAMPLES_TILING_H

#include "example.h"

enum { LEVELS = 256, MOST_TILES = 16 }; /* tiles along a side */

typedef struct tiling {
    size_t n; /* pixels */
    cl_uint width, height;
    cl_uint tile_width, tile_height;
    cl_uint across, down; /* tiles */
    cl_uint limit;        /* so many pixels of a level count in a tile, at most */
    cl_float2 scale;      /* half pixels to 256ths of a tile, across and down */
    size_t num_counts;    /* levels of all tiles together */
} tiling;

/* At most so many tiles along a side, up to MOST_TILES. With 1 all pixels count; else, so that noise is not spread over
 * all greys, at most `contrast` times as many of a level as there would be if all levels were equally frequent. */
tiling tiling_of(const image *photo, cl_uint tiles, cl_uint contrast);

#endif
