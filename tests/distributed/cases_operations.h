// SPDX-License-Identifier: MIT
/* cases_operations.h: all distributed operations, with a call of each, made from its table. A test compares the list
 * with the names that the library exports. */
#ifndef CLPRIM_TEST_DISTRIBUTED_CASES_OPERATIONS_H
#define CLPRIM_TEST_DISTRIBUTED_CASES_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cases.h"

/* X(name, ALONE), or X(name, SHARED) if the function also has `room` and `part`. */
#define CASES_OPERATIONS(X)                                                                                            \
    X(reduce, ALONE)                                                                                                   \
    X(scan, ALONE)                                                                                                     \
    X(histogram, ALONE)                                                                                                \
    X(top_k, ALONE)                                                                                                    \
    X(nth_element, ALONE)                                                                                              \
    X(adjacent_difference, ALONE)                                                                                      \
    X(transform, ALONE)                                                                                                \
    X(find, ALONE)                                                                                                     \
    X(is_sorted, ALONE)                                                                                                \
    X(select, SHARED)                                                                                                  \
    X(partition, SHARED)                                                                                               \
    X(unique, SHARED)                                                                                                  \
    X(run_length_encode, SHARED)                                                                                       \
    X(reduce_by_key, SHARED)                                                                                           \
    X(radix_sort, SHARED)                                                                                              \
    X(sort_by_key, SHARED)                                                                                             \
    X(merge, SHARED)                                                                                                   \
    X(set_operation, SHARED)                                                                                           \
    X(shuffle, SHARED)

enum {
    CASES_ROW_COUNT = 20 /* elements of each rank */,
    CASES_MOST_ARRAYS = 64,
    CASES_ARRAY_BYTES = 64 * CASES_ROW_COUNT
};

/* An operation, with a description in which arrays are optional or can be left out. */
typedef struct cases_row {
    const clprim_operation *table;
    clprim_status (*run)(const cases_rank *self, const void *desc, const void *call, const size_t *room);
    const void *desc;
} cases_row;

extern const cases_row cases_rows[];
extern const size_t cases_num_rows;

/* Memory for a description, a call, and the call's arrays, indexed by their number in the table. */
typedef struct cases_given {
    union {
        max_align_t alignment;
        char bytes[4096];
    } desc, call;
    char *memory[CASES_MOST_ARRAYS]; /* CASES_ARRAY_BYTES each */
} cases_given;

/* Set the row's description, and all arrays that it needs, including optional ones. */
void cases_given_begin(cases_given *it, const cases_row *of);
/* Set the arrays again, for the description as it is now. */
void cases_given_fill(cases_given *it, const clprim_operation *table);
/* Check that nothing was written past the ends of the arrays. */
void cases_given_end(cases_rank *self, cases_given *it);

clprim_array *cases_given_array(cases_given *it, const clprim_member *member, size_t index);
size_t cases_repeat_of(const clprim_member *member); /* 0: the member is no array */

/* Check that the status and the error sentence are the same on all ranks. */
typedef enum cases_outcome { CASES_AGREES, CASES_SUCCEEDS, CASES_FAILS } cases_outcome;
void cases_expect_agreement(cases_rank *self, clprim_status status, cases_outcome expected, const char *name,
                            const char *what);

#endif
