/* cases_operations.h: all distributed operations, with a call of each, by their tables. A test compares the list with the
 * library's names. */
#ifndef CLPRIM_TEST_DISTRIBUTED_CASES_OPERATIONS_H
#define CLPRIM_TEST_DISTRIBUTED_CASES_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cases.h"

/* X(name, ALONE), or X(name, SHARED) where the function also has `room` and `part`. */
#define CASES_OPERATIONS(X)                                                                                            \
    X(reduce, ALONE)                                                                                                   \
    X(scan, ALONE)                                                                                                     \
    X(histogram, ALONE)                                                                                                \
    X(top_k, ALONE)                                                                                                    \
    X(select, SHARED)                                                                                                  \
    X(partition, SHARED)                                                                                               \
    X(unique, SHARED)                                                                                                  \
    X(run_length_encode, SHARED)                                                                                       \
    X(reduce_by_key, SHARED)                                                                                           \
    X(radix_sort, SHARED)                                                                                              \
    X(sort_by_key, SHARED)

enum {
    CASES_ROW_COUNT = 20 /* elements of each rank */,
    CASES_MOST_ARRAYS = 64,
    CASES_ARRAY_BYTES = 64 * CASES_ROW_COUNT
};

/* An operation, with a description in which arrays are optional, or there or not. */
typedef struct cases_row {
    const clprim_operation *table;
    clprim_status (*run)(const cases_rank *self, const void *desc, const void *call, const size_t *room);
    const void *desc;
} cases_row;

extern const cases_row cases_rows[];
extern const size_t cases_num_rows;

/* Room for a description, a call, and the call's arrays, by their number in the table. */
typedef struct cases_given {
    union {
        max_align_t alignment;
        char bytes[4096];
    } desc, call;
    char *memory[CASES_MOST_ARRAYS]; /* CASES_ARRAY_BYTES each */
} cases_given;

/* The row's description, and all arrays that it asks for, optional ones, too. */
void cases_given_begin(cases_given *it, const cases_row *of);
/* The arrays again, by the description that is there now. */
void cases_given_fill(cases_given *it, const clprim_operation *table);
/* Nothing was written behind the arrays. */
void cases_given_end(cases_rank *self, cases_given *it);

clprim_array *cases_given_array(cases_given *it, const clprim_member *member, size_t index);
size_t cases_repeat_of(const clprim_member *member); /* 0: it is no array */

/* The same status and the same words on all ranks. */
typedef enum cases_outcome { CASES_AGREES, CASES_SUCCEEDS, CASES_FAILS } cases_outcome;
void cases_expect_agreement(cases_rank *self, clprim_status status, cases_outcome expected, const char *name,
                            const char *what);

#endif
