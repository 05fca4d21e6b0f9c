// SPDX-License-Identifier: MIT
/* timing.h: how long a call takes, back to back with others of its kind, and how fast the device copies. */
#ifndef CLPRIM_EXAMPLES_TIMING_H
#define CLPRIM_EXAMPLES_TIMING_H

#include "example.h"
#include "report.h"
#include "serial.h"

/* Enqueue (or, on the host, do) the work once; what fails is told there. */
typedef clprim_status (*timing_call)(void *user);

/* Seconds of one call, in several batches: the median, which counts, the least and the most. */
typedef struct timing {
    double median;
    double least;
    double most;
} timing;

/* The time of one call: calls are enqueued back to back on the program's queue, in batches of some 10 ms, each ended by
 * one clFinish. First calls are not timed. With --check: one batch of one call.
 */
clprim_status timing_measure(timing *out, const example *program, timing_call call, void *user);

/* The time of a plain loop on the host, in the same way. out: room for what it writes; NULL: that is one result. */
clprim_status timing_serial(timing *time, const example *program, serial_loop loop, void *out, const void *in,
                            size_t n);

/* The time of any other work on the host, which is done when the call returns. */
clprim_status timing_host(timing *out, const example *program, timing_call call, void *user);

/* Two cells of a table, in milliseconds: the median; the least and the most. */
void timing_cells(report *table, const timing *time);

/* Bytes per second, read and written together, at which the device copies within its own memory; the better one of
 * clEnqueueCopyBuffer and a kernel. */
clprim_status timing_copy_speed(double *bytes_per_second, const example *program);

#endif
