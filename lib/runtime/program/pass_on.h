// SPDX-License-Identifier: MIT
/* pass_on.h: pass the values of a caller's parameters to the functions that need them.
 *
 * OpenCL C has no variables that the functions of a kernel could share, so values must be passed from function to
 * function. Kernels are written, and can be read, as if there were no parameters. If a program has parameters, its text
 * is changed here:
 *   - Each function of the library, including kernels, gets PARAMETERS in front of its own parameters.
 *   - Each call of such a function gets PASSED in front of its own arguments.
 *   - Each call of a function of the caller's text (clprim__callers_...) gets ARGUMENTS in front of its own arguments.
 *     The prelude defines these three macros: parameters.h. Functions that macros of clprim/device/ define already
 *     declare the parameters (CLPRIM_PARAMETERS in base.h); calls of them are changed like calls of the library's
 *     functions. */
#ifndef CLPRIM_LIB_PASS_ON_H
#define CLPRIM_LIB_PASS_ON_H

#include <stdbool.h>

#include "text.h"

/* Append the library's text with these changes. has_arguments: ARGUMENTS is not empty. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__pass_on(clprim__text *out, const char *text, size_t size, bool has_arguments);

#endif
