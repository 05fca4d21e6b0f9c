// SPDX-License-Identifier: MIT
/* fold.h: fold elements on the host, one after another. References are built on it. */
#ifndef CLPRIM_LIB_FOLD_H
#define CLPRIM_LIB_FOLD_H

#include <clprim/reference.h>

/* A fold in progress. SUM, PROD and bitwise operators use one of three numbers; the low bits of `integer` are the
 * result in any narrower integer type. MIN, MAX, ARGMIN and ARGMAX keep the best element. */
typedef struct clprim__fold {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator_type;
    uint64_t integer;
    float f32;
    double f64;
    uint64_t best_bits;
    uint64_t best_index;
    uint64_t count;  /* number of elements added so far */
    bool is_nothing; /* it is a sum without an initial value, and has no elements yet */
    bool propagates_nans;
    bool has_nan; /* a NaN was found, and NaNs are propagated */
} clprim__fold;

/* Check `by`, whose combine must be NULL, and write it to *out with its defaults filled in. has_initial: the fold
 * begins with a value other than the identity. On failure, *out is unspecified.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
clprim_status clprim__fold_check(clprim_reference_operator *out, const clprim_reference_operator *by, bool has_initial);

/* Begin a fold with *initial, a value of the result's type (not for ARGMIN and ARGMAX). If initial is NULL, begin with
 * the identity. `by` was written by clprim__fold_check(). */
void clprim__fold_begin(clprim__fold *out, const clprim_reference_operator *by, const void *initial);
void clprim__fold_add(clprim__fold *self, const void *element);
/* Store the current value: of the accumulator's type, or a clprim_indexed. */
void clprim__fold_store(const clprim__fold *self, void *out);
size_t clprim__fold_result_size(const clprim_reference_operator *by);

/* A float sum or product in long double, which also accumulates the rounding errors of additions (Neumaier 1974). */
typedef struct clprim__exact {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator_type; /* elements that are integers are rounded to it if it cannot represent them */
    long double value;
    long double correction; /* the sum is value + correction; they are kept separately to compute the difference from a
                             * result */
    long double magnitude;  /* sum of |x|, or |product| */
} clprim__exact;

/* The same checks as clprim__fold_check(). In addition, CLPRIM_INVALID_ARGUMENT unless results are rounded: float
 * accumulator, SUM or PROD, no combine. */
clprim_status clprim__exact_check(clprim_reference_operator *out, const clprim_reference_operator *by);
/* initial has the accumulator's type, or is NULL. */
void clprim__exact_begin(clprim__exact *out, const clprim_reference_operator *by, const void *initial);
void clprim__exact_add(clprim__exact *self, const void *element);
/* Compute how far *result is from the exact value, and how far rounding may move it: see
 * clprim_reference_reduce_error. */
void clprim__exact_judge(double *error, double *bound, const clprim__exact *self, size_t depth, const void *result);

#endif
