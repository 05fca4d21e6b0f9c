// SPDX-License-Identifier: MIT
/* source.h: read an array from a file or a pipe, from beginning to end. */
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
    bool is_npy, is_text; /* if both are false: raw */
    bool is_bool;         /* the type is U8, and each element is 0 or 1 */
    bool is_big_endian;   /* in the file; elements in memory are never big-endian */
    bool is_fortran;
    bool is_file; /* can be read twice, unlike a pipe */
    clprim_type type;
    size_t size;                       /* size of an element in bytes */
    size_t count;                      /* SIZE_MAX: not known yet */
    size_t taken;                      /* elements read so far */
    size_t first;                      /* with several ranks: index of this rank's first element in the whole array */
    size_t elsewhere;                  /* number of elements of the other ranks */
    off_t begin;                       /* file position of the elements */
    unsigned char ahead[SOURCE_AHEAD]; /* bytes that were read to detect the format */
    size_t num_ahead;
    int copy;           /* for a pipe that must be read twice: a copy; otherwise -1 */
    text_reader *text;  /* if is_text */
    const void *mapped; /* set by source_take: the mapped file, or a mapped copy of it; NULL: none */
    size_t mapped_size;
    void *copied; /* or a copy in memory, which must be freed */
} source;

/* Open the file that the options name, or standard input for "-", and detect its format. *out must be closed even after
 * an error. Collective: with several ranks, each rank gets its piece, as if that were the whole file. */
cli_result source_open(source *out, const cli_options *options);
void source_close(source *self);

/* Read the next elements, up to `capacity`. *got is less than that only at the end. */
cli_result source_read(source *self, void *out, size_t capacity, size_t *got);
bool source_is_at_end(const source *self);

/* Get all elements as one array in memory; use it instead of source_read. If the file's bytes are the elements, the
 * file is mapped, otherwise a copy is made. A copy that does not fit the storage's memory limit goes to a temporary
 * file. `count` is known afterwards. The array is valid until the source is closed. */
cli_result source_take(source *self, storage *at, const void **out);

/* To read a source twice, call source_keep before the first element is read. */
cli_result source_keep(source *self);
cli_result source_rewind(source *self);

/* "bool" if this is the type of the source's elements and they are bools, otherwise the type's name. */
const char *source_type_name(const source *self, clprim_type type);

/* For commands for which the order of elements matters: refuse Fortran order. */
cli_result source_needs_order(const source *self);

#endif
