// SPDX-License-Identifier: MIT
/* trace.h: the timeline for CLPRIM_TRACE: what the host does, and when each command runs on the device. */
#ifndef CLPRIM_LIB_TRACE_H
#define CLPRIM_LIB_TRACE_H

#include <clprim/runtime.h>

#include "error.h"
#include "trace_clock.h"

/* The timeline of one runtime. Thread-safe. It is NULL if nothing is recorded; then all functions here do nothing. */
typedef struct clprim__trace clprim__trace;

/* Whether CLPRIM_TRACE names a file. */
bool clprim__trace_is_wanted(void);

/* *out is NULL if CLPRIM_TRACE is not set.
 * Errors: CLPRIM_INVALID_ARGUMENT if the file cannot be written, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__trace_open(clprim__trace **out, cl_context context, const clprim_device_info *info);

/* Wait a while for commands that are still running, then write everything. */
void clprim__trace_close(clprim__trace *self);

/* A command on a queue. Strings are static. */
typedef struct clprim__trace_command {
    const char *name;
    const char *program;       /* the source's path; NULL if it is not a kernel */
    size_t groups, group_size; /* for kernels */
    size_t bytes;              /* for other commands */
} clprim__trace_command;

/* Record that a command was enqueued between `began` and now. The caller keeps its event. When the event is complete,
 * it gives the command's times. If the queue does not record them, the command is shown as an instant at the time of
 * enqueuing. */
void clprim__trace_device(clprim__trace *self, const clprim__trace_command *command, cl_command_queue queue,
                          cl_event event, long long began);

/* Record what the calling thread did from `began` to now: "<verb> <object>", with one number, whose unit is `unit`
 * (NULL: no number). If `is_folder`, the object is a path, of which the first folder is shown. */
typedef struct clprim__trace_span {
    const char *verb;
    const char *object;
    bool is_folder;
    const char *unit;
    size_t number;
    clprim_status status;
} clprim__trace_span;

void clprim__trace_host(clprim__trace *self, const clprim__trace_span *span, long long began);

/* Show a message at this moment, in the calling thread's track. */
void clprim__trace_note(clprim__trace *self, const char *name, const char *text);

#endif
