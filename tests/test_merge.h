/* test_merge.h: a plan for merges with all its arrays among guards, whose results are compared with the reference's;
 * test_merge.subject.c has the functions, the other parts use them. Everything asserts by itself. */
#ifndef CLPRIM_TEST_MERGE_H
#define CLPRIM_TEST_MERGE_H

#include <clprim/merge.h>
#include <clprim/reference.h>

#include "orders.h"
#include "support.h"

enum { MERGE_POISON = 0xa5, MERGE_VARIANTS = CLPRIM_MERGE_TILES + 1, MERGE_MAX_OFFSET = 7 };

/* Which elements are a's. */
typedef enum merge_split {
    MERGE_SPLIT_ANY = 0, /* both ranges are alike */
    MERGE_SPLIT_BEFORE,  /* all of a come before all of b, or are equal to them */
    MERGE_SPLIT_BEHIND,
    MERGE_SPLIT_END
} merge_split;

/* What a call reads and writes; keys, and behind them their values. */
enum { MERGE_A, MERGE_A_VALUES, MERGE_B, MERGE_B_VALUES, MERGE_OUT, MERGE_OUT_VALUES, MERGE_ARRAYS };

typedef struct merge_array {
    size_t size; /* of an element; 0: there are none */
    cl_mem memory;
    unsigned char *before, *after; /* on the host */
} merge_array;

typedef struct merge_subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_merge_desc desc;
    clprim_reference_order order;
    char name[192];
    size_t max_count;
    merge_array arrays[MERGE_ARRAYS];
    unsigned char *expected[2];
} merge_subject;

typedef struct merge_call {
    size_t a_count, b_count;
    size_t offsets[MERGE_ARRAYS];
    test_data data;
    merge_split split;
    bool is_unsorted; /* then only what is not written is looked at */
    uint64_t seed;
} merge_call;

/* The description of an order. */
clprim_merge_desc merge_desc_of(const test_order *order);

/* Make the plan and arrays for `max_count` elements in all. order NULL: the total order. */
void merge_create(merge_subject *out, clprim_runtime *runtime, clprim_merge_desc desc, const test_order *order,
                  size_t max_count);
void merge_destroy(merge_subject *self);
/* The result is right, and nothing else was written. */
void merge_check(merge_subject *self, const merge_call *c);

const char *merge_variant_name(clprim_merge_variant variant);

#endif
