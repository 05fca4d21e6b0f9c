// SPDX-License-Identifier: MIT
/* args.h: what the kernels of a segmented sort take. Offsets are in elements, places in scratch memory, ..._at, in
 * bytes. */
#ifndef SEGMENTED_SORT_ARGS_H
#define SEGMENTED_SORT_ARGS_H

#include "common/args.h"

#define SEGMENTED_SORT_NUMBERS(LONG, INT)                                                                              \
    LONG(s0, keys_in_offset)                                                                                           \
    LONG(s1, keys_out_offset)                                                                                          \
    LONG(s2, values_in_offset)                                                                                         \
    LONG(s3, values_out_offset)                                                                                        \
    LONG(s4, offsets_offset)                                                                                           \
    LONG(s5, segment_length) /* without offsets */                                                                     \
    LONG(s6, segments)                                                                                                 \
    LONG(s7, n)                                                                                                        \
    LONG(s8, window)    /* elements */                                                                                 \
    LONG(s9, firsts_at) /* of windows: their first segments, one more than there are windows */                        \
    LONG(sa, longs_at)  /* what is known of long segments */                                                           \
    LONG(sb, keys_at)   /* in between; or codes, or keys to be sorted */                                               \
    LONG(sc, values_at)                                                                                                \
    LONG(sd, indices_at)                                                                                               \
    LONG(se, numbers_at) /* of segments; or what tiles of long ones look back over */                                  \
    INT(s0, longest)     /* elements of a segment that is not long */                                                  \
    INT(s1, windows)                                                                                                   \
    INT(s2, each)      /* windows of a group of segmented_sort_short */                                                \
    INT(s3, in_place)  /* keys, or values */                                                                           \
    INT(s4, turn)      /* of sweep.cl and merge.cl, from 0 on */                                                       \
    INT(s5, are_apart) /* whole.cl: later launches sort long segments */                                               \
    INT(s6, merges)    /* launches that merge the windows' parts of long segments; 0: they are sorted by digits */

#define SEGMENTED_SORT_SCRATCH(BUFFER) BUFFER(__global uchar, scratch)
#if defined(__OPENCL_VERSION__) && !HAS_OFFSETS
#define SEGMENTED_SORT_OFFSETS(BUFFER)
#else
#define SEGMENTED_SORT_OFFSETS(BUFFER) BUFFER(const __global OFFSET, offsets)
#endif
#if defined(__OPENCL_VERSION__) && !VALUE_SIZE
#define SEGMENTED_SORT_VALUES_IN(BUFFER)
#define SEGMENTED_SORT_VALUES_OUT(BUFFER)
#else
#define SEGMENTED_SORT_VALUES_IN(BUFFER)  BUFFER(const __global VALUE, values_in)
#define SEGMENTED_SORT_VALUES_OUT(BUFFER) BUFFER(__global VALUE, values_out)
#endif
#if defined(__OPENCL_VERSION__) && !HAS_LONG
#define SEGMENTED_SORT_TASKS(BUFFER)
#elif defined(__OPENCL_VERSION__) && LONG_APART
#define SEGMENTED_SORT_TASKS(BUFFER) SEGMENTED_SORT_SCRATCH(BUFFER)
#else
#define SEGMENTED_SORT_TASKS(BUFFER)                                                                                   \
    SEGMENTED_SORT_SCRATCH(BUFFER)                                                                                     \
    BUFFER(volatile __global uint, state)
#endif

/* segmented_sort_windows, segmented_sort_numbers */
#define SEGMENTED_SORT_WINDOWS(BUFFER)                                                                                 \
    SEGMENTED_SORT_OFFSETS(BUFFER)                                                                                     \
    SEGMENTED_SORT_SCRATCH(BUFFER)

#define SEGMENTED_SORT_GIVEN(BUFFER)                                                                                   \
    BUFFER(const __global KEY, keys_in)                                                                                \
    SEGMENTED_SORT_VALUES_IN(BUFFER)
#define SEGMENTED_SORT_SORTED(BUFFER)                                                                                  \
    BUFFER(__global KEY, keys_out)                                                                                     \
    SEGMENTED_SORT_VALUES_OUT(BUFFER)

#define SEGMENTED_SORT_ENCODE(BUFFER)                                                                                  \
    SEGMENTED_SORT_GIVEN(BUFFER)                                                                                       \
    SEGMENTED_SORT_WINDOWS(BUFFER)
/* segmented_sort_merge, too */
#define SEGMENTED_SORT_DECODE(BUFFER)                                                                                  \
    SEGMENTED_SORT_SORTED(BUFFER)                                                                                      \
    SEGMENTED_SORT_WINDOWS(BUFFER)

/* segmented_sort_local, segmented_sort_short, segmented_sort_cpu_chunk */
#define SEGMENTED_SORT_SHORT(BUFFER)                                                                                   \
    SEGMENTED_SORT_GIVEN(BUFFER)                                                                                       \
    SEGMENTED_SORT_DECODE(BUFFER)

/* segmented_sort_long, segmented_sort_count_tiles, segmented_sort_sweep */
#define SEGMENTED_SORT_LONG(BUFFER)                                                                                    \
    SEGMENTED_SORT_GIVEN(BUFFER)                                                                                       \
    SEGMENTED_SORT_SORTED(BUFFER)                                                                                      \
    SEGMENTED_SORT_SCRATCH(BUFFER)

#define SEGMENTED_SORT_WHOLE(BUFFER)                                                                                   \
    SEGMENTED_SORT_GIVEN(BUFFER)                                                                                       \
    SEGMENTED_SORT_SORTED(BUFFER)                                                                                      \
    SEGMENTED_SORT_OFFSETS(BUFFER)                                                                                     \
    SEGMENTED_SORT_TASKS(BUFFER)

KERNEL_ARGS(segmented_sort_args, SEGMENTED_SORT_NUMBERS, SEGMENTED_SORT_WHOLE)
KERNEL_LAUNCH(segmented_sort_args, clprim__launch_segmented_sort_windows, SEGMENTED_SORT_WINDOWS)
KERNEL_LAUNCH(segmented_sort_args, clprim__launch_segmented_sort_encode, SEGMENTED_SORT_ENCODE)
KERNEL_LAUNCH(segmented_sort_args, clprim__launch_segmented_sort_decode, SEGMENTED_SORT_DECODE)
KERNEL_LAUNCH(segmented_sort_args, clprim__launch_segmented_sort_short, SEGMENTED_SORT_SHORT)
KERNEL_LAUNCH(segmented_sort_args, clprim__launch_segmented_sort_long, SEGMENTED_SORT_LONG)
KERNEL_LAUNCH(segmented_sort_args, clprim__launch_segmented_sort_whole, SEGMENTED_SORT_WHOLE)

#endif
