// SPDX-License-Identifier: MIT
/* args.h: the arguments of a radix sort's kernels. Offsets are in elements. Places in scratch memory, ..._at, are in
 * bytes. */
#ifndef RADIX_SORT_ARGS_H
#define RADIX_SORT_ARGS_H

#include "common/args.h"

#define RADIX_SORT_NUMBERS(LONG, INT)                                                                                  \
    LONG(s0, keys_in_offset)                                                                                           \
    LONG(s1, values_in_offset)                                                                                         \
    LONG(s2, keys_out_offset)                                                                                          \
    LONG(s3, values_out_offset)                                                                                        \
    LONG(s4, n)                                                                                                        \
    LONG(s5, values_at)    /* of values between passes; keys are at 0 */                                               \
    LONG(s6, counts_at)    /* also of status words, or of the tables of cpu_buckets.cl */                              \
    LONG(s7, totals_at)    /* for onesweep: the table of buckets */                                                    \
    LONG(s8, shares)       /* number of tiles, ranges or chunks, each of which has counts */                           \
    LONG(s9, status_words) /* in words of 32 bits */                                                                   \
    LONG(sa, same_at)      /* for radix_sort_copy, in words */                                                         \
    INT(s0, pass)                                                                                                      \
    INT(s1, flags) /* of route.cl */                                                                                   \
    INT(s2, epoch) /* of the state */                                                                                  \
    INT(s3, bucket_bits)

#if defined(__OPENCL_VERSION__) && defined(INPUT_AT)
#define RADIX_SORT_KEYS_IN(BUFFER)
#else
#define RADIX_SORT_KEYS_IN(BUFFER) BUFFER(const __global KEY, keys_in)
#endif
#if defined(__OPENCL_VERSION__) && (!VALUE_SIZE || INDICES)
#define RADIX_SORT_VALUES_IN(BUFFER)
#else
#define RADIX_SORT_VALUES_IN(BUFFER) BUFFER(const __global VALUE, values_in)
#endif
#if defined(__OPENCL_VERSION__) && !VALUE_SIZE
#define RADIX_SORT_VALUES_OUT(BUFFER)
#else
#define RADIX_SORT_VALUES_OUT(BUFFER) BUFFER(__global VALUE, values_out)
#endif
#if defined(__OPENCL_VERSION__) && !KNOWS_SAME
#define RADIX_SORT_WORDS(BUFFER)
#else
#define RADIX_SORT_WORDS(BUFFER) BUFFER(const __global uint, words)
#endif

#define RADIX_SORT_OUT(BUFFER)                                                                                         \
    BUFFER(__global KEY, keys_out)                                                                                     \
    RADIX_SORT_VALUES_OUT(BUFFER)

/* radix_sort_rows, radix_sort_plan */
#define RADIX_SORT_SCRATCH(BUFFER) BUFFER(__global uchar, scratch)
#define RADIX_SORT_STATE(BUFFER)   BUFFER(volatile __global uint, state)

/* radix_sort_single_group */
#define RADIX_SORT_ARRAYS(BUFFER)                                                                                      \
    RADIX_SORT_KEYS_IN(BUFFER)                                                                                         \
    RADIX_SORT_VALUES_IN(BUFFER)                                                                                       \
    RADIX_SORT_OUT(BUFFER)

/* kernels that move elements through a pass, or count for one; radix_sort_to_buckets, radix_sort_in_buckets */
#define RADIX_SORT_PASS(BUFFER)                                                                                        \
    RADIX_SORT_ARRAYS(BUFFER)                                                                                          \
    RADIX_SORT_SCRATCH(BUFFER)

/* radix_sort_onesweep */
#define RADIX_SORT_SWEEP(BUFFER)                                                                                       \
    RADIX_SORT_PASS(BUFFER)                                                                                            \
    RADIX_SORT_STATE(BUFFER)

/* radix_sort_survey, radix_sort_count_bins */
#define RADIX_SORT_GIVEN(BUFFER)                                                                                       \
    RADIX_SORT_KEYS_IN(BUFFER)                                                                                         \
    RADIX_SORT_SCRATCH(BUFFER)

/* radix_sort_starts */
#define RADIX_SORT_STARTS(BUFFER)                                                                                      \
    BUFFER(__global KEY, keys_out)                                                                                     \
    RADIX_SORT_SCRATCH(BUFFER)                                                                                         \
    RADIX_SORT_STATE(BUFFER)

/* radix_sort_buckets, radix_sort_large_buckets */
#define RADIX_SORT_BUCKETS(BUFFER)                                                                                     \
    RADIX_SORT_OUT(BUFFER)                                                                                             \
    RADIX_SORT_SCRATCH(BUFFER)

/* radix_sort_count */
#define RADIX_SORT_COUNT(BUFFER)                                                                                       \
    RADIX_SORT_GIVEN(BUFFER)                                                                                           \
    RADIX_SORT_STATE(BUFFER)

/* radix_sort_runs */
#define RADIX_SORT_RUNS(BUFFER)                                                                                        \
    RADIX_SORT_OUT(BUFFER)                                                                                             \
    RADIX_SORT_STATE(BUFFER)

/* radix_sort_copy */
#define RADIX_SORT_COPY(BUFFER)                                                                                        \
    RADIX_SORT_OUT(BUFFER)                                                                                             \
    RADIX_SORT_SCRATCH(BUFFER)                                                                                         \
    RADIX_SORT_WORDS(BUFFER)

#define RADIX_SORT_ALL(BUFFER)                                                                                         \
    RADIX_SORT_SWEEP(BUFFER)                                                                                           \
    RADIX_SORT_WORDS(BUFFER)

KERNEL_ARGS(radix_sort_args, RADIX_SORT_NUMBERS, RADIX_SORT_ALL)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_alone, RADIX_SORT_ARRAYS)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_pass, RADIX_SORT_PASS)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_sweep, RADIX_SORT_SWEEP)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_given, RADIX_SORT_GIVEN)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_count, RADIX_SORT_COUNT)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_runs, RADIX_SORT_RUNS)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_places, RADIX_SORT_SCRATCH)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_starts, RADIX_SORT_STARTS)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_buckets, RADIX_SORT_BUCKETS)
KERNEL_LAUNCH(radix_sort_args, clprim__launch_radix_sort_copy, RADIX_SORT_COPY)

#endif
