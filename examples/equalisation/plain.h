// SPDX-License-Identifier: MIT
/* plain.h: equalisation by plain loops on one core of the CPU. */
#ifndef CLPRIM_EXAMPLES_EQUALISATION_PLAIN_H
#define CLPRIM_EXAMPLES_EQUALISATION_PLAIN_H

#include "tiling.h"

typedef struct plain_equaliser {
    tiling tiles;
    const uint8_t *in;
    uint32_t *counts; /* of each tile's levels, and then how many pixels are darker */
    uint8_t *tables;
    uint8_t *out;
} plain_equaliser;

/* In every case *out is to be cleared. */
clprim_status plain_begin(plain_equaliser *out, const image *photo, const tiling *tiles);
void plain_clear(plain_equaliser *self);

/* Equalise: a timing_call whose user is the plain_equaliser. */
clprim_status plain_equalise(void *user);

#endif
