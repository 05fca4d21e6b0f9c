// SPDX-License-Identifier: MIT
/* plain.c: splats drawn one after the other, the nearest first, into all pixels that they reach. */
#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renderer.h"

clprim_status plain_begin(plain *out, const scene *from, const camera *by)
{
    const size_t n = from->count;
    const size_t pixels = (size_t)by->width * by->height;
    *out = (plain){.scene = from,
                   .camera = *by,
                   .shapes = malloc(n * sizeof(cl_float4)),
                   .conics = malloc(n * sizeof(cl_float4)),
                   .depths = malloc(n * sizeof(float)),
                   .order = malloc(2 * n * sizeof(uint32_t)),
                   .light = malloc(pixels * sizeof(float)),
                   .picture = malloc(3 * pixels * sizeof(float))};
    if (out->shapes == NULL || out->conics == NULL || out->depths == NULL || out->order == NULL || out->light == NULL ||
        out->picture == NULL)
        return example_fail("no memory for %zu splats and %zu pixels on the host", n, pixels);
    return CLPRIM_SUCCESS;
}

void plain_clear(plain *self)
{
    free(self->shapes);
    free(self->conics);
    free(self->depths);
    free(self->order);
    free(self->light);
    free(self->picture);
    *self = (plain){0};
}

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void plain_project(plain *self)
{
    const camera *by = &self->camera;
    for (size_t i = 0; i < self->scene->count; i++) {
        const float *place = self->scene->centres[i].s;
        const float *a = self->scene->covariances[2 * i].s;
        const float *b = self->scene->covariances[2 * i + 1].s;
        const float covariance[3][3] = {{a[0], a[1], a[2]}, {a[1], a[3], b[0]}, {a[2], b[0], b[1]}};
        const float depth = dot(by->ahead.s, place) + by->ahead.s[3];
        const float x = (dot(by->right.s, place) + by->right.s[3]) / depth;
        const float y = (dot(by->down.s, place) + by->down.s[3]) / depth;
        const float opacity = place[3];
        float u[3], v[3], along_u[3], along_v[3];
        for (size_t k = 0; k < 3; k++) {
            u[k] = by->focal / depth * (by->right.s[k] - x * by->ahead.s[k]);
            v[k] = by->focal / depth * (by->down.s[k] - y * by->ahead.s[k]);
        }
        for (size_t k = 0; k < 3; k++) {
            along_u[k] = dot(covariance[k], u);
            along_v[k] = dot(covariance[k], v);
        }
        const float xx = dot(u, along_u) + 0.3F;
        const float xy = dot(v, along_u);
        const float yy = dot(v, along_v) + 0.3F;
        const float determinant = xx * yy - xy * xy;
        self->depths[i] = depth;
        self->shapes[i] = self->conics[i] = (cl_float4){{0}};
        if (!(depth >= RENDERER_NEAR && depth < RENDERER_FAR && determinant > 0 && opacity > 1.0F / 255))
            continue;
        const float reach = sqrtf(2 * logf(255 * opacity));
        self->shapes[i] = (cl_float4){{by->focal * x + 0.5F * (float)by->width,
                                       by->focal * y + 0.5F * (float)by->height, reach * sqrtf(xx), reach * sqrtf(yy)}};
        self->conics[i] = (cl_float4){{yy / determinant, -xy / determinant, xx / determinant, opacity}};
    }
}

/* By merging runs, which keeps the order of equal depths. */
static void sort(plain *self)
{
    const size_t n = self->scene->count;
    uint32_t *from = self->order;
    uint32_t *to = self->order + n;
    for (size_t i = 0; i < n; i++)
        from[i] = (uint32_t)i;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t first = 0; first < n; first += 2 * run) {
            const size_t middle = first + run < n ? first + run : n;
            const size_t end = middle + run < n ? middle + run : n;
            size_t a = first;
            size_t b = middle;
            for (size_t at = first; at < end; at++) {
                const bool takes_a = b == end || (a < middle && self->depths[from[a]] <= self->depths[from[b]]);
                to[at] = takes_a ? from[a++] : from[b++];
            }
        }
        uint32_t *const swap = from;
        from = to;
        to = swap;
    }
    if (from != self->order)
        memcpy(self->order, from, n * sizeof *from);
}

/* The first pixel whose centre is not before an edge. */
static size_t pixel_from(float edge, cl_uint most)
{
    const float pixel = ceilf(edge - 0.5F);
    return pixel <= 0 ? 0 : pixel < (float)most ? (size_t)pixel : most;
}

static void draw_splat(plain *self, size_t i)
{
    const float *shape = self->shapes[i].s;
    const float *conic = self->conics[i].s;
    const float *colour = self->scene->colours[i].s;
    const cl_uint width = self->camera.width;
    const size_t right = pixel_from(shape[0] + shape[2], width);
    const size_t bottom = pixel_from(shape[1] + shape[3], self->camera.height);
    for (size_t row = pixel_from(shape[1] - shape[3], self->camera.height); row < bottom; row++) {
        for (size_t column = pixel_from(shape[0] - shape[2], width); column < right; column++) {
            const size_t pixel = row * width + column;
            const float dx = (float)column + 0.5F - shape[0];
            const float dy = (float)row + 0.5F - shape[1];
            const float falls = 0.5F * (conic[0] * dx * dx + conic[2] * dy * dy) + conic[1] * dx * dy;
            const float opacity = fminf(conic[3] * expf(-falls), 0.99F);
            if (opacity < 1.0F / 255)
                continue;
            const float weight = opacity * self->light[pixel];
            for (size_t k = 0; k < 3; k++)
                self->picture[3 * pixel + k] += weight * colour[k];
            self->light[pixel] -= weight;
        }
    }
}

void plain_draw(plain *self)
{
    const size_t pixels = (size_t)self->camera.width * self->camera.height;
    for (size_t i = 0; i < pixels; i++)
        self->light[i] = 1;
    memset(self->picture, 0, 3 * pixels * sizeof *self->picture);
    sort(self);
    for (size_t i = 0; i < self->scene->count; i++)
        if (self->conics[self->order[i]].s[3] > 0)
            draw_splat(self, self->order[i]);
}

clprim_status plain_frame(void *user)
{
    plain_project(user);
    plain_draw(user);
    return CLPRIM_SUCCESS;
}
