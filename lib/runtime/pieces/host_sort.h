// SPDX-License-Identifier: MIT
/* host_sort.h: sort arrays of the host by the processors' own code. */
#ifndef CLPRIM_LIB_HOST_SORT_H
#define CLPRIM_LIB_HOST_SORT_H

#include <stddef.h>

#include "key_image.h"

/* A stable sort of keys of a built-in type of up to 64 bits. Outputs may be in place of the inputs. */
typedef struct clprim__host_sort {
    clprim__key_image image; /* the order */
    size_t count;            /* at most UINT32_MAX */
    const void *keys_in;
    void *keys_out;    /* NULL: not wanted */
    size_t value_size; /* 0: keys alone */
    bool indices;      /* the values are the keys' places, of value_size bytes */
    const void *values_in;
    void *values_out;
} clprim__host_sort;

/* Bytes of scratch memory, of any alignment, for at most so many elements; SIZE_MAX: too many. It does not depend on the
 * arrays. */
size_t clprim__host_sort_scratch(const clprim__host_sort *sort);

/* Sort. It allocates nothing and cannot fail. */
void clprim__host_sort_run(const clprim__host_sort *sort, void *scratch);

#endif
