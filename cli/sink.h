/* sink.h: where an array goes: a file, raw or .npy, or standard output as text or in JSON.
 *
 * A file appears under its name when it is complete, and not before: so it may be the input, and nothing half done is
 * left behind by an error or a signal. */
#ifndef CLPRIM_CLI_SINK_H
#define CLPRIM_CLI_SINK_H

#include "cli.h"
#include "json.h"
#include "source.h"

typedef struct sink {
    const char *name; /* for messages; NULL: not open */
    const char *path; /* NULL: standard output */
    char *part;       /* the file while it is written; NULL: written where it is */
    size_t slot;      /* of it among those that a signal removes */
    int fd;
    int spool; /* what goes to a pipe behind a header that is not known yet; else -1 */
    bool is_text, is_json, is_npy;
    const char *second_name; /* text and JSON: there are two columns; the second is u64 */
    clprim_type type;
    size_t size;
    size_t count; /* SIZE_MAX: not known yet */
    size_t written;
} sink;

/* Before all else: drivers have handlers of their own (LLVM's for one), which go on to those that were there. */
void sink_watch_signals(void);

/* Open the options' output for elements of a type. `count` SIZE_MAX: the end will show. as_input: what --output - takes
 * its format from. Text and JSON have a second column where second_name is not NULL. A member "values" of an open
 * object is what JSON has. *out is to be abandoned in any case. */
cli_result sink_open(sink *out, const cli_options *options, const source *as_input, clprim_type type, size_t count,
                     const char *second_name, json *object);

/* A file in any case. */
cli_result sink_open_file(sink *out, const char *path, clprim_type type, size_t count);

cli_result sink_write(sink *self, const void *elements, const uint64_t *second, size_t count);

/* All is there. */
cli_result sink_finish(sink *self);

/* Give up what was not finished. */
void sink_abandon(sink *self);

#endif
