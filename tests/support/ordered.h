// SPDX-License-Identifier: MIT
/* ordered.h: what the tests of sorts, merges and searches share: elements that are hard to sort; custom orders for the
 * device and for the host; segments; plans of each variant with all kinds of orders; checks of sorts. */
#ifndef CLPRIM_TEST_ORDERED_H
#define CLPRIM_TEST_ORDERED_H

#include "cases.h"

/* The pattern of elements. "Order" means that of the type. */
typedef enum test_data {
    TEST_DATA_RANDOM = 0, /* arbitrary bits */
    TEST_DATA_EQUAL,
    TEST_DATA_SORTED,
    TEST_DATA_REVERSED,
    TEST_DATA_ORGAN_PIPE,  /* ascending, then descending */
    TEST_DATA_FEW,         /* few distinct ones */
    TEST_DATA_SPECIALS,    /* extremes; for floats, NaNs of many payloads, infinities, zeros and denormals */
    TEST_DATA_ONE_BYTE,    /* equal except for byte seed % size, or half of that byte, of their place in the order */
    TEST_DATA_LOW_BITS,    /* equal except for the lowest 4 bits of their place in the order */
    TEST_DATA_ALTERNATING, /* alternately the first and the last one in the order, or those on both sides of its
                            * middle */
    TEST_DATA_ONE_OF_MANY, /* all equal to the first or the last one in the order, except for one in 1000 */
    TEST_DATA_END
} test_data;

/* Fill with elements of a built-in type. Without a type, elements have `size` bytes, and are partly small numbers,
 * partly arbitrary bits. */
void test_fill_elements(void *data, clprim_type type, size_t size, test_data kind, size_t count, uint64_t seed);
/* The bits of the element of a built-in type that has this place in its order. */
uint64_t test_element_at(clprim_type type, uint64_t place);
/* Each value is the index where it was, as far as its size allows. */
void test_fill_values(void *values, size_t size, size_t count);

const char *test_data_name(test_data data);

/* Call test_call_fill. Inputs that the call does not have are filled with data of this kind: elements of built-in
 * types; plain bytes are filled with indices. */
void test_call_fill_data(test_call *self, const void *call, test_data data, uint64_t seed);

/* A custom order for the device and for the host. The total order has neither `less` nor `before`. */
typedef struct test_order {
    const char *name;
    clprim_type type;
    const char *type_name, *source, *less;
    size_t size;
    clprim_reference_before before;
} test_order;

enum { TEST_ORDERS = 5 };
extern const test_order test_orders[TEST_ORDERS];

test_order test_total_order(clprim_type type);
clprim_reference_order test_reference_order(const test_order *order, bool descending, clprim_nan_order nan_order);
/* Sort elements stably, with their values: by `before`, which must be a valid order, or by the type's order.
 * order->size must be set. */
void test_sort_elements(void *data, void *values, size_t value_size, const clprim_reference_order *order, size_t count);

/* Check that the keys are equivalent to the expected ones at each place, by `before` or bit by bit; and that each key
 * has one of the expected values, if value_size is not 0. */
void test_expect_as_good(clprim_reference_before before, const void *keys, size_t size, const void *values,
                         size_t value_size, const void *got_keys, const void *got_values, size_t count,
                         const char *what);

/* The pattern of segments. */
typedef enum test_shape {
    TEST_SEGMENTS_NONE = 0,
    TEST_SEGMENTS_ONE, /* or, if that is too long, as long as allowed */
    TEST_SEGMENTS_ALL_EMPTY,
    TEST_SEGMENTS_SINGLES,    /* one element each */
    TEST_SEGMENTS_SHORT,      /* up to 20 elements */
    TEST_SEGMENTS_EDGES,      /* sizes around powers of two, and sizes that fill tiles and windows */
    TEST_SEGMENTS_GIANT,      /* one with most elements, and many tiny ones before and after it */
    TEST_SEGMENTS_GIANTS,     /* several of thousands of elements, with empty ones in between */
    TEST_SEGMENTS_INSIDE,     /* of any length, with empty ones in between, and elements before the first and after the
                               * last one */
    TEST_SEGMENTS_HALF_EMPTY, /* more segments than elements */
    TEST_SEGMENTS_LAST,       /* all empty except for the last one */
    TEST_SEGMENTS_END,
    TEST_SEGMENTS_MALFORMED = TEST_SEGMENTS_END /* offsets that descend, or that are beyond the array */
} test_shape;

typedef struct test_segments {
    test_shape shape;
    uint64_t *bounds; /* count + 1 numbers, valid until the next segments are made */
    size_t count;
} test_segments;

/* Make segments of an array of `length` elements, each with at most `longest` elements; if they are malformed, at most
 * `longest` segments. */
test_segments test_make_segments(test_shape shape, size_t length, size_t longest, uint64_t seed);
/* The bounds as U64 or as U32, which is the default; valid until the next segments are packed. */
void *test_pack_bounds(const test_segments *segments, clprim_type type);
/* The order of a plan. */
typedef struct test_ordered {
    const char *name;
    clprim_reference_order by;
    uint64_t seed; /* different for each plan */
} test_ordered;

/* Make a plan, which may differ from the description, and check it. If NaNs are last (by.nan_order), special elements
 * are enough. */
typedef void (*test_ordered_check)(clprim_runtime *runtime, void *desc, const test_ordered *how);

/* Check plans of the variant in `desc`, in addition to what all plans have: `types` built-in types and `orders` custom
 * orders, or all of both with CLPRIM_TEST_FULL, with values of all sizes. NaNs last: F32 with each variant, F16 and F64
 * with AUTO. BF16 keys with each variant, with one of the two orders of NaNs. Values, directions, work-group sizes,
 * indices, offsets and bounds take turns, beginning at a place that depends on `number`, the variant's number. */
void test_ordered_plans(const clprim_operation *face, const void *desc, size_t number, size_t types, size_t orders,
                        test_ordered_check check);

/* Check a sort of keys of this kind with indices as values, by a plan with keys_in, values_in, keys_out and values_out:
 * of the whole array (segments NULL) or of segments. Unless the description has .stable, equal keys may be reordered.
 * Bits of `replaced`: 0, keys are sorted in place; 1, values are. */
void test_check_sort(test_call *self, const test_ordered *how, const test_segments *segments, size_t count,
                     test_data data, uint64_t replaced, uint64_t seed);

/* Check sorts of whole arrays of up to max_count elements. Sizes are around powers of two, where work-groups, tiles and
 * chunks end, and in between. Keys are of all kinds, or special ones if NaNs are last, in place and not. It includes
 * TEST_SORT_LARGE elements, which are enough on PoCL for a separate search for splits before each pass. With
 * CLPRIM_TEST_FULL, also TEST_SORT_VERY_LARGE elements. */
enum { TEST_SORT_SOME = 5003, TEST_SORT_LARGE = 100003, TEST_SORT_VERY_LARGE = (1 << 20) + 7 };
void test_check_sorts(test_call *self, const test_ordered *how, size_t max_count);

/* A description, keys with a known result, and the places where the sorted keys were. */
typedef struct test_known {
    const void *desc;
    const char *name;
    const void *keys;
    size_t count, written;
    uint32_t places[12];
} test_known;

/* A row: the operation's stem, the keys' type twice, (keys), (places), and further members of the description. */
#define TEST_IN_BRACES(...)                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define TEST_KNOWN(stem, type, type_in_c, given, from, ...)                                                            \
    {                                                                                                                  \
        .desc = &(const clprim_##stem##_desc){.key_type = CLPRIM_##type, __VA_ARGS__}, .name = #type " " #__VA_ARGS__, \
        .keys = (const type_in_c[])TEST_IN_BRACES given,                                                               \
        .count = sizeof((type_in_c[])TEST_IN_BRACES given) / sizeof(type_in_c),                                        \
        .written = sizeof((uint32_t[])TEST_IN_BRACES from) / sizeof(uint32_t), .places = TEST_IN_BRACES from           \
    }

/* Check that the reference gives these results, with indices of both types, and with values of every size. */
void test_expect_known(const clprim_operation *face, const test_known *rows, size_t count);

/* Check that run refuses offsets on the host that descend or are beyond the array; and that run and enqueue refuse more
 * segments than `max_segments` (0: than kernels can count). Nothing may be written. `desc` has segments, and keys of 4
 * bytes. */
void test_refuse_segments(const clprim_operation *face, const void *desc, size_t max_segments);

/* Errors for test_kernels_with (files.h): in tile.cl and group_passes.cl of kernels/radix_sort/parts, the ranks that
 * atomics return are in reverse order within a sub-group. */
#define TEST_RANKS_COUNTED "atomic_inc(OWN_TABLE(table) + digit_of(image, shift));\n"
#define TEST_RANKS_BACKWARDS                                                                                           \
    "    const uint same = same_digit(digit_of(image, shift));\n"                                                      \
    "    const uint before = popcount(same & ((1u << (uint)get_local_id(0) % 32) - 1));\n"                             \
    "    return place - before + popcount(same) - 1 - before;\n"
#define TEST_RANKS_IN_TILE                                                                                             \
    {                                                                                                                  \
        "radix_sort/parts/tile.cl", "    return " TEST_RANKS_COUNTED,                                                  \
            "    const uint place = tile_place_by_ballots(table, image, shift);\n" TEST_RANKS_BACKWARDS                \
    }
#define TEST_RANKS_IN_PASSES                                                                                           \
    {                                                                                                                  \
        "radix_sort/parts/group_passes.cl", "    return " TEST_RANKS_COUNTED,                                          \
            "    const uint place = " TEST_RANKS_COUNTED TEST_RANKS_BACKWARDS                                          \
    }

#endif
