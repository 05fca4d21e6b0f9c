/* parameters.h: what a caller's texts may name besides their operands, and how kernels hand it on.
 *
 * The library's text has two macros, to be written in front of other parameters and arguments:
 *   PARAMETERS    of kernels
 *   ARGUMENTS     of the functions of the caller's expressions, where PARAMETERS are in scope
 * Both are empty where there are no parameters. */
#ifndef CLPRIM_LIB_PARAMETERS_H
#define CLPRIM_LIB_PARAMETERS_H

#include <clprim/operation.h>

#include "prelude.h"

/* What calls hand over for one: an element, of size 0 where it has no name; whether it is one value, and no array. */
clprim_element clprim__parameter_element(const clprim_parameter *parameter);
bool clprim__parameter_is_value(const clprim_parameter *parameter);

/* `operand` is a name that the texts have already. Errors: CLPRIM_INVALID_ARGUMENT; CLPRIM_UNSUPPORTED (double
 * precision). */
clprim_status clprim__parameters_check(const clprim_parameter *parameters, const char *operand,
                                       const clprim_device_info *info);

/* Between the caller's source and their expressions. The parameters are borrowed as long as expressions are written. */
void clprim__parameters_write(clprim__prelude *prelude, const clprim_parameter *parameters);

#endif
