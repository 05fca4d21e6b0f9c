/* folds.h: what the tests of reduce, scan and reduce_by_key share. Members that an operation does not have are not set.
 * */
#ifndef CLPRIM_TEST_FOLDS_H
#define CLPRIM_TEST_FOLDS_H

#include "cases.h"
#include "operators.h"

/* A plan whose results are judged: sums and products of floats bit by bit if the turn's data are EXACT, and otherwise
 * up to the error that rounding allows; everything else bit by bit. `own` may be NULL; otherwise it becomes the
 * description's operator, and results are compared with the host's fold. False if the device cannot run it. */
bool test_fold_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                      const test_operator *own);

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

/* The bits of the documented tree, which `reference` computes, whatever the work-group size, offset and repetition. The
 * last of the counts is the largest. */
void test_fold_reproducible(clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                            clprim_status (*reference)(const void *desc, const void *call), const size_t *counts,
                            size_t num_counts);
/* Operators and accumulators that are refused; reproducible sums by variants that are not. */
void test_fold_refusals(clprim_runtime *runtime, const clprim_operation *face);

#endif
