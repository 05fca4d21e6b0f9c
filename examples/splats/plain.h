// SPDX-License-Identifier: MIT
/* plain.h: the same picture by plain loops on one core of the CPU: what is compared and timed. */
#ifndef CLPRIM_EXAMPLES_SPLATS_PLAIN_H
#define CLPRIM_EXAMPLES_SPLATS_PLAIN_H

#include "scene.h"

/* What the device's renderer computes, too (renderer.h), but without tiles. */
typedef struct plain {
    const scene *scene;
    camera camera;
    cl_float4 *shapes, *conics; /* a splat that is not seen has an opacity of 0 */
    float *depths;
    uint32_t *order;        /* the splats from front to back; of equal depths, by index */
    float *light, *picture; /* of each pixel: how much light comes through; red, green, blue */
} plain;

/* In every case *out is to be cleared. */
clprim_status plain_begin(plain *out, const scene *from, const camera *by);
void plain_clear(plain *self);

void plain_project(plain *self);

/* Sort and draw what was projected. */
void plain_draw(plain *self);

/* All of it: a timing_call whose user is the plain. */
clprim_status plain_frame(void *user);

#endif
