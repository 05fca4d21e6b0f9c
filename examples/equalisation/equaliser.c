// SPDX-License-Identifier: MIT
/* equaliser.c: equalisation by clPRIM's histogram and scan, between kernels of one's own. All of it is on one queue,
 * and in between nothing comes to the host and nobody waits. */
#include "equaliser.h"

#include <stdlib.h>

#include "kernels.h"

/* A pixel lies between the centres of two tiles across and two down; each of the four has a table. Places count in half
 * pixels, and the shares of the second tiles in 256ths. */
static const char SOURCE[] =
    "__kernel void find_bins(__global const uchar *in, uint4 size, uint across, __global ushort *bins)\n"
    "{\n"
    "    const uint x = get_global_id(0), y = get_global_id(1);\n"
    "    const size_t i = (size_t)y * size.x + x;\n"
    "    if (x < size.x)\n"
    "        bins[i] = (ushort)((y / size.w * across + x / size.z) * 256 + in[i]);\n"
    "}\n"
    "__kernel void limit_counts(__global uint *counts, uint limit, uint n)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        counts[i] = min(counts[i], limit);\n"
    "}\n"
    "__kernel void make_tables(__global const uint *darker, uint n, __global uchar *tables)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    const ulong all = max(darker[i | 255], 1u);\n"
    "    tables[i] = (uchar)(((ulong)darker[i] * 255 + all / 2) / all);\n"
    "}\n"
    "__kernel void look_up(__global const uchar *in, uint4 size, float2 scale, uint2 tiles,\n"
    "                      __global const uchar *tables, __global uchar *out)\n"
    "{\n"
    "    const uint2 at = (uint2)(get_global_id(0), get_global_id(1));\n"
    "    const size_t i = (size_t)at.y * size.x + at.x;\n"
    "    if (at.x >= size.x)\n"
    "        return;\n"
    "    const uint2 where = convert_uint2(convert_float2(2 * at + 1 + size.zw) * scale);\n"
    "    const uint2 second = where >> 8, share = where & 255;\n"
    "    const uint2 a = min(max(second, (uint2)(1, 1)) - 1, tiles - 1);\n"
    "    const uint2 b = min(second, tiles - 1);\n"
    "    __global const uchar *upper = tables + a.y * tiles.x * 256 + in[i];\n"
    "    __global const uchar *lower = tables + b.y * tiles.x * 256 + in[i];\n"
    "    const uint above = upper[a.x * 256] * (256 - share.x) + upper[b.x * 256] * share.x;\n"
    "    const uint below = lower[a.x * 256] * (256 - share.x) + lower[b.x * 256] * share.x;\n"
    "    out[i] = (uchar)((above * (256 - share.y) + below * share.y + 32768) >> 16);\n"
    "}\n";

enum { FIND_BINS, LIMIT_COUNTS, MAKE_TABLES, LOOK_UP, NUM_KERNELS = EQUALISER_NUM_KERNELS };
static const char *const KERNEL_NAMES[NUM_KERNELS] = {"find_bins", "limit_counts", "make_tables", "look_up"};

clprim_status equaliser_run(void *user)
{
    const equaliser *self = user;
    const example *program = self->program;
    const size_t n = self->tiles.n;
    const size_t num_counts = self->tiles.num_counts;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_launch_2d(program, self->kernels[FIND_BINS], self->tiles.width, self->tiles.height));
    EXAMPLE_TRY(clprim_histogram_enqueue(
        self->count, program->queue, &(clprim_histogram_call){.in = {self->bins}, .count = n, .out = {self->counts}}, 0,
        NULL, NULL));
    EXAMPLE_TRY(kernels_launch(program, self->kernels[LIMIT_COUNTS], num_counts));
    EXAMPLE_TRY(clprim_scan_enqueue(
        self->add_up, program->queue,
        &(clprim_scan_call){.in = {self->counts}, .heads = {self->heads}, .count = num_counts, .out = {self->darker}},
        0, NULL, NULL));
    EXAMPLE_TRY(kernels_launch(program, self->kernels[MAKE_TABLES], num_counts));
    EXAMPLE_TRY(kernels_launch_2d(program, self->kernels[LOOK_UP], self->tiles.width, self->tiles.height));
done:
    return status;
}

static clprim_status make_plans(equaliser *self)
{
    const clprim_histogram_desc tiles_and_levels = {.type = CLPRIM_U16, .bins = self->tiles.num_counts};
    const clprim_scan_desc sums_of_tiles = {
        .type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true, .segments = CLPRIM_SEGMENTS_BY_FLAG};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_histogram_create(&self->count, self->program->runtime, &tiles_and_levels));
    EXAMPLE_TRY(clprim_scan_create(&self->add_up, self->program->runtime, &sums_of_tiles));
    EXAMPLE_TRY(kernels_make(self->kernels, self->program, SOURCE, KERNEL_NAMES, NUM_KERNELS));
done:
    return status;
}

static clprim_status make_buffers(equaliser *self, const image *photo)
{
    const size_t n = self->tiles.n;
    const size_t num_counts = self->tiles.num_counts;
    clprim_status status = CLPRIM_SUCCESS;
    uint8_t *heads = calloc(1, num_counts);
    if (heads == NULL)
        return example_fail("no memory for %zu flags on the host", num_counts);
    for (size_t i = 0; i < num_counts; i += LEVELS)
        heads[i] = 1;
    EXAMPLE_TRY(example_upload(&self->in, self->program, photo->samples, n));
    EXAMPLE_TRY(example_upload(&self->out, self->program, NULL, n));
    EXAMPLE_TRY(example_upload(&self->bins, self->program, NULL, n * sizeof(cl_ushort)));
    EXAMPLE_TRY(example_upload(&self->counts, self->program, NULL, num_counts * sizeof(cl_uint)));
    EXAMPLE_TRY(example_upload(&self->heads, self->program, heads, num_counts));
    EXAMPLE_TRY(example_upload(&self->darker, self->program, NULL, num_counts * sizeof(cl_uint)));
    EXAMPLE_TRY(example_upload(&self->tables, self->program, NULL, num_counts));
done:
    free(heads);
    return status;
}

static clprim_status set_arguments(const equaliser *self)
{
    const tiling *t = &self->tiles;
    const cl_uint num_counts = (cl_uint)t->num_counts;
    const cl_uint4 size = {{t->width, t->height, t->tile_width, t->tile_height}};
    const cl_uint2 tiles = {{t->across, t->down}};
    const kernels_argument find_bins[] = {KERNELS_ARGUMENT(self->in), KERNELS_ARGUMENT(size),
                                          KERNELS_ARGUMENT(t->across), KERNELS_ARGUMENT(self->bins)};
    const kernels_argument limit_counts[] = {KERNELS_ARGUMENT(self->counts), KERNELS_ARGUMENT(t->limit),
                                             KERNELS_ARGUMENT(num_counts)};
    const kernels_argument make_tables[] = {KERNELS_ARGUMENT(self->darker), KERNELS_ARGUMENT(num_counts),
                                            KERNELS_ARGUMENT(self->tables)};
    const kernels_argument look_up[] = {KERNELS_ARGUMENT(self->in),     KERNELS_ARGUMENT(size),
                                        KERNELS_ARGUMENT(t->scale),     KERNELS_ARGUMENT(tiles),
                                        KERNELS_ARGUMENT(self->tables), KERNELS_ARGUMENT(self->out)};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_set(self->kernels[FIND_BINS], find_bins, sizeof find_bins / sizeof *find_bins));
    EXAMPLE_TRY(kernels_set(self->kernels[LIMIT_COUNTS], limit_counts, sizeof limit_counts / sizeof *limit_counts));
    EXAMPLE_TRY(kernels_set(self->kernels[MAKE_TABLES], make_tables, sizeof make_tables / sizeof *make_tables));
    EXAMPLE_TRY(kernels_set(self->kernels[LOOK_UP], look_up, sizeof look_up / sizeof *look_up));
done:
    return status;
}

clprim_status equaliser_begin(equaliser *out, const example *program, const image *photo, const tiling *tiles)
{
    clprim_status status = CLPRIM_SUCCESS;
    *out = (equaliser){.program = program, .tiles = *tiles};
    EXAMPLE_TRY(make_plans(out));
    EXAMPLE_TRY(make_buffers(out, photo));
    EXAMPLE_TRY(set_arguments(out));
done:
    return status;
}

void equaliser_end(equaliser *self)
{
    const cl_mem buffers[] = {self->in, self->out, self->bins, self->counts, self->heads, self->darker, self->tables};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        example_release(buffers[i]);
    kernels_release(self->kernels, NUM_KERNELS);
    clprim_plan_destroy(self->count);
    clprim_plan_destroy(self->add_up);
}
