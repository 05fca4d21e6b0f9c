/* args.h: what the kernels that take the first k of each segment take. Offsets are in elements, places in scratch
 * memory, ..._at, in bytes. */
#ifndef SEGMENTED_TOP_K_ARGS_H
#define SEGMENTED_TOP_K_ARGS_H

#include "common/args.h"

#define SEGMENTED_TOP_K_NUMBERS(NUMBER, LAST)                                                                          \
    NUMBER(ulong, keys_in_offset)                                                                                      \
    NUMBER(ulong, keys_out_offset)                                                                                     \
    NUMBER(ulong, carried_in_offset)                                                                                   \
    NUMBER(ulong, carried_out_offset)                                                                                  \
    NUMBER(ulong, offsets_offset)                                                                                      \
    NUMBER(ulong, segment_length) /* without offsets */                                                                \
    NUMBER(ulong, segments)                                                                                            \
    NUMBER(ulong, n) /* elements in all */                                                                             \
    NUMBER(ulong, k) /* how many are wanted of each */                                                                 \
    /* units.cl: scratch memory, how much there is room for, how segments are divided */                               \
    NUMBER(ulong, units_at)                                                                                            \
    NUMBER(ulong, joins_at)                                                                                            \
    NUMBER(ulong, keys_at)                                                                                             \
    NUMBER(ulong, indices_at)                                                                                          \
    /* sorted.cl: what is sorted; no segment has more results than `most` */                                           \
    NUMBER(ulong, offsets_at)                                                                                          \
    NUMBER(ulong, sorted_at)                                                                                           \
    NUMBER(ulong, order_at)                                                                                            \
    NUMBER(ulong, most)                                                                                                \
    NUMBER(uint, units_most)                                                                                           \
    NUMBER(uint, slots_most)                                                                                           \
    NUMBER(uint, joins_most)                                                                                           \
    NUMBER(uint, part_length)                                                                                          \
    NUMBER(uint, parts)                                                                                                \
    NUMBER(uint, longest) /* longer segments are left to select.cl */                                                  \
    NUMBER(uint, joins)   /* select.cl takes segments with several parts, else units */                                \
    LAST(uint, room)      /* elements of a slot of cpu_chunk.cl */

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

/* segmented_top_k_short, segmented_top_k_teams: rows are never too long to be left to others */
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
