// SPDX-License-Identifier: MIT
/* trace_clock.h: convert device times to host times. */
#ifndef CLPRIM_LIB_TRACE_CLOCK_H
#define CLPRIM_LIB_TRACE_CLOCK_H

#include <clprim/runtime.h>

/* The number of nanoseconds to add to device times. */
typedef struct clprim__trace_clock {
    long long ahead;
    bool is_set;
} clprim__trace_clock;

/* The host's clock, CLOCK_MONOTONIC, in nanoseconds. */
long long clprim__trace_now(void);

/* Compare the clocks with a few small commands on a separate queue. If that fails, *out stays unset, and the first
 * command that is passed to clprim__trace_clock_check sets it. */
void clprim__trace_clock_set(clprim__trace_clock *out, cl_context context, cl_device_id device);

/* A command was enqueued between `began` and `ended` on the host's clock, and at `queued` on the device's. If these
 * times contradict the known difference, because the clocks drift apart, the clocks are compared again. */
void clprim__trace_clock_check(clprim__trace_clock *self, cl_ulong queued, long long began, long long ended);

#endif
