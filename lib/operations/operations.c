/* operations.c: the list of all operations. */
#include "operations.h"

/* In the order of CLPRIM_PRIMITIVES; tests/contract sees that none is missing. */
#define OPERATIONS(X)                                                                                                  \
    X(reduce)                                                                                                          \
    X(scan)                                                                                                            \
    X(select)                                                                                                          \
    X(radix_sort)                                                                                                      \
    X(bitonic_sort)                                                                                                    \
    X(histogram)                                                                                                       \
    X(sort_by_key)                                                                                                     \
    X(segmented_sort)                                                                                                  \
    X(unique)                                                                                                          \
    X(run_length_encode)                                                                                               \
    X(reduce_by_key)                                                                                                   \
    X(top_k)                                                                                                           \
    X(comparison_sort)                                                                                                 \
    X(merge)                                                                                                           \
    X(is_sorted)                                                                                                       \
    X(search)

#define DECLARE(op)                                                                                                    \
    extern const clprim_operation clprim_##op##_operation;                                                             \
    extern const clprim__trial_subject clprim__##op##_trial;
OPERATIONS(DECLARE)
#undef DECLARE

static const clprim_operation *const faces[] = {
#define ROW(op) &clprim_##op##_operation,
    OPERATIONS(ROW)
#undef ROW
};

static const clprim__trial_subject *const subjects[] = {
#define ROW(op) &clprim__##op##_trial,
    OPERATIONS(ROW)
#undef ROW
};

const clprim_operation *const *clprim_operations(size_t *count)
{
    if (count != NULL)
        *count = sizeof faces / sizeof *faces;
    return faces;
}

const clprim__trial_subject *const *clprim__operation_subjects(size_t *count)
{
    if (count != NULL)
        *count = sizeof subjects / sizeof *subjects;
    return subjects;
}
