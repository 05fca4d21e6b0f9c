// SPDX-License-Identifier: MIT
/* custom.c: write a caller's operator as OpenCL C text. */
#include "custom.h"

#include "expression.h"

/* Write the VALUE of an operator without an identity: the caller's value, and a flag that says whether there is a
 * value. It consists of words, so that its size is known: a struct that contains the caller's type might have padding.
 * If one operand has no value, the caller's expression is not called, because it may not expect such an operand.
 * hides_flags: the compiler cannot tell that a flag is 1. Returns VALUE_SIZE. */
static size_t write_optional(clprim__text *text, const char *name, size_t size, bool hides_flags)
{
    const size_t words = (size + 3) / 4;
    clprim__text_format(text,
                        "typedef struct { uint words[%zu]; uint is_there; } optional_value;\n"
                        "typedef union { uint words[%zu]; %s value; } optional_words;\n"
                        "static inline %s value_of(optional_value a)\n{\n    optional_words x;\n"
                        "    for (uint w = 0; w < %zu; w++)\n        x.words[w] = a.words[w];\n"
                        "    return x.value;\n}\n",
                        words, words, name, name, words);
    clprim__text_format(text,
                        "static inline optional_value optional_of(%s value)\n{\n    optional_words x = {{0}};\n"
                        "    optional_value a;\n    x.value = value;\n"
                        "    for (uint w = 0; w < %zu; w++)\n        a.words[w] = x.words[w];\n"
                        "    a.is_there = %s;\n    return a;\n}\n",
                        name, words, hides_flags ? "get_work_dim() != 0" : "1");
    clprim__text_format(
        text, "static inline optional_value optional_combine(optional_value a, optional_value b, bool across)\n{\n"
              "    optional_value x = a.is_there ? a : b;\n"
              "    if (a.is_there & b.is_there)\n"
              "        x = optional_of(CALLERS_COMBINE(value_of(a), value_of(b), across));\n"
              "    return x;\n}\n"
              "#define VALUE optional_value\n#define IDENTITY ((optional_value){{0}, 0})\n"
              "#define COMBINE_ACROSS(a, b, across) optional_combine(a, b, across)\n"
              "#define OF_CALLERS(x) optional_of(x)\n#define CALLERS_OF(v) value_of(v)\n");
    return 4 * words + 4;
}

size_t clprim__custom_write(clprim__prelude *prelude, const clprim_custom_op *op, const clprim__custom *how)
{
    const char *type = how->type;
    clprim__text *own = &prelude->own;
    size_t value_size = how->size;
    clprim__prelude_expression(
        prelude, &(clprim__expression){
                     .name = "combine",
                     .type = type,
                     .operands = {{type, "a"}, {type, "b"}, {"bool", how->sees_segments ? "across_segment" : NULL}},
                     .text = op->combine});
    clprim__text_format(own,
                        "#define CALLERS_COMBINE(a, b, across) clprim__callers_combine(a, b%s)\n"
                        "#define COMBINE(a, b) COMBINE_ACROSS(a, b, false)\n%s",
                        how->sees_segments ? ", across" : "", how->sees_segments ? "#define SEES_SEGMENTS 1\n" : "");
    if (op->identity != NULL) {
        clprim__prelude_expression(prelude,
                                   &(clprim__expression){.name = "identity", .type = type, .text = op->identity});
        clprim__text_format(own,
                            "#define VALUE %s\n#define IDENTITY clprim__callers_identity()\n"
                            "#define COMBINE_ACROSS(a, b, across) CALLERS_COMBINE(a, b, across)\n"
                            "#define OF_CALLERS(x) (x)\n#define CALLERS_OF(v) (v)\n",
                            type);
    } else {
        value_size = write_optional(own, type, how->size, how->hides_flags);
    }
    clprim__text_format(own,
                        "#define ELEMENT %s\n#define VECTORS 0\n"
                        "#define VALUE_AT(x, i) OF_CALLERS(%s(x))\n#define RESULT_OF(v) %s(CALLERS_OF(v))\n"
                        "#define VALUE_OF_RESULT(r) VALUE_AT(r, 0)\n",
                        how->is_half ? "ushort" : type, how->is_half ? "half_to_float" : "",
                        how->is_half ? "half_from_float" : "");
    return value_size;
}
