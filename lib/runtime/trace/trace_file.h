// SPDX-License-Identifier: MIT
/* trace_file.h: a growing file in the Trace Event Format, which is a complete JSON array at any time.
 *
 * All runtimes of a process that name the same file share it. Each write ends with the end of the array, and the next
 * write overwrites that end. So the file can be read whenever the process may die. */
#ifndef CLPRIM_LIB_TRACE_FILE_H
#define CLPRIM_LIB_TRACE_FILE_H

#include "text.h"

typedef struct clprim__trace_file clprim__trace_file;

/* Open the file with this path, in which "%p" is replaced by the process ID. If another process writes that file, the
 * process ID is added to the path as a suffix. *number counts those who opened the file, from 1.
 * Errors: CLPRIM_INVALID_ARGUMENT if the file cannot be written, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__trace_file_open(clprim__trace_file **out, unsigned *number, const char *path);

/* Write an event: begin returns the text to which to append one JSON object, and locks out other threads until end. end
 * writes the collected events to the file if they are many or old. */
clprim__text *clprim__trace_file_begin(clprim__trace_file *self);
void clprim__trace_file_end(clprim__trace_file *self);

/* Write the collected events. The file stays open until the process ends, because more runtimes may be created. */
void clprim__trace_file_flush(clprim__trace_file *self);

/* Append a JSON string, including quotes. */
void clprim__trace_append_string(clprim__text *text, const char *string);

/* Append nanoseconds as microseconds, the format's unit. */
void clprim__trace_append_time(clprim__text *text, const char *key, long long nanoseconds);

#endif
