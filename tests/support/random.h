// SPDX-License-Identifier: MIT
/* random.h: the generator of all tests, splitmix64 (Steele, Lea, Flood 2014). */
#ifndef CLPRIM_TEST_RANDOM_H
#define CLPRIM_TEST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline size_t test_random_below(uint64_t *state, size_t limit)
{
    return (size_t)(test_random(state) % limit);
}

#endif
