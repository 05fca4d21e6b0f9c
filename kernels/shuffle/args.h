/* args.h: what the kernels of a shuffle take, and what they and the host agree on of its permutation
 * (parts/permutation.cl). Seeds would lose their meaning if it changed. */
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
    INT(s2, tile) /* elements of a group of shuffle_tiles */

#if defined(__OPENCL_VERSION__) && INDICES
#define SHUFFLE_INPUT(BUFFER)
#else
#define SHUFFLE_INPUT(BUFFER) BUFFER(const __global UNIT, in)
#endif
#define SHUFFLE_ARRAYS(BUFFER)                                                                                         \
    SHUFFLE_INPUT(BUFFER)                                                                                              \
    BUFFER(__global UNIT, out)

KERNEL_ARGS(shuffle_args, SHUFFLE_NUMBERS, SHUFFLE_ARRAYS)

/* Behind all others: the keys. */
#ifdef __OPENCL_VERSION__
typedef struct {
    uint of[NUM_KEYS];
} shuffle_keys;
#endif

#endif
