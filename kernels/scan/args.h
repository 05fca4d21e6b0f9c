// SPDX-License-Identifier: MIT
/* args.h: the arguments of the kernels of a scan, and of those that write runs for reduce_by_key and run_length_encode.
 * The initial value is INITIAL (lib/runtime/program/parameters.h). */
#ifndef SCAN_ARGS_H
#define SCAN_ARGS_H

#include "common/args.h"
#include "scan/modes.h"

/* Offsets count the elements of their arrays. Places in `work` count VALUEs. Rooms count the elements of the
 * outputs. */
#define SCAN_NUMBERS(LONG, INT)                                                                                        \
    LONG(s0, in_offset)                                                                                                \
    LONG(s1, out_offset)                                                                                               \
    LONG(s2, heads_offset)                                                                                             \
    LONG(s3, keys_out_offset)                                                                                          \
    LONG(s4, runs_offset)                                                                                              \
    LONG(s5, offsets_offset)                                                                                           \
    LONG(s6, n)    /* elements, at most; or the values of a level */                                                   \
    LONG(s7, ends) /* for segments by offsets: the number of offsets, one more than there are segments, or 0 */        \
    LONG(s8, keys_room)                                                                                                \
    LONG(s9, results_room)                                                                                             \
    LONG(sa, offsets_room)                                                                                             \
    LONG(sb, first_index) /* which offsets of runs count from */                                                       \
    LONG(sc, work_at)     /* the place in `work` that is read; or a level of blocks */                                 \
    LONG(sd, next_at)     /* the place that is written; or the sums of these blocks */                                 \
    INT(s0, bits)         /* the tree has 2^bits nodes */                                                              \
    INT(s1, level)        /* of the tree; or the step; or chunks have 2^level tiles */                                 \
    INT(s2, flags)        /* FIRST_LEVEL and LAST_LEVEL of blocks */                                                   \
    INT(s3, first_chunk)  /* of this launch */                                                                         \
    INT(s4, chunks)       /* of all launches */                                                                        \
    INT(s5, epoch)        /* of the state */

#if defined(__OPENCL_VERSION__) && SEGMENTS == SEGMENTS_NONE
#define SCAN_HEADS(BUFFER)
#else
#define SCAN_HEADS(BUFFER) BUFFER(const __global HEAD, heads) /* flags, keys, offsets or bits */
#endif
#if defined(__OPENCL_VERSION__) && !(RUNS == RUNS_SPANS && RUN_OFFSETS)
#define SCAN_RUN_OFFSETS(BUFFER)
#else
#define SCAN_RUN_OFFSETS(BUFFER) BUFFER(__global COUNT_TYPE, offsets)
#endif
#if defined(__OPENCL_VERSION__) && RUNS == RUNS_NONE
#define SCAN_RUNS(BUFFER)
#else
#define SCAN_RUNS(BUFFER)                                                                                              \
    BUFFER(__global HEAD, keys_out)                                                                                    \
    BUFFER(__global COUNT_TYPE, runs)                                                                                  \
    SCAN_RUN_OFFSETS(BUFFER)
#endif

/* VALUEs that the launches of one call pass on */
#define SCAN_WORK(BUFFER) BUFFER(__global VALUE, work)

/* For kernels that read elements and write only for other launches. */
#define SCAN_READ(BUFFER)                                                                                              \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    SCAN_HEADS(BUFFER)                                                                                                 \
    SCAN_WORK(BUFFER)

/* For kernels that write results. */
#define SCAN_RESULTS(BUFFER)                                                                                           \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    SCAN_HEADS(BUFFER)                                                                                                 \
    BUFFER(__global OUTPUT, out)                                                                                       \
    SCAN_RUNS(BUFFER)
#define SCAN_WRITE(BUFFER)                                                                                             \
    SCAN_RESULTS(BUFFER)                                                                                               \
    SCAN_WORK(BUFFER)

/* scan_look_back, scan_fixed_look_back */
#define SCAN_LOOK_BACK(BUFFER)                                                                                         \
    SCAN_RESULTS(BUFFER)                                                                                               \
    BUFFER(__global ulong, state)

/* scan_mark_heads makes bits of offsets. */
#define SCAN_MARK(BUFFER)                                                                                              \
    BUFFER(const __global OFFSET, heads)                                                                               \
    BUFFER(__global uint, work)

#define SCAN_ALL(BUFFER)                                                                                               \
    SCAN_WRITE(BUFFER)                                                                                                 \
    BUFFER(__global ulong, state)

KERNEL_ARGS(scan_args, SCAN_NUMBERS, SCAN_ALL)
KERNEL_LAUNCH(scan_args, clprim__launch_scan_work, SCAN_WORK)
KERNEL_LAUNCH(scan_args, clprim__launch_scan_read, SCAN_READ)
KERNEL_LAUNCH(scan_args, clprim__launch_scan_write, SCAN_WRITE)
KERNEL_LAUNCH(scan_args, clprim__launch_scan_look_back, SCAN_LOOK_BACK)
KERNEL_LAUNCH(scan_args, clprim__launch_scan_mark, SCAN_MARK)

#endif
