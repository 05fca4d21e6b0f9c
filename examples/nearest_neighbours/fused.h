// SPDX-License-Identifier: MIT
/* fused.h: distances and selection in one kernel. */
#ifndef CLPRIM_EXAMPLES_FUSED_H
#define CLPRIM_EXAMPLES_FUSED_H

#include "neighbours.h"

typedef struct fused {
    const neighbours *task;
    size_t group_size;
    cl_kernel kernel;
} fused;

/* Compile the kernel for the task's k and groups of any size that the device can have. group_size 0: a good one. In
 * every case *out is to be ended. */
clprim_status fused_begin(fused *out, const neighbours *task, size_t group_size);
void fused_end(fused *self);

/* Enqueue it: a timing_call whose user is the fused. */
clprim_status fused_find(void *user);

#endif
