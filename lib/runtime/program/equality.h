// SPDX-License-Identifier: MIT
/* equality.h: whether neighbouring elements are equal, by the caller's expression or by their bits. */
#ifndef CLPRIM_LIB_EQUALITY_H
#define CLPRIM_LIB_EQUALITY_H

#include "prelude.h"

typedef struct clprim__equality {
    const char *text;     /* the caller's expression for an element `a` and the next element `b`; NULL: compare bits */
    clprim_type type;     /* type of the elements, which kernels treat as unsigned integers; not the default */
    const char *own_type; /* instead of `type`: the caller's own type, by its name in the library's text; NULL: none */
    size_t size;          /* in bytes */
} clprim__equality;

/* Write differs(a, b): 0 if element b, which directly follows a, belongs to a's run, otherwise 1. Call it after the
 * source and the parameters are written. */
void clprim__equality_write(clprim__prelude *prelude, const clprim__equality *equality);

#endif
