// SPDX-License-Identifier: MIT
/* shuffle_permutation.h: the numbers that a shuffle's permutation depends on. */
#ifndef CLPRIM_LIB_SHUFFLE_PERMUTATION_H
#define CLPRIM_LIB_SHUFFLE_PERMUTATION_H

#include "launch.h"
#include "shuffle/args.h"

/* See kernels/shuffle/parts/permutation.cl. */
typedef struct clprim__permutation {
    cl_ulong count;
    cl_uint rows, columns;
    cl_uint keys[NUM_KEYS];
} clprim__permutation;

clprim__permutation clprim__permutation_of(uint64_t count, uint64_t seed);

#endif
