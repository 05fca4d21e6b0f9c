// SPDX-License-Identifier: MIT
/* args.h: the arguments of the bitonic-sort kernels. Offsets are in elements. */
#ifndef BITONIC_SORT_ARGS_H
#define BITONIC_SORT_ARGS_H

#include "common/items.h"

#define BITONIC_SORT_NUMBERS(LONG, INT)                                                                                \
    ITEM_OFFSETS(LONG, s0, s1, in)                                                                                     \
    ITEM_OFFSETS(LONG, s2, s3, out)                                                                                    \
    LONG(s4, offsets_offset)                                                                                           \
    LONG(s5, n)                                                                                                        \
    LONG(s6, block)    /* size of the blocks that are sorted after the stage */                                        \
    LONG(s7, distance) /* of the pairs of a step */                                                                    \
    LONG(s8, pairs)    /* number of pairs at this distance */                                                          \
    LONG(s9, num_words)                                                                                                \
    LONG(sa, segments)                                                                                                 \
    LONG(sb, share)  /* for segments: number of elements in a group's window (windows.cl) */                           \
    INT(s0, shift)   /* log2(distance) */                                                                              \
    INT(s1, window)  /* the lowest bit at which a window makes steps */                                                \
    INT(s2, mirrors) /* these steps are the stage's first */

#define BITONIC_SORT_WORDS(BUFFER) BUFFER(__global uint, words)
#if defined(__OPENCL_VERSION__) && !AT_ONCE
#define BITONIC_SORT_CLEARED(BUFFER)
#else
#define BITONIC_SORT_CLEARED(BUFFER) BITONIC_SORT_WORDS(BUFFER)
#endif

/* kernels that make some steps of a stage in place */
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
