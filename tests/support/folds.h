/* folds.h: what the tests of reduce, scan and reduce_by_key share. Members that an operation does not have are not set. */
#ifndef CLPRIM_TEST_FOLDS_H
#define CLPRIM_TEST_FOLDS_H

#include "cases.h"

#include <clprim/reference.h>

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
    TEST_MOVES, /* 20 bytes; this one and those below have no identity */
    TEST_FIRST, /* 64 bits */
    TEST_NEXT,  /* halves */
    TEST_OPERATORS
};

extern const test_operator test_operators[TEST_OPERATORS];

/* The same, but nobody is told of its identity. */
test_operator test_without_identity(const test_operator *own);

/* For references of sums and products of floats, step by step, in double. Results are rounded to an accumulator that is
 * F64 or narrower, for which double is wide enough: what is rounded is the exact sum or product. */
double test_combine(clprim_op op, clprim_type accumulator, double a, double b);
double test_identity(clprim_op op);
/* Element i as a float accumulator takes it: F32, where the type is I32. */
double test_load(clprim_type type, const void *data, size_t i);

/* A plan whose results are judged: sums and products of floats bit by bit if the turn's data are EXACT, and otherwise
 * up to the error that rounding allows; everything else bit by bit. `own` may be NULL; otherwise it becomes the
 * description's operator, and results are compared with the host's fold. False if the device cannot run it. */
bool test_fold_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                      const test_operator *own);

/* All sizes, of elements that come from one of these expressions, with head flags or keys of U8 and .count_at, if the
 * description says so. The last row has an operator that does not commute. */
enum { TEST_INPUTS = 11 };
void test_fold_input(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t row);

/* All sizes, of results of which one of these expressions makes what is written, in place and not, as above; an initial
 * value is the first element. The last two rows have an operator that does not commute. */
enum { TEST_OUTPUTS = 13, TEST_COMMUTING_OUTPUTS = 11 };
void test_fold_output(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t row);

/* A run of the call, with this expression for .output, in which mark(marks, k, count) notes that it is computed for k,
 * which is its value: so often as `times` says for each k < count, and for no other. False if it is CLPRIM_UNSUPPORTED. */
bool test_output_is_computed(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *call,
                             const char *output, const uint32_t *times, uint32_t count);

/* All sizes and patterns; each size also with EXACT data. Of large sizes only one call in `share` is made. */
void test_fold_turns(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t share);
/* All counts around tiles with an operator of the caller's. */
void test_fold_own(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const test_operator *own);

/* Each type in some wider ones, and each kind of accumulator, by a variant after the other. */
void test_fold_accumulators(clprim_runtime *runtime, const clprim_operation *face, size_t share);
/* Integers in floats that do not hold them: each is rounded once, to nearest, ties to even, before it is added. By
 * default each variant meets two pairs of types, and each pair some variants. */
void test_fold_rounded(clprim_runtime *runtime, const clprim_operation *face);
/* F32 by each variant, with so many operators; F16 and F64 by AUTO. */
void test_fold_nans(clprim_runtime *runtime, const clprim_operation *face, size_t operators);

/* Tests of the last three, and of refusals. */
#define TEST_FOLDS(suite, operation, share, operators)                                                                 \
    TEST_WITH_RUNTIME(suite, accumulator_types)                                                                        \
    {                                                                                                                  \
        test_fold_accumulators(runtime, &(operation), share);                                                          \
    }                                                                                                                  \
    TEST_WITH_RUNTIME(suite, integers_are_rounded_before_they_are_added)                                               \
    {                                                                                                                  \
        test_fold_rounded(runtime, &(operation));                                                                      \
    }                                                                                                                  \
    TEST_WITH_RUNTIME(suite, propagates_nans)                                                                          \
    {                                                                                                                  \
        test_fold_nans(runtime, &(operation), operators);                                                              \
    }                                                                                                                  \
    TEST_WITH_RUNTIME(suite, folds_that_are_refused)                                                                   \
    {                                                                                                                  \
        test_fold_refusals(runtime, &(operation));                                                                     \
    }

/* The bits of the documented tree, which `reference` computes, whatever the work-group size, offset and repetition. The
 * last of the counts is the largest. */
void test_fold_reproducible(clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                            clprim_status (*reference)(const void *desc, const void *call), const size_t *counts,
                            size_t num_counts);
/* Operators and accumulators that are refused; reproducible sums by variants that are not. */
void test_fold_refusals(clprim_runtime *runtime, const clprim_operation *face);

#endif
