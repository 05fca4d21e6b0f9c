/* trace_file.h: a growing file in the Trace Event Format, which is a complete JSON array at any time.
 *
 * All runtimes of a process that name the same file share it. What is written ends the array each time, and the next
 * writing begins where that end was: whenever the process may die, the file can be read. */
#ifndef CLPRIM_LIB_TRACE_FILE_H
#define CLPRIM_LIB_TRACE_FILE_H

#include "text.h"

typedef struct clprim__trace_file clprim__trace_file;

/* The file of this path, in which "%p" becomes the process's number; one that another process writes is left alone, and
 * the path gets that number as a suffix. *number counts those who opened it, from 1.
 * Errors: CLPRIM_INVALID_ARGUMENT where it cannot be written, CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__trace_file_open(clprim__trace_file **out, unsigned *number, const char *path);

/* An event: begin gives the text to append one JSON object to, and keeps other threads out until end, which writes what
 * has come together once that is much or old. */
clprim__text *clprim__trace_file_begin(clprim__trace_file *self);
void clprim__trace_file_end(clprim__trace_file *self);

/* Write what has come together. The file stays open until the process ends: runtimes come and go. */
void clprim__trace_file_flush(clprim__trace_file *self);

/* Append a JSON string, quotes and all. */
void clprim__trace_append_string(clprim__text *text, const char *string);

/* Append nanoseconds as the format's microseconds. */
void clprim__trace_append_time(clprim__text *text, const char *key, long long nanoseconds);

#endif
