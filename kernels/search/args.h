// SPDX-License-Identifier: MIT
/* args.h: the arguments of the search kernels. */
#ifndef SEARCH_ARGS_H
#define SEARCH_ARGS_H

#include "common/items.h"

#define SEARCH_NUMBERS(LONG, INT)                                                                                      \
    ITEM_OFFSETS(LONG, s0, s1, in)                                                                                     \
    ITEM_OFFSETS(LONG, s2, s3, needles)                                                                                \
    LONG(s4, out_offset) /* in places */                                                                               \
    LONG(s5, n)          /* maximum number of elements, which must be sorted */                                        \
    LONG(s6, m)          /* maximum number of needles */                                                               \
    LONG(s7, share)      /* needles per group */

#define SEARCH_ARRAYS(BUFFER)                                                                                          \
    ITEM_BUFFERS(BUFFER, in)                                                                                           \
    ITEM_BUFFERS(BUFFER, needles)                                                                                      \
    BUFFER(__global INDEX, out)

KERNEL_ARGS(search_args, SEARCH_NUMBERS, SEARCH_ARRAYS)
KERNEL_LAUNCH(search_args, clprim__launch_search, SEARCH_ARRAYS)

#endif
