// SPDX-License-Identifier: MIT
/* args.h: the arguments of the shuffle kernels, and the numbers of the permutation that kernels and host share
 * (parts/permutation.cl). If these changed, seeds would lose their meaning. */
#ifndef SHUFFLE_ARGS_H
#define SHUFFLE_ARGS_H

#include "common/args.h"

#define ROUNDS   12 /* even */
#define FEW      65536
#define NUM_KEYS (2 * ROUNDS)

#define SHUFFLE_NUMBERS(LONG, INT)                                                                                     \
    LONG(s0, in_offset)  /* in elements */                                                                             \
    LONG(s1, out_offset) /* in elements */                                                                             \
    LONG(s2, count)                                                                                                    \
    INT(s0, rows)                                                                                                      \
    INT(s1, columns)                                                                                                   \
    INT(s2, tile) /* elements per group of shuffle_tiles */

#if defined(__OPENCL_VERSION__) && INDICES
#define SHUFFLE_INPUT(BUFFER)
#else
#define SHUFFLE_INPUT(BUFFER) BUFFER(const __global UNIT, in)
#endif
#define SHUFFLE_ARRAYS(BUFFER)                                                                                         \
    SHUFFLE_INPUT(BUFFER)                                                                                              \
    BUFFER(__global UNIT, out)

KERNEL_ARGS(shuffle_args, SHUFFLE_NUMBERS, SHUFFLE_ARRAYS)

/* After all other arguments: the keys. */
#ifdef __OPENCL_VERSION__
typedef struct {
    uint of[NUM_KEYS];
} shuffle_keys;
#endif

#endif
