// SPDX-License-Identifier: MIT
/* random.c: the SplitMix64 generator (Steele, Lea, Flood 2014). */
#include "random.h"

uint64_t random_bits(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

float random_share(uint64_t *state)
{
    return (float)(random_bits(state) >> 40) * 0x1p-24F;
}
