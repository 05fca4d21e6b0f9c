// SPDX-License-Identifier: MIT
/* units.h: elements that kernels copy without using their values, as units of 1, 2, 4, 8 or 16 bytes. */
#ifndef CLPRIM_LIB_UNITS_H
#define CLPRIM_LIB_UNITS_H

#include <stddef.h>

enum {
    CLPRIM__LARGEST_UNIT = 16,
    CLPRIM__LARGEST_ELEMENT = 256 /* bytes, for elements of any size */
};

/* The largest unit whose multiple this size is: 12 bytes are three units of 4. */
static inline size_t clprim__unit_size(size_t element_size)
{
    size_t unit = 1;
    while (unit < CLPRIM__LARGEST_UNIT && element_size % (2 * unit) == 0)
        unit *= 2;
    return unit;
}

/* The unit's type in OpenCL C. */
static inline const char *clprim__unit_type(size_t unit)
{
    return unit == 1 ? "uchar" : unit == 2 ? "ushort" : unit == 4 ? "uint" : unit == 8 ? "ulong" : "uint4";
}

#endif
