/* sums.h: long sums of floats, whose error must not grow with their number, and sums of -0.0. */
#ifndef CLPRIM_TEST_SUMS_H
#define CLPRIM_TEST_SUMS_H

#include "cases.h"

/* So many equal elements are added. A chain of additions from left to right loses half a rounding of the sum at each one
 * once it has come to 2^13, always in the same direction. */
enum { TEST_SUMMED = 1 << 24 };
#define TEST_SUMMAND (1.0F + 0x1p-11F - 0x1p-20F)

/* TEST_SUMMED of them; of F16 and I32, of others that are alike. There until the process ends. */
const void *test_summands(clprim_type type);
/* One of them. */
double test_summand(clprim_type type);

/* The sums of the first 1, 2, ... elements, or just that of `count`, by the bound of SUMS OF FLOATS in clprim/types.h. */
void test_is_sum(clprim_type type, float got, size_t count, const char *what);
void test_are_sums(clprim_type type, const float *got, size_t count, const char *what);

/* Zeros, bit for bit: the signs are those of `expected`. */
void test_are_zeros(const float *expected, const float *got, size_t count, const char *what);

#endif
