// SPDX-License-Identifier: MIT
/* renderer.c: a picture of splats by clPRIM's scan, sort and search, between kernels of one's own. All of it is on one
 * queue: only the device knows how many pairs of splats and tiles there are. */
#include "renderer.h"

#include <stdio.h>

#include "kernels.h"

/* The projection is that of Zwicker and others 2001: near its centre, perspective is a linear map, and that makes a
 * Gaussian of a Gaussian. 0.3 widens it, so that no splat falls between pixels. A splat ends where less than 1/255 of
 * its light would be seen. */
static const char PAIRS_SOURCE[] =
    "/* The first tile's column and row, and those behind the last one. */\n"
    "uint4 tiles_of(float4 shape, uint columns, uint rows)\n"
    "{\n"
    "    const float4 edges = floor((float4)(shape.xy - shape.zw, shape.xy + shape.zw) * (1.0f / TILE));\n"
    "    const float4 most = (float4)(columns, rows, columns, rows);\n"
    "    return convert_uint4(min(max(edges + (float4)(0, 0, 1, 1), 0.0f), most));\n"
    "}\n"
    "__kernel void project(__global const float4 *centres, __global const float4 *covariances, uint n, float4 right,\n"
    "                      float4 down, float4 ahead, float focal, uint width, uint height, uint columns, uint rows,\n"
    "                      __global float4 *shapes, __global float4 *conics, __global float *depths,\n"
    "                      __global uint *counts)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    const float4 place = (float4)(centres[i].xyz, 1), first = covariances[2 * i], second = covariances[2 * i + "
    "1];\n"
    "    const float x = dot(right, place), y = dot(down, place), depth = dot(ahead, place);\n"
    "    /* what moves the splat by one pixel to the right, and down */\n"
    "    const float3 u = focal / depth * (right.xyz - x / depth * ahead.xyz);\n"
    "    const float3 v = focal / depth * (down.xyz - y / depth * ahead.xyz);\n"
    "    const float3 xs = first.xyz, ys = (float3)(first.yw, second.x), zs = (float3)(first.z, second.xy);\n"
    "    const float3 along_u = (float3)(dot(xs, u), dot(ys, u), dot(zs, u));\n"
    "    const float3 along_v = (float3)(dot(xs, v), dot(ys, v), dot(zs, v));\n"
    "    const float xx = dot(u, along_u) + 0.3f, xy = dot(v, along_u), yy = dot(v, along_v) + 0.3f;\n"
    "    const float determinant = xx * yy - xy * xy;\n"
    "    const float opacity = centres[i].w, reach = sqrt(2 * log(255 * opacity));\n"
    "    const float4 shape = {focal * x / depth + 0.5f * width, focal * y / depth + 0.5f * height, reach * sqrt(xx),\n"
    "                          reach * sqrt(yy)};\n"
    "    const uint4 tiles = tiles_of(shape, columns, rows);\n"
    "    const bool is_seen = depth >= NEAR && depth < FAR && determinant > 0 && opacity > 1.0f / 255;\n"
    "    shapes[i] = is_seen ? shape : (float4)(0);\n"
    "    const float4 conic = {yy / determinant, -xy / determinant, xx / determinant, opacity};\n"
    "    conics[i] = is_seen ? conic : (float4)(0);\n"
    "    depths[i] = depth;\n"
    "    counts[i] = is_seen ? (tiles.z - tiles.x) * (tiles.w - tiles.y) : 0;\n"
    "}\n"
    "__kernel void emit(__global const float4 *shapes, __global const float *depths, __global const uint *offsets,\n"
    "                   uint n, uint columns, uint rows, uint capacity, __global ulong *keys, __global uint *splats)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    uint at = offsets[i];\n"
    "    const uint end = min(offsets[i + 1], capacity);\n"
    "    const uint4 tiles = tiles_of(shapes[i], columns, rows);\n"
    "    const uint depth = as_uint(depths[i]) - as_uint(NEAR);\n"
    "    for (uint row = tiles.y; row < tiles.w; row++)\n"
    "        for (uint column = tiles.x; column < tiles.z && at < end; column++, at++) {\n"
    "            keys[at] = (ulong)(row * columns + column) << DEPTH_BITS | depth;\n"
    "            splats[at] = (uint)i;\n"
    "        }\n"
    "}\n";

/* A group has a tile, and a work-item has four pixels side by side. The group reads 64 splats at a time, the nearest
 * first, until no pixel lets 1/1024 of the light through. */
static const char BLEND_SOURCE[] =
    "CLPRIM_WORK_GROUP_REDUCE(lightest, float, max(a, b), 64)\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void blend(__global const float4 *shapes, __global const float4 *conics, __global const float4 *colours,\n"
    "           __global const uint *splats, __global const uint *ranges, uint columns, uint width, uint height,\n"
    "           __global float *picture)\n"
    "{\n"
    "    __local float4 shape[64], conic[64], colour[64];\n"
    "    __local lightest_memory memory;\n"
    "    const uint lid = get_local_id(0), tile = get_group_id(0);\n"
    "    const uint left = tile % columns * TILE + lid % 4 * 4, y = tile / columns * TILE + lid / 4;\n"
    "    const uint end = ranges[tile + 1];\n"
    "    float4 light = 1, red = 0, green = 0, blue = 0;\n"
    "    float most_light = 1;\n"
    "    for (uint first = ranges[tile]; first < end && most_light > 1.0f / 1024; first += min(64u, end - first)) {\n"
    "        const uint splat = splats[min(first + lid, end - 1)];\n"
    "        shape[lid] = shapes[splat];\n"
    "        conic[lid] = conics[splat];\n"
    "        colour[lid] = (float4)(colours[splat].xyz, log(255 * conic[lid].w));\n"
    "        barrier(CLK_LOCAL_MEM_FENCE); /* the splats are there */\n"
    "        for (uint j = 0; j < min(64u, end - first); j++) {\n"
    "            const float4 dx = left + (float4)(0.5f, 1.5f, 2.5f, 3.5f) - shape[j].x;\n"
    "            const float dy = y + 0.5f - shape[j].y;\n"
    "            const float4 falls = 0.5f * (conic[j].x * dx * dx + conic[j].z * dy * dy) + conic[j].y * dx * dy;\n"
    "            if (any(falls < colour[j].w)) { /* else less than 1/255 of its light is seen */\n"
    "                const float4 opacity = min(conic[j].w * exp(-falls), 0.99f);\n"
    "                const float4 weight = falls < colour[j].w ? opacity * light : (float4)(0);\n"
    "                red += weight * colour[j].x;\n"
    "                green += weight * colour[j].y;\n"
    "                blue += weight * colour[j].z;\n"
    "                light -= weight;\n"
    "            }\n"
    "        }\n"
    "        most_light = max(max(light.x, light.y), max(light.z, light.w));\n"
    "        most_light = lightest_reduce(most_light, &memory); /* all are done with these splats */\n"
    "    }\n"
    "    float pixels[12];\n"
    "    vstore4(red, 0, pixels);\n"
    "    vstore4(green, 1, pixels);\n"
    "    vstore4(blue, 2, pixels);\n"
    "    for (uint k = 0; k < 12; k++)\n"
    "        if (left + k % 4 < width && y < height)\n"
    "            picture[(y * (size_t)width + left + k % 4) * 3 + k / 4] = pixels[k];\n"
    "}\n";

enum { PROJECT, EMIT, BLEND, NUM_KERNELS = RENDERER_KERNELS, BLEND_GROUP = 64 };
static const char *const KERNEL_NAMES[NUM_KERNELS] = {"project", "emit", "blend"};

static clprim_status blend(const renderer *self)
{
    const size_t local = BLEND_GROUP;
    const size_t global = (size_t)self->columns * self->rows * local;
    return clEnqueueNDRangeKernel(self->program->queue, self->kernels[BLEND], 1, NULL, &global, &local, 0, NULL, NULL);
}

clprim_status renderer_enqueue(const renderer *self, renderer_step step)
{
    const example *program = self->program;
    const cl_command_queue queue = program->queue;
    const size_t n = self->scene->count;
    const clprim_array num_pairs = {.buffer = self->offsets, .offset = n}; /* the sum of all counts */
    const clprim_scan_call scan = {.in = {self->counts}, .count = n + 1, .out = {self->offsets}};
    const clprim_radix_sort_call sort = {.keys_in = {self->keys},
                                         .values_in = {self->splats},
                                         .count_at = num_pairs,
                                         .count = self->capacity,
                                         .keys_out = {self->sorted_keys},
                                         .values_out = {self->sorted_splats}};
    const clprim_search_call find_ranges = {.in = {self->sorted_keys},
                                            .count_at = num_pairs,
                                            .count = self->capacity,
                                            .needle_count = (size_t)self->columns * self->rows + 1,
                                            .out = {self->ranges}};
    switch (step) {
    case RENDERER_PROJECT: return kernels_launch(program, self->kernels[PROJECT], n);
    case RENDERER_SCAN: return clprim_scan_enqueue(self->scan, queue, &scan, 0, NULL, NULL);
    case RENDERER_EMIT: return kernels_launch(program, self->kernels[EMIT], n);
    case RENDERER_SORT: return clprim_radix_sort_enqueue(self->sort, queue, &sort, 0, NULL, NULL);
    case RENDERER_RANGES: return clprim_search_enqueue(self->find_ranges, queue, &find_ranges, 0, NULL, NULL);
    default: return blend(self);
    }
}

clprim_status renderer_frame(void *user)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (int step = 0; step < RENDERER_STEPS; step++)
        EXAMPLE_TRY(renderer_enqueue(user, (renderer_step)step));
done:
    return status;
}

static clprim_status make_plans(renderer *self)
{
    static const char *const no_headers[] = {NULL};
    static const char *const reduce[] = {"work_group_reduce.h", NULL};
    clprim_runtime *runtime = self->program->runtime;
    const size_t tiles = (size_t)self->columns * self->rows;
    unsigned bits = RENDERER_DEPTH_BITS;
    while ((tiles - 1) >> (bits - RENDERER_DEPTH_BITS) != 0)
        bits++;
    char options[128];
    char needle[32];
    (void)snprintf(options, sizeof options, "-D TILE=%d -D DEPTH_BITS=%d -D NEAR=%.1ff -D FAR=%.1ff", RENDERER_TILE,
                   RENDERER_DEPTH_BITS, (double)RENDERER_NEAR, (double)RENDERER_FAR);
    (void)snprintf(needle, sizeof needle, "i << %d", RENDERER_DEPTH_BITS); /* the least key of tile i */
    const clprim_scan_desc sums = {.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true};
    const clprim_radix_sort_desc by_tile_and_depth = {.key_type = CLPRIM_U64,
                                                      .value_size = sizeof(cl_uint),
                                                      .bit_range = true,
                                                      .end_bit = bits,
                                                      .count_at_type = CLPRIM_U32};
    const clprim_search_desc first_of_tile = {
        .type = CLPRIM_U64, .input = needle, .needles_are_sorted = true, .count_at_type = CLPRIM_U32};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_scan_create(&self->scan, runtime, &sums));
    EXAMPLE_TRY(clprim_radix_sort_create(&self->sort, runtime, &by_tile_and_depth));
    EXAMPLE_TRY(clprim_search_create(&self->find_ranges, runtime, &first_of_tile));
    EXAMPLE_TRY(
        kernels_make_with(self->kernels, self->program, no_headers, options, PAIRS_SOURCE, KERNEL_NAMES, BLEND));
    EXAMPLE_TRY(kernels_make_with(self->kernels + BLEND, self->program, reduce, options, BLEND_SOURCE,
                                  KERNEL_NAMES + BLEND, 1));
done:
    return status;
}

typedef struct buffer {
    cl_mem *buffer;
    const void *data;
    size_t bytes;
} buffer;

static clprim_status make_buffers(const example *program, const buffer *table, size_t count)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < count; i++)
        EXAMPLE_TRY(example_upload(table[i].buffer, program, table[i].data, table[i].bytes));
done:
    return status;
}

static clprim_status begin_projection(renderer *self)
{
    const scene *from = self->scene;
    const camera *by = &self->camera;
    const size_t n = from->count;
    const cl_uint count = (cl_uint)n;
    const cl_uint none = 0;
    const buffer buffers[] = {
        {&self->centres, from->centres, n * sizeof(cl_float4)},
        {&self->covariances, from->covariances, 2 * n * sizeof(cl_float4)},
        {&self->colours, from->colours, n * sizeof(cl_float4)},
        {&self->shapes, NULL, n * sizeof(cl_float4)},
        {&self->conics, NULL, n * sizeof(cl_float4)},
        {&self->depths, NULL, n * sizeof(cl_float)},
        {&self->counts, NULL, (n + 1) * sizeof(cl_uint)},
        {&self->offsets, NULL, (n + 1) * sizeof(cl_uint)},
    };
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(make_buffers(self->program, buffers, sizeof buffers / sizeof *buffers));
    const kernels_argument project[] = {
        KERNELS_ARGUMENT(self->centres), KERNELS_ARGUMENT(self->covariances), KERNELS_ARGUMENT(count),
        KERNELS_ARGUMENT(by->right),     KERNELS_ARGUMENT(by->down),          KERNELS_ARGUMENT(by->ahead),
        KERNELS_ARGUMENT(by->focal),     KERNELS_ARGUMENT(by->width),         KERNELS_ARGUMENT(by->height),
        KERNELS_ARGUMENT(self->columns), KERNELS_ARGUMENT(self->rows),        KERNELS_ARGUMENT(self->shapes),
        KERNELS_ARGUMENT(self->conics),  KERNELS_ARGUMENT(self->depths),      KERNELS_ARGUMENT(self->counts)};
    EXAMPLE_TRY(kernels_set(self->kernels[PROJECT], project, sizeof project / sizeof *project));
    EXAMPLE_TRY(clEnqueueFillBuffer(self->program->queue, self->counts, &none, sizeof none, n * sizeof none,
                                    sizeof none, 0, NULL, NULL));
done:
    return status;
}

static clprim_status begin_pairs(renderer *self)
{
    const camera *by = &self->camera;
    const size_t tiles = (size_t)self->columns * self->rows;
    const size_t capacity = self->capacity;
    const cl_uint count = (cl_uint)self->scene->count;
    const buffer buffers[] = {
        {&self->keys, NULL, capacity * sizeof(cl_ulong)},
        {&self->splats, NULL, capacity * sizeof(cl_uint)},
        {&self->sorted_keys, NULL, capacity * sizeof(cl_ulong)},
        {&self->sorted_splats, NULL, capacity * sizeof(cl_uint)},
        {&self->ranges, NULL, (tiles + 1) * sizeof(cl_uint)},
        {&self->picture, NULL, (size_t)by->width * by->height * 3 * sizeof(cl_float)},
    };
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(make_buffers(self->program, buffers, sizeof buffers / sizeof *buffers));
    const kernels_argument emit[] = {
        KERNELS_ARGUMENT(self->shapes),   KERNELS_ARGUMENT(self->depths),  KERNELS_ARGUMENT(self->offsets),
        KERNELS_ARGUMENT(count),          KERNELS_ARGUMENT(self->columns), KERNELS_ARGUMENT(self->rows),
        KERNELS_ARGUMENT(self->capacity), KERNELS_ARGUMENT(self->keys),    KERNELS_ARGUMENT(self->splats)};
    const kernels_argument blend_tiles[] = {
        KERNELS_ARGUMENT(self->shapes),        KERNELS_ARGUMENT(self->conics), KERNELS_ARGUMENT(self->colours),
        KERNELS_ARGUMENT(self->sorted_splats), KERNELS_ARGUMENT(self->ranges), KERNELS_ARGUMENT(self->columns),
        KERNELS_ARGUMENT(by->width),           KERNELS_ARGUMENT(by->height),   KERNELS_ARGUMENT(self->picture)};
    EXAMPLE_TRY(kernels_set(self->kernels[EMIT], emit, sizeof emit / sizeof *emit));
    EXAMPLE_TRY(kernels_set(self->kernels[BLEND], blend_tiles, sizeof blend_tiles / sizeof *blend_tiles));
done:
    return status;
}

clprim_status renderer_begin(renderer *out, const example *program, const scene *from, const camera *by)
{
    clprim_status status = CLPRIM_SUCCESS;
    *out = (renderer){.program = program,
                      .scene = from,
                      .camera = *by,
                      .columns = (by->width + RENDERER_TILE - 1) / RENDERER_TILE,
                      .rows = (by->height + RENDERER_TILE - 1) / RENDERER_TILE};
    EXAMPLE_TRY(make_plans(out));
    EXAMPLE_TRY(begin_projection(out));
    EXAMPLE_TRY(renderer_enqueue(out, RENDERER_PROJECT));
    EXAMPLE_TRY(renderer_enqueue(out, RENDERER_SCAN));
    EXAMPLE_TRY(clEnqueueReadBuffer(program->queue, out->offsets, CL_TRUE, from->count * sizeof(cl_uint),
                                    sizeof(cl_uint), &out->num_pairs, 0, NULL, NULL));
    out->capacity = out->num_pairs + out->num_pairs / 4 + 1;
    EXAMPLE_TRY(begin_pairs(out));
done:
    return status;
}

void renderer_end(renderer *self)
{
    const cl_mem buffers[] = {self->centres, self->covariances, self->colours,       self->shapes, self->conics,
                              self->depths,  self->counts,      self->offsets,       self->keys,   self->splats,
                              self->ranges,  self->sorted_keys, self->sorted_splats, self->picture};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        example_release(buffers[i]);
    kernels_release(self->kernels, NUM_KERNELS);
    clprim_plan_destroy(self->scan);
    clprim_plan_destroy(self->sort);
    clprim_plan_destroy(self->find_ranges);
}
