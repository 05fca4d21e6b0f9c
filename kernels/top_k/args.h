/* args.h: what the kernels of the first k take. Offsets are in elements, places in scratch memory, ..._at, in bytes. */
#ifndef TOP_K_ARGS_H
#define TOP_K_ARGS_H

#include "common/args.h"

#define TOP_K_NUMBERS(NUMBER, LAST)                                                                                    \
    NUMBER(ulong, keys_in_offset)                                                                                      \
    NUMBER(ulong, keys_out_offset)                                                                                     \
    NUMBER(ulong, carried_in_offset)                                                                                   \
    NUMBER(ulong, carried_out_offset)                                                                                  \
    NUMBER(ulong, n)                                                                                                   \
    NUMBER(ulong, k)                                                                                                   \
    NUMBER(ulong, search_at)                                                                                           \
    NUMBER(ulong, chunks_at)                                                                                           \
    NUMBER(ulong, rows_at)                                                                                             \
    NUMBER(ulong, lists_at)                                                                                            \
    NUMBER(ulong, kept_at)                                                                                             \
    NUMBER(uint, capacity)    /* of a list */                                                                          \
    NUMBER(uint, pass)        /* of the search; of top_k_choose 0 where no search is known before it */                \
    NUMBER(uint, groups)      /* which have left a row each */                                                         \
    NUMBER(uint, alone)       /* 1: launches follow top_k_finish only for the limit; 2: none does */                   \
    NUMBER(uint, room)        /* elements of a slot of top_k_keep */                                                   \
    NUMBER(uint, slots)       /* which top_k_keep reads; 0: it reads keys */                                           \
    NUMBER(uint, sorts)       /* top_k_keep sorts the result */                                                        \
    LAST(uint, makes_indices) /* top_k_copy writes the keys' places */

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

/* top_k_copy */
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
