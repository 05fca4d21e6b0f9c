// SPDX-License-Identifier: MIT
/* args.h: the arguments of the selection kernels. */
#ifndef SELECT_ARGS_H
#define SELECT_ARGS_H

#include "common/args.h"
#include "select/modes.h"

/* Offsets are in elements of the arrays; rooms are in elements of the outputs. */
#define SELECT_NUMBERS(LONG, INT)                                                                                      \
    LONG(s0, in_offset)                                                                                                \
    LONG(s1, flags_offset)                                                                                             \
    LONG(s2, payloads_offset)                                                                                          \
    LONG(s3, out_offset)                                                                                               \
    LONG(s4, out_count_offset)                                                                                         \
    LONG(s5, payloads_out_offset)                                                                                      \
    LONG(s6, second_offset)                                                                                            \
    LONG(s7, second_count_offset)                                                                                      \
    LONG(s8, rest_offset)                                                                                              \
    LONG(s9, rest_count_offset)                                                                                        \
    LONG(sa, n)                                                                                                        \
    LONG(sb, room)                                                                                                     \
    LONG(sc, payloads_room)                                                                                            \
    LONG(sd, second_room)                                                                                              \
    LONG(se, rest_room)                                                                                                \
    LONG(sf, first_index) /* for values that are indices */                                                            \
    INT(s0, first_tile)   /* of one launch of select_look_back */                                                      \
    INT(s1, portion)                                                                                                   \
    INT(s2, epoch) /* of the state */

#if defined(__OPENCL_VERSION__) && !FLAGGED
#define SELECT_FLAGS(BUFFER)
#else
#define SELECT_FLAGS(BUFFER) BUFFER(const __global FLAG, flags)
#endif
#if defined(__OPENCL_VERSION__) && (!PAYLOAD_SIZE || INDICES)
#define SELECT_PAYLOADS_IN(BUFFER)
#else
#define SELECT_PAYLOADS_IN(BUFFER) BUFFER(const __global PAYLOAD, payloads)
#endif
#if defined(__OPENCL_VERSION__) && !PAYLOAD_SIZE
#define SELECT_PAYLOADS_OUT(BUFFER)
#else
#define SELECT_PAYLOADS_OUT(BUFFER) BUFFER(__global PAYLOAD, payloads_out)
#endif
#if defined(__OPENCL_VERSION__) && !THREE_WAY
#define SELECT_SECOND_COUNT(BUFFER)
#else
#define SELECT_SECOND_COUNT(BUFFER) BUFFER(__global COUNT_TYPE, second_count)
#endif
#if defined(__OPENCL_VERSION__) && !(THREE_WAY && PARTITION == REST_SEPARATE)
#define SELECT_SECOND(BUFFER)
#else
#define SELECT_SECOND(BUFFER) BUFFER(__global OUTPUT, second)
#endif
#if defined(__OPENCL_VERSION__) && PARTITION != REST_SEPARATE
#define SELECT_REST(BUFFER)
#else
#define SELECT_REST(BUFFER)                                                                                            \
    BUFFER(__global OUTPUT, rest)                                                                                      \
    BUFFER(__global COUNT_TYPE, rest_count)
#endif

/* select_count */
#define SELECT_COUNT(BUFFER)                                                                                           \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    SELECT_FLAGS(BUFFER)                                                                                               \
    BUFFER(__global ulong, words) /* counts, or the state */

/* select_move, select_look_back */
#define SELECT_MOVE(BUFFER)                                                                                            \
    SELECT_COUNT(BUFFER)                                                                                               \
    SELECT_PAYLOADS_IN(BUFFER)                                                                                         \
    BUFFER(__global OUTPUT, out)                                                                                       \
    BUFFER(__global COUNT_TYPE, out_count)                                                                             \
    SELECT_PAYLOADS_OUT(BUFFER)                                                                                        \
    SELECT_SECOND_COUNT(BUFFER)                                                                                        \
    SELECT_SECOND(BUFFER)                                                                                              \
    SELECT_REST(BUFFER)

KERNEL_ARGS(select_args, SELECT_NUMBERS, SELECT_MOVE)
KERNEL_LAUNCH(select_args, clprim__launch_select_count, SELECT_COUNT)
KERNEL_LAUNCH(select_args, clprim__launch_select_move, SELECT_MOVE)

#endif
