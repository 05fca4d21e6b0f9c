/* equality.h: whether neighbouring elements are equal, by the caller's expression or by their bits. */
#ifndef CLPRIM_LIB_EQUALITY_H
#define CLPRIM_LIB_EQUALITY_H

#include "prelude.h"

typedef struct clprim__equality {
    const char *text;     /* the caller's, over an element `a` and the element `b` behind it; NULL: by bits */
    clprim_type type;     /* of the elements, which kernels have as unsigned integers; not the default */
    const char *own_type; /* instead: the caller's own, by the name that the library uses for it; NULL: none */
    size_t size;          /* in bytes */
} clprim__equality;

/* differs(a, b): 0 if element b, right behind a, belongs to a's run, else 1. After the source and the parameters. */
void clprim__equality_write(clprim__prelude *prelude, const clprim__equality *equality);

#endif
