// SPDX-License-Identifier: MIT
/* sizes.h: arithmetic with sizes that may overflow. */
#ifndef CLPRIM_LIB_SIZES_H
#define CLPRIM_LIB_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Saturating sums and products of sizes. If a result does not fit size_t, it is SIZE_MAX, and stays SIZE_MAX in all
 * further sums and products. So the layout of scratch memory can be computed for any number of elements. */
static inline size_t clprim__plus(size_t a, size_t b)
{
    return b > SIZE_MAX - a ? SIZE_MAX : a + b;
}

static inline size_t clprim__times(size_t a, size_t b)
{
    return a != 0 && b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

/* Convert a 64-bit number to a size; SIZE_MAX if it does not fit. */
static inline size_t clprim__size_of(uint64_t number)
{
    return (size_t)number == number ? (size_t)number : SIZE_MAX;
}

#endif
