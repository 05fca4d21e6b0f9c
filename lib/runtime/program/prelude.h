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

enum { CLPRIM__MAX_NUMBERS = 48 };

/* Numbers that a plan's kernels have as arguments, so that another number takes no other program. Each has up to 8 bytes,
 * which are the first ones of its word. */
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
    const clprim_parameter *parameters; /* of the caller's expressions, borrowed: parameters.h */
    size_t num_parameters;
    const char *options; /* of the compiler, for the caller's text, borrowed; may be NULL */
    clprim__numbers numbers;
    const char *number_types[CLPRIM__MAX_NUMBERS]; /* static */
} clprim__prelude;

/* Begin with pragmas, half_to_float and half_from_float. */
void clprim__prelude_begin(clprim__prelude *self, const clprim_device_info *info);

/* Check what a description says of its elements: a type, or the name and the size of a type of the caller's. `computes`:
 * kernels look at their values. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__element_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                    const clprim_device_info *info);
/* The same of elements that are ordered, which may have the types of keys, too. */
clprim_status clprim__key_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                const clprim_device_info *info);
/* The type, which is the description's `member`, is one that all operations take. Errors: CLPRIM_INVALID_ARGUMENT. */
clprim_status clprim__type_check(clprim_type type, const char *member);

/* Write a text of the caller's, which build logs call `name`. What follows on the last line is there, too, behind the
 * text's end: that is where compilers say what is missing. */
void clprim__prelude_text(clprim__text *out, const char *name, const char *text);

/* Declarations of the caller's; may be NULL. */
void clprim__prelude_source(clprim__prelude *self, const char *source);

/* Define a macro that stands for a number of the plan's, in all functions of the library's text behind it. `type` is
 * OpenCL C's, and static; *value has its size. */
void clprim__prelude_number(clprim__prelude *self, const char *name, const char *type, const void *value, size_t size);

#define CLPRIM__CALLERS_TYPE "clprim__callers_type"

/* The caller's own type, declared before, which is the description's `type_name`. Returns the name that the library uses for it, that one. Where its size differs from
 * type_size the program does not compile. */
const char *clprim__prelude_type(clprim__prelude *self, const char *type_name, size_t type_size);

/* The same for the description's `member`, and the name, which begins with clprim__. */
void clprim__prelude_type_as(clprim__prelude *self, const char *name, const char *member, const char *type_name,
                             size_t type_size);

/* Where the caller's text is written. Functions of expressions are declared with types that no macro of the caller's
 * changes, which is why they have names before it. */
clprim__text *clprim__prelude_callers(clprim__prelude *self);

clprim_status clprim__prelude_status(const clprim__prelude *self);
void clprim__prelude_free(clprim__prelude *self);

#endif
