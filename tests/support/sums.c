// SPDX-License-Identifier: MIT
/* sums.c: long sums of floats. */
#include "sums.h"

#include <math.h>

enum { MOST_ROUNDINGS = 1024, PLACE = 48 };

double test_summand(clprim_type type)
{
    return type == CLPRIM_I32 ? (1 << 15) + 15 : type == CLPRIM_F16 ? 1 + 0x1p-10 : (double)TEST_SUMMAND;
}

const void *test_summands(clprim_type type)
{
    void *data = test_memory(PLACE + (size_t)type, TEST_SUMMED * sizeof(float));
    for (size_t i = 0; i < TEST_SUMMED; i++)
        if (type == CLPRIM_I32)
            ((int32_t *)data)[i] = (int32_t)test_summand(type);
        else
            test_store(type, data, i, test_summand(type));
    return data;
}

static double roundings(clprim_type type, float got, size_t count)
{
    const double exact = (double)count * test_summand(type);
    return fabs((double)got - exact) / exact * 0x1p24;
}

void test_is_sum(clprim_type type, float got, size_t count, const char *what)
{
    const double error = roundings(type, got, count);
    cr_assert(error <= (double)MOST_ROUNDINGS, "%s: the sum of %zu elements is %.9g, off by %g roundings", what, count,
              (double)got, error);
}

void test_are_sums(clprim_type type, const float *got, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (!(roundings(type, got[i], i + 1) <= (double)MOST_ROUNDINGS))
            test_is_sum(type, got[i], i + 1, what);
}

void test_are_zeros(const float *expected, const float *got, size_t count, const char *what)
{
    test_expect_same(expected, got, sizeof(float), count, what);
}
