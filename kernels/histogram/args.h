/* args.h: what the kernels of a histogram take. Offsets are in elements, places in scratch memory, ..._at, in words. */
#ifndef HISTOGRAM_ARGS_H
#define HISTOGRAM_ARGS_H

#include "common/args.h"
#include "histogram/modes.h"

#define HISTOGRAM_NUMBERS(NUMBER, LAST)                                                                                \
    NUMBER(ulong, in_offset)                                                                                           \
    NUMBER(ulong, weights_offset)                                                                                      \
    NUMBER(ulong, out_offset)                                                                                          \
    NUMBER(ulong, outside_offset)                                                                                      \
    NUMBER(ulong, n)           /* elements of all channels, of one launch */                                           \
    NUMBER(ulong, start)       /* the index of the first one */                                                        \
    NUMBER(ulong, line_stride) /* elements of all channels */                                                          \
    NUMBER(ulong, slots_at)    /* of histogram_map: each element's */                                                  \
    NUMBER(ulong, table_at)    /* where the rows begin that are merged */                                              \
    NUMBER(ulong, rows)                                                                                                \
    NUMBER(uint, line_length)                                                                                          \
    LAST(uint, flags) /* finish.cl */

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

/* what counts, but histogram_replicated; histogram_map */
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
