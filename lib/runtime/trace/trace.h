/* trace.h: the timeline that CLPRIM_TRACE asks for: what the host does, and when each command ran on the device. */
#ifndef CLPRIM_LIB_TRACE_H
#define CLPRIM_LIB_TRACE_H

#include <clprim/runtime.h>

#include "error.h"
#include "trace_clock.h"

/* What one runtime records. Thread-safe. NULL where nothing is recorded: all functions here then do nothing. */
typedef struct clprim__trace clprim__trace;

/* CLPRIM_TRACE names a file. */
bool clprim__trace_is_wanted(void);

/* *out is NULL where CLPRIM_TRACE is not set.
 * Errors: CLPRIM_INVALID_ARGUMENT where the file cannot be written, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__trace_open(clprim__trace **out, cl_context context, const clprim_device_info *info);

/* Wait a while for what is still running, write everything. */
void clprim__trace_close(clprim__trace *self);

/* A command of a queue. Strings are static. */
typedef struct clprim__trace_command {
    const char *name;
    const char *program;       /* the source's path; NULL of what is not a kernel */
    size_t groups, group_size; /* of a kernel */
    size_t bytes;              /* of the others */
} clprim__trace_command;

/* A command was enqueued, between `began` and now; its event is the caller's. The times come from the event once it is
 * complete. A queue that records none gives instants at the time of enqueuing. */
void clprim__trace_device(clprim__trace *self, const clprim__trace_command *command, cl_command_queue queue,
                          cl_event event, long long began);

/* What the calling thread did from `began` to now: "<verb> <object>", with one number that `unit` names (NULL: none).
 * An object that is a path gives its folder where `is_folder`. */
typedef struct clprim__trace_span {
    const char *verb;
    const char *object;
    bool is_folder;
    const char *unit;
    size_t number;
    clprim_status status;
} clprim__trace_span;

void clprim__trace_host(clprim__trace *self, const clprim__trace_span *span, long long began);

/* Something to know, at this moment, in the calling thread. */
void clprim__trace_note(clprim__trace *self, const char *name, const char *text);

#endif
