/* orders.h: elements that are hard to sort, and orders of a caller's, as the device and as the host know them: for what
 * compares elements. */
#ifndef CLPRIM_TEST_ORDERS_H
#define CLPRIM_TEST_ORDERS_H

#include <clprim/reference.h>
#include <clprim/types.h>

#include "support.h"

/* What elements look like. Orders are those of the type. */
typedef enum test_data {
    TEST_DATA_RANDOM = 0, /* any bits at all */
    TEST_DATA_EQUAL,
    TEST_DATA_SORTED,
    TEST_DATA_REVERSED,
    TEST_DATA_ORGAN_PIPE, /* up and down again */
    TEST_DATA_FEW,        /* distinct ones */
    TEST_DATA_SPECIALS,   /* extremes; of floats NaNs of many payloads, infinities, zeros and denormals */
    TEST_DATA_END
} test_data;

/* Elements of a built-in type, or of `size` bytes that are small numbers and in between any bits. */
void test_fill_elements(void *data, clprim_type type, size_t size, test_data kind, size_t count, uint64_t seed);
/* Each value says where it was, as far as it has room for that. */
void test_fill_values(void *values, size_t size, size_t count);

const char *test_data_name(test_data data);

/* Put elements in order, stably: by `before`, which must be an order, or the type's. order->size must be given. */
void test_sort_elements(void *data, const clprim_reference_order *order, size_t count);

/* A caller's order as the device and as the host know it. */
typedef struct test_order {
    const char *name;
    clprim_type type;
    const char *type_name, *source, *less;
    size_t size;
    clprim_reference_before before;
} test_order;

enum { TEST_ORDERS = 5 };
extern const test_order test_orders[TEST_ORDERS];

#endif
