/* trace_event.h: the kinds of events that a timeline has. */
#ifndef CLPRIM_LIB_TRACE_EVENT_H
#define CLPRIM_LIB_TRACE_EVENT_H

#include "trace.h"
#include "trace_file.h"

/* Where events go: one runtime is one process of the timeline. */
typedef struct clprim__trace_process {
    clprim__trace_file *file;
    unsigned number;
} clprim__trace_process;

/* What all events begin with, `kind` as the format names it; what follows are members that begin with a comma. Until
 * the end other threads wait. */
clprim__text *clprim__trace_event_begin(const clprim__trace_process *self, char kind, size_t track, const char *name);
void clprim__trace_event_end(const clprim__trace_process *self, clprim__text *text);

/* Give the process, or a track ("thread"), a name and a place among the others. */
void clprim__trace_describe(const clprim__trace_process *self, const char *what, size_t track, const char *name,
                            size_t place);

/* The members of a command's "args", the first without a comma. */
void clprim__trace_append_facts(clprim__text *text, const clprim__trace_command *command);

/* A command of which only the host's time is known, and why. */
void clprim__trace_instant(const clprim__trace_process *self, size_t track, const char *name, long long when,
                           const clprim__trace_command *command, const char *why);

/* An arrow from one moment to a later one. */
void clprim__trace_arrow(const clprim__trace_process *self, size_t from, long long began, size_t to, long long start);

#endif
