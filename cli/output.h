/* output.h: a file that is written. It appears under its name when it is complete, and not before: so it may be the
 * input, and nothing half done is left behind by an error or a signal. Before it is NAME.clprim-XXXXXX, which stays
 * behind if the process is killed; the next one that writes NAME removes it. Through a symbolic link it is the link's
 * target that is written. What is no regular file (a pipe, a terminal) is written where it is. A file that nobody may
 * write is not replaced. */
#ifndef CLPRIM_CLI_OUTPUT_H
#define CLPRIM_CLI_OUTPUT_H

#include <stdio.h>

#include "cli.h"

typedef struct output {
    const char *name; /* for messages; NULL: not open */
    char *path;       /* what will be replaced; NULL: written where it is */
    char *part;       /* the file while it is written */
    size_t slot;      /* of it among those that a signal removes */
    int fd;
    int lock;     /* part's, which is held until it has its name: others know by it that the file is in use; -1: none */
    FILE *stream; /* over fd; NULL: there is none */
} output;

/* One that is not open, which may be abandoned. */
static const output OUTPUT_NONE = {.fd = -1, .lock = -1};

/* Before all else: drivers have handlers of their own (LLVM's for one), which go on to those that were there. */
void output_watch_signals(void);

/* Would these names be one file? Not where it is one that two may share, as a terminal or /dev/null. */
bool output_is_same(const char *first, const char *second);

/* *out is to be abandoned in any case. */
cli_result output_open(output *out, const char *name);

/* The file as a stream, which the output owns. */
cli_result output_stream(output *self);

/* errno's sentence. */
cli_result output_unwritable(const output *self);

/* All is written: it gets its name. */
cli_result output_finish(output *self);

/* Give up what was not finished. */
void output_abandon(output *self);

#endif
