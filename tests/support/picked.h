/* picked.h: what the tests of select and unique share: what an expression makes of the elements that they keep. */
#ifndef CLPRIM_TEST_PICKED_H
#define CLPRIM_TEST_PICKED_H

#include "cases.h"

enum { TEST_PICKED = 10 };

/* A plan with one of these expressions: of select with the predicate below, or by flags where the description has a type
 * of them; of unique by all bits. False if the device cannot run it. */
#define TEST_PICKED_PREDICATE "(i * 7919 >> 3) % 3 == 1"
bool test_picked_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                        size_t row);
/* A call of `count` elements, of which .count_at, if the description says so, takes about two thirds. */
void test_picked_check(test_call *self, size_t count, uint64_t seed);

#endif
