// SPDX-License-Identifier: MIT
/* operator.h: write element types and operators as OpenCL C text.
 *
 * The prelude of a program defines, for the kernels that follow it:
 *   ELEMENT, ELEMENT_SIZE      an element in memory
 *   VALUE, VALUE_SIZE          what is folded: in registers, local memory and scratch memory
 *   RESULT                     the result of a fold
 *   IDENTITY                   a VALUE with COMBINE(IDENTITY, x) == x. If the operator has no identity, VALUE also says
 *                              whether there is a value, and RESULT_OF(IDENTITY) is all zeros
 *   COMBINE(a, b)              apply the operator to two VALUEs
 *   VALUE_AT(x, i)             the VALUE of ELEMENT x, which has index i in the range
 *   RESULT_OF(v)               the RESULT of VALUE v
 *   VALUE_OF_RESULT(r)         the VALUE of RESULT r, with which a fold may begin
 *   OUTPUT, OUTPUT_OF(r, i)    what is written for RESULT r at index i: r itself, or what the caller's expression
 *                              computes from it; with an expression, HAS_OUTPUT is 1 (expression.h)
 *   FLOAT_SUM                  1 for SUM with a float accumulator, otherwise 0
 *   NOTHING                    the VALUE of a fold without elements: IDENTITY, but +0.0 with FLOAT_SUM, whose identity
 *                              is -0.0
 *   OR_NOTHING(v, is_empty)    the VALUE v; or NOTHING, if the fold v has no elements and there is no initial value
 *   FROM_INITIAL(v, is_empty)  the same, but folded after the initial value INITIAL (parameters.h), if there is one
 *   INITIAL_OR_NOTHING         the VALUE if there are no elements: INITIAL, if there is one, otherwise NOTHING
 *   ELEMENT_OF_BITS(b)         for built-in types: the ELEMENT whose bits are the low bits of b
 *   BITS_OF_RESULT(r)          for built-in types of RESULT_SIZE bytes: its bits as an unsigned integer
 *   COMMUTATIVE                0 if the order of operands matters
 *   SEES_SEGMENTS              1 if the operator is told of segments: COMBINE_ACROSS(a, b, across)
 *   REDUX                      the operator's name in PTX, if NVIDIA's hardware can fold a warp's VALUEs at once
 * and if VECTORS is 1, for COMBINE on vectors of W lanes (2, 4, 8, 16):
 *   VALUES(W)                  the vector type
 *   VALUES_OF(W, x)            the vector of VALUEs of a vector of ELEMENTs
 *   RESULTS(W)                 the vector type of RESULTs
 *   RESULTS_OF(W, x)           the vector of RESULTs of a vector of VALUEs
 *   NARROW(W), NARROW_OF(W, x) if ELEMENTs are narrower than VALUEs and RESULTs are not wider than ELEMENTs: a narrower
 *                              vector type that is sufficient for the fold, and the conversion of a vector of ELEMENTs
 *
 * and for ARGMIN and ARGMAX, INDEXED is 1, VALUE is {ulong index; KEY key;}, and:
 *   KEYS(W), BEST_KEY(a, b)    vectors of keys, and the better of two keys in each lane
 *   FLIP(x), WORST_KEY         the key of an element, and the key that every other key beats
 *
 * Integer sums use unsigned types, whose overflow is defined. Floats are ordered by their bits, interpreted as
 * integers. So the order is the same on every device, whatever it does to NaN, -0.0 and denormals. */
#ifndef CLPRIM_LIB_OPERATOR_H
#define CLPRIM_LIB_OPERATOR_H

#include <clprim/runtime.h>
#include <clprim/types.h>
#include <stdbool.h>

#include "element_types.h"
#include "expression.h"
#include "prelude.h"

typedef struct clprim__operator {
    clprim__prelude prelude;
    size_t element_size;
    size_t value_size;
    size_t result_size;
    size_t output_size;      /* size of an output element: of a result, or of the value of .output */
    const char *result_type; /* the name of RESULT that is valid before the prelude */
    bool is_commutative;
    bool has_identity;
    bool is_float_sum;
    bool is_rounding; /* float SUM or PROD: the order of operations affects the result */
} clprim__operator;

/* A description's operator. */
typedef struct clprim__operands {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator_type;
    const clprim_custom_op *custom;
    clprim_nan_order nan_order;
    const clprim_text *text; /* NULL: none */
    const void *initial;     /* the initial value; NULL: the identity, or a value in the calls */
    bool has_initial_at;
    bool sees_segments;    /* the caller's operator has the operand across_segment */
    const char *input;     /* the expression for elements, as in clprim__input_write */
    clprim__output output; /* as in clprim__output_write */
    bool uses_text;        /* other expressions use the text, too */
} clprim__operands;

/* Copy the members that descriptions have in common, except for .input and .output. */
#define CLPRIM__OPERANDS_OF(desc)                                                                                      \
    .type = (desc)->type, .op = (desc)->op, .accumulator_type = (desc)->accumulator_type, .custom = (desc)->custom,    \
    .nan_order = (desc)->nan_order, .text = &(desc)->text, .initial = (desc)->initial,                                 \
    .has_initial_at = (desc)->has_initial_at

/* Create an operator. Defaults of a zeroed description are resolved here: type becomes I32, accumulator_type becomes
 * the type.
 * Errors: CLPRIM_INVALID_ARGUMENT (unknown type, operator or order of NaNs, accumulator that cannot hold the type,
 * incomplete custom operator), CLPRIM_INVALID_OPERATOR, CLPRIM_UNSUPPORTED (double precision), CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__operator_create(clprim__operator *out, const clprim__operands *of,
                                      const clprim_device_info *info);
void clprim__operator_clear(clprim__operator *self);

/* Check that a variant gives the same bits on every device (is_reproducible) for an operator that may round.
 * Errors: CLPRIM_INVALID_ARGUMENT if it does not; CLPRIM_UNSUPPORTED if the device rounds in another way. */
clprim_status clprim__operator_reproducible(const clprim_variant_info *variant, bool is_reproducible,
                                            const clprim_device_info *info);

/* Check type, operator and accumulator by the rules of reduce.h, without a device. *accumulator_type is resolved. */
clprim_status clprim__operator_check(clprim_type type, clprim_op op, clprim_type *accumulator_type);

/* Returns CLPRIM_INVALID_ARGUMENT if folds with this operator cannot have an initial value. */
clprim_status clprim__initial_check(clprim_op op);

#endif
