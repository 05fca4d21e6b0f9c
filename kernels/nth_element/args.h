// SPDX-License-Identifier: MIT
/* args.h: the arguments of the kernels that select. Offsets are in elements; positions in scratch memory, ..._at, are
 * in bytes. */
#ifndef NTH_ELEMENT_ARGS_H
#define NTH_ELEMENT_ARGS_H

#include "common/args.h"

#define NTH_NUMBERS(LONG, INT)                                                                                         \
    LONG(s0, keys_in_offset)                                                                                           \
    LONG(s1, ranks_offset)                                                                                             \
    LONG(s2, keys_out_offset)                                                                                          \
    LONG(s3, n)                                                                                                        \
    LONG(s4, rank_count)                                                                                               \
    LONG(s5, list_at)                                                                                                  \
    LONG(s6, other_list_at)                                                                                            \
    LONG(s7, search_at) /* search of this level */                                                                     \
    LONG(s8, next_at)   /* search for the next level */                                                                \
    INT(s0, pass)

/* nth_element_choose */
#define NTH_SEARCH(BUFFER)                                                                                             \
    BUFFER(__global uchar, scratch)                                                                                    \
    BUFFER(volatile __global uint, state)                                                                              \
    BUFFER(const __global RANK, ranks)                                                                                 \
    BUFFER(__global KEY, keys_out)

/* nth_element_level */
#define NTH_LEVEL(BUFFER)                                                                                              \
    BUFFER(const __global KEY, keys_in)                                                                                \
    NTH_SEARCH(BUFFER)

/* nth_element_gather, after the keys are sorted */
#define NTH_GATHER(BUFFER)                                                                                             \
    BUFFER(const __global KEY, keys_in)                                                                                \
    BUFFER(const __global RANK, ranks)                                                                                 \
    BUFFER(__global KEY, keys_out)

KERNEL_ARGS(nth_args, NTH_NUMBERS, NTH_LEVEL)
KERNEL_LAUNCH(nth_args, clprim__launch_nth_level, NTH_LEVEL)
KERNEL_LAUNCH(nth_args, clprim__launch_nth_choose, NTH_SEARCH)
KERNEL_LAUNCH(nth_args, clprim__launch_nth_gather, NTH_GATHER)

#endif
