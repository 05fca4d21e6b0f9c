/* prelude.h: what stands before a program's kernels: the caller's text, and generated text that defines for the kernels
 * what they are written on top of.
 *
 * The caller's text comes first and sees nothing of the library but names that begin with clprim__. Each expression
 * becomes a function there, so that the caller's own names and macros hold in it. names.h separates all of that from
 * the library's text, which follows. */
#ifndef CLPRIM_LIB_PRELUDE_H
#define CLPRIM_LIB_PRELUDE_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#include "text.h"

/* Zeroed: empty. */
typedef struct clprim__prelude {
    clprim__text callers; /* empty: the program has no text of the caller's */
    clprim__text own;     /* the library's */
    bool has_fp64;
    clprim__text undefined;  /* lines before each expression: the names of its parameters are no macros */
    clprim__text parameters; /* of each expression, before its operands, with commas between them: parameters.h */
} clprim__prelude;

/* An expression of the caller's. It becomes the function clprim__callers_NAME, and is called NAME in build logs. */
typedef struct clprim__expression {
    const char *name;
    const char *type; /* of its value: a scalar type of OpenCL C, or what clprim__prelude_type returned */
    struct {
        const char *type, *name;
    } operands[2]; /* fewer: NULL */
    const char *text;
    bool is_condition; /* its value is 0 or 1 */
} clprim__expression;

/* Begin with pragmas, half_to_float and half_from_float. */
void clprim__prelude_begin(clprim__prelude *self, const clprim_device_info *info);

/* Check what a description says of its elements: a type, or the name and the size of a type of the caller's. `computes`:
 * kernels look at their values. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__element_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                    const clprim_device_info *info);

/* Declarations of the caller's; may be NULL. */
void clprim__prelude_source(clprim__prelude *self, const char *source);

/* The caller's own type, declared before. Returns the name that the library uses for it. Where its size differs from
 * type_size the program does not compile. */
const char *clprim__prelude_type(clprim__prelude *self, const char *type_name, size_t type_size);

/* The same for another one, and the name, which begins with clprim__. */
void clprim__prelude_type_as(clprim__prelude *self, const char *name, const char *type_name, size_t type_size);

void clprim__prelude_expression(clprim__prelude *self, const clprim__expression *expression);

clprim_status clprim__prelude_status(const clprim__prelude *self);
void clprim__prelude_free(clprim__prelude *self);

#endif
