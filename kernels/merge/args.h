/* args.h: what the kernels of a merge take. */
#ifndef MERGE_ARGS_H
#define MERGE_ARGS_H

#include "common/items.h"

#define MERGE_NUMBERS(NUMBER, LAST)                                                                                    \
    ITEM_OFFSETS(NUMBER, a)                                                                                            \
    ITEM_OFFSETS(NUMBER, b)                                                                                            \
    ITEM_OFFSETS(NUMBER, out)                                                                                          \
    NUMBER(ulong, a_count) /* at most */                                                                               \
    NUMBER(ulong, b_count)                                                                                             \
    NUMBER(ulong, share)    /* elements of the output that a group has, where it has several */                        \
    LAST(ulong, num_splits) /* 0: merge_splits was not launched */

/* a and b are in order. merge_naive, merge_path, merge_cpu_chunk */
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
