// SPDX-License-Identifier: MIT
/* sink.h: the destination of an array: a raw, text or .npy file, or standard output, which may also be JSON. */
#ifndef CLPRIM_CLI_SINK_H
#define CLPRIM_CLI_SINK_H

#include "cli.h"
#include "json.h"
#include "output.h"
#include "source.h"

typedef struct sink {
    output file; /* not open: use standard output */
    int spool;   /* temporary file for elements that go to a pipe after a header that is not known yet; otherwise -1 */
    FILE *text;  /* stream for text and JSON; NULL: write bytes to the file */
    bool is_json, is_npy, is_bool;
    const char *second_name; /* for text and JSON with two columns; the second column is u64 */
    clprim_type type;
    size_t size;
    size_t count; /* SIZE_MAX: not known yet */
    size_t written;
    void *mapped; /* set by sink_take: the whole file; NULL: it is not mapped */
    size_t mapped_size;
    void *taken; /* or memory from the storage */
    size_t taken_size;
    bool is_part; /* set by sink_share: other ranks write the rest */
} sink;

/* A sink that is not open; abandoning it does nothing. */
static const sink SINK_NONE = {.file = {.fd = -1, .lock = -1}, .spool = -1};

/* Open the output that the options name, for elements of a type. `count` is SIZE_MAX if it is not known yet. `from`:
 * with --output -, the format is that of this source; it also says whether elements are bools. On standard output,
 * there is a second column if second_name is not NULL. In JSON, the array is the member "values" of an open object.
 * *out must be abandoned even after an error. */
cli_result sink_open(sink *out, const cli_options *options, const source *from, clprim_type type, size_t count,
                     const char *second_name, json *object);

/* The same, but always open a file. */
cli_result sink_open_file(sink *out, const cli_options *options, const char *name, clprim_type type, bool is_bool,
                          size_t count);

/* Collective. Call it after sink_open, with the count of all ranks: the ranks write the file together, after rank 0 has
 * created it. Then call sink_take_part instead of sink_take: it returns memory for the *count elements of this rank's
 * share. */
cli_result sink_share(sink *self);
cli_result sink_take_part(sink *self, size_t *count, void **out);

cli_result sink_write(sink *self, const void *elements, const uint64_t *second, size_t count);

/* Memory for the elements, which sink_give writes; use it instead of sink_write. If possible, it is the mapped output
 * file itself. If the number of elements was not known when the sink was opened, `count` is the maximum. */
cli_result sink_take(sink *self, storage *at, size_t count, void **out);

/* Write the first `count` elements of that memory; `second` is as for sink_write. */
cli_result sink_give(sink *self, const uint64_t *second, size_t count);

/* Call it after all elements are written. */
cli_result sink_finish(sink *self);

/* Remove the output, if it was not finished. */
void sink_abandon(sink *self);

#endif
