/* fold.h: folding on the host, one element after the other: what the references are made of. */
#ifndef CLPRIM_LIB_FOLD_H
#define CLPRIM_LIB_FOLD_H

#include <clprim/reference.h>

/* A fold under way. SUM, PROD and bitwise operators run in one of three numbers, the low bits of `integer` being those
 * of the result in any narrower integer; MIN, MAX, ARGMIN and ARGMAX keep the best element. */
typedef struct clprim__fold {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator_type;
    uint64_t integer;
    float f32;
    double f64;
    uint64_t best_bits;
    uint64_t best_index;
    uint64_t count;  /* of the elements added */
    bool is_nothing; /* a sum, of no elements and without an initial value */
    bool propagates_nans;
    bool has_nan; /* which is propagated */
} clprim__fold;

/* Write `by`, whose combine must be NULL, to *out with its defaults filled in. has_initial: the fold does not begin with
 * the identity. On failure *out is unspecified.
 * Errors: CLPRIM_INVALID_ARGUMENT, CLPRIM_INVALID_OPERATOR. */
clprim_status clprim__fold_check(clprim_reference_operator *out, const clprim_reference_operator *by, bool has_initial);

/* Begin with *initial, a value of the result's type (not for ARGMIN and ARGMAX), or where NULL with the identity. `by` is
 * what clprim__fold_check() has written. */
void clprim__fold_begin(clprim__fold *out, const clprim_reference_operator *by, const void *initial);
void clprim__fold_add(clprim__fold *self, const void *element);
/* The value so far: of the accumulator's type, or a clprim_indexed. */
void clprim__fold_store(const clprim__fold *self, void *out);
size_t clprim__fold_result_size(const clprim_reference_operator *by);

/* A float sum or product with the errors of addition carried along (Neumaier 1974), in long double. */
typedef struct clprim__exact {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator_type; /* which elements are rounded to, where they are integers that it does not hold */
    long double value;
    long double correction; /* value + correction is the sum; kept apart, for their difference from a result */
    long double magnitude;  /* sum of |x|, or |product| */
} clprim__exact;

/* As clprim__fold_check(), and CLPRIM_INVALID_ARGUMENT unless rounding shows: a float accumulator, SUM or PROD, no
 * combine. */
clprim_status clprim__exact_check(clprim_reference_operator *out, const clprim_reference_operator *by);
/* initial: of the accumulator's type, or NULL. */
void clprim__exact_begin(clprim__exact *out, const clprim_reference_operator *by, const void *initial);
void clprim__exact_add(clprim__exact *self, const void *element);
/* How far *result is from the exact value, and how far rounding may put it: see clprim_reference_reduce_error. */
void clprim__exact_judge(double *error, double *bound, const clprim__exact *self, size_t depth, const void *result);

#endif
