// SPDX-License-Identifier: MIT
/* custom.h: write a caller's operator as OpenCL C text. */
#ifndef CLPRIM_LIB_CUSTOM_H
#define CLPRIM_LIB_CUSTOM_H

#include <clprim/types.h>
#include <stdbool.h>

#include "prelude.h"

/* Properties of the operator that the library knows in addition to its texts. */
typedef struct clprim__custom {
    const char *type;   /* name of its operands' type in the library's text */
    size_t size;        /* size of an operand in bytes */
    bool is_half;       /* elements and results are halves; operands are floats */
    bool sees_segments; /* its combine has the operand across_segment */
    bool hides_flags;   /* the compiler, which is PoCL's, must not know whether a value is there (docs/design.md) */
} clprim__custom;

/* Write the operator's expressions, and the definitions of ELEMENT, VALUE, IDENTITY, COMBINE, SEES_SEGMENTS, VALUE_AT,
 * RESULT_OF and VALUE_OF_RESULT that operator.h describes. Returns VALUE_SIZE. */
size_t clprim__custom_write(clprim__prelude *prelude, const clprim_custom_op *op, const clprim__custom *how);

#endif
