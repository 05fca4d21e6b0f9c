// SPDX-License-Identifier: MIT
/* args.h: the arguments of a segmented reduction's kernels. */
#ifndef SEGMENTED_REDUCE_ARGS_H
#define SEGMENTED_REDUCE_ARGS_H

#include "common/args.h"

#define SEGMENTED_REDUCE_NUMBERS(LONG, INT)                                                                            \
    LONG(s0, in_offset) /* in elements */                                                                              \
    LONG(s1, offsets_offset)                                                                                           \
    LONG(s2, out_offset)                                                                                               \
    LONG(s3, segments)                                                                                                 \
    LONG(s4, n)        /* elements */                                                                                  \
    LONG(s5, parts_at) /* for whole.cl: where parts of segments are in `memory`, in bytes */                           \
    LONG(s6, ranges)                                                                                                   \
    INT(s0, range_log)                                                                                                 \
    INT(s1, turn)  /* for whole.cl: which set of counters the launch uses; it clears the other one */                  \
    INT(s2, epoch) /* of the state */

/* segmented_reduce_nothing */
#define SEGMENTED_REDUCE_ENDS(BUFFER)                                                                                  \
    BUFFER(const __global OFFSET, offsets)                                                                             \
    BUFFER(__global OUTPUT, out)

/* segmented_reduce_undivided */
#define SEGMENTED_REDUCE_ARRAYS(BUFFER)                                                                                \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    SEGMENTED_REDUCE_ENDS(BUFFER)

/* the plan's state */
#define SEGMENTED_REDUCE_MEMORY(BUFFER) BUFFER(__global uchar, memory)

/* segmented_reduce_tiles, segmented_reduce_cpu_chunk, segmented_reduce_whole */
#define SEGMENTED_REDUCE_FOLD(BUFFER)                                                                                  \
    SEGMENTED_REDUCE_ARRAYS(BUFFER)                                                                                    \
    SEGMENTED_REDUCE_MEMORY(BUFFER)

KERNEL_ARGS(segmented_reduce_args, SEGMENTED_REDUCE_NUMBERS, SEGMENTED_REDUCE_FOLD)
KERNEL_LAUNCH(segmented_reduce_args, clprim__launch_segmented_reduce_nothing, SEGMENTED_REDUCE_ENDS)
KERNEL_LAUNCH(segmented_reduce_args, clprim__launch_segmented_reduce_undivided, SEGMENTED_REDUCE_ARRAYS)
KERNEL_LAUNCH(segmented_reduce_args, clprim__launch_segmented_reduce_fold, SEGMENTED_REDUCE_FOLD)

#endif
