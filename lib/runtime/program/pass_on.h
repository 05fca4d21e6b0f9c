/* pass_on.h: how the values of a caller's parameters reach the functions that need them.
 *
 * OpenCL C has no variables that a kernel's functions share but those that are handed from one to the next. So that
 * kernels can be written, and read, as if nobody had parameters, it is done here, in the text of programs that have some:
 *   - Each function of the library's, kernels too, has PARAMETERS in front of its own ones.
 *   - Each call of such a function has PASSED in front of its own arguments.
 *   - Each call of a function of the caller's text (clprim__callers_...) has ARGUMENTS there.
 * The prelude defines these three as macros: parameters.h. Functions that the macros of clprim/device/ define take the
 * parameters by themselves (CLPRIM_PARAMETERS in base.h), and are called like the library's. */
#ifndef CLPRIM_LIB_PASS_ON_H
#define CLPRIM_LIB_PASS_ON_H

#include <stdbool.h>

#include "text.h"

/* Append the library's text with that done. has_arguments: ARGUMENTS is not empty. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__pass_on(clprim__text *out, const char *text, size_t size, bool has_arguments);

#endif
