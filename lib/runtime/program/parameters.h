// SPDX-License-Identifier: MIT
/* parameters.h: the names that a caller's texts may use besides their operands, and how kernels pass them on.
 *
 * If a plan has numbers (prelude.h), or a description has parameters, counts on the device or an initial value, the
 * library's text has three macros for pass_on.h:
 *   PARAMETERS    parameters of kernels and of the library's functions
 *   PASSED        arguments for such functions, where PARAMETERS are in scope
 *   ARGUMENTS     arguments for the functions of the caller's expressions, where PARAMETERS are in scope
 * Kernels that get a call's number of elements n use CALL_COUNT_0(n) instead: the lower one of n and the count at
 * .count_at. If a call has two counts, CALL_COUNT_1(n) is for the second one, and each of them may be left out: its
 * offset is then CLPRIM__NO_COUNT. INITIAL, if it is defined, is the initial value of folds, a RESULT. */
#ifndef CLPRIM_LIB_PARAMETERS_H
#define CLPRIM_LIB_PARAMETERS_H

#include <clprim/operation.h>

#include "prelude.h"

/* The counts of a call that are in the device's memory: how many, and the size of one in bytes. */
typedef struct clprim__counts {
    size_t number, size;
} clprim__counts;

#define CLPRIM__NO_COUNT ((cl_ulong)-1)

/* The initial value of folds, if it is among PARAMETERS. */
typedef struct clprim__initial {
    const char *type; /* the name of RESULT that is valid before the prelude; NULL: there is no initial value */
    bool is_at;       /* passed as an array, the call's .initial_at; otherwise as the value itself */
} clprim__initial;

/* Write the macros, or nothing if there is nothing to pass on. The prelude may be NULL. */
void clprim__parameters_write(clprim__text *out, const clprim__prelude *prelude, const clprim__counts *counts,
                              const clprim__initial *initial);

/* A built-in parameter's type. */
clprim_type clprim__parameter_type(const clprim_parameter *parameter);

/* The element type of an argument for this parameter; its size is 0 if the parameter has no name. And whether the
 * argument is a single value instead of an array. */
clprim_element clprim__parameter_element(const clprim_parameter *parameter);
bool clprim__parameter_is_value(const clprim_parameter *parameter);

/* The name of an internal parameter, a U64, for calls that are run in pieces. Its value is the index of the piece's first
 * element, and expressions find it added to `i`. And whether the prelude has this parameter. */
extern const char clprim__first_index[];
bool clprim__has_first_index(const clprim__prelude *prelude);

/* Write a description's text: its source, and what its parameters need. The parameters are borrowed until the kernels
 * are built.
 * Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double precision). */
clprim_status clprim__text_write(clprim__prelude *prelude, const clprim_text *text, const clprim_device_info *info);

/* Write the parameters of an expression's function. A parameter with the name of an operand is left out; `operands`
 * ends with NULL. */
void clprim__parameters_of(clprim__text *text, const clprim__prelude *prelude, const char *const *operands);

/* Whether a description's text is not empty. */
bool clprim__has_text(const clprim_text *text);

#endif
