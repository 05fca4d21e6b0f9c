/* args.h: what the kernels of a search take. */
#ifndef SEARCH_ARGS_H
#define SEARCH_ARGS_H

#include "common/items.h"

#define SEARCH_NUMBERS(LONG, INT)                                                                                      \
    ITEM_OFFSETS(LONG, s0, s1, in)                                                                                     \
    ITEM_OFFSETS(LONG, s2, s3, needles)                                                                                \
    LONG(s4, out_offset) /* in places */                                                                               \
    LONG(s5, n)          /* elements, which are in order, at most */                                                   \
    LONG(s6, m)          /* needles, at most */                                                                        \
    LONG(s7, share)      /* needles that a group has */

#define SEARCH_ARRAYS(BUFFER)                                                                                          \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, needles)                                                                                      \
    BUFFER(__global INDEX, out)

KERNEL_ARGS(search_args, SEARCH_NUMBERS, SEARCH_ARRAYS)
KERNEL_LAUNCH(search_args, clprim__launch_search, SEARCH_ARRAYS)

#endif
