/* expression.h: expressions of the caller's as functions. */
#ifndef CLPRIM_LIB_EXPRESSION_H
#define CLPRIM_LIB_EXPRESSION_H

#include "parameters.h"

enum { CLPRIM__MAX_OPERANDS = 1 + CLPRIM_MAX_PARAMETERS };

/* An expression of the caller's. It becomes the function clprim__callers_NAME, and is called NAME in build logs. */
typedef struct clprim__expression {
    const char *name;
    const char *type; /* of its value: a scalar type of OpenCL C, or what clprim__prelude_type returned */
    struct {
        const char *type, *name;
    } operands[CLPRIM__MAX_OPERANDS]; /* fewer: NULL */
    const char *text;
    bool is_condition;  /* its value is 0 or 1 */
    const char *called; /* its name in build logs, instead of NAME; may be NULL */
} clprim__expression;

/* After the source and the parameters that it may name. */
void clprim__prelude_expression(clprim__prelude *self, const clprim__expression *expression);

/* INPUT_AT(i), the i-th ELEMENT, from the caller's expression over `i`, `input`, where PARAMETERS are in scope: in place
 * of what would be read from an array. Elements are of the type, as they lie in memory, or of the caller's own, by the
 * name that the library uses for it. After the rest of the prelude; input NULL: nothing is written.
 *
 * All programs have ELEMENT_AT(from, i): INPUT_AT(i), or without an expression element i of the array `from`. */
void clprim__input_write(clprim__prelude *prelude, const char *input, clprim_type type, const char *own_type);

/* The macro name(x, i), 1 or 0 for ELEMENT x, the i-th, from the caller's expression over `x` and `i`. Elements of built-in
 * types are held as integers of their size; own_type is as above. */
void clprim__predicate_write(clprim__prelude *prelude, const char *name, const char *predicate, clprim_type type,
                             const char *own_type);

/* The type of the value of `input`; INPUT_ELEMENT(v) is then the ELEMENT. */
const char *clprim__input_type(clprim_type type, const char *own_type);

enum { CLPRIM__MAX_ALONE = 16 /* elements of a work-item at once: each is unrolled into registers of its own */ };

/* How many elements a work-item takes at once where they come from an expression, and so travel alone: as many as there
 * are in so many packets of `pack` elements, and at most CLPRIM__MAX_ALONE. */
static inline size_t clprim__items_alone(size_t packets, size_t pack)
{
    return packets * pack < CLPRIM__MAX_ALONE ? packets * pack : CLPRIM__MAX_ALONE;
}

/* What is written instead of results (.output). */
typedef struct clprim__output {
    const char *text;      /* an expression over the result `r` and its place `i`; NULL: the results themselves */
    clprim_type type;      /* default: the result's */
    const char *type_name; /* instead: the caller's own */
    size_t type_size;
} clprim__output;

/* What a description says of it. */
#define CLPRIM__OUTPUT_OF(desc)                                                                                        \
    {                                                                                                                  \
        (desc)->output, (desc)->output_type, (desc)->output_type_name, (desc)->output_type_size                        \
    }

/* Results are of the type, or, where has_own_type is set, of the caller's own.
 * Errors: CLPRIM_INVALID_ARGUMENT (unknown type, a type without a text, a name without a size), CLPRIM_UNSUPPORTED. */
clprim_status clprim__output_check(const clprim__output *output, clprim_type type, bool has_own_type,
                                   const clprim_device_info *info);

/* The size of what is written instead of results of this size. */
size_t clprim__output_size(const clprim__output *output, size_t result_size);

/* OUTPUT, an output as it lies in memory, and OUTPUT_OF(r, i), that of result r at i, where PARAMETERS are in scope; for
 * built-in types OUTPUT_SIZE and BITS_OF_OUTPUT(o); HAS_OUTPUT 1. Results are of the type, or of the caller's own, by the
 * name that the library uses for it. After the rest of the prelude. Without a text an output is the result, which the
 * kernels have as `result`; HAS_OUTPUT is 0. */
void clprim__output_write(clprim__prelude *prelude, const clprim__output *output, clprim_type type,
                          const char *own_type, const char *result);

#endif
