// SPDX-License-Identifier: MIT
/* args.h: the arguments of the adjacent-difference kernels. */
#ifndef ADJACENT_DIFFERENCE_ARGS_H
#define ADJACENT_DIFFERENCE_ARGS_H

#include "common/args.h"

/* In elements. */
#define DIFFERENCE_NUMBERS(LONG, INT)                                                                                  \
    LONG(s0, in_offset)                                                                                                \
    LONG(s1, out_offset)                                                                                               \
    LONG(s2, n)

/* adjacent_difference_tiles, adjacent_difference_cpu_chunk */
#define DIFFERENCE_ARRAYS(BUFFER)                                                                                      \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    BUFFER(__global RESULT, out)

/* adjacent_difference_borders */
#define DIFFERENCE_BORDERS(BUFFER)                                                                                     \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    BUFFER(__global ELEMENT, borders)

/* adjacent_difference_in_place */
#define DIFFERENCE_IN_PLACE(BUFFER)                                                                                    \
    DIFFERENCE_ARRAYS(BUFFER)                                                                                          \
    BUFFER(const __global ELEMENT, borders)

KERNEL_ARGS(difference_args, DIFFERENCE_NUMBERS, DIFFERENCE_IN_PLACE)
KERNEL_LAUNCH(difference_args, clprim__launch_difference, DIFFERENCE_ARRAYS)
KERNEL_LAUNCH(difference_args, clprim__launch_difference_borders, DIFFERENCE_BORDERS)
KERNEL_LAUNCH(difference_args, clprim__launch_difference_in_place, DIFFERENCE_IN_PLACE)

#endif
