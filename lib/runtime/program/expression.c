// SPDX-License-Identifier: MIT
/* expression.c: turn the caller's expressions into functions. */
#include "expression.h"

#include <string.h>

#include "element_types.h"
#include "error.h"
#include "names.h"

static void write_type(clprim__text *text, const char *type)
{
    const bool is_reserved = strncmp(type, CLPRIM__RESERVED, sizeof CLPRIM__RESERVED - 1) == 0;
    clprim__text_format(text, "%s%s", is_reserved ? "" : CLPRIM__RESERVED, type);
}

/* Operands and parameters keep their meaning even if the caller's text defines macros with their names. */
void clprim__prelude_expression(clprim__prelude *self, const clprim__expression *expression)
{
    clprim__text *text = clprim__prelude_callers(self);
    const char *operands[CLPRIM__MAX_OPERANDS + 1] = {NULL};
    const bool is_part = clprim__has_first_index(self);
    bool is_index = false;
    size_t count = 0;
    for (size_t i = 0; i < self->num_parameters; i++)
        clprim__text_format(text, "#undef %s\n", self->parameters[i].name);
    for (; count < CLPRIM__MAX_OPERANDS && expression->operands[count].name != NULL; count++) {
        operands[count] = expression->operands[count].name;
        clprim__text_format(text, "#undef %s\n", operands[count]);
    }
    clprim__text_format(text, "#line 1 \"parameters\"\nstatic inline ");
    write_type(text, expression->type);
    clprim__text_format(text, " " CLPRIM__RESERVED "callers_%s(", expression->name);
    clprim__parameters_of(text, self, operands);
    for (size_t i = 0; i < count; i++) {
        clprim__text_format(text, "%s", i + self->num_parameters > 0 ? ", " : "");
        write_type(text, expression->operands[i].type);
        clprim__text_format(text, " %s%s", is_part && strcmp(operands[i], "i") == 0 ? CLPRIM__RESERVED : "",
                            operands[i]);
        is_index = is_index || strcmp(operands[i], "i") == 0;
    }
    clprim__text_format(text, "%s)\n{\n", count + self->num_parameters == 0 ? "void" : "");
    if (is_part && is_index)
        clprim__text_format(text, "    const clprim__ulong i = clprim__i + %s;\n", clprim__first_index);
    clprim__text_format(text, "    return (\n");
    clprim__prelude_text(text, expression->called != NULL ? expression->called : expression->name, expression->text);
    clprim__text_format(text, ")%s;\n#line 1 \"prelude\"\n}\n", expression->is_condition ? " != 0" : "");
}

/* Whether the type is F16 or BF16. */
static bool is_half(clprim_type type, const char *own_type)
{
    return own_type == NULL && clprim__type_to_float(type) != NULL;
}

const char *clprim__input_type(clprim_type type, const char *own_type)
{
    return own_type != NULL ? own_type : is_half(type, own_type) ? "float" : clprim__type_storage(type);
}

void clprim__input_write(clprim__prelude *prelude, const char *input, clprim_type type, const char *own_type)
{
    const char *stored = is_half(type, own_type) ? clprim__type_from_float(type) : "";
    if (input == NULL)
        return;
    clprim__prelude_expression(prelude, &(clprim__expression){.name = "input",
                                                              .type = clprim__input_type(type, own_type),
                                                              .operands = {{"ulong", "i"}},
                                                              .text = input});
    if (own_type == NULL) /* kernels may hold elements as integers of the same size */
        clprim__text_format(&prelude->own,
                            "#ifdef ELEMENT_OF_BITS\n"
                            "#define INPUT_ELEMENT(v) ELEMENT_OF_BITS(as_%s(%s(v)))\n#endif\n",
                            clprim__type_bits(type), stored);
    clprim__text_format(&prelude->own,
                        "#ifndef INPUT_ELEMENT\n#define INPUT_ELEMENT(v) %s(v)\n#endif\n"
                        "#define INPUT_AT(i) INPUT_ELEMENT(" CLPRIM__RESERVED "callers_input(i))\n",
                        stored);
}

void clprim__predicate_write(clprim__prelude *prelude, const char *name, const char *predicate, clprim_type type,
                             const char *own_type)
{
    const char *seen = clprim__input_type(type, own_type);
    const char *before = own_type != NULL || is_half(type, own_type) ? "" : "as_";
    const char *convert = own_type != NULL ? "" : is_half(type, own_type) ? clprim__type_to_float(type) : seen;
    clprim__prelude_expression(prelude, &(clprim__expression){.name = name,
                                                              .type = "uint",
                                                              .operands = {{seen, "x"}, {"ulong", "i"}},
                                                              .text = predicate,
                                                              .is_condition = true});
    clprim__text_format(&prelude->own, "#define %s(x, i) clprim__callers_%s(%s%s(x), i)\n", name, name, before,
                        convert);
}

clprim_status clprim__output_check(const clprim__output *output, clprim_type type, bool has_own_type,
                                   const clprim_device_info *info)
{
    const bool has_type = output->type != CLPRIM_TYPE_DEFAULT || output->type_name != NULL || output->type_size != 0;
    if (output->text == NULL)
        return !has_type ? CLPRIM_SUCCESS
                         : clprim__fail(CLPRIM_INVALID_ARGUMENT, "output_type is given without an output");
    if (!has_own_type && type == CLPRIM_F64 && !info->has_fp64) /* the text would use double precision */
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);
    return clprim__element_check(output->type != CLPRIM_TYPE_DEFAULT ? output->type : type, output->type_name,
                                 output->type_size, true, info);
}

size_t clprim__output_size(const clprim__output *output, size_t result_size)
{
    return output->type_name != NULL             ? output->type_size
           : output->type != CLPRIM_TYPE_DEFAULT ? clprim_type_size(output->type)
                                                 : result_size;
}

void clprim__output_write(clprim__prelude *prelude, const clprim__output *output, clprim_type type,
                          const char *own_type, const char *result)
{
    static const char given_type[] = CLPRIM__RESERVED "output_type";
    const clprim_type to = output->type != CLPRIM_TYPE_DEFAULT ? output->type : type;
    const char *own = output->type_name != NULL ? given_type : output->type == CLPRIM_TYPE_DEFAULT ? own_type : NULL;
    const bool from_half = own_type == NULL && type == CLPRIM_F16;
    const bool to_half = own == NULL && to == CLPRIM_F16;
    clprim__text_format(&prelude->own, "#define HAS_OUTPUT %d\n", output->text != NULL);
    if (output->text == NULL) {
        clprim__text_format(&prelude->own, "#define OUTPUT %s\n#define OUTPUT_OF(r, i) (r)\n", result);
        return;
    }
    if (output->type_name != NULL)
        clprim__prelude_type_as(prelude, given_type, "output_type_name", output->type_name, output->type_size);
    const char *seen = own_type != NULL ? own_type : from_half ? "float" : clprim__type_storage(type);
    clprim__prelude_expression(prelude, &(clprim__expression){.name = "output",
                                                              .type = own != NULL ? own
                                                                      : to_half   ? "float"
                                                                                  : clprim__type_storage(to),
                                                              .operands = {{seen, "r"}, {"ulong", "i"}},
                                                              .text = output->text});
    if (own_type != NULL)
        clprim__text_format(&prelude->own, "#define SEEN_BY_OUTPUT(r) (r)\n");
    else /* C promotes small integers to int */
        clprim__text_format(&prelude->own, "#define SEEN_BY_OUTPUT(r) %s%s((%s)(r))\n", from_half ? "half_to_" : "as_",
                            seen, result);
    clprim__text_format(&prelude->own,
                        "#define OUTPUT %s\n#define OUTPUT_OF(r, i) %s(" CLPRIM__RESERVED
                        "callers_output(SEEN_BY_OUTPUT(r), i))\n",
                        own != NULL ? own : clprim__type_storage(to), to_half ? "half_from_float" : "");
    if (own == NULL)
        clprim__text_format(&prelude->own, "#define OUTPUT_SIZE %zu\n#define BITS_OF_OUTPUT(o) as_%s(o)\n",
                            clprim_type_size(to), clprim__type_bits(to));
}
