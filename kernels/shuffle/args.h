/* args.h: what the kernels of a shuffle take, and what they and the host agree on of its permutation
 * (parts/permutation.cl). Seeds would lose their meaning if it changed. */
#ifndef SHUFFLE_ARGS_H
#define SHUFFLE_ARGS_H

#include "common/args.h"

#define ROUNDS   12 /* even */
#define FEW      65536
#define NUM_KEYS (2 * ROUNDS)

#ifdef __OPENCL_VERSION__
typedef struct {
    uint of[NUM_KEYS];
} shuffle_keys;
#else
typedef struct {
    cl_uint of[NUM_KEYS];
} cl_shuffle_keys;
#endif

#define SHUFFLE_NUMBERS(NUMBER, LAST)                                                                                  \
    NUMBER(ulong, in_offset)  /* in elements */                                                                        \
    NUMBER(ulong, out_offset) /* in elements */                                                                        \
    NUMBER(ulong, count)                                                                                               \
    NUMBER(uint, rows)                                                                                                 \
    NUMBER(uint, columns)                                                                                              \
    NUMBER(shuffle_keys, keys)                                                                                         \
    LAST(uint, tile) /* elements of a group of shuffle_tiles */

#if defined(__OPENCL_VERSION__) && INDICES
#define SHUFFLE_INPUT(BUFFER)
#else
#define SHUFFLE_INPUT(BUFFER) BUFFER(const __global UNIT, in)
#endif
#define SHUFFLE_ARRAYS(BUFFER)                                                                                         \
    SHUFFLE_INPUT(BUFFER)                                                                                              \
    BUFFER(__global UNIT, out)

KERNEL_ARGS(shuffle_args, SHUFFLE_NUMBERS, SHUFFLE_ARRAYS)
KERNEL_LAUNCH(shuffle_args, clprim__launch_shuffle, SHUFFLE_ARRAYS)

#endif
