// SPDX-License-Identifier: MIT
/* output.h: write an output file. It appears under its name only when it is complete. So it may be the same file as the
 * input, and an error or a signal leaves nothing incomplete behind. Until then it is called NAME.clprim-XXXXXX. If the
 * process is killed, that file remains, and the next process that writes NAME removes it. If NAME is a symbolic link,
 * the link's target is written. If NAME is not a regular file (a pipe, a terminal), it is written directly. A file
 * without write permission is not replaced. */
#ifndef CLPRIM_CLI_OUTPUT_H
#define CLPRIM_CLI_OUTPUT_H

#include <stdio.h>

#include "cli.h"

typedef struct output {
    const char *name; /* for messages; NULL: not open */
    char *path;       /* the file to replace; NULL: the file is written directly */
    char *part;       /* name of the temporary file */
    size_t slot;      /* index in the list of files that a signal removes */
    int fd;
    int lock;     /* keeps the lock on the temporary file until it is renamed, so that other processes know that it is
                   * in use; -1: none */
    FILE *stream; /* stream for fd; NULL: none */
} output;

/* An output that is not open; abandoning it does nothing. */
static const output OUTPUT_NONE = {.fd = -1, .lock = -1};

/* Install signal handlers. Call it first: drivers (such as those with LLVM) install their own handlers, which call
 * the previous ones. */
void output_watch_signals(void);

/* Whether both names refer to the same file. False for files that two outputs may share, such as a terminal or
 * /dev/null. */
bool output_is_same(const char *first, const char *second);

/* *out must be abandoned even after an error. */
cli_result output_open(output *out, const char *name);

/* Open a stream for the file. The output owns it. */
cli_result output_stream(output *self);

/* Write errno's message. */
cli_result output_unwritable(const output *self);

/* Everything is written: give the file its name. */
cli_result output_finish(output *self);

/* Remove the temporary file, if the output was not finished. */
void output_abandon(output *self);

#endif
