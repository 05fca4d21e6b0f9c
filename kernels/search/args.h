/* args.h: what the kernels of a search take. */
#ifndef SEARCH_ARGS_H
#define SEARCH_ARGS_H

#include "common/items.h"

#define SEARCH_NUMBERS(NUMBER, LAST)                                                                                   \
    ITEM_OFFSETS(NUMBER, in)                                                                                           \
    ITEM_OFFSETS(NUMBER, needles)                                                                                      \
    NUMBER(ulong, out_offset) /* in places */                                                                          \
    NUMBER(ulong, n)          /* elements, which are in order, at most */                                              \
    NUMBER(ulong, m)          /* needles, at most */                                                                   \
    LAST(ulong, share)        /* needles that a group has */

#define SEARCH_ARRAYS(BUFFER)                                                                                          \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, needles)                                                                                      \
    BUFFER(__global INDEX, out)

KERNEL_ARGS(search_args, SEARCH_NUMBERS, SEARCH_ARRAYS)
KERNEL_LAUNCH(search_args, clprim__launch_search, SEARCH_ARRAYS)

#endif
