// SPDX-License-Identifier: MIT
/* source.h: a kernel file, embedded in the library at build time. */
#ifndef CLPRIM_LIB_SOURCE_H
#define CLPRIM_LIB_SOURCE_H

#include <stddef.h>

typedef struct clprim__source {
    const char *path; /* path below kernels/, for example "reduce/tree.cl" */
    const unsigned char *bytes;
    size_t size;
    const struct clprim__source *const *includes; /* the files that it includes, ended by NULL; or NULL */
} clprim__source;

#endif
