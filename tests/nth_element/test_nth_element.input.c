// SPDX-License-Identifier: MIT
/* test_nth_element.input.c: keys that an expression computes, with every variant, with arrays on the host and on the
 * device. */
#include "ordered.h"

enum { MAX_COUNT = 100001, RANKS = 40 };

static const size_t counts[] = {1, 2, 4097, MAX_COUNT};

static float x[MAX_COUNT], keys[MAX_COUNT];

static void check(test_call *self, const clprim_nth_element_desc *desc, size_t count, size_t there, size_t rank_count)
{
    const clprim_reference_nth_element_how how = {.key_type = CLPRIM_F32, .descending = desc->descending};
    uint32_t at_most = (uint32_t)there;
    uint32_t ranks[RANKS];
    uint64_t wide[RANKS];
    float found[RANKS];
    float sign = -1;
    there = there < count ? there : count;
    test_fill(x, CLPRIM_F32, CLPRIM_MAX, TEST_EXACT, count, count);
    for (size_t i = 0; i < count; i++)
        keys[i] = x[i] * sign;
    for (size_t r = 0; r < rank_count; r++)
        wide[r] = ranks[r] = (uint32_t)(r * 2654435761u % (count + 1)); /* the largest is one past the last key */
    ASSERT_OK(clprim_reference_nth_element(found, &how, keys, there, wide, rank_count));
    test_call_fill(self,
                   &(clprim_nth_element_call){.arguments = {{.host = x}, {.host = &sign}},
                                              .count_at = {.host = &at_most},
                                              .count = count,
                                              .ranks = {.host = ranks},
                                              .rank_count = rank_count,
                                              .keys_out = {.host = found}},
                   count);
    test_call_check(self, "%zu of %zu elements, %zu ranks", there, count, rank_count);
}

TEST_BY_VARIANT(nth_element_input, is_found_as_in_an_array_of_it, clprim_nth_element_operation)
{
    const clprim_nth_element_desc desc = {
        .key_type = CLPRIM_F32,
        .input = "x[i] * sign",
        .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {"sign", CLPRIM_F32}},
        .descending = variant % 2 == 0,
        .count_at_type = CLPRIM_U32,
        .max_ranks = RANKS,
        .variant = (clprim_nth_element_variant)variant};
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_nth_element_operation, &desc))
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            check(&self, &desc, counts[c], counts[c], 1);
            check(&self, &desc, counts[c], counts[c], RANKS);
            check(&self, &desc, counts[c], counts[c] / 2 + 1, 3);
        }
}
