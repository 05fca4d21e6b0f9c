// SPDX-License-Identifier: MIT
/* args.h: the arguments of the find kernels. */
#ifndef FIND_ARGS_H
#define FIND_ARGS_H

#include "common/args.h"

#define FIND_NUMBERS(LONG, INT)                                                                                        \
    LONG(s0, in_offset)  /* in elements */                                                                             \
    LONG(s1, out_offset) /* in elements */                                                                             \
    LONG(s2, n)          /* elements */                                                                                \
    INT(s0, epoch)       /* of the state */                                                                            \
    INT(s1, groups)      /* number of groups that have searched, for find_finish */

/* find_tree, find_single_pass, find_cpu_chunk */
#define FIND_LOOK(BUFFER)                                                                                              \
    BUFFER(const __global ELEMENT, in)                                                                                 \
    BUFFER(__global ulong, state)                                                                                      \
    BUFFER(__global RESULT, out)

/* find_finish */
#define FIND_FINISH(BUFFER)                                                                                            \
    BUFFER(__global ulong, state)                                                                                      \
    BUFFER(__global RESULT, out)

KERNEL_ARGS(find_args, FIND_NUMBERS, FIND_LOOK)
KERNEL_LAUNCH(find_args, clprim__launch_find_look, FIND_LOOK)
KERNEL_LAUNCH(find_args, clprim__launch_find_finish, FIND_FINISH)

#endif
