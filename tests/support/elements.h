/* elements.h: what an expression over an array makes of it, once more for the test: the elements that it stands for. */
#ifndef CLPRIM_TEST_ELEMENTS_H
#define CLPRIM_TEST_ELEMENTS_H

#include <clprim/types.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Make element i of an array from element `place` of another one. */
typedef void (*test_element)(void *to, size_t i, const void *from, size_t place);

/* A function that does so by an expression in C over i and x, the other one's element; both arrays are of the type. */
#define TEST_ELEMENT(name, type, expression)                                                                           \
    static inline void name(void *to, size_t i, const void *from, size_t place)                                        \
    {                                                                                                                  \
        const type x = ((const type *)from)[place];                                                                    \
        (void)x;                                                                                                       \
        ((type *)to)[i] = (type)(expression);                                                                          \
    }

/* The same bits; of halves, which the device converts, with the one quiet NaN. */
TEST_ELEMENT(test_same_2, uint16_t, x)
TEST_ELEMENT(test_same_4, uint32_t, x)
TEST_ELEMENT(test_same_8, uint64_t, x)
TEST_ELEMENT(test_same_half, uint16_t, isnan(clprim_half_to_float(x)) ? 0x7e00 : x)
TEST_ELEMENT(test_plus_three, uint8_t, x + 3)

#endif
