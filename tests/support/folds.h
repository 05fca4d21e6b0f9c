// SPDX-License-Identifier: MIT
/* folds.h: what the tests of reduce, scan and reduce_by_key share. Members that an operation does not have are not
 * set. */
#ifndef CLPRIM_TEST_FOLDS_H
#define CLPRIM_TEST_FOLDS_H

#include "cases.h"

#include <clprim/reference.h>

/* A custom operator. Its elements are read as U32 numbers; any numbers will do. */
typedef struct test_operator {
    const char *name;
    clprim_custom_op op;
    clprim_type type; /* type of elements without a type_name */
    size_t size;
    const void *identity;
    clprim_reference_combine combine;
} test_operator;

enum {
    TEST_JOIN = 0, /* a built-in type */
    TEST_RANGES,   /* 12 bytes */
    TEST_WIDE,     /* 40 bytes */
    TEST_MATRICES, /* this one and the ones below do not commute */
    TEST_AFFINE,
    TEST_SPANS, /* 12 bytes */
    TEST_MOVES, /* 20 bytes; this one and the ones below have no identity */
    TEST_FIRST, /* 64 bits */
    TEST_NEXT,  /* halves */
    TEST_OPERATORS
};

extern const test_operator test_operators[TEST_OPERATORS];

/* The same operator, but without its identity. */
test_operator test_without_identity(const test_operator *own);

/* A step of the reference for sums and products of floats, in double. The result is rounded to the accumulator, which
 * is F64 or narrower. Double is wide enough: the exact sum or product is rounded only once. */
double test_combine(clprim_op op, clprim_type accumulator, double a, double b);
double test_identity(clprim_op op);
/* Element i as a float accumulator loads it: as F32, if the type is I32. */
double test_load(clprim_type type, const void *data, size_t i);

/* Create a plan whose results are judged. Sums and products of floats must be exact if the turn's data are EXACT, and
 * otherwise within the error bound for rounding; everything else must be exact. `own` may be NULL; otherwise it is the
 * description's operator, and results are compared with the host's fold. Returns false if the device cannot run it. */
bool test_fold_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                      const test_operator *own);

/* Test all sizes with elements from one of these expressions, with head flags or U8 keys and .count_at, if the
 * description has them. The last row has an operator that does not commute. */
enum { TEST_INPUTS = 11 };
void test_fold_input(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t row);

/* Test all sizes with one of these expressions as .output, in place and not, as above. The initial value is the first
 * element. The last two rows have an operator that does not commute. */
enum { TEST_OUTPUTS = 13, TEST_COMMUTING_OUTPUTS = 11 };
void test_fold_output(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t row);

/* Run the call with this .output expression, in which mark(marks, k, count) records that it is computed for k. Its
 * value is k. Check that it is computed times[k] times for each k < count, and for no other k. Returns false if the
 * call is CLPRIM_UNSUPPORTED. */
bool test_output_is_computed(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *call,
                             const char *output, const uint32_t *times, uint32_t count);

/* Test all sizes and patterns, and each size also with EXACT data. For large sizes, only one call in `share` is
 * made. */
void test_fold_turns(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t share);
/* Test all counts around tiles with a custom operator. */
void test_fold_own(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const test_operator *own);

/* Test each type with some wider accumulators, and each kind of accumulator, with the variants in turn. */
void test_fold_accumulators(clprim_runtime *runtime, const clprim_operation *face, size_t share);
/* Test integers in floats that cannot represent them: each must be rounded once, to nearest, ties to even, before it is
 * added. By default, each variant is tested with two pairs of types, and each pair with some variants. */
void test_fold_rounded(clprim_runtime *runtime, const clprim_operation *face);
/* Test F32 with each variant and this many operators; F16 and F64 with AUTO. */
void test_fold_nans(clprim_runtime *runtime, const clprim_operation *face, size_t operators);

/* Define tests of the last three, and of refusals. */
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

/* Check that results have the bits of the documented tree, which `reference` computes, for any work-group size and
 * offset, and in repetitions. The last count must be the largest. */
void test_fold_reproducible(clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                            clprim_status (*reference)(const void *desc, const void *call), const size_t *counts,
                            size_t num_counts);
/* Test operators and accumulators that are refused, and reproducible sums with variants that are not reproducible. */
void test_fold_refusals(clprim_runtime *runtime, const clprim_operation *face);

#endif
