/* args.h: what the kernels of a bitonic sort take. Offsets are in elements. */
#ifndef BITONIC_SORT_ARGS_H
#define BITONIC_SORT_ARGS_H

#include "common/items.h"

#define BITONIC_SORT_NUMBERS(NUMBER, LAST)                                                                             \
    ITEM_OFFSETS(NUMBER, in)                                                                                           \
    ITEM_OFFSETS(NUMBER, out)                                                                                          \
    NUMBER(ulong, offsets_offset)                                                                                      \
    NUMBER(ulong, n)                                                                                                   \
    NUMBER(ulong, block)    /* elements that are sorted after the stage */                                             \
    NUMBER(ulong, distance) /* of a step's pairs */                                                                    \
    NUMBER(ulong, pairs)    /* at this distance */                                                                     \
    NUMBER(ulong, num_words)                                                                                           \
    NUMBER(ulong, segments)                                                                                            \
    NUMBER(ulong, share) /* of segments: elements of a group's window (windows.cl) */                                  \
    NUMBER(uint, shift)  /* log2(distance) */                                                                          \
    NUMBER(uint, window) /* the lowest bit at which a window makes steps */                                            \
    LAST(uint, mirrors)  /* they are the stage's first */

#define BITONIC_SORT_WORDS(BUFFER) BUFFER(__global uint, words)
#if defined(__OPENCL_VERSION__) && !AT_ONCE
#define BITONIC_SORT_CLEARED(BUFFER)
#else
#define BITONIC_SORT_CLEARED(BUFFER) BITONIC_SORT_WORDS(BUFFER)
#endif

/* Those that make some of the steps of a stage, where the elements are */
#define BITONIC_SORT_STEP(BUFFER) ITEM_BUFFERS(BUFFER, out)

/* bitonic_sort_stages */
#define BITONIC_SORT_STAGES(BUFFER)                                                                                    \
    BITONIC_SORT_STEP(BUFFER)                                                                                          \
    BITONIC_SORT_WORDS(BUFFER)

/* bitonic_sort_copy, bitonic_sort_block, bitonic_sort_local_block, bitonic_sort_shared_pairs */
#define BITONIC_SORT_MOVE(BUFFER)                                                                                      \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    BITONIC_SORT_CLEARED(BUFFER)

#define BITONIC_SORT_SEGMENTS(BUFFER)                                                                                  \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    BUFFER(const __global OFFSET, offsets)

#define BITONIC_SORT_ALL(BUFFER)                                                                                       \
    BITONIC_SORT_SEGMENTS(BUFFER)                                                                                      \
    BITONIC_SORT_WORDS(BUFFER)

KERNEL_ARGS(bitonic_sort_args, BITONIC_SORT_NUMBERS, BITONIC_SORT_ALL)
KERNEL_LAUNCH(bitonic_sort_args, clprim__launch_bitonic_sort_step, BITONIC_SORT_STEP)
KERNEL_LAUNCH(bitonic_sort_args, clprim__launch_bitonic_sort_stages, BITONIC_SORT_STAGES)
KERNEL_LAUNCH(bitonic_sort_args, clprim__launch_bitonic_sort_move, BITONIC_SORT_MOVE)
KERNEL_LAUNCH(bitonic_sort_args, clprim__launch_bitonic_sort_segments, BITONIC_SORT_SEGMENTS)

#endif
