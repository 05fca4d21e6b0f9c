// SPDX-License-Identifier: MIT
/* args.h: the arguments of the histogram kernels. Offsets are in elements; positions in scratch memory, ..._at, are in
 * words. */
#ifndef HISTOGRAM_ARGS_H
#define HISTOGRAM_ARGS_H

#include "common/args.h"
#include "histogram/modes.h"

#define HISTOGRAM_NUMBERS(LONG, INT)                                                                                   \
    LONG(s0, in_offset)                                                                                                \
    LONG(s1, weights_offset)                                                                                           \
    LONG(s2, out_offset)                                                                                               \
    LONG(s3, outside_offset)                                                                                           \
    LONG(s4, n)           /* number of elements of all channels in one launch */                                       \
    LONG(s5, start)       /* index of the first element */                                                             \
    LONG(s6, line_stride) /* elements of all channels */                                                               \
    LONG(s7, slots_at)    /* for histogram_map: slots of the elements */                                               \
    LONG(s8, table_at)    /* where the rows to merge begin */                                                          \
    LONG(s9, rows)                                                                                                     \
    INT(s0, line_length)                                                                                               \
    INT(s1, flags) /* finish.cl */

#if defined(__OPENCL_VERSION__) && defined(INPUT_AT)
#define HISTOGRAM_IN(BUFFER)
#else
#define HISTOGRAM_IN(BUFFER) BUFFER(const __global ELEMENT, in)
#endif
#if defined(JOINT_BOUNDARIES)
#define HISTOGRAM_BOUNDARIES(BUFFER) BUFFER(const __global uchar, boundaries)
#elif defined(__OPENCL_VERSION__) && MAPPING != 2
#define HISTOGRAM_BOUNDARIES(BUFFER)
#else
#define HISTOGRAM_BOUNDARIES(BUFFER) BUFFER(const __global BOUND, boundaries)
#endif
#if defined(__OPENCL_VERSION__) && WEIGHT_KIND == WEIGHTS_NONE
#define HISTOGRAM_WEIGHTS(BUFFER)
#else
#define HISTOGRAM_WEIGHTS(BUFFER) BUFFER(const __global WEIGHT, weights)
#endif

#define HISTOGRAM_INPUT(BUFFER)                                                                                        \
    HISTOGRAM_IN(BUFFER)                                                                                               \
    HISTOGRAM_BOUNDARIES(BUFFER)                                                                                       \
    HISTOGRAM_WEIGHTS(BUFFER)
#define HISTOGRAM_OUTPUT(BUFFER)                                                                                       \
    BUFFER(__global OUTPUT, out)                                                                                       \
    BUFFER(__global ulong, outside)

/* histogram_edges */
#define HISTOGRAM_SCRATCH(BUFFER) BUFFER(__global WORD, scratch)

/* kernels that count, except for histogram_replicated; histogram_map */
#define HISTOGRAM_COUNT(BUFFER)                                                                                        \
    HISTOGRAM_INPUT(BUFFER)                                                                                            \
    HISTOGRAM_SCRATCH(BUFFER)

/* histogram_replicated */
#define HISTOGRAM_REPLICATED(BUFFER)                                                                                   \
    HISTOGRAM_INPUT(BUFFER)                                                                                            \
    BUFFER(volatile __global ulong, sums)                                                                              \
    HISTOGRAM_OUTPUT(BUFFER)

/* histogram_merge */
#define HISTOGRAM_MERGE(BUFFER)                                                                                        \
    BUFFER(const __global WORD, scratch)                                                                               \
    HISTOGRAM_OUTPUT(BUFFER)

/* histogram_cumulate */
#define HISTOGRAM_CUMULATE(BUFFER) BUFFER(__global COUNTER, out)

#define HISTOGRAM_ALL(BUFFER)                                                                                          \
    HISTOGRAM_REPLICATED(BUFFER)                                                                                       \
    HISTOGRAM_SCRATCH(BUFFER)

KERNEL_ARGS(histogram_args, HISTOGRAM_NUMBERS, HISTOGRAM_ALL)
KERNEL_LAUNCH(histogram_args, clprim__launch_histogram_count, HISTOGRAM_COUNT)
KERNEL_LAUNCH(histogram_args, clprim__launch_histogram_replicated, HISTOGRAM_REPLICATED)
KERNEL_LAUNCH(histogram_args, clprim__launch_histogram_merge, HISTOGRAM_MERGE)
KERNEL_LAUNCH(histogram_args, clprim__launch_histogram_edges, HISTOGRAM_SCRATCH)
KERNEL_LAUNCH(histogram_args, clprim__launch_histogram_cumulate, HISTOGRAM_CUMULATE)

#endif
