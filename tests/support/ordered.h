/* ordered.h: what tests of sorts, merges and searches share: plans of each variant in orders of all kinds, checks of
 * sorts. */
#ifndef CLPRIM_TEST_ORDERED_H
#define CLPRIM_TEST_ORDERED_H

#include "cases.h"
#include "orders.h"
#include "segments.h"

/* The order of a plan. */
typedef struct test_ordered {
    const char *name;
    clprim_reference_order by;
    uint64_t seed; /* another one for each plan */
} test_ordered;

/* Makes a plan, which may differ from the description, and checks it. Where NaNs are last (by.nan_order), special
 * elements are enough. */
typedef void (*test_ordered_check)(clprim_runtime *runtime, void *desc, const test_ordered *how);

/* Checks plans of a variant, which `desc` has, beside whatever else all plans have: `types` of the built-in types,
 * `orders` of the caller's orders, or with CLPRIM_TEST_FULL all of both, with values of all sizes; and NaNs that are
 * last: F32 by each variant, F16 and F64 by AUTO. Values, directions, work-groups, indices, offsets and bounds take
 * turns; `number`, the variant's, says where they begin. */
void test_ordered_plans(const clprim_operation *face, const void *desc, size_t number, size_t types, size_t orders,
                        test_ordered_check check);

/* Checks a sort of keys of that kind, and of values that say where they were, by a plan with keys_in, values_in,
 * keys_out and values_out: of the whole array (segments NULL) or of segments. Unless the description has .stable, equal
 * keys may be reordered. Bits of `replaced`: 0, keys are sorted in place; 1, values are. */
void test_check_sort(test_call *self, const test_ordered *how, const test_segments *segments, size_t count,
                     test_data data, uint64_t replaced, uint64_t seed);

/* Checks sorts of whole arrays of up to max_count elements: of sizes around powers of two, where work-groups, tiles and
 * chunks end, and in between; of keys of all kinds, or special ones where NaNs are last, in place and not; and of
 * TEST_SORT_LARGE elements, on PoCL enough for splits of tiles to be searched before each pass. With CLPRIM_TEST_FULL
 * also of TEST_SORT_VERY_LARGE. */
enum { TEST_SORT_SOME = 5003, TEST_SORT_LARGE = 100003, TEST_SORT_VERY_LARGE = (1 << 20) + 7 };
void test_check_sorts(test_call *self, const test_ordered *how, size_t max_count);

/* A description, and keys whose places in the result are known. */
typedef struct test_known {
    const void *desc;
    test_by_heart known;
} test_known;

/* A row: the operation's stem, the keys' type twice, (keys), (places), and the description's other members. */
#define TEST_IN_BRACES(...)                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define TEST_KNOWN(stem, type, type_in_c, given, from, ...)                                                            \
    {                                                                                                                  \
        &(const clprim_##stem##_desc){.key_type = CLPRIM_##type, __VA_ARGS__},                                         \
        {                                                                                                              \
            .name = #type " " #__VA_ARGS__, .keys = (const type_in_c[])TEST_IN_BRACES given,                           \
            .count = sizeof((type_in_c[])TEST_IN_BRACES given) / sizeof(type_in_c),                                    \
            .written = sizeof((uint32_t[])TEST_IN_BRACES from) / sizeof(uint32_t), .places = TEST_IN_BRACES from       \
        }                                                                                                              \
    }

/* The reference gives these, with indices of both types, and with values of every size. */
void test_expect_known(const clprim_operation *face, const test_known *rows, size_t count);

/* run refuses offsets on the host that descend or lie behind the array; it, and enqueue, refuse more segments than
 * `max_segments` (0: than kernels count). Nothing is written. `desc` has segments, and keys of 4 bytes. */
void test_refuse_segments(const clprim_operation *face, const void *desc, size_t max_segments);

#endif
