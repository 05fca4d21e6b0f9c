// SPDX-License-Identifier: MIT
/* npy.h: the header of a .npy file, numpy's format for one array, versions 1.0 to 3.0. */
#ifndef CLPRIM_CLI_NPY_H
#define CLPRIM_CLI_NPY_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    NPY_MAGIC_SIZE = 6,
    NPY_PREFIX_SIZE = 12,      /* magic, version, and the longest form of the text's size */
    NPY_MAX_TEXT_SIZE = 65536, /* numpy itself does not trust more than 10000 */
    NPY_WRITTEN_SIZE = 128,    /* size of a header that npy_write writes, for any count */
    NPY_MAX_DIMENSIONS = 64    /* numpy's own limit */
};

typedef struct npy_header {
    clprim_type type;
    bool is_bool;       /* the type is U8, and each element is 0 or 1 */
    bool is_big_endian; /* elements have several bytes, and the most significant one comes first */
    bool is_fortran;    /* several dimensions in Fortran order, instead of C order */
    size_t dimensions;
    size_t count; /* total number of elements */
} npy_header;

/* Whether a file that begins with these bytes is a .npy file. */
bool npy_is_magic(const void *bytes, size_t size);

/* Find the size of the prefix (10 or 12 bytes), and of the text that follows it, in the first 12 bytes of a file.
 * Returns NULL, or why this is not possible. */
const char *npy_parse_prefix(size_t *prefix_size, size_t *text_size, const unsigned char bytes[NPY_PREFIX_SIZE]);

/* Parse the text, a Python dict of exactly 'descr', 'fortran_order' and 'shape'. Returns NULL, or why it is not
 * accepted: a static string, or one in `why`. */
const char *npy_parse_text(npy_header *out, const char *text, size_t size, char why[static 128]);

/* Write a header, version 1.0, for a little-endian array with one dimension. is_bool: see npy_header. */
void npy_write(unsigned char out[NPY_WRITTEN_SIZE], clprim_type type, bool is_bool, size_t count);

/* Whether a file's name ends in ".npy". */
bool npy_is_name(const char *name);

#endif
