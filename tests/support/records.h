// SPDX-License-Identifier: MIT
/* records.h: records that are sorted by several of their members, on the device and on the host. */
#ifndef CLPRIM_TEST_RECORDS_H
#define CLPRIM_TEST_RECORDS_H

#include "call.h"

typedef struct test_record {
    float price;
    uint16_t half; /* an F16's bits */
    int16_t level;
    uint8_t kind;
    int8_t sign;
    uint16_t number;
    int32_t day;
} test_record;

#define TEST_RECORD_SOURCE                                                                                             \
    "typedef struct { float price; ushort half_bits; short level; uchar kind; char sign; ushort number; int day; } "   \
    "record;"
#define TEST_RECORD_TEXT                                                                                               \
    {                                                                                                                  \
        .source = TEST_RECORD_SOURCE, .parameters = {                                                                  \
            {"r", .type_name = "record", .type_size = sizeof(test_record), .is_array = true}                           \
        }                                                                                                              \
    }

/* A member by which records r are sorted. */
typedef struct test_record_key {
    const char *text;
    clprim_type type;
    size_t place; /* offset in the record */
    bool descending;
} test_record_key;

typedef struct test_record_order {
    const char *name;
    test_record_key keys[CLPRIM_MAX_KEYS]; /* ends with a key whose text is NULL */
    clprim_nan_order nan_order;
} test_record_order;

enum { TEST_RECORD_ORDERS = 6 }; /* the last one has a single key */
extern const test_record_order test_record_orders[TEST_RECORD_ORDERS];

/* The keys after the first one, in the form of a description. */
clprim_sort_keys test_further_keys(const test_record_order *order);

/* Fill with few distinct values per member, so that the first keys are often equal. Floats include NaNs, infinities and
 * zeros of both signs (halves are computed, so all their NaNs are equal); integers include the limits. */
void test_fill_records(test_record *out, size_t count, uint64_t seed);

/* Sort the indices of records first to first + count - 1 stably. */
void test_sort_records(uint32_t *out, const test_record *records, size_t first, size_t count,
                       const test_record_order *order);

/* Run the call with exactly as much scratch memory as it asks for, and check that nothing is written after it. */
void test_check_scratch(const test_call *self, const char *what);

#endif
