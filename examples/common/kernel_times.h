// SPDX-License-Identifier: MIT
/* kernel_times.h: into which of its kernels a primitive's time goes. */
#ifndef CLPRIM_EXAMPLES_KERNEL_TIMES_H
#define CLPRIM_EXAMPLES_KERNEL_TIMES_H

#include "timing.h"

/* All launches of one kernel within a call. */
typedef struct kernel_time {
    char kernel[64];
    size_t launches;
    double seconds; /* on the device; the gaps between launches belong to no kernel */
} kernel_time;

typedef struct kernel_times {
    kernel_time kernels[16]; /* in the order in which they were first launched */
    size_t count;
    double seconds; /* of all kernels together */
} kernel_times;

/* Measure a call of one of clPRIM's plans, enqueued on program->queue: meanwhile that is another one, which records
 * times. Of several calls the fastest counts. With --check: one call. */
clprim_status kernel_times_measure(kernel_times *out, example *program, timing_call call, void *user);

/* The time and launches of those kernels whose name contains `part`. */
kernel_time kernel_times_of(const kernel_times *self, const char *part);

#endif
