/* npy.h: the header of a .npy file: numpy's format of one array, versions 1.0 to 3.0. */
#ifndef CLPRIM_CLI_NPY_H
#define CLPRIM_CLI_NPY_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    NPY_MAGIC_SIZE = 6,
    NPY_PREFIX_SIZE = 12,      /* magic, version, and the size of the text at its longest */
    NPY_MAX_TEXT_SIZE = 65536, /* numpy itself trusts none beyond 10000 */
    NPY_WRITTEN_SIZE = 128,    /* of a header that npy_write makes, for any count */
    NPY_MAX_DIMENSIONS = 64    /* numpy's own limit */
};

typedef struct npy_header {
    clprim_type type;
    bool is_bool;       /* the type is U8, and each element 0 or 1 */
    bool is_big_endian; /* of more than one byte, the most significant first */
    bool is_fortran;    /* in Fortran order, and of more than one dimension: not the order of C */
    size_t dimensions;
    size_t count; /* elements in all */
} npy_header;

/* Whether these bytes are how a .npy file begins. */
bool npy_is_magic(const void *bytes, size_t size);

/* The size of the prefix (10 or 12 bytes) and of the text that follows it, from the first 12 bytes of a file. NULL, or
 * why there are none. */
const char *npy_parse_prefix(size_t *prefix_size, size_t *text_size, const unsigned char bytes[NPY_PREFIX_SIZE]);

/* The text: a Python dict of exactly 'descr', 'fortran_order' and 'shape'. NULL, or why it is not taken; that is
 * static, or lies in `why`. */
const char *npy_parse_text(npy_header *out, const char *text, size_t size, char why[static 128]);

/* The header, version 1.0, of a little-endian array of one dimension. is_bool: see npy_header. */
void npy_write(unsigned char out[NPY_WRITTEN_SIZE], clprim_type type, bool is_bool, size_t count);

/* Does a file's name end in ".npy"? */
bool npy_is_name(const char *name);

#endif
