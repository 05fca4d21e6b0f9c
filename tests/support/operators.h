/* operators.h: operators of a caller's own, as the device and as the host know them: for what folds elements. */
#ifndef CLPRIM_TEST_OPERATORS_H
#define CLPRIM_TEST_OPERATORS_H

#include <clprim/reference.h>
#include <clprim/types.h>

/* Element for element they are read as numbers of U32, any of which will do. */
typedef struct test_operator {
    const char *name;
    clprim_custom_op op;
    clprim_type type; /* of elements without a type_name */
    size_t size;
    const void *identity;
    clprim_reference_combine combine;
} test_operator;

enum {
    TEST_JOIN = 0, /* a built-in type */
    TEST_RANGES,   /* 12 bytes */
    TEST_WIDE,     /* 40 bytes */
    TEST_MATRICES, /* this one and those below do not commute */
    TEST_AFFINE,
    TEST_SPANS, /* 12 bytes */
    TEST_OPERATORS
};

extern const test_operator test_operators[TEST_OPERATORS];

/* For references of sums and products of floats, step by step, in double. Results are rounded to an accumulator that is
 * F64 or narrower, for which double is wide enough: what is rounded is the exact sum or product. */
double test_combine(clprim_op op, clprim_type accumulator, double a, double b);
double test_identity(clprim_op op);
/* Element i as a float accumulator takes it: F32, where the type is I32. */
double test_load(clprim_type type, const void *data, size_t i);
void test_store(clprim_type type, void *out, size_t i, double value);

#endif
