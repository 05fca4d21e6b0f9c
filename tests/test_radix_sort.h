/* test_radix_sort.h: a plan for sorts with all its arrays, checked against the reference, and keys that are hard to
 * sort; test_radix_sort.subject.c has the functions, the other parts use them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_RADIX_SORT_H
#define CLPRIM_TEST_RADIX_SORT_H

#include <clprim/radix_sort.h>
#include <clprim/reference.h>
#include <clprim/types.h>

#include "support.h"

enum { SORT_POISON = 0xa5, SORT_VARIANTS = CLPRIM_RADIX_SORT_CPU_BUCKETS + 1, SORT_MAX_OFFSET = 7 };

/* What keys look like. Orders are those of the type. */
typedef enum sort_data {
    SORT_RANDOM = 0, /* any bits at all */
    SORT_EQUAL,
    SORT_ONE_BYTE, /* equal but for one byte, or half of it, of their place in the order: byte seed % size */
    SORT_SORTED,
    SORT_REVERSED,
    SORT_ALTERNATING, /* the first and the last in the order, or those on both sides of its middle */
    SORT_FEW,         /* distinct ones */
    SORT_SPECIALS,    /* extremes; of floats NaNs of many payloads, infinities, zeros and denormals */
    SORT_DATA_END
} sort_data;

void sort_fill(void *keys, clprim_type type, sort_data data, size_t count, uint64_t seed);
/* Each value says where it was, as far as it has room for that. */
void sort_fill_values(void *values, size_t size, size_t count);

const char *sort_variant_name(clprim_radix_sort_variant variant);
/* The same for the reference. */
clprim_reference_sort_how sort_how(const clprim_radix_sort_desc *desc);
/* Bytes of a value, whoever makes it; 0: there are none. */
size_t sort_value_size(const clprim_radix_sort_desc *desc);

/* What a call reads and writes. */
enum { SORT_KEYS_IN, SORT_VALUES_IN, SORT_KEYS_OUT, SORT_VALUES_OUT, SORT_ARRAYS };

typedef struct sort_array {
    size_t size; /* of an element; 0: there are none */
    cl_mem memory;
    unsigned char *expected;
} sort_array;

typedef struct sort_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_radix_sort_desc desc;
    clprim_reference_sort_how how;
    char name[160];
    size_t max_count;
    sort_array arrays[SORT_ARRAYS];
    unsigned char *found;
} sort_subject;

typedef struct sort_call {
    size_t count;
    size_t offsets[SORT_ARRAYS];
    bool in_place[2]; /* keys, values: then the outputs' offsets mean nothing */
    unsigned repeat;  /* calls in a row, without waiting; 0: one */
    sort_data data;
    uint64_t seed;
} sort_call;

/* Make the plan and arrays for `max_count` elements. False where the device cannot run it, and says so; where the
 * header promises that it can, that is an error. */
bool sort_create(sort_subject *out, clprim_runtime *runtime, clprim_radix_sort_desc desc, size_t max_count);
void sort_destroy(sort_subject *self);
/* The result is the reference's, bit for bit, and nothing else was written. */
void sort_check(sort_subject *self, const sort_call *c);

#endif
