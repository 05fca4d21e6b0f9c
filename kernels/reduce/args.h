// SPDX-License-Identifier: MIT
/* args.h: the arguments of the reduction kernels. */
#ifndef REDUCE_ARGS_H
#define REDUCE_ARGS_H

#include "common/args.h"

/* Offsets are in the elements that a pass reads, and in those that it writes. */
#define REDUCE_NUMBERS(LONG, INT)                                                                                      \
    LONG(s0, in_offset)                                                                                                \
    LONG(s1, out_offset)                                                                                               \
    LONG(s2, n)    /* maximum number of elements to read */                                                            \
    INT(s0, pass)  /* FIRST_PASS, LAST_PASS, both or none */                                                           \
    INT(s1, epoch) /* of the state */

/* reduce_nothing */
#define REDUCE_OUTPUT(BUFFER) BUFFER(__global uchar, out)

/* A pass. */
#define REDUCE_PASS(BUFFER)                                                                                            \
    BUFFER(const __global uchar, in)                                                                                   \
    REDUCE_OUTPUT(BUFFER)

/* For variants with one launch, in which the last group collects what all groups wrote. */
#define REDUCE_ONCE(BUFFER)                                                                                            \
    REDUCE_PASS(BUFFER)                                                                                                \
    BUFFER(__global ulong, state)

KERNEL_ARGS(reduce_args, REDUCE_NUMBERS, REDUCE_ONCE)
KERNEL_LAUNCH(reduce_args, clprim__launch_reduce_nothing, REDUCE_OUTPUT)
KERNEL_LAUNCH(reduce_args, clprim__launch_reduce_pass, REDUCE_PASS)
KERNEL_LAUNCH(reduce_args, clprim__launch_reduce_once, REDUCE_ONCE)

#endif
