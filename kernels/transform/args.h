// SPDX-License-Identifier: MIT
/* args.h: the arguments of the transform kernels. */
#ifndef TRANSFORM_ARGS_H
#define TRANSFORM_ARGS_H

#include "common/args.h"

/* Offsets are in elements of the outputs. */
#define TRANSFORM_NUMBERS(LONG, INT)                                                                                   \
    LONG(s0, clprim__out_0_offset)                                                                                     \
    LONG(s1, clprim__out_1_offset)                                                                                     \
    LONG(s2, clprim__out_2_offset)                                                                                     \
    LONG(s3, clprim__out_3_offset)                                                                                     \
    LONG(s4, clprim__out_4_offset)                                                                                     \
    LONG(s5, clprim__out_5_offset)                                                                                     \
    LONG(s6, clprim__out_6_offset)                                                                                     \
    LONG(s7, clprim__out_7_offset)                                                                                     \
    LONG(s8, n)                                                                                                        \
    LONG(s9, out_length) /* with out_index: number of elements of each output */

/* Only the prelude knows the types and the number of outputs (lib/transform/transform_prelude.c). */
#ifdef __OPENCL_VERSION__
#ifndef OUTPUT_BUFFERS
#error "OUTPUT_BUFFERS must be given"
#endif
#define TRANSFORM_OUTPUTS(BUFFER) OUTPUT_BUFFERS(BUFFER)
#else
#define TRANSFORM_OUTPUTS(BUFFER)                                                                                      \
    BUFFER(, clprim__out_0)                                                                                            \
    BUFFER(, clprim__out_1)                                                                                            \
    BUFFER(, clprim__out_2)                                                                                            \
    BUFFER(, clprim__out_3)                                                                                            \
    BUFFER(, clprim__out_4)                                                                                            \
    BUFFER(, clprim__out_5)                                                                                            \
    BUFFER(, clprim__out_6)                                                                                            \
    BUFFER(, clprim__out_7)
#endif

KERNEL_ARGS(transform_args, TRANSFORM_NUMBERS, TRANSFORM_OUTPUTS)
KERNEL_LAUNCH(transform_args, clprim__launch_transform, TRANSFORM_OUTPUTS)

#endif
