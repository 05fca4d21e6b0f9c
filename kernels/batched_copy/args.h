/* args.h: what the kernels of a batched copy take. */
#ifndef BATCHED_COPY_ARGS_H
#define BATCHED_COPY_ARGS_H

#include "common/args.h"

#define BATCH_NUMBERS(NUMBER, LAST)                                                                                    \
    NUMBER(ulong, in_offset)  /* in elements */                                                                        \
    NUMBER(ulong, out_offset) /* in elements */                                                                        \
    NUMBER(ulong, offsets_offset)                                                                                      \
    NUMBER(ulong, in_begins_offset)                                                                                    \
    NUMBER(ulong, out_begins_offset)                                                                                   \
    NUMBER(ulong, segments)                                                                                            \
    NUMBER(ulong, in_count)                                                                                            \
    NUMBER(ulong, out_count)                                                                                           \
    LAST(ulong, tiles) /* of batched_copy_split */

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
