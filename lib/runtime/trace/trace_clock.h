/* trace_clock.h: from a device's times to the host's. */
#ifndef CLPRIM_LIB_TRACE_CLOCK_H
#define CLPRIM_LIB_TRACE_CLOCK_H

#include <clprim/runtime.h>

/* What is added to the device's times, in nanoseconds. */
typedef struct clprim__trace_clock {
    long long ahead;
    bool is_set;
} clprim__trace_clock;

/* Nanoseconds of the host's clock, CLOCK_MONOTONIC. */
long long clprim__trace_now(void);

/* Compare the clocks by some small commands on a queue of its own. Where that does not work *out stays unset, and the
 * first command that is given to clprim__trace_clock_check sets it. */
void clprim__trace_clock_set(clprim__trace_clock *out, cl_context context, cl_device_id device);

/* A command was enqueued between `began` and `ended`, which the device says was at `queued`: where that cannot be any
 * more, since the clocks drift apart, they are compared anew. */
void clprim__trace_clock_check(clprim__trace_clock *self, cl_ulong queued, long long began, long long ended);

#endif
