// SPDX-License-Identifier: MIT
/* tiling.c: a picture cut into tiles. */
#include "tiling.h"

tiling tiling_of(const image *photo, cl_uint tiles, cl_uint contrast)
{
    tiling out = {.n = photo->width * photo->height, .width = (cl_uint)photo->width, .height = (cl_uint)photo->height};
    out.tile_width = (out.width + tiles - 1) / tiles;
    out.tile_height = (out.height + tiles - 1) / tiles;
    out.across = (out.width + out.tile_width - 1) / out.tile_width;
    out.down = (out.height + out.tile_height - 1) / out.tile_height;
    out.num_counts = (size_t)out.across * out.down * LEVELS;
    const size_t even = (size_t)out.tile_width * out.tile_height / LEVELS + 1;
    out.limit = tiles > 1 ? (cl_uint)(even * contrast) : UINT32_MAX;
    out.scale = (cl_float2){{128.0F / (float)out.tile_width, 128.0F / (float)out.tile_height}};
    return out;
}
