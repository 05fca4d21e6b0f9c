// SPDX-License-Identifier: MIT
/* prelude.h: the text in front of a program's kernels: the caller's text, and generated definitions on which the
 * kernels build.
 *
 * The caller's text comes first. It sees no names of the library except those that begin with clprim__. Each expression
 * becomes a function in it, so that the caller's own names and macros are valid there. names.h separates the names of
 * this text from those of the library's text, which follows. */
#ifndef CLPRIM_LIB_PRELUDE_H
#define CLPRIM_LIB_PRELUDE_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#include "text.h"

enum { CLPRIM__MAX_NUMBERS = 48 };

/* Numbers that a plan's kernels get as arguments, so that a plan with other numbers uses the same program. Each has up
 * to 8 bytes, which are the first bytes of its word. */
typedef struct clprim__numbers {
    cl_uint count;
    cl_uint sizes[CLPRIM__MAX_NUMBERS];
    cl_ulong words[CLPRIM__MAX_NUMBERS];
} clprim__numbers;

/* Zeroed: empty. */
typedef struct clprim__prelude {
    clprim__text callers; /* empty: the program has no text of the caller's */
    clprim__text own;     /* the library's */
    bool has_fp64;
    const clprim_parameter *parameters; /* used by the caller's expressions; borrowed: parameters.h */
    size_t num_parameters;
    const char *options; /* compiler options for the caller's text; borrowed; may be NULL */
    clprim__numbers numbers;
    const char *number_types[CLPRIM__MAX_NUMBERS]; /* static */
} clprim__prelude;

/* Begin with pragmas, half_to_float and half_from_float. */
void clprim__prelude_begin(clprim__prelude *self, const clprim_device_info *info);

/* Check the element type of a description: a built-in type, or the name and size of a caller's type. computes:
 * kernels use the elements' values. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__element_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                    const clprim_device_info *info);
/* The same for elements that are ordered, which may also have key types. */
clprim_status clprim__key_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                const clprim_device_info *info);
/* Check that the type, the description's member `member`, is one that all operations accept. Errors:
 * CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__type_check(clprim_type type, const char *member);

/* Write a caller's text; build logs call it `name`. The text that follows it appears to be on its last line,
 * after its end, so that compilers report there what is missing. */
void clprim__prelude_text(clprim__text *out, const char *name, const char *text);

/* Write a caller's declarations; source may be NULL. */
void clprim__prelude_source(clprim__prelude *self, const char *source);

/* Define a macro for a number of the plan, which all later functions of the library's text can use. `type` is the
 * OpenCL C type, a static string; *value has `size` bytes. */
void clprim__prelude_number(clprim__prelude *self, const char *name, const char *type, const void *value, size_t size);

#define CLPRIM__CALLERS_TYPE "clprim__callers_type"

/* Declare the caller's own type, the description's `type_name`. Returns its name in the library's text. If its size on
 * the device differs from type_size, the program does not compile. */
const char *clprim__prelude_type(clprim__prelude *self, const char *type_name, size_t type_size);

/* The same for the description's member `member`, with the name `name`, which must begin with clprim__. */
void clprim__prelude_type_as(clprim__prelude *self, const char *name, const char *member, const char *type_name,
                             size_t type_size);

/* The text to which the caller's text is written. It begins with reserved names for OpenCL C's types, with which the
 * functions of expressions are declared: the caller's macros cannot change them. */
clprim__text *clprim__prelude_callers(clprim__prelude *self);

clprim_status clprim__prelude_status(const clprim__prelude *self);
void clprim__prelude_free(clprim__prelude *self);

#endif
