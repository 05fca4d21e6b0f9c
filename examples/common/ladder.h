// SPDX-License-Identifier: MIT
/* ladder.h: which variants are steps of their operation's ladder, and why each is as fast as it is: from
 * benchmarks/ladders.csv and from the heads of the kernels. */
#ifndef CLPRIM_EXAMPLES_LADDER_H
#define CLPRIM_EXAMPLES_LADDER_H

#include <stdbool.h>

/* False also for what is no variant, such as "AUTO" or "plain C loop". */
bool ladder_is_step(const char *operation, const char *variant);

/* A sentence; "" for what is no variant of a ladder. */
const char *ladder_why(const char *operation, const char *variant);

#endif
