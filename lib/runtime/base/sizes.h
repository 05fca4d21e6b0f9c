/* sizes.h: numbers of bytes and elements that may be too large. */
#ifndef CLPRIM_LIB_SIZES_H
#define CLPRIM_LIB_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Sums and products of sizes. What does not fit size_t is SIZE_MAX, and stays SIZE_MAX in all that follows, so that the
 * layout of scratch memory may be worked out for any number of elements. */
static inline size_t clprim__plus(size_t a, size_t b)
{
    return b > SIZE_MAX - a ? SIZE_MAX : a + b;
}

static inline size_t clprim__times(size_t a, size_t b)
{
    return a != 0 && b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

/* A number of 64 bits as a size. */
static inline size_t clprim__size_of(uint64_t number)
{
    return (size_t)number == number ? (size_t)number : SIZE_MAX;
}

#endif
