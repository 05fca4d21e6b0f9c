// SPDX-License-Identifier: MIT
/* parameters.c: the names that a caller's texts may use besides their operands. */
#include "parameters.h"

#include <stdio.h>
#include <string.h>

#include "element_types.h"
#include "error.h"
#include "names.h"

const char clprim__first_index[] = CLPRIM__RESERVED "first_index";

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

clprim_type clprim__parameter_type(const clprim_parameter *parameter)
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

bool clprim__has_first_index(const clprim__prelude *prelude)
{
    return prelude->num_parameters > 0 && prelude->parameters[prelude->num_parameters - 1].name == clprim__first_index;
}

clprim_element clprim__parameter_element(const clprim_parameter *parameter)
{
    if (parameter->name == NULL)
        return (clprim_element){.size = 0};
    if (parameter->type_name != NULL)
        return (clprim_element){.size = parameter->type_size};
    return (clprim_element){.size = clprim_type_size(clprim__parameter_type(parameter)),
                            .type = clprim__parameter_type(parameter)};
}

bool clprim__parameter_is_value(const clprim_parameter *parameter)
{
    return parameter->name != NULL && !parameter->is_array;
}

static const char *const keywords[] = {
    "asm",     "auto",     "bool",      "break",      "case",     "char",     "const",  "constant", "continue",
    "default", "do",       "double",    "else",       "enum",     "extern",   "float",  "for",      "generic",
    "global",  "goto",     "half",      "if",         "inline",   "int",      "kernel", "local",    "long",
    "pipe",    "private",  "read_only", "read_write", "register", "restrict", "return", "short",    "signed",
    "sizeof",  "static",   "struct",    "switch",     "typedef",  "typeof",   "union",  "unsigned", "vec_step",
    "void",    "volatile", "while",     "write_only", NULL};

static clprim_status check_name(const clprim_parameter *parameters, size_t i)
{
    const char *name = parameters[i].name;
    if (name == clprim__first_index)
        return CLPRIM_SUCCESS;
    if (name[0] == '\0' || strspn(name, ALPHABET) != strlen(name) || (name[0] >= '0' && name[0] <= '9') ||
        strncmp(name, CLPRIM__RESERVED, sizeof CLPRIM__RESERVED - 1) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "'%s' cannot be a parameter's name: it is not an identifier, or begins with clprim__",
                            name);
    if (strcmp(name, "i") == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "'i' cannot be a parameter's name: it is the index");
    for (const char *const *word = keywords; *word != NULL; word++)
        if (strcmp(name, *word) == 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "'%s' cannot be a parameter's name: it is a word of OpenCL C",
                                name);
    for (size_t other = 0; other < i; other++)
        if (strcmp(name, parameters[other].name) == 0)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "two parameters have the name '%s'", name);
    return CLPRIM_SUCCESS;
}

static clprim_status check(const clprim_parameter *parameters, const clprim_device_info *info)
{
    const size_t count = count_of(parameters);
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        const clprim_parameter *p = &parameters[i];
        CLPRIM__TRY(check_name(parameters, i));
        CLPRIM__TRY(clprim__element_check(clprim__parameter_type(p), p->type_name, p->type_size, true, info));
    }
    for (size_t i = count; i < CLPRIM_MAX_PARAMETERS; i++)
        if (parameters[i].name != NULL || parameters[i].type_name != NULL || parameters[i].type != CLPRIM_TYPE_DEFAULT)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "parameters[%zu] has no name", count);
done:
    return status;
}

/* Write the type of the i-th parameter. In the caller's text, which may define macros with names of OpenCL C, it has a
 * reserved name. An array of halves is passed as it is in memory. A single half is passed as its bits, and the caller's
 * text sees a float. */
static void write_type(clprim__text *text, const clprim_parameter *parameter, size_t i, bool is_callers)
{
    const bool is_half = parameter->type_name == NULL && clprim__parameter_type(parameter) == CLPRIM_F16;
    clprim__text_format(text, "%s", parameter->is_array ? "const __global " : is_callers ? "const " : "");
    if (parameter->type_name != NULL)
        clprim__text_format(text, CLPRIM__RESERVED "parameter_type_%zu", i);
    else if (is_half && parameter->is_array)
        clprim__text_format(text, "half");
    else
        clprim__text_format(text, "%s%s", is_callers ? CLPRIM__RESERVED : "",
                            is_half && is_callers ? "float" : clprim__type_storage(clprim__parameter_type(parameter)));
    clprim__text_format(text, parameter->is_array ? " *" : " ");
}

static void write_own_types(clprim__prelude *prelude, const clprim_parameter *parameters)
{
    char name[64];
    char member[64];
    for (size_t i = 0; i < count_of(parameters); i++) {
        (void)snprintf(name, sizeof name, CLPRIM__RESERVED "parameter_type_%zu", i);
        (void)snprintf(member, sizeof member, "parameters[%zu].type_name", i);
        if (parameters[i].type_name != NULL)
            clprim__prelude_type_as(prelude, name, member, parameters[i].type_name, parameters[i].type_size);
    }
}

/* Write the plan's numbers, which are the first of PARAMETERS. */
static void write_numbers(clprim__text *out, clprim__text *passed, const clprim__prelude *prelude)
{
    for (cl_uint k = 0; k < prelude->numbers.count; k++) {
        const char *comma = k > 0 ? "," : "";
        clprim__text_format(out, "%s %s " CLPRIM__RESERVED "number_%u", comma, prelude->number_types[k], k);
        clprim__text_format(passed, "%s " CLPRIM__RESERVED "number_%u", comma, k);
    }
}

static void write_parameters(clprim__text *out, clprim__text *passed, clprim__text *arguments,
                             const clprim_parameter *parameters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const clprim_parameter *p = &parameters[i];
        const char *comma = passed->size > 0 ? "," : "";
        const bool is_half = !p->is_array && p->type_name == NULL && p->type == CLPRIM_F16;
        clprim__text_format(out, "%s ", comma);
        write_type(out, p, i, false);
        clprim__text_format(out, CLPRIM__RESERVED "parameter_%zu", i);
        clprim__text_format(passed, "%s " CLPRIM__RESERVED "parameter_%zu", comma, i);
        clprim__text_format(arguments, "%s %s(" CLPRIM__RESERVED "parameter_%zu", i > 0 ? "," : "",
                            is_half ? "half_to_float" : "", i);
        if (p->is_array) {
            clprim__text_format(out, ", ulong " CLPRIM__RESERVED "offset_%zu", i);
            clprim__text_format(passed, ", " CLPRIM__RESERVED "offset_%zu", i);
            clprim__text_format(arguments, " + " CLPRIM__RESERVED "offset_%zu", i);
        }
        clprim__text_format(arguments, ")");
    }
}

/* Write count k of a call. If a call has only one count, it is always given. */
static void write_count(clprim__text *out, size_t k, bool may_be_none)
{
    clprim__text_format(out, "#define CALL_COUNT_%zu(n) (", k);
    if (may_be_none)
        clprim__text_format(out, CLPRIM__RESERVED "count_offset_%zu == ~0ul ? (ulong)(n) : ", k);
    clprim__text_format(
        out, "min((ulong)(n), (ulong)" CLPRIM__RESERVED "count_%zu[" CLPRIM__RESERVED "count_offset_%zu]))\n", k, k);
}

/* Write the initial value, which is the last of PARAMETERS. */
static void write_initial(clprim__text *out, clprim__text *passed, const clprim__initial *initial)
{
    const char *comma = passed->size > 0 ? "," : "";
    if (initial->type == NULL)
        return;
    clprim__text_format(out, "%s %s%s %s" CLPRIM__RESERVED "parameter_initial%s", comma,
                        initial->is_at ? "const __global " : "", initial->type, initial->is_at ? "*" : "",
                        initial->is_at ? ", ulong " CLPRIM__RESERVED "parameter_initial_offset" : "");
    clprim__text_format(passed, "%s " CLPRIM__RESERVED "parameter_initial%s", comma,
                        initial->is_at ? ", " CLPRIM__RESERVED "parameter_initial_offset" : "");
}

void clprim__parameters_write(clprim__text *out, const clprim__prelude *prelude, const clprim__counts *counts,
                              const clprim__initial *initial)
{
    const size_t num_parameters = prelude != NULL ? prelude->num_parameters : 0;
    clprim__text passed = {0};
    clprim__text arguments = {0};
    const size_t num_numbers = prelude != NULL ? prelude->numbers.count : 0;
    if (num_numbers == 0 && num_parameters == 0 && counts->number == 0 && initial->type == NULL)
        return;
    clprim__text_format(out, "#define PARAMETERS");
    if (num_numbers > 0)
        write_numbers(out, &passed, prelude);
    if (num_parameters > 0)
        write_parameters(out, &passed, &arguments, prelude->parameters, num_parameters);
    for (size_t k = 0; k < counts->number; k++) {
        const char *comma = passed.size > 0 ? "," : "";
        clprim__text_format(
            out, "%s const __global %s *" CLPRIM__RESERVED "count_%zu, ulong " CLPRIM__RESERVED "count_offset_%zu",
            comma, counts->size == sizeof(cl_ulong) ? "ulong" : "uint", k, k);
        clprim__text_format(&passed, "%s " CLPRIM__RESERVED "count_%zu, " CLPRIM__RESERVED "count_offset_%zu", comma, k,
                            k);
    }
    write_initial(out, &passed, initial);
    clprim__text_format(out, "\n#define PASSED");
    clprim__text_append(out, passed.data, passed.size);
    clprim__text_format(out, "\n#define ARGUMENTS");
    clprim__text_append(out, arguments.data, arguments.size);
    clprim__text_format(out, "\n#undef CLPRIM_PARAMETERS\n#define CLPRIM_PARAMETERS PARAMETERS,\n"
                             "#undef CLPRIM_PASSED\n#define CLPRIM_PASSED PASSED,\n");
    if (counts->number > 0)
        clprim__text_format(out, "#define CALL_COUNTED 1\n");
    for (size_t k = 0; k < counts->number; k++)
        write_count(out, k, counts->number > 1);
    if (initial->type != NULL)
        clprim__text_format(out, "#define INITIAL " CLPRIM__RESERVED "parameter_initial%s\n",
                            initial->is_at ? "[" CLPRIM__RESERVED "parameter_initial_offset]" : "");
    out->failed = out->failed || passed.failed || arguments.failed;
    clprim__text_free(&passed);
    clprim__text_free(&arguments);
}

clprim_status clprim__text_write(clprim__prelude *prelude, const clprim_text *text, const clprim_device_info *info)
{
    const clprim_status status = check(text->parameters, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    prelude->options = text->options;
    prelude->parameters = text->parameters;
    prelude->num_parameters = count_of(text->parameters);
    clprim__prelude_source(prelude, text->source);
    write_own_types(prelude, text->parameters);
    return CLPRIM_SUCCESS;
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

void clprim__parameters_of(clprim__text *text, const clprim__prelude *prelude, const char *const *operands)
{
    for (size_t i = 0; i < prelude->num_parameters; i++) {
        const clprim_parameter *p = &prelude->parameters[i];
        clprim__text_format(text, "%s", i > 0 ? ", " : "");
        write_type(text, p, i, true);
        if (is_among(operands, p->name))
            clprim__text_format(text, CLPRIM__RESERVED "hidden_%zu", i);
        else
            clprim__text_format(text, "%s", p->name);
    }
}

bool clprim__has_text(const clprim_text *text)
{
    return text->source != NULL || text->options != NULL || count_of(text->parameters) > 0;
}
