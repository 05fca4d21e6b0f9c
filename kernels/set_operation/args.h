// SPDX-License-Identifier: MIT
/* args.h: the arguments of the set-operation kernels. */
#ifndef SET_OPERATION_ARGS_H
#define SET_OPERATION_ARGS_H

#include "common/items.h"

#if defined(__OPENCL_VERSION__) && !defined(PAYLOAD)
#define SET_PAYLOAD(BUFFER)
#else
#define SET_PAYLOAD(BUFFER)                                                                                            \
    BUFFER(const __global PAYLOAD, a_values)                                                                           \
    BUFFER(const __global PAYLOAD, b_values)                                                                           \
    BUFFER(__global PAYLOAD, out_values)
#endif

/* Offsets are in elements. */
#define SET_NUMBERS(LONG, INT)                                                                                         \
    ITEM_OFFSETS(LONG, s0, s1, a)                                                                                      \
    ITEM_OFFSETS(LONG, s2, s3, b)                                                                                      \
    ITEM_OFFSETS(LONG, s4, s5, out)                                                                                    \
    LONG(s6, a_count)                                                                                                  \
    LONG(s7, b_count)                                                                                                  \
    LONG(s8, a_values_offset)                                                                                          \
    LONG(s9, b_values_offset)                                                                                          \
    LONG(sa, out_values_offset)                                                                                        \
    LONG(sb, out_count_offset)                                                                                         \
    INT(s0, epoch)    /* of the state */                                                                               \
    INT(s1, has_cuts) /* set_cuts was launched before set_look_back */

#define SET_INPUT(BUFFER)                                                                                              \
    ITEM_BUFFERS(BUFFER, a)                                                                                            \
    ITEM_BUFFERS(BUFFER, b)
#define SET_OUTPUT(BUFFER)                                                                                             \
    ITEM_BUFFERS(BUFFER, out)                                                                                          \
    BUFFER(__global COUNT_TYPE, out_count)                                                                             \
    SET_PAYLOAD(BUFFER)
#define SET_SHARED(BUFFER) BUFFER(__global ulong, words) /* counts, or the state */

/* set_count, set_cuts */
#define SET_BEFORE(BUFFER)                                                                                             \
    SET_INPUT(BUFFER)                                                                                                  \
    SET_SHARED(BUFFER)

/* set_move, set_look_back */
#define SET_WRITE(BUFFER)                                                                                              \
    SET_INPUT(BUFFER)                                                                                                  \
    SET_OUTPUT(BUFFER)                                                                                                 \
    SET_SHARED(BUFFER)

KERNEL_ARGS(set_args, SET_NUMBERS, SET_WRITE)
KERNEL_LAUNCH(set_args, clprim__launch_set_before, SET_BEFORE)
KERNEL_LAUNCH(set_args, clprim__launch_set_write, SET_WRITE)

#endif
