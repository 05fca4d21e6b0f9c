// SPDX-License-Identifier: MIT
/* args.h: the arguments of the comparison-sort kernels, except for those of the sample sort (sample_args.h). Offsets
 * are in elements; positions in scratch memory, ..._at, are in bytes. */
#ifndef COMPARISON_SORT_ARGS_H
#define COMPARISON_SORT_ARGS_H

#include "common/items.h"

#define COMPARISON_SORT_NUMBERS(LONG, INT)                                                                             \
    ITEM_OFFSETS(LONG, s0, s1, in)                                                                                     \
    ITEM_OFFSETS(LONG, s2, s3, out)                                                                                    \
    ITEM_OFFSETS(LONG, s4, s5, between)                                                                                \
    LONG(s6, made_offset)                                                                                              \
    LONG(s7, n)                                                                                                        \
    /* For merges: elements of the runs that a pass merges; where its tiles begin in the runs; flags (passes.cl) */    \
    LONG(s8, run)                                                                                                      \
    LONG(s9, splits_at)                                                                                                \
    LONG(sa, flags_at)                                                                                                 \
    /* cpu_chunk.cl: its tables */                                                                                     \
    LONG(sb, ids_at)                                                                                                   \
    LONG(sc, counts_at)                                                                                                \
    LONG(sd, ends_at)                                                                                                  \
    INT(s0, buckets)                                                                                                   \
    INT(s1, flag)     /* index of the pass's flag; for comparison_sort_block, the number of flags */                   \
    INT(s2, is_split) /* comparison_sort_split was launched before the pass */

#define COMPARISON_SORT_SCRATCH(BUFFER) BUFFER(__global uchar, scratch)
#if defined(__OPENCL_VERSION__) && !HAS_FLAGS
#define COMPARISON_SORT_FLAGS(BUFFER)
#else
#define COMPARISON_SORT_FLAGS(BUFFER) COMPARISON_SORT_SCRATCH(BUFFER)
#endif

/* comparison_sort_input: keys; comparison_sort_indices: values. They are written to the place where they are sorted */
#define COMPARISON_SORT_INPUT(BUFFER)   BUFFER(__global ELEMENT, made)
#define COMPARISON_SORT_INDICES(BUFFER) BUFFER(__global INDEX, made)

/* comparison_sort_block */
#define COMPARISON_SORT_BLOCK(BUFFER)                                                                                  \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    COMPARISON_SORT_FLAGS(BUFFER)

/* comparison_sort_merge, comparison_sort_merges, comparison_sort_mend, comparison_sort_place */
#define COMPARISON_SORT_MOVE(BUFFER)                                                                                   \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    COMPARISON_SORT_SCRATCH(BUFFER)

/* comparison_sort_split, comparison_sort_rank */
#define COMPARISON_SORT_LOOK(BUFFER)                                                                                   \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    COMPARISON_SORT_SCRATCH(BUFFER)

/* cpu_chunk.cl: comparison_sort_chunk */
#define COMPARISON_SORT_CHUNK(BUFFER)                                                                                  \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    ITEM_BUFFERS(BUFFER, between)

/* comparison_sort_draw */
#define COMPARISON_SORT_DRAW(BUFFER)                                                                                   \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, between)

/* comparison_sort_count, comparison_sort_distribute */
#define COMPARISON_SORT_DIVIDE(BUFFER)                                                                                 \
    COMPARISON_SORT_DRAW(BUFFER)                                                                                       \
    COMPARISON_SORT_SCRATCH(BUFFER)

/* comparison_sort_bucket */
#define COMPARISON_SORT_BUCKET(BUFFER)                                                                                 \
    ITEM_BUFFERS(BUFFER, between)                                                                                      \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    COMPARISON_SORT_SCRATCH(BUFFER)

#define COMPARISON_SORT_ALL(BUFFER)                                                                                    \
    COMPARISON_SORT_CHUNK(BUFFER)                                                                                      \
    COMPARISON_SORT_SCRATCH(BUFFER)                                                                                    \
    COMPARISON_SORT_INPUT(BUFFER)

KERNEL_ARGS(comparison_sort_args, COMPARISON_SORT_NUMBERS, COMPARISON_SORT_ALL)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_input, COMPARISON_SORT_INPUT)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_indices, COMPARISON_SORT_INDICES)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_block, COMPARISON_SORT_BLOCK)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_move, COMPARISON_SORT_MOVE)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_look, COMPARISON_SORT_LOOK)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_chunk, COMPARISON_SORT_CHUNK)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_draw, COMPARISON_SORT_DRAW)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_divide, COMPARISON_SORT_DIVIDE)
KERNEL_LAUNCH(comparison_sort_args, clprim__launch_comparison_sort_bucket, COMPARISON_SORT_BUCKET)

#endif
