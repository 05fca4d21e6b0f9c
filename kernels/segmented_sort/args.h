/* args.h: what the kernels of a segmented sort take. Offsets are in elements, places in scratch memory, ..._at, in
 * bytes. */
#ifndef SEGMENTED_SORT_ARGS_H
#define SEGMENTED_SORT_ARGS_H

#include "common/args.h"

#define SEGMENTED_SORT_NUMBERS(NUMBER, LAST)                                                                           \
    NUMBER(ulong, keys_in_offset)                                                                                      \
    NUMBER(ulong, keys_out_offset)                                                                                     \
    NUMBER(ulong, values_in_offset)                                                                                    \
    NUMBER(ulong, values_out_offset)                                                                                   \
    NUMBER(ulong, offsets_offset)                                                                                      \
    NUMBER(ulong, segment_length) /* without offsets */                                                                \
    NUMBER(ulong, segments)                                                                                            \
    NUMBER(ulong, n)                                                                                                   \
    NUMBER(ulong, window)    /* elements */                                                                            \
    NUMBER(ulong, firsts_at) /* of windows: their first segments, one more than there are windows */                   \
    NUMBER(ulong, longs_at)  /* what is known of long segments */                                                      \
    NUMBER(ulong, keys_at)   /* in between; or codes, or keys to be sorted */                                          \
    NUMBER(ulong, values_at)                                                                                           \
    NUMBER(ulong, indices_at)                                                                                          \
    NUMBER(ulong, numbers_at) /* of segments; of long_tasks.cl what tiles look back over */                            \
    NUMBER(uint, longest)     /* elements of a segment that is not long */                                             \
    NUMBER(uint, windows)                                                                                              \
    NUMBER(uint, each)     /* windows of a group of segmented_sort_short */                                            \
    NUMBER(uint, in_place) /* keys, or values */                                                                       \
    NUMBER(uint, turn)     /* of ranges.cl, from 0 on */                                                               \
    NUMBER(uint, turns)                                                                                                \
    LAST(uint, are_apart) /* whole.cl: segmented_sort_long sorts long segments */

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
#define SEGMENTED_SORT_DECODE(BUFFER)                                                                                  \
    SEGMENTED_SORT_SORTED(BUFFER)                                                                                      \
    SEGMENTED_SORT_WINDOWS(BUFFER)

/* segmented_sort_local, segmented_sort_short, segmented_sort_cpu_chunk */
#define SEGMENTED_SORT_SHORT(BUFFER)                                                                                   \
    SEGMENTED_SORT_GIVEN(BUFFER)                                                                                       \
    SEGMENTED_SORT_DECODE(BUFFER)

/* segmented_sort_long, segmented_sort_count_range, segmented_sort_move_range */
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
