// SPDX-License-Identifier: MIT
/* expression.h: turn the caller's expressions into functions. */
#ifndef CLPRIM_LIB_EXPRESSION_H
#define CLPRIM_LIB_EXPRESSION_H

#include "parameters.h"

enum { CLPRIM__MAX_OPERANDS = 1 + CLPRIM_MAX_PARAMETERS };

/* A caller's expression. It becomes the function clprim__callers_NAME, and is called NAME in build logs. */
typedef struct clprim__expression {
    const char *name;
    const char *type; /* type of its value: a scalar type of OpenCL C, or the name that clprim__prelude_type returned */
    struct {
        const char *type, *name;
    } operands[CLPRIM__MAX_OPERANDS]; /* unused ones are NULL */
    const char *text;
    bool is_condition;  /* its value is 0 or 1 */
    const char *called; /* name in build logs, if it differs from NAME; may be NULL */
} clprim__expression;

/* Write the function. Call it after the source and the parameters, which the expression may use, are written. */
void clprim__prelude_expression(clprim__prelude *self, const clprim__expression *expression);

/* Write INPUT_AT(i), the i-th ELEMENT, computed by the caller's expression over `i`. It replaces reads from an array,
 * and PARAMETERS must be in scope. Elements have the type `type`, in its memory representation, or the caller's own
 * type, by its name in the library's text. Call it after the rest of the prelude. If input is NULL, nothing is written.
 *
 * All programs have ELEMENT_AT(from, i): INPUT_AT(i), or, without an expression, element i of the array `from`. */
void clprim__input_write(clprim__prelude *prelude, const char *input, clprim_type type, const char *own_type);

/* Write the macro name(x, i), which is 1 or 0 for the i-th ELEMENT x, from the caller's expression over `x` and `i`.
 * Elements of built-in types are held as integers of the same size; own_type is as above. */
void clprim__predicate_write(clprim__prelude *prelude, const char *name, const char *predicate, clprim_type type,
                             const char *own_type);

/* The type of the value of `input`. INPUT_ELEMENT(v) converts it to an ELEMENT. */
const char *clprim__input_type(clprim_type type, const char *own_type);

enum {
    CLPRIM__MAX_ALONE = 16 /* elements that a work-item processes at once: each is unrolled into its own registers */
};

/* How many elements a work-item processes at once if they come from an expression, so that each is computed separately:
 * as many as `packets` packets of `pack` elements have, but at most CLPRIM__MAX_ALONE. */
static inline size_t clprim__items_alone(size_t packets, size_t pack)
{
    return packets * pack < CLPRIM__MAX_ALONE ? packets * pack : CLPRIM__MAX_ALONE;
}

/* The values that are written instead of results (.output). */
typedef struct clprim__output {
    const char *text;      /* an expression over the result `r` and its index `i`; NULL: the results themselves */
    clprim_type type;      /* default: the result's type */
    const char *type_name; /* instead of `type`: the caller's own type */
    size_t type_size;
} clprim__output;

/* Copy the members of a description. */
#define CLPRIM__OUTPUT_OF(desc)                                                                                        \
    {                                                                                                                  \
        (desc)->output, (desc)->output_type, (desc)->output_type_name, (desc)->output_type_size                        \
    }

/* Check it. Results have the type `type`, or the caller's own if has_own_type is set.
 * Errors: CLPRIM_INVALID_ARGUMENT (unknown type, a type without a text, a name without a size), CLPRIM_UNSUPPORTED. */
clprim_status clprim__output_check(const clprim__output *output, clprim_type type, bool has_own_type,
                                   const clprim_device_info *info);

/* The size of an output element for results of this size. */
size_t clprim__output_size(const clprim__output *output, size_t result_size);

/* Write OUTPUT, the type of an output in memory, and OUTPUT_OF(r, i), the output for result r at index i, for use where
 * PARAMETERS are in scope. For built-in types, also OUTPUT_SIZE and BITS_OF_OUTPUT(o). HAS_OUTPUT is 1. Results have
 * the type `type`, or the caller's own type, by its name in the library's text. Call it after the rest of the prelude.
 * Without an expression, an output is the result, whose type in the kernels is `result`; HAS_OUTPUT is 0. */
void clprim__output_write(clprim__prelude *prelude, const clprim__output *output, clprim_type type,
                          const char *own_type, const char *result);

#endif
