// SPDX-License-Identifier: MIT
/* check.c: each step of the renderer, compared with plain loops. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

clprim_status frame_fetch(frame *out, const renderer *from)
{
    const size_t n = from->scene->count;
    const size_t tiles = (size_t)from->columns * from->rows;
    const size_t pairs = from->num_pairs;
    const size_t pixels = (size_t)from->camera.width * from->camera.height;
    const struct {
        void **data;
        cl_mem buffer;
        size_t bytes;
    } table[] = {
        {(void **)&out->shapes, from->shapes, n * sizeof(cl_float4)},
        {(void **)&out->conics, from->conics, n * sizeof(cl_float4)},
        {(void **)&out->depths, from->depths, n * sizeof(cl_float)},
        {(void **)&out->counts, from->counts, n * sizeof(cl_uint)},
        {(void **)&out->offsets, from->offsets, (n + 1) * sizeof(cl_uint)},
        {(void **)&out->keys, from->sorted_keys, pairs * sizeof(cl_ulong)},
        {(void **)&out->splats, from->sorted_splats, pairs * sizeof(cl_uint)},
        {(void **)&out->ranges, from->ranges, (tiles + 1) * sizeof(cl_uint)},
        {(void **)&out->picture, from->picture, 3 * pixels * sizeof(cl_float)},
    };
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        *table[i].data = malloc(table[i].bytes + 1);
        if (*table[i].data == NULL)
            EXAMPLE_TRY(example_fail("no memory for %zu bytes on the host", table[i].bytes));
        if (table[i].bytes > 0)
            EXAMPLE_TRY(clEnqueueReadBuffer(from->program->queue, table[i].buffer, CL_TRUE, 0, table[i].bytes,
                                            *table[i].data, 0, NULL, NULL));
    }
done:
    return status;
}

void frame_clear(frame *self)
{
    free(self->shapes);
    free(self->conics);
    free(self->depths);
    free(self->counts);
    free(self->offsets);
    free(self->keys);
    free(self->splats);
    free(self->ranges);
    free(self->picture);
    *self = (frame){0};
}

/* Floats of one vector: the error of each may be a thousandth of the greatest. */
static bool are_near(const cl_float4 *got, const cl_float4 *expected)
{
    float greatest = 0;
    for (size_t k = 0; k < 4; k++)
        greatest = fmaxf(greatest, fabsf(expected->s[k]));
    for (size_t k = 0; k < 4; k++)
        if (!(fabsf(got->s[k] - expected->s[k]) <= 1e-3F * greatest))
            return false;
    return true;
}

static bool are_projected(const frame *self, const plain *host)
{
    for (size_t i = 0; i < host->scene->count; i++) {
        const float depth = host->depths[i];
        const float slack = 1e-5F * depth;
        const bool may_be_cut = fabsf(depth - RENDERER_NEAR) < slack || fabsf(depth - RENDERER_FAR) < slack;
        if (!(fabsf(self->depths[i] - depth) <= fabsf(slack)))
            return false;
        if (!may_be_cut &&
            !(are_near(&self->shapes[i], &host->shapes[i]) && are_near(&self->conics[i], &host->conics[i])))
            return false;
    }
    return true;
}

typedef struct pair {
    cl_ulong key;
    cl_uint splat;
} pair;

static int compare_pairs(const void *a, const void *b)
{
    const pair *x = a;
    const pair *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->splat > y->splat) - (x->splat < y->splat);
}

static cl_uint tile_at(float edge, cl_uint most)
{
    const float tile = floorf(edge * (1.0F / RENDERER_TILE));
    return tile <= 0 ? 0 : tile < (float)most ? (cl_uint)tile : most;
}

static cl_uint bits_of(float x)
{
    cl_uint bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The pairs of all splats, splat by splat, and how many each has. False: there are more than the device has. */
static bool emit(pair *out, const frame *self, const renderer *from)
{
    cl_uint count = 0;
    for (size_t i = 0; i < from->scene->count; i++) {
        const float *shape = self->shapes[i].s;
        const cl_uint right = tile_at(shape[0] + shape[2] + RENDERER_TILE, from->columns);
        const cl_uint bottom = tile_at(shape[1] + shape[3] + RENDERER_TILE, from->rows);
        const cl_uint first = count;
        if (self->offsets[i] != first)
            return false;
        for (cl_uint row = tile_at(shape[1] - shape[3], from->rows); row < bottom; row++)
            for (cl_uint column = tile_at(shape[0] - shape[2], from->columns); column < right; column++) {
                if (self->conics[i].s[3] == 0)
                    continue;
                if (count == from->num_pairs)
                    return false;
                const cl_ulong tile = (cl_ulong)row * from->columns + column;
                const cl_uint depth = bits_of(self->depths[i]) - bits_of(RENDERER_NEAR);
                out[count++] = (pair){tile << RENDERER_DEPTH_BITS | depth, (cl_uint)i};
            }
        if (self->counts[i] != count - first)
            return false;
    }
    return count == from->num_pairs && self->offsets[from->scene->count] == count;
}

static bool are_sorted(const pair *pairs, const frame *self, const renderer *from)
{
    const size_t tiles = (size_t)from->columns * from->rows;
    size_t at = 0;
    for (size_t i = 0; i < from->num_pairs; i++)
        if (self->keys[i] != pairs[i].key || self->splats[i] != pairs[i].splat)
            return false;
    for (size_t tile = 0; tile <= tiles; tile++) {
        while (at < from->num_pairs && pairs[at].key >> RENDERER_DEPTH_BITS < tile)
            at++;
        if (self->ranges[tile] != at)
            return false;
    }
    return true;
}

static bool is_drawn(const frame *self, const plain *host)
{
    const size_t samples = 3 * (size_t)host->camera.width * host->camera.height;
    for (size_t i = 0; i < samples; i++)
        if (!(fabsf(self->picture[i] - host->picture[i]) <= 2.0F / 255))
            return false;
    return true;
}

clprim_status frame_is_right(bool *is_right, const char **wrong, const frame *self, const renderer *from, plain *host)
{
    const size_t n = from->scene->count;
    pair *pairs = malloc(((size_t)from->num_pairs + 1) * sizeof *pairs);
    if (pairs == NULL)
        return example_fail("no memory for %u pairs on the host", (unsigned)from->num_pairs);
    *wrong = are_projected(self, host) ? NULL : "the projection";
    memcpy(host->shapes, self->shapes, n * sizeof *self->shapes);
    memcpy(host->conics, self->conics, n * sizeof *self->conics);
    memcpy(host->depths, self->depths, n * sizeof *self->depths);
    if (*wrong == NULL && !emit(pairs, self, from))
        *wrong = "a count or an offset";
    if (*wrong == NULL) {
        qsort(pairs, from->num_pairs, sizeof *pairs, compare_pairs);
        *wrong = are_sorted(pairs, self, from) ? NULL : "the order of the pairs, or a range";
    }
    if (*wrong == NULL) {
        plain_draw(host);
        *wrong = is_drawn(self, host) ? NULL : "the picture";
    }
    *is_right = *wrong == NULL;
    free(pairs);
    return CLPRIM_SUCCESS;
}
