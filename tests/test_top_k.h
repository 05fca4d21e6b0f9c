/* test_top_k.h: plans for the first k with all their arrays, checked against the reference, and keys that are hard to
 * choose among; test_top_k.subject.c has the functions, the other parts use them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_TOP_K_H
#define CLPRIM_TEST_TOP_K_H

#include <clprim/reference.h>
#include <clprim/top_k.h>
#include <clprim/types.h>

#include "support.h"

enum { TOP_K_POISON = 0xa5, TOP_K_VARIANTS = CLPRIM_TOP_K_CPU_CHUNK + 1, TOP_K_MAX_OFFSET = 7 };

/* What keys look like. Orders are those of the type. */
typedef enum top_k_data {
    TOP_K_RANDOM = 0, /* any bits at all */
    TOP_K_EQUAL,
    TOP_K_FEW,      /* distinct ones: many are equal to the threshold */
    TOP_K_LOW_BITS, /* equal but for the lowest 4 bits of their place in the order */
    TOP_K_SORTED,
    TOP_K_REVERSED,
    TOP_K_ONE_OF_MANY, /* one in 1000 is not equal to the others, which are the first or the last in the order */
    TOP_K_SPECIALS,    /* extremes; of floats NaNs of many payloads, infinities, zeros and denormals */
    TOP_K_DATA_END
} top_k_data;

void top_k_fill(void *keys, clprim_type type, top_k_data data, size_t count, uint64_t seed);
/* Each value says where it was, as far as it has room for that. */
void top_k_fill_values(void *values, size_t size, size_t count);

const char *top_k_variant_name(clprim_top_k_variant variant);
/* The same for the reference. */
clprim_reference_top_k_how top_k_how(const clprim_top_k_desc *desc);
/* Bytes of a value, whoever makes it; 0: there are none. */
size_t top_k_value_size(const clprim_top_k_desc *desc);

/* What a call reads and writes. */
enum { TOP_K_KEYS_IN, TOP_K_VALUES_IN, TOP_K_KEYS_OUT, TOP_K_VALUES_OUT, TOP_K_ARRAYS };

typedef struct top_k_array {
    size_t size; /* of an element; 0: there are none */
    cl_mem memory;
    unsigned char *expected;
} top_k_array;

typedef struct top_k_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_top_k_desc desc;
    char name[160];
    size_t max_count;
    top_k_array arrays[TOP_K_ARRAYS];
    unsigned char *found;
} top_k_subject;

typedef struct top_k_call {
    size_t count;
    size_t offsets[TOP_K_ARRAYS];
    unsigned repeat; /* calls in a row, without waiting; 0: one */
    top_k_data data;
    uint64_t seed;
} top_k_call;

/* Make the plan and arrays for `max_count` elements. */
top_k_subject top_k_create(clprim_runtime *runtime, clprim_top_k_desc desc, size_t max_count);
/* A plan for another k. */
void top_k_set(top_k_subject *self, size_t k);
void top_k_destroy(top_k_subject *self);
/* The result is the reference's, bit for bit, and nothing else was written. */
void top_k_check(top_k_subject *self, const top_k_call *c);

#endif
