// SPDX-License-Identifier: MIT
/* random.h: numbers that look random, and are the same on every machine. */
#ifndef CLPRIM_EXAMPLES_RANDOM_H
#define CLPRIM_EXAMPLES_RANDOM_H

#include <stdint.h>

/* The next number; *state may begin with any value. */
uint64_t random_bits(uint64_t *state);

/* The next number from 0 up to 1, of 24 bits. */
float random_share(uint64_t *state);

#endif
