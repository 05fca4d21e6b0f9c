/* parameters.h: what a caller's texts may name besides their operands, and how kernels hand it on.
 *
 * Where a plan has numbers (prelude.h), or a description parameters, counts that are on the device, or a value with which
 * folds begin, the library's text has three macros for pass_on.h:
 *   PARAMETERS    of kernels and of the library's functions
 *   PASSED        to such functions, where PARAMETERS are in scope
 *   ARGUMENTS     to the functions of the caller's expressions, there, too
 * and kernels that are told how many elements a call has take CALL_COUNT_0(n) for it: n, or what .count_at says, if that
 * is less. Where a call has two counts, the second one is CALL_COUNT_1(n), and either may be left out: its offset is then
 * CLPRIM__NO_COUNT. INITIAL, where it is defined, is the RESULT with which folds begin. */
#ifndef CLPRIM_LIB_PARAMETERS_H
#define CLPRIM_LIB_PARAMETERS_H

#include <clprim/operation.h>

#include "prelude.h"

/* Counts of a call that are in the device's memory: how many, and the bytes of one. */
typedef struct clprim__counts {
    size_t number, size;
} clprim__counts;

#define CLPRIM__NO_COUNT ((cl_ulong)-1)

/* The value with which folds begin, where PARAMETERS have it. */
typedef struct clprim__initial {
    const char *type; /* RESULT, by a name that is known in front of the prelude; NULL: they do not have it */
    bool is_at;       /* as an array, which is a call's .initial_at; else the value itself */
} clprim__initial;

/* The macros; nothing where there is nothing to hand on. The prelude may be NULL. */
void clprim__parameters_write(clprim__text *out, const clprim__prelude *prelude, const clprim__counts *counts,
                              const clprim__initial *initial);

/* A built-in parameter's type. */
clprim_type clprim__parameter_type(const clprim_parameter *parameter);

/* What an argument for this parameter is: its element, of size 0 where it has no name; whether it is one value, and no
 * array. */
clprim_element clprim__parameter_element(const clprim_parameter *parameter);
bool clprim__parameter_is_value(const clprim_parameter *parameter);

/* A parameter of the library's own that has this very name, a number of U64, says at which index a part of an array begins
 * that goes through the device in parts: expressions find it added to `i`. Whether the prelude has it. */
extern const char clprim__first_index[];
bool clprim__has_first_index(const clprim__prelude *prelude);

/* Write a description's text: its source, and what its parameters need, which are borrowed until the kernels are built.
 * Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__text_write(clprim__prelude *prelude, const clprim_text *text, const clprim_device_info *info);

/* The parameters of the function of an expression. Those that have the name of an operand, of which NULL is the last, are
 * not seen there. */
void clprim__parameters_of(clprim__text *text, const clprim__prelude *prelude, const char *const *operands);

/* Whether a description's text is not empty. */
bool clprim__has_text(const clprim_text *text);

#endif
