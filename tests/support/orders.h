/* orders.h: elements that are hard to sort, and orders of a caller's, as the device and as the host know them: for what
 * compares elements. */
#ifndef CLPRIM_TEST_ORDERS_H
#define CLPRIM_TEST_ORDERS_H

#include <clprim/reference.h>
#include <clprim/types.h>

#include "call.h"

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

/* Keys that are known by heart, and at which places those that come out were. */
typedef struct test_by_heart {
    const char *name;
    const void *keys;
    size_t count, written;
    uint32_t places[12];
} test_by_heart;

/* The reference sorts keys_in to keys_out and values_in, which may be none, to values_out, of value_size bytes. */
void test_expect_by_heart(const clprim_operation *face, const void *desc, size_t value_size,
                          const test_by_heart *known);

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
/* What descriptions have in common beside the type. */
#define TEST_ORDER_MEMBERS(order)                                                                                      \
    .less = (order)->less, .source = (order)->source, .type_name = (order)->type_name,                                 \
    .type_size = (order)->type_name != NULL ? (order)->size : 0

/* Put elements in order, stably, and their values with them: by `before`, which must be an order, or
 * the type's. order->size must be given. */
void test_sort_elements(void *data, void *values, size_t value_size, const clprim_reference_order *order, size_t count);

/* Keys are as good at each place as those expected, in the order of `before` or bit by bit, and with their values, if
 * value_size is not 0, they are the same. */
void test_expect_as_good(clprim_reference_before before, const void *keys, size_t size, const void *values,
                         size_t value_size, const void *got_keys, const void *got_values, size_t count,
                         const char *what);

/* For a test_call's user, where equal elements and their values may change places in an array, or in each segment. */
typedef struct test_unstable {
    clprim_reference_before before; /* NULL: equal elements have the same bits */
    const uint64_t *bounds;         /* of num_segments + 1 elements */
    size_t num_segments;            /* 0: the whole array */
} test_unstable;

/* The judge of sorts that are not stable, with outputs keys_out and values_out. */
void test_judge_unstable(const test_call *self, size_t i, void *got, const char *what);

#endif
