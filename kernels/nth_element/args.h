/* args.h: what the kernels that select take. Offsets are in elements, places in scratch memory, ..._at, in bytes. */
#ifndef NTH_ELEMENT_ARGS_H
#define NTH_ELEMENT_ARGS_H

#include "common/args.h"

#define NTH_NUMBERS(NUMBER, LAST)                                                                                      \
    NUMBER(ulong, keys_in_offset)                                                                                      \
    NUMBER(ulong, ranks_offset)                                                                                        \
    NUMBER(ulong, keys_out_offset)                                                                                     \
    NUMBER(ulong, n)                                                                                                   \
    NUMBER(ulong, rank_count)                                                                                          \
    NUMBER(ulong, list_at)                                                                                             \
    NUMBER(ulong, other_list_at)                                                                                       \
    NUMBER(ulong, search_at) /* of the level */                                                                        \
    NUMBER(ulong, next_at)   /* where the next level's goes */                                                         \
    LAST(uint, pass)

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

/* nth_element_gather, of sorted keys */
#define NTH_GATHER(BUFFER)                                                                                             \
    BUFFER(const __global KEY, keys_in)                                                                                \
    BUFFER(const __global RANK, ranks)                                                                                 \
    BUFFER(__global KEY, keys_out)

KERNEL_ARGS(nth_args, NTH_NUMBERS, NTH_LEVEL)
KERNEL_LAUNCH(nth_args, clprim__launch_nth_level, NTH_LEVEL)
KERNEL_LAUNCH(nth_args, clprim__launch_nth_choose, NTH_SEARCH)
KERNEL_LAUNCH(nth_args, clprim__launch_nth_gather, NTH_GATHER)

#endif
