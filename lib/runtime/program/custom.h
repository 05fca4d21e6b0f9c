/* custom.h: an operator of the caller's as OpenCL C text. */
#ifndef CLPRIM_LIB_CUSTOM_H
#define CLPRIM_LIB_CUSTOM_H

#include <clprim/types.h>
#include <stdbool.h>

#include "prelude.h"

/* What is known of it beside its texts. */
typedef struct clprim__custom {
    const char *type;   /* of its operands, by the name that the library uses for it */
    size_t size;        /* of one, in bytes */
    bool is_half;       /* elements and results are halves, its operands floats */
    bool sees_segments; /* it has the operand across_segment */
} clprim__custom;

/* Write its expressions, and what operator.h says of ELEMENT, VALUE, IDENTITY, COMBINE, SEES_SEGMENTS, VALUE_AT, RESULT_OF
 * and VALUE_OF_RESULT. Returns VALUE_SIZE. */
size_t clprim__custom_write(clprim__prelude *prelude, const clprim_custom_op *op, const clprim__custom *how);

#endif
