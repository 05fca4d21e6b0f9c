// SPDX-License-Identifier: MIT
/* args.h: the arguments of top_k's kernels. Offsets are in elements. Places in scratch memory, ..._at, are in bytes. */
#ifndef TOP_K_ARGS_H
#define TOP_K_ARGS_H

#include "common/args.h"

#define TOP_K_NUMBERS(LONG, INT)                                                                                       \
    LONG(s0, keys_in_offset)                                                                                           \
    LONG(s1, keys_out_offset)                                                                                          \
    LONG(s2, carried_in_offset)                                                                                        \
    LONG(s3, carried_out_offset)                                                                                       \
    LONG(s4, n)                                                                                                        \
    LONG(s5, k)                                                                                                        \
    LONG(s6, search_at)                                                                                                \
    LONG(s7, chunks_at)                                                                                                \
    LONG(s8, rows_at)                                                                                                  \
    LONG(s9, lists_at)                                                                                                 \
    LONG(sa, kept_at)                                                                                                  \
    INT(s0, capacity)      /* of a list */                                                                             \
    INT(s1, pass)          /* of the search; for top_k_choose, 0 if no search precedes it */                           \
    INT(s2, groups)        /* each has left a row */                                                                   \
    INT(s3, alone)         /* 1: after top_k_finish, launches follow only for the limit; 2: none follow */             \
    INT(s4, room)          /* elements of a slot of top_k_keep */                                                      \
    INT(s5, slots)         /* slots that top_k_keep reads; 0: it reads keys */                                         \
    INT(s6, sorts)         /* top_k_keep sorts the result */                                                           \
    INT(s7, makes_indices) /* top_k_copy writes the keys' places */

#if defined(__OPENCL_VERSION__) && !CARRIED_SIZE
#define TOP_K_CARRIED(BUFFER)
#else
#define TOP_K_CARRIED(BUFFER)                                                                                          \
    BUFFER(const __global CARRIED, carried_in)                                                                         \
    BUFFER(__global CARRIED, carried_out)
#endif
#if defined(__OPENCL_VERSION__) && !FOLDS
#define TOP_K_STATE(BUFFER)
#else
#define TOP_K_STATE(BUFFER) BUFFER(volatile __global uint, state)
#endif
#define TOP_K_SCRATCH(BUFFER) BUFFER(__global uchar, scratch)

/* top_k_copy, top_k_order */
#define TOP_K_COPY(BUFFER)                                                                                             \
    BUFFER(const __global KEY, keys_in)                                                                                \
    BUFFER(__global KEY, keys_out)                                                                                     \
    TOP_K_CARRIED(BUFFER)

/* top_k_sample, top_k_filter */
#define TOP_K_SEARCH(BUFFER)                                                                                           \
    BUFFER(const __global KEY, keys_in)                                                                                \
    TOP_K_SCRATCH(BUFFER)

/* top_k_count */
#define TOP_K_COUNT(BUFFER)                                                                                            \
    TOP_K_SEARCH(BUFFER)                                                                                               \
    TOP_K_STATE(BUFFER)

/* top_k_finish, top_k_gather, top_k_keep */
#define TOP_K_FIND(BUFFER)                                                                                             \
    TOP_K_COPY(BUFFER)                                                                                                 \
    TOP_K_SCRATCH(BUFFER)

#define TOP_K_ALL(BUFFER)                                                                                              \
    TOP_K_FIND(BUFFER)                                                                                                 \
    TOP_K_STATE(BUFFER)

KERNEL_ARGS(top_k_args, TOP_K_NUMBERS, TOP_K_ALL)
KERNEL_LAUNCH(top_k_args, clprim__launch_top_k_copy, TOP_K_COPY)
KERNEL_LAUNCH(top_k_args, clprim__launch_top_k_search, TOP_K_SEARCH)
KERNEL_LAUNCH(top_k_args, clprim__launch_top_k_count, TOP_K_COUNT)
KERNEL_LAUNCH(top_k_args, clprim__launch_top_k_choose, TOP_K_SCRATCH)
KERNEL_LAUNCH(top_k_args, clprim__launch_top_k_find, TOP_K_FIND)

#endif
