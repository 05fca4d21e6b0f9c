// SPDX-License-Identifier: MIT
/* elements.h: compute for the test what an expression over an array computes on the device. */
#ifndef CLPRIM_TEST_ELEMENTS_H
#define CLPRIM_TEST_ELEMENTS_H

#include <clprim/types.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Compute element i of an array from element `place` of another one. */
typedef void (*test_element)(void *to, size_t i, const void *from, size_t place);

/* Define such a function by an expression in C over i and the other array's element x. Both arrays have this type. */
#define TEST_ELEMENT(name, type, expression)                                                                           \
    static inline void name(void *to, size_t i, const void *from, size_t place)                                        \
    {                                                                                                                  \
        const type x = ((const type *)from)[place];                                                                    \
        (void)x;                                                                                                       \
        ((type *)to)[i] = (type)(expression);                                                                          \
    }

/* Copy the bits. For halves, which the device converts, all NaNs become the quiet NaN. */
TEST_ELEMENT(test_same_2, uint16_t, x)
TEST_ELEMENT(test_same_4, uint32_t, x)
TEST_ELEMENT(test_same_8, uint64_t, x)
TEST_ELEMENT(test_same_half, uint16_t, isnan(clprim_half_to_float(x)) ? 0x7e00 : x)
TEST_ELEMENT(test_plus_three, uint8_t, x + 3)

#endif
