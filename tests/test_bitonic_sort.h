/* test_bitonic_sort.h: a plan for sorts with all its arrays, whose results are judged; test_bitonic_sort.subject.c
 * has the functions, the other parts use them. Everything asserts by itself.
 *
 * Since the sort is not stable, a result is right where its elements are in order and are, with their values, the
 * input's; without a caller's order what is equal has the same bits, so that they must be the reference's of the radix
 * sort. */
#ifndef CLPRIM_TEST_BITONIC_SORT_H
#define CLPRIM_TEST_BITONIC_SORT_H

#include <clprim/bitonic_sort.h>
#include <clprim/reference.h>
#include <clprim/types.h>

#include "orders.h"
#include "support.h"

enum { BITONIC_POISON = 0xa5, BITONIC_VARIANTS = CLPRIM_BITONIC_SORT_CPU_CHUNK + 1, BITONIC_MAX_OFFSET = 7 };

const char *bitonic_variant_name(clprim_bitonic_sort_variant variant);

/* The description of an order. */
clprim_bitonic_sort_desc bitonic_desc_of(const test_order *order);

/* What a call reads and writes. */
enum { BITONIC_KEYS_IN, BITONIC_VALUES_IN, BITONIC_KEYS_OUT, BITONIC_VALUES_OUT, BITONIC_ARRAYS };

typedef struct bitonic_array {
    size_t size; /* of an element; 0: there are none */
    cl_mem memory;
    unsigned char *before, *after; /* on the host */
} bitonic_array;

typedef struct bitonic_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_bitonic_sort_desc desc;
    clprim_reference_before before; /* NULL: the total order */
    char name[192];
    size_t max_count;
    bitonic_array arrays[BITONIC_ARRAYS];
} bitonic_subject;

typedef struct bitonic_call {
    size_t count;
    size_t offsets[BITONIC_ARRAYS];
    bool in_place[2]; /* keys, values: then the outputs' offsets mean nothing */
    unsigned repeat;  /* calls in a row, without waiting; 0: one */
    test_data data;
    uint64_t seed;
} bitonic_call;

/* Make the plan and arrays for `max_count` elements. order NULL: the total order. False where the device cannot run it,
 * and says so; where the header promises that it can, that is an error. */
bool bitonic_create(bitonic_subject *out, clprim_runtime *runtime, clprim_bitonic_sort_desc desc,
                    const test_order *order, size_t max_count);
void bitonic_destroy(bitonic_subject *self);
/* The result is right, and nothing else was written. */
void bitonic_check(bitonic_subject *self, const bitonic_call *c);

/* `got` are `count` elements in order: `wanted`, rearranged, and their values with them (value_size 0: there are none).
 */
void bitonic_judge(const clprim_bitonic_sort_desc *desc, clprim_reference_before before, const void *wanted,
                   const void *wanted_values, const void *got, const void *got_values, size_t count, const char *what);

#endif
