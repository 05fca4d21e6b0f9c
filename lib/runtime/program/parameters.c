/* parameters.c: what a caller's texts may name besides their operands. */
#include "parameters.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "names.h"
#include "operator.h"

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

static clprim_type type_of(const clprim_parameter *parameter)
{
    return parameter->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : parameter->type;
}

static size_t count_of(const clprim_parameter *parameters)
{
    size_t count = 0;
    while (count < CLPRIM_MAX_PARAMETERS && parameters[count].name != NULL)
        count++;
    return count;
}

clprim_element clprim__parameter_element(const clprim_parameter *parameter)
{
    if (parameter->name == NULL)
        return (clprim_element){.size = 0};
    if (parameter->type_name != NULL)
        return (clprim_element){.size = parameter->type_size};
    return (clprim_element){.size = clprim_type_size(type_of(parameter)), .type = type_of(parameter)};
}

bool clprim__parameter_is_value(const clprim_parameter *parameter)
{
    return parameter->name != NULL && !parameter->is_array;
}

static clprim_status check_name(const clprim_parameter *parameters, size_t i, const char *operand)
{
    const char *name = parameters[i].name;
    if (name[0] == '\0' || strspn(name, ALPHABET) != strlen(name) || (name[0] >= '0' && name[0] <= '9') ||
        strncmp(name, CLPRIM__RESERVED, sizeof CLPRIM__RESERVED - 1) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "'%s' cannot be a parameter's name: it is no identifier, or begins with clprim__", name);
    if (strcmp(name, operand) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "a parameter has the name of the texts' own operand '%s'", name);
    for (size_t other = 0; other < i; other++)
        if (strcmp(name, parameters[other].name) == 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "two parameters have the name '%s'", name);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__parameters_check(const clprim_parameter *parameters, const char *operand,
                                       const clprim_device_info *info)
{
    const size_t count = count_of(parameters);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        const clprim_parameter *p = &parameters[i];
        CLPRIM__TRY(check_name(parameters, i, operand));
        CLPRIM__TRY(clprim__element_check(type_of(p), p->type_name, p->type_size, true, info));
    }
    for (size_t i = count; i < CLPRIM_MAX_PARAMETERS; i++)
        if (parameters[i].name != NULL || parameters[i].type_name != NULL || parameters[i].type != CLPRIM_TYPE_DEFAULT)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "parameters[%zu] has no name", count);
done:
    return status;
}

/* The name that the library uses for the i-th parameter's type: to the caller's text, in which names of OpenCL C may be
 * macros, a reserved one. Halves are in memory as they are; single ones come as their bits, and are floats in texts. */
static void write_type(clprim__text *text, const clprim_parameter *parameter, size_t i, bool is_callers)
{
    const bool is_half = parameter->type_name == NULL && type_of(parameter) == CLPRIM_F16;
    clprim__text_format(text, "%s", parameter->is_array ? "const __global " : is_callers ? "const " : "");
    if (parameter->type_name != NULL)
        clprim__text_format(text, CLPRIM__RESERVED "parameter_type_%zu", i);
    else if (is_half && parameter->is_array)
        clprim__text_format(text, "half");
    else
        clprim__text_format(text, "%s%s", is_callers ? CLPRIM__RESERVED : "",
                            is_half && is_callers ? "float" : clprim__type_storage(type_of(parameter)));
    clprim__text_format(text, parameter->is_array ? " *" : " ");
}

static void write_own_types(clprim__prelude *prelude, const clprim_parameter *parameters)
{
    char name[64];
    for (size_t i = 0; i < count_of(parameters); i++) {
        (void)snprintf(name, sizeof name, CLPRIM__RESERVED "parameter_type_%zu", i);
        if (parameters[i].type_name != NULL)
            clprim__prelude_type_as(prelude, name, parameters[i].type_name, parameters[i].type_size);
    }
}

void clprim__parameters_write(clprim__prelude *prelude, const clprim_parameter *parameters)
{
    clprim__text *own = &prelude->own;
    clprim__text arguments = {0};
    write_own_types(prelude, parameters);
    clprim__text_format(own, "#define PARAMETERS");
    clprim__text_format(&arguments, "\n#define ARGUMENTS");
    for (size_t i = 0; i < count_of(parameters); i++) {
        const clprim_parameter *p = &parameters[i];
        const bool is_half = !p->is_array && p->type_name == NULL && p->type == CLPRIM_F16;
        clprim__text_format(&prelude->undefined, "#undef %s\n", p->name);
        clprim__text_format(&prelude->parameters, "%s", i > 0 ? ", " : "");
        write_type(&prelude->parameters, p, i, true);
        clprim__text_format(&prelude->parameters, "%s", p->name);
        clprim__text_format(own, " ");
        write_type(own, p, i, false);
        clprim__text_format(own, CLPRIM__RESERVED "parameter_%zu,", i);
        if (p->is_array)
            clprim__text_format(own, " ulong " CLPRIM__RESERVED "offset_%zu,", i);
        clprim__text_format(&arguments, "%s" CLPRIM__RESERVED "parameter_%zu", is_half ? " half_to_float(" : " ", i);
        if (p->is_array)
            clprim__text_format(&arguments, " + " CLPRIM__RESERVED "offset_%zu", i);
        clprim__text_format(&arguments, is_half ? ")," : ",");
    }
    clprim__text_append(own, arguments.data, arguments.size);
    clprim__text_format(own, "\n");
    own->failed = own->failed || arguments.failed;
    clprim__text_free(&arguments);
}
