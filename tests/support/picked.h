// SPDX-License-Identifier: MIT
/* picked.h: what the tests of select and unique share: expressions that are applied to the elements that they keep. */
#ifndef CLPRIM_TEST_PICKED_H
#define CLPRIM_TEST_PICKED_H

#include "cases.h"

enum { TEST_PICKED = 10 };

/* Create a plan with one of these expressions: for select, with the predicate below, or by flags if the description has
 * a type for them; for unique, by all bits. Returns false if the device cannot run it. */
#define TEST_PICKED_PREDICATE "(i * 7919 >> 3) % 3 == 1"
bool test_picked_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                        size_t row);
/* Check a call of `count` elements. If the description has a .count_at, it limits them to about two thirds. */
void test_picked_check(test_call *self, size_t count, uint64_t seed);

#endif
