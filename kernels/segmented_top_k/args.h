// SPDX-License-Identifier: MIT
/* args.h: the arguments of segmented_top_k's kernels. Offsets are in elements. Places in scratch memory, ..._at, are in
 * bytes. */
#ifndef SEGMENTED_TOP_K_ARGS_H
#define SEGMENTED_TOP_K_ARGS_H

#include "common/args.h"

#define SEGMENTED_TOP_K_NUMBERS(LONG, INT)                                                                             \
    LONG(s0, keys_in_offset)                                                                                           \
    LONG(s1, keys_out_offset)                                                                                          \
    LONG(s2, carried_in_offset)                                                                                        \
    LONG(s3, carried_out_offset)                                                                                       \
    LONG(s4, offsets_offset)                                                                                           \
    LONG(s5, segment_length) /* without offsets */                                                                     \
    LONG(s6, segments)                                                                                                 \
    LONG(s7, n) /* elements in all segments */                                                                         \
    LONG(s8, k) /* wanted elements per segment */                                                                      \
    /* units.cl: its scratch memory, the most entries, how segments are divided */                                     \
    LONG(s9, units_at)                                                                                                 \
    LONG(sa, joins_at)                                                                                                 \
    LONG(sb, keys_at)                                                                                                  \
    LONG(sc, indices_at)                                                                                               \
    /* sorted.cl: the sort's arrays */                                                                                 \
    LONG(sd, offsets_at)                                                                                               \
    LONG(se, sorted_at)                                                                                                \
    LONG(sf, order_at)                                                                                                 \
    INT(s0, units_most)                                                                                                \
    INT(s1, slots_most)                                                                                                \
    INT(s2, joins_most)                                                                                                \
    INT(s3, part_length)                                                                                               \
    INT(s4, parts)                                                                                                     \
    INT(s5, longest) /* longer segments are left to select.cl */                                                       \
    INT(s6, joins)   /* select.cl: 1: the units are segments with several parts */                                     \
    INT(s7, room)    /* elements of a slot of cpu_chunk.cl */

#define SEGMENTED_TOP_K_SCRATCH(BUFFER) BUFFER(__global uchar, scratch)
#if defined(__OPENCL_VERSION__) && !HAS_OFFSETS
#define SEGMENTED_TOP_K_OFFSETS(BUFFER)
#define SEGMENTED_TOP_K_LEFT(BUFFER)
#else
#define SEGMENTED_TOP_K_OFFSETS(BUFFER) BUFFER(const __global OFFSET, offsets)
#define SEGMENTED_TOP_K_LEFT(BUFFER)    SEGMENTED_TOP_K_SCRATCH(BUFFER)
#endif
#if defined(__OPENCL_VERSION__) && !CARRIED_SIZE
#define SEGMENTED_TOP_K_CARRIED(BUFFER)
#else
#define SEGMENTED_TOP_K_CARRIED(BUFFER)                                                                                \
    BUFFER(const __global CARRIED, carried_in)                                                                         \
    BUFFER(__global CARRIED, carried_out)
#endif

#define SEGMENTED_TOP_K_ARRAYS(BUFFER)                                                                                 \
    BUFFER(const __global KEY, keys_in)                                                                                \
    SEGMENTED_TOP_K_OFFSETS(BUFFER)                                                                                    \
    BUFFER(__global KEY, keys_out)                                                                                     \
    SEGMENTED_TOP_K_CARRIED(BUFFER)

/* segmented_top_k_short, segmented_top_k_teams: without offsets, no segment is too long for them */
#define SEGMENTED_TOP_K_SHORT(BUFFER)                                                                                  \
    SEGMENTED_TOP_K_ARRAYS(BUFFER)                                                                                     \
    SEGMENTED_TOP_K_LEFT(BUFFER)

/* segmented_top_k_select, segmented_top_k_copy, segmented_top_k_gather, segmented_top_k_cpu_chunk */
#define SEGMENTED_TOP_K_ALL(BUFFER)                                                                                    \
    SEGMENTED_TOP_K_ARRAYS(BUFFER)                                                                                     \
    SEGMENTED_TOP_K_SCRATCH(BUFFER)

KERNEL_ARGS(segmented_top_k_args, SEGMENTED_TOP_K_NUMBERS, SEGMENTED_TOP_K_ALL)
KERNEL_LAUNCH(segmented_top_k_args, clprim__launch_segmented_top_k, SEGMENTED_TOP_K_ALL)
KERNEL_LAUNCH(segmented_top_k_args, clprim__launch_segmented_top_k_short, SEGMENTED_TOP_K_SHORT)
KERNEL_LAUNCH(segmented_top_k_args, clprim__launch_segmented_top_k_offsets, SEGMENTED_TOP_K_SCRATCH)

#endif
