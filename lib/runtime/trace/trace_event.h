// SPDX-License-Identifier: MIT
/* trace_event.h: the kinds of events in a timeline. */
#ifndef CLPRIM_LIB_TRACE_EVENT_H
#define CLPRIM_LIB_TRACE_EVENT_H

#include "trace.h"
#include "trace_file.h"

/* Where events are written. One runtime is one process of the timeline. */
typedef struct clprim__trace_process {
    clprim__trace_file *file;
    unsigned number;
} clprim__trace_process;

/* Begin an event with the members that all events have; `kind` is the format's letter. Append further members, each
 * beginning with a comma, and call end. Other threads wait until then. */
clprim__text *clprim__trace_event_begin(const clprim__trace_process *self, char kind, size_t track, const char *name);
void clprim__trace_event_end(const clprim__trace_process *self, clprim__text *text);

/* Give the process, or a track ("thread"), a name and a position among the others. */
void clprim__trace_describe(const clprim__trace_process *self, const char *what, size_t track, const char *name,
                            size_t place);

/* Append the members of a command's "args"; the first one begins without a comma. */
void clprim__trace_append_facts(clprim__text *text, const clprim__trace_command *command);

/* Write a command for which only the host's time is known, and the reason. */
void clprim__trace_instant(const clprim__trace_process *self, size_t track, const char *name, long long when,
                           const clprim__trace_command *command, const char *why);

/* Draw an arrow from one moment to a later one. */
void clprim__trace_arrow(const clprim__trace_process *self, size_t from, long long began, size_t to, long long start);

#endif
