/* sorts.h: what the tests of sorts by comparisons share: elements that are hard to sort, and orders of a caller's. */
#ifndef CLPRIM_TEST_SORTS_H
#define CLPRIM_TEST_SORTS_H

#include <clprim/reference.h>
#include <clprim/types.h>

#include "support.h"

/* What elements look like. Orders are those of the type. */
typedef enum sort_data {
    SORT_RANDOM = 0, /* any bits at all */
    SORT_EQUAL,
    SORT_SORTED,
    SORT_REVERSED,
    SORT_ORGAN_PIPE, /* up and down again */
    SORT_FEW,        /* distinct ones */
    SORT_SPECIALS,   /* extremes; of floats NaNs of many payloads, infinities, zeros and denormals */
    SORT_DATA_END
} sort_data;

extern const char *const sort_data_names[SORT_DATA_END];

/* Elements of a built-in type, or of `size` bytes that are small numbers and in between any bits. */
void sort_fill(void *data, clprim_type type, size_t size, sort_data kind, size_t count, uint64_t seed);
/* Each value says where it was, as far as it has room for that. */
void sort_fill_values(void *values, size_t size, size_t count);

void *sort_allocate(size_t bytes);

/* A caller's order as the device and as the host know it. */
typedef struct sort_order {
    const char *name;
    clprim_type type;
    const char *type_name, *source, *less;
    size_t size;
    clprim_reference_before before;
} sort_order;

enum { SORT_ORDERS = 5 };
extern const sort_order sort_orders[SORT_ORDERS];

#endif
