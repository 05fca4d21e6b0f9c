/* source.h: an array that is read from a file or a pipe, from its beginning to its end. */
#ifndef CLPRIM_CLI_SOURCE_H
#define CLPRIM_CLI_SOURCE_H

#include <stdio.h>
#include <sys/types.h>

#include "cli.h"
#include "npy.h"
#include "storage.h"
#include "text_reader.h"

enum { SOURCE_AHEAD = 16 };

typedef struct source {
    const char *name; /* for messages */
    int fd;
    bool is_npy, is_text; /* neither: raw */
    bool is_bool;         /* the type is U8, and each element 0 or 1 */
    bool is_big_endian;   /* in the file; elements that were read are not */
    bool is_fortran;
    bool is_file; /* it can be read again; a pipe cannot */
    clprim_type type;
    size_t size;                       /* bytes of an element */
    size_t count;                      /* SIZE_MAX: not known yet */
    size_t taken;                      /* elements read so far */
    size_t first;                      /* of several ranks: where this one's part begins in the whole array */
    size_t elsewhere;                  /* elements of the other ranks */
    off_t begin;                       /* of the elements */
    unsigned char ahead[SOURCE_AHEAD]; /* what was read to see what comes */
    size_t num_ahead;
    int copy;           /* of a pipe that is to be read again; else -1 */
    text_reader *text;  /* where is_text */
    const void *mapped; /* by source_take: the file or a copy of it; NULL: it is not mapped */
    size_t mapped_size;
    void *copied; /* or a copy in memory, to be freed */
} source;

/* Open the options' file, or standard input for "-", and look at what it is. *out is to be closed in any case.
 * Collective: of several ranks each gets its part, as if that were the file. */
cli_result source_open(source *out, const cli_options *options);
void source_close(source *self);

/* The next elements, up to `capacity`; *got is less only at the end. */
cli_result source_read(source *self, void *out, size_t capacity, size_t *got);
bool source_is_at_end(const source *self);

/* All elements as one array in memory: of the file itself where its bytes are the elements, else of a copy. `count` is
 * known then. Instead of source_read. A copy that does not fit the storage's memory is in a temporary file. The array
 * is there until the source is closed. */
cli_result source_take(source *self, storage *at, const void **out);

/* To be read twice: announced before the first element is read. */
cli_result source_keep(source *self);
cli_result source_rewind(source *self);

/* "bool" where this is the type of the source's elements and they are bools, else the type's name. */
const char *source_type_name(const source *self, clprim_type type);

/* The order of the elements matters to this command: refuse Fortran's. */
cli_result source_needs_order(const source *self);

#endif
