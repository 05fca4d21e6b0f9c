/* cases_operations.h: all distributed operations; a test compares the list with the library's names. */
#ifndef CLPRIM_TEST_DISTRIBUTED_CASES_OPERATIONS_H
#define CLPRIM_TEST_DISTRIBUTED_CASES_OPERATIONS_H

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

#endif
