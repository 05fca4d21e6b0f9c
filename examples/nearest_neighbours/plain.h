// SPDX-License-Identifier: MIT
/* plain.h: the same neighbours by plain loops on one core of the CPU: what is compared and timed. */
#ifndef CLPRIM_EXAMPLES_NEIGHBOURS_PLAIN_H
#define CLPRIM_EXAMPLES_NEIGHBOURS_PLAIN_H

#include "neighbours.h"

/* Of many queries only a sample: those with the numbers 0, step, 2 * step, ... */
typedef struct plain {
    const neighbours *task;
    size_t step, rows;
    cl_uint *indices; /* rows of k */
    cl_float4 *vectors;
} plain;

/* In every case *out is to be cleared. */
clprim_status plain_begin(plain *out, const neighbours *task);
void plain_clear(plain *self);

/* Find them: a timing_call whose user is the plain. */
clprim_status plain_find(void *user);

/* Are the results of the sample's queries the same, bit for bit? */
bool plain_is_same(const plain *self, const cl_uint *indices, const cl_float4 *vectors);

#endif
