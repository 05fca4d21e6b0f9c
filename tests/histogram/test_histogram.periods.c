// SPDX-License-Identifier: MIT
/* test_histogram.periods.c: elements that repeat with a period of 1 to 17. Some variants count equal elements of a
 * packet at once, and must not mistake equal words that consist of several elements for equal elements. */
#include "test_histogram.h"

enum { COUNT = 20000, MOST = 17 };

TEST_BY_VARIANT(histogram_periods, are_not_taken_for_equal_elements, clprim_histogram_operation)
{
    static const clprim_type types[] = {CLPRIM_U8, CLPRIM_U16, CLPRIM_U32};
    static uint64_t elements[COUNT / 2];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const clprim_type type = types[t];
        TEST_WITH_CALL(
            self, histogram_create(
                      &self, runtime,
                      (clprim_histogram_desc){.type = type, .bins = 64, .variant = (clprim_histogram_variant)variant}))
            for (size_t period = 1; period <= MOST; period++) {
                for (size_t i = 0; i < COUNT; i++) {
                    const uint32_t value = (uint32_t)(i / 1000 % 2 == 0 ? i % period : period); /* and long runs */
                    const size_t size = clprim_type_size(type);
                    memcpy((char *)elements + i * size, &value, size); /* on a little-endian host */
                }
                histogram_check(&self, elements, SPREAD_BITS, COUNT, 1, TEST_SEED + period);
            }
    }
}
