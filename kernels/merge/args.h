// SPDX-License-Identifier: MIT
/* args.h: the arguments of the merge kernels. */
#ifndef MERGE_ARGS_H
#define MERGE_ARGS_H

#include "common/items.h"

#define MERGE_NUMBERS(LONG, INT)                                                                                       \
    ITEM_OFFSETS(LONG, s0, s1, a)                                                                                      \
    ITEM_OFFSETS(LONG, s2, s3, b)                                                                                      \
    ITEM_OFFSETS(LONG, s4, s5, out)                                                                                    \
    LONG(s6, a_count) /* maximum */                                                                                    \
    LONG(s7, b_count)                                                                                                  \
    LONG(s8, share)      /* elements of the output per group, for variants whose groups have several shares */         \
    LONG(s9, num_splits) /* 0 if merge_splits was not launched */

/* a and b must be sorted. For merge_naive, merge_path, merge_cpu_chunk */
#define MERGE_ARRAYS(BUFFER)                                                                                           \
    ITEM_BUFFERS(BUFFER, a)                                                                                            \
    ITEM_BUFFERS(BUFFER, b)                                                                                            \
    ITEM_BUFFERS(BUFFER, out)

/* merge_splits, merge_tiles */
#define MERGE_TILES(BUFFER)                                                                                            \
    MERGE_ARRAYS(BUFFER)                                                                                               \
    BUFFER(__global ulong, splits)

KERNEL_ARGS(merge_args, MERGE_NUMBERS, MERGE_TILES)
KERNEL_LAUNCH(merge_args, clprim__launch_merge, MERGE_ARRAYS)
KERNEL_LAUNCH(merge_args, clprim__launch_merge_tiles, MERGE_TILES)

#endif
