// SPDX-License-Identifier: MIT
/* scene.h: a scene of Gaussian splats, and a camera that looks at it. */
#ifndef CLPRIM_EXAMPLES_SCENE_H
#define CLPRIM_EXAMPLES_SCENE_H

#include "example.h"

/* A splat is a cloud whose density is a Gaussian: dense in the centre, and thin outside. Its opacity is that of the
 * centre. Its covariance says how far it reaches in each direction. */
typedef struct scene {
    size_t count;
    cl_float4 *centres;     /* x, y, z, opacity */
    cl_float4 *covariances; /* two for each splat: xx, xy, xz, yy; yz, zz, 0, 0 */
    cl_float4 *colours;     /* red, green, blue from 0 to 1, and 0 */
} scene;

/* The dot products of the rows with (x, y, z, 1) say how far a point is to the right of the camera's axis, below it, and
 * ahead of the camera. */
typedef struct camera {
    cl_float4 right, down, ahead;
    cl_float focal; /* so many pixels wide is what is 1 wide and 1 ahead */
    cl_uint width, height;
} camera;

/* A knot covered by flat splats, in thin dust. The same on every machine, up to rounding. In every case *out is to be
 * cleared. */
clprim_status scene_make(scene *out, size_t count);
void scene_clear(scene *self);

/* Look at the whole scene. */
camera scene_camera(cl_uint width, cl_uint height);

#endif
