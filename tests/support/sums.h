// SPDX-License-Identifier: MIT
/* sums.h: long sums of floats, whose error must not grow with the number of elements; and sums of -0.0. */
#ifndef CLPRIM_TEST_SUMS_H
#define CLPRIM_TEST_SUMS_H

#include "cases.h"

/* This many equal elements are added. Once the sum has reached 2^13, a chain of additions from left to right loses half
 * a unit in the last place at each addition, always in the same direction. */
enum { TEST_SUMMED = 1 << 24 };
#define TEST_SUMMAND (1.0F + 0x1p-11F - 0x1p-20F)

/* TEST_SUMMED equal elements; for F16 and I32, other elements with similar properties. Valid until the process ends. */
const void *test_summands(clprim_type type);
/* One of them. */
double test_summand(clprim_type type);

/* Check the sums of the first 1, 2, ... elements, or only that of `count`, against the bound of SUMS OF FLOATS in
 * clprim/types.h. */
void test_is_sum(clprim_type type, float got, size_t count, const char *what);
void test_are_sums(clprim_type type, const float *got, size_t count, const char *what);

/* Check zeros bit for bit: they must have the signs of `expected`. */
void test_are_zeros(const float *expected, const float *got, size_t count, const char *what);

#endif
