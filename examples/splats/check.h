// SPDX-License-Identifier: MIT
/* check.h: is what each step of the renderer has made right? */
#ifndef CLPRIM_EXAMPLES_SPLATS_CHECK_H
#define CLPRIM_EXAMPLES_SPLATS_CHECK_H

#include "plain.h"
#include "renderer.h"

/* What comes back from the device after a frame. */
typedef struct frame {
    cl_float4 *shapes, *conics;
    cl_float *depths, *picture;
    cl_uint *counts, *offsets, *splats, *ranges;
    cl_ulong *keys;
} frame;

/* In every case *out is to be cleared. */
clprim_status frame_fetch(frame *out, const renderer *from);
void frame_clear(frame *self);

/* Is everything right? Projections: up to rounding. Counts, offsets, the order of the pairs, and ranges: exactly those
 * that follow from the projections. The picture: no channel of any pixel differs by more than 2/255 from that of plain
 * loops without tiles. If not, *wrong says what is wrong. `host` has projected the scene; then it gets the device's
 * projections, and draws them. */
clprim_status frame_is_right(bool *is_right, const char **wrong, const frame *self, const renderer *from, plain *host);

#endif
