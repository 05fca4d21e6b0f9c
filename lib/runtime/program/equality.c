// SPDX-License-Identifier: MIT
/* equality.c: decide where one run of equal elements ends and the next begins. */
#include "equality.h"

#include "element_types.h"
#include "expression.h"

/* Elements are moved as integers; the caller's expression gets them in their own type. */
static void write_callers(clprim__prelude *prelude, const clprim__equality *equality)
{
    const bool is_half = equality->own_type == NULL && equality->type == CLPRIM_F16;
    const char *seen = equality->own_type != NULL ? equality->own_type
                       : is_half                  ? "float"
                                                  : clprim__type_storage(equality->type);
    const char *before = equality->own_type != NULL || is_half ? "" : "as_";
    const char *convert = equality->own_type != NULL ? "" : is_half ? "half_to_float" : seen;
    clprim__prelude_expression(prelude, &(clprim__expression){.name = "equal",
                                                              .type = "uint",
                                                              .operands = {{seen, "a"}, {seen, "b"}},
                                                              .text = equality->text,
                                                              .is_condition = true});
    clprim__text_format(&prelude->own, "#define differs(a, b) (clprim__callers_equal(%s%s(a), %s%s(b)) ^ 1)\n", before,
                        convert, before, convert);
}

void clprim__equality_write(clprim__prelude *prelude, const clprim__equality *equality)
{
    clprim__text *text = &prelude->own;
    if (equality->text != NULL) {
        write_callers(prelude, equality);
    } else if (equality->own_type == NULL) {
        clprim__text_format(text, "#define differs(a, b) ((a) != (b))\n");
    } else {
        clprim__text_format(text, "typedef union { %s element; uchar bytes[%zu]; } element_bytes;\n",
                            equality->own_type, equality->size);
        clprim__text_format(text,
                            "static inline uint differs(%s a, %s b)\n{\n    element_bytes u, v;\n    uint bits = 0;\n"
                            "    u.element = a;\n    v.element = b;\n    for (uint k = 0; k < %zu; k++)\n"
                            "        bits |= u.bytes[k] ^ v.bytes[k];\n    return bits != 0;\n}\n",
                            equality->own_type, equality->own_type, equality->size);
    }
}
