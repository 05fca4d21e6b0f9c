/* test_comparison_sort.h: a plan for sorts with all its arrays, whose results are judged;
 * test_comparison_sort.subject.c has the functions, the other parts use them. Everything asserts by itself.
 *
 * Of a stable sort the result is that of the reference, bit for bit. Else it is right where its elements are in order
 * and are, with their values, the input's. */
#ifndef CLPRIM_TEST_COMPARISON_SORT_H
#define CLPRIM_TEST_COMPARISON_SORT_H

#include <clprim/comparison_sort.h>
#include <clprim/reference.h>
#include <clprim/types.h>

#include "orders.h"

enum {
    COMPARISON_POISON = 0xa5,
    COMPARISON_VARIANTS = CLPRIM_COMPARISON_SORT_SAMPLE_SORT + 1,
    COMPARISON_MAX_OFFSET = 7
};

const char *comparison_variant_name(clprim_comparison_sort_variant variant);

/* The description of an order. */
clprim_comparison_sort_desc comparison_desc_of(const test_order *order);

/* What a call reads and writes. */
enum { COMPARISON_KEYS_IN, COMPARISON_VALUES_IN, COMPARISON_KEYS_OUT, COMPARISON_VALUES_OUT, COMPARISON_ARRAYS };

typedef struct comparison_array {
    size_t size; /* of an element; 0: there are none */
    cl_mem memory;
    unsigned char *before, *after; /* on the host */
} comparison_array;

typedef struct comparison_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_comparison_sort_desc desc;
    clprim_reference_before before; /* NULL: the total order */
    char name[192];
    size_t max_count;
    comparison_array arrays[COMPARISON_ARRAYS];
} comparison_subject;

typedef struct comparison_call {
    size_t count;
    size_t offsets[COMPARISON_ARRAYS];
    bool in_place[2]; /* keys, values: then the outputs' offsets mean nothing */
    unsigned repeat;  /* calls in a row, without waiting; 0: one */
    test_data data;
    uint64_t seed;
} comparison_call;

/* Make the plan and arrays for `max_count` elements. order NULL: the total order. */
void comparison_create(comparison_subject *out, clprim_runtime *runtime, clprim_comparison_sort_desc desc,
                       const test_order *order, size_t max_count);
void comparison_destroy(comparison_subject *self);
/* The result is right, and nothing else was written. */
void comparison_check(comparison_subject *self, const comparison_call *c);

/* `got` are `count` elements in order: `wanted`, rearranged, and their values with them (value_size 0: there are none).
 * Where desc is of a stable sort, equal ones are in the order of `wanted`. */
void comparison_judge(const clprim_comparison_sort_desc *desc, clprim_reference_before before, const void *wanted,
                      const void *wanted_values, const void *got, const void *got_values, size_t count,
                      const char *what);

#endif
