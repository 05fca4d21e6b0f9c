/* ordered.h: what tests of sorts, merges and searches share: elements that are hard to sort, orders of a caller's as the
 * device and as the host know them, segments; plans of each variant in orders of all kinds, checks of sorts. */
#ifndef CLPRIM_TEST_ORDERED_H
#define CLPRIM_TEST_ORDERED_H

#include "cases.h"

/* What elements look like. Orders are those of the type. */
typedef enum test_data {
    TEST_DATA_RANDOM = 0, /* any bits at all */
    TEST_DATA_EQUAL,
    TEST_DATA_SORTED,
    TEST_DATA_REVERSED,
    TEST_DATA_ORGAN_PIPE,  /* up and down again */
    TEST_DATA_FEW,         /* distinct ones */
    TEST_DATA_SPECIALS,    /* extremes; of floats NaNs of many payloads, infinities, zeros and denormals */
    TEST_DATA_ONE_BYTE,    /* equal but for byte seed % size, or half of it, of their place in the order */
    TEST_DATA_LOW_BITS,    /* equal but for the lowest 4 bits of their place in the order */
    TEST_DATA_ALTERNATING, /* the first and the last in the order, or those on both sides of its middle */
    TEST_DATA_ONE_OF_MANY, /* one in 1000 is not equal to the others, which are the first or the last in the order */
    TEST_DATA_END
} test_data;

/* Elements of a built-in type, or of `size` bytes that are small numbers and in between any bits. */
void test_fill_elements(void *data, clprim_type type, size_t size, test_data kind, size_t count, uint64_t seed);
/* The bits of the element of a built-in type that is at a place in its order. */
uint64_t test_element_at(clprim_type type, uint64_t place);
/* Each value says where it was, as far as it has room for that. */
void test_fill_values(void *values, size_t size, size_t count);

const char *test_data_name(test_data data);

/* test_call_fill with inputs of that kind where the call has none: elements of built-in types; plain bytes say where
 * they were. */
void test_call_fill_data(test_call *self, const void *call, test_data data, uint64_t seed);

/* A caller's order as the device and as the host know it; the total order has neither `less` nor `before`. */
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
/* Put elements in order, stably, and their values with them: by `before`, which must be an order, or
 * the type's. order->size must be given. */
void test_sort_elements(void *data, void *values, size_t value_size, const clprim_reference_order *order, size_t count);

/* Keys are as good at each place as those expected, in the order of `before` or bit by bit, and with their values, if
 * value_size is not 0, they are the same. */
void test_expect_as_good(clprim_reference_before before, const void *keys, size_t size, const void *values,
                         size_t value_size, const void *got_keys, const void *got_values, size_t count,
                         const char *what);

/* What segments look like. */
typedef enum test_shape {
    TEST_SEGMENTS_NONE = 0,
    TEST_SEGMENTS_ONE, /* or where that is too long, as long as may be */
    TEST_SEGMENTS_ALL_EMPTY,
    TEST_SEGMENTS_SINGLES,    /* an element each */
    TEST_SEGMENTS_SHORT,      /* up to 20 elements */
    TEST_SEGMENTS_EDGES,      /* around powers of two, and what tiles and windows are made of them */
    TEST_SEGMENTS_GIANT,      /* most elements in one, and many tiny ones before and behind it */
    TEST_SEGMENTS_GIANTS,     /* some of them, of thousands of elements, with empty ones between */
    TEST_SEGMENTS_INSIDE,     /* of any length, empty ones between, elements before the first and behind the last */
    TEST_SEGMENTS_HALF_EMPTY, /* more segments than elements */
    TEST_SEGMENTS_LAST,       /* empty but for the last one */
    TEST_SEGMENTS_END,
    TEST_SEGMENTS_MALFORMED = TEST_SEGMENTS_END /* offsets that descend, or lie behind the array */
} test_shape;

typedef struct test_segments {
    test_shape shape;
    uint64_t *bounds; /* count + 1 of them, until the next segments are made */
    size_t count;
} test_segments;

/* Segments of an array of `length` elements, each of at most `longest`; of malformed ones at most so many. */
test_segments test_make_segments(test_shape shape, size_t length, size_t longest, uint64_t seed);
/* The bounds as U64 or as U32, which is the default; until the next segments are packed. */
void *test_pack_bounds(const test_segments *segments, clprim_type type);
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
 * last: F32 by each variant, F16 and F64 by AUTO. BF16 keys by each variant, with one of both orders of NaNs. Values,
 * directions, work-groups, indices, offsets and bounds take turns; `number`, the variant's, says where they begin. */
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

/* A description, keys that are known by heart, and at which places those that come out were. */
typedef struct test_known {
    const void *desc;
    const char *name;
    const void *keys;
    size_t count, written;
    uint32_t places[12];
} test_known;

/* A row: the operation's stem, the keys' type twice, (keys), (places), and the description's other members. */
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

/* The reference gives these, with indices of both types, and with values of every size. */
void test_expect_known(const clprim_operation *face, const test_known *rows, size_t count);

/* run refuses offsets on the host that descend or lie behind the array; it, and enqueue, refuse more segments than
 * `max_segments` (0: than kernels count). Nothing is written. `desc` has segments, and keys of 4 bytes. */
void test_refuse_segments(const clprim_operation *face, const void *desc, size_t max_segments);

/* Mistakes for test_kernels_with (files.h): in tile.cl and group_passes.cl of kernels/radix_sort/parts, the ranks that
 * atomics return are backwards within a sub-group. */
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
