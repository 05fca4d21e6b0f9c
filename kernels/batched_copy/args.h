// SPDX-License-Identifier: MIT
/* args.h: the arguments of the batched-copy kernels. */
#ifndef BATCHED_COPY_ARGS_H
#define BATCHED_COPY_ARGS_H

#include "common/args.h"

#define BATCH_NUMBERS(LONG, INT)                                                                                       \
    LONG(s0, in_offset)  /* in elements */                                                                             \
    LONG(s1, out_offset) /* in elements */                                                                             \
    LONG(s2, offsets_offset)                                                                                           \
    LONG(s3, in_begins_offset)                                                                                         \
    LONG(s4, out_begins_offset)                                                                                        \
    LONG(s5, segments)                                                                                                 \
    LONG(s6, in_count)                                                                                                 \
    LONG(s7, out_count)                                                                                                \
    LONG(s8, tiles) /* for batched_copy_split */

#define BATCH_SEGMENTS(BUFFER)                                                                                         \
    BUFFER(const __global OFFSET, offsets)                                                                             \
    BUFFER(const __global OFFSET, in_begins)                                                                           \
    BUFFER(const __global OFFSET, out_begins)

/* batched_copy_split */
#define BATCH_SPLIT(BUFFER)                                                                                            \
    BATCH_SEGMENTS(BUFFER)                                                                                             \
    BUFFER(__global uint, starts)

/* batched_copy_cpu_chunk */
#define BATCH_ARRAYS(BUFFER)                                                                                           \
    BATCH_SEGMENTS(BUFFER)                                                                                             \
    BUFFER(const __global UNIT, in)                                                                                    \
    BUFFER(__global UNIT, out)

/* batched_copy_tiles */
#define BATCH_TILES(BUFFER)                                                                                            \
    BATCH_ARRAYS(BUFFER)                                                                                               \
    BUFFER(const __global uint, starts)

KERNEL_ARGS(batch_args, BATCH_NUMBERS, BATCH_TILES)
KERNEL_LAUNCH(batch_args, clprim__launch_batch_split, BATCH_SPLIT)
KERNEL_LAUNCH(batch_args, clprim__launch_batch_chunks, BATCH_ARRAYS)
KERNEL_LAUNCH(batch_args, clprim__launch_batch_tiles, BATCH_TILES)

#endif
