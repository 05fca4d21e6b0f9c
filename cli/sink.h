/* sink.h: where an array goes: a file, raw, text or .npy, or standard output, also in JSON. */
#ifndef CLPRIM_CLI_SINK_H
#define CLPRIM_CLI_SINK_H

#include "cli.h"
#include "json.h"
#include "output.h"
#include "source.h"

typedef struct sink {
    output file; /* not open: standard output */
    int spool;   /* what goes to a pipe behind a header that is not known yet; else -1 */
    FILE *text;  /* text and JSON go there; NULL: bytes to the file */
    bool is_json, is_npy, is_bool;
    const char *second_name; /* text and JSON: there are two columns; the second is u64 */
    clprim_type type;
    size_t size;
    size_t count; /* SIZE_MAX: not known yet */
    size_t written;
    void *mapped; /* by sink_take: all of the file; NULL: it is not mapped */
    size_t mapped_size;
    void *taken; /* or memory of the storage's */
    size_t taken_size;
    bool is_part; /* by sink_share: other ranks have the rest */
} sink;

/* One that is not open, which may be abandoned. */
static const sink SINK_NONE = {.file = {.fd = -1, .lock = -1}, .spool = -1};

/* Open the options' output for elements of a type. `count` SIZE_MAX: the end will show. `from`: what --output - takes
 * its format from, and whether its elements are bools. On standard output there is a second column where second_name is
 * not NULL. A member "values" of an open object is what JSON has. *out is to be abandoned in any case. */
cli_result sink_open(sink *out, const cli_options *options, const source *from, clprim_type type, size_t count,
                     const char *second_name, json *object);

/* A file in any case. */
cli_result sink_open_file(sink *out, const cli_options *options, const char *name, clprim_type type, bool is_bool,
                          size_t count);

/* Collective, behind sink_open with all ranks' count: the ranks write the file together, which rank 0 has made. Then
 * sink_take_part instead of sink_take: memory for the *count elements that are this rank's share. */
cli_result sink_share(sink *self);
cli_result sink_take_part(sink *self, size_t *count, void **out);

cli_result sink_write(sink *self, const void *elements, const uint64_t *second, size_t count);

/* Memory for the elements, which sink_give writes; of the output itself where that can be. Instead of sink_write. If
 * their number was not known when the sink was opened, `count` is the most there may be. */
cli_result sink_take(sink *self, storage *at, size_t count, void **out);

/* The first `count` elements of that memory are the array; `second` as of sink_write. */
cli_result sink_give(sink *self, const uint64_t *second, size_t count);

/* All is there. */
cli_result sink_finish(sink *self);

/* Give up what was not finished. */
void sink_abandon(sink *self);

#endif
