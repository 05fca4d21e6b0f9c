// SPDX-License-Identifier: MIT
/* prelude.c: write the caller's text, and the beginning of the library's text. */
#include "prelude.h"

#include <string.h>

#include "error.h"
#include "kinds.h"
#include "names.h"

/* Conversions of halves use core OpenCL functions, which do not need cl_khr_fp16. Conversions of bfloat16 use bit
 * operations, and round to nearest even. */
static const char CONVERSIONS[] =
    "static inline float half_to_float(ushort bits)\n{\n    return vload_half(0, (const half *)&bits);\n}\n"
    "static inline ushort half_from_float(float x)\n{\n    ushort bits;\n"
    "    if (isnan(x))\n        return 0x7e00;\n    vstore_half_rte(x, 0, (half *)&bits);\n    return bits;\n}\n"
    "static inline float bf16_to_float(ushort bits)\n{\n    return as_float((uint)bits << 16);\n}\n"
    "static inline ushort bf16_from_float(float x)\n{\n    const uint bits = as_uint(x);\n"
    "    if (isnan(x))\n        return 0x7fc0;\n    return (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);\n}\n";

static void write_pragmas(clprim__text *text, bool has_fp64)
{
    clprim__text_format(text, "#line 1 \"prelude\"\n#pragma OPENCL FP_CONTRACT OFF\n");
    if (has_fp64)
        clprim__text_format(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
}

clprim_status clprim__type_check(clprim_type type, const char *member)
{
    if (clprim__is_type(type))
        return CLPRIM_SUCCESS;
    return clprim_type_size(type) == 0
               ? clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown %s %d", member, (int)type)
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s %s: clprim/types.h says which operations take it", member,
                              clprim_type_name(type));
}

static clprim_status check_element(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                   const clprim_device_info *info)
{
    const bool is_known = type_name == NULL;
    if (is_known != (type_size == 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            is_known ? "%stype_size is given without a type_name" : "type_name %s has no type_size",
                            is_known ? "" : type_name);
    if (computes && is_known && type == CLPRIM_F64 && !info->has_fp64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__element_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                    const clprim_device_info *info)
{
    const clprim_status status = type_name == NULL ? clprim__type_check(type, "type") : CLPRIM_SUCCESS;
    return status == CLPRIM_SUCCESS ? check_element(type, type_name, type_size, computes, info) : status;
}

clprim_status clprim__key_check(clprim_type type, const char *type_name, size_t type_size, bool computes,
                                const clprim_device_info *info)
{
    return type_name == NULL && !clprim__is_key_type(type) ? clprim__type_check(type, "type")
                                                           : check_element(type, type_name, type_size, computes, info);
}

void clprim__prelude_begin(clprim__prelude *self, const clprim_device_info *info)
{
    self->has_fp64 = info->has_fp64;
    write_pragmas(&self->own, info->has_fp64);
    clprim__text_format(&self->own, "%s", CONVERSIONS);
}

clprim__text *clprim__prelude_callers(clprim__prelude *self)
{
    static const char *const scalars[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                          "uint", "long", "ulong", "float", "double"};
    clprim__text *text = &self->callers;
    if (text->size > 0)
        return text;
    write_pragmas(text, self->has_fp64);
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (self->has_fp64 || strcmp(scalars[i], "double") != 0)
            clprim__text_format(text, "typedef %s " CLPRIM__RESERVED "%s;\n", scalars[i], scalars[i]);
    return text;
}

void clprim__prelude_text(clprim__text *out, const char *name, const char *text)
{
    size_t line = 1;
    const char *last = text;
    clprim__text_format(out, "#line 1 \"%s\"\n%s\n", name, text);
    for (const char *end; (end = strchr(last, '\n')) != NULL; last = end + 1)
        line++;
    clprim__text_format(out, "#line %zu \"%s\"\n", line, name);
    for (; *last != '\0'; last++)
        clprim__text_append(out, *last == '\t' ? "\t" : " ", 1);
}

void clprim__prelude_number(clprim__prelude *self, const char *name, const char *type, const void *value, size_t size)
{
    clprim__numbers *numbers = &self->numbers;
    const cl_uint k = numbers->count++;
    self->number_types[k] = type;
    numbers->sizes[k] = (cl_uint)size;
    numbers->words[k] = 0;
    memcpy(&numbers->words[k], value, size);
    clprim__text_format(&self->own, "#define %s " CLPRIM__RESERVED "number_%u\n", name, k);
}

/* The source must be complete: a declaration follows it, which an unfinished declaration would swallow or break. */
void clprim__prelude_source(clprim__prelude *self, const char *source)
{
    if (source == NULL)
        return;
    clprim__text *text = clprim__prelude_callers(self);
    clprim__prelude_text(text, "source", source);
    clprim__text_format(text, "typedef clprim__char clprim__end_%zu;\n#line 1 \"prelude\"\n", text->size);
}

void clprim__prelude_type_as(clprim__prelude *self, const char *name, const char *member, const char *type_name,
                             size_t type_size)
{
    clprim__text *text = clprim__prelude_callers(self);
    clprim__text_format(text, "typedef\n");
    clprim__prelude_text(text, member, type_name);
    clprim__text_format(text, " %s;\n#line 1 \"prelude\"\n", name);
    clprim__text_format(&self->own, "typedef char type_size_differs_from_the_host_%s[sizeof(%s) == %zu ? 1 : -1];\n",
                        name, name, type_size);
}

const char *clprim__prelude_type(clprim__prelude *self, const char *type_name, size_t type_size)
{
    static const char name[] = CLPRIM__CALLERS_TYPE;
    clprim__prelude_type_as(self, name, "type_name", type_name, type_size);
    return name;
}

clprim_status clprim__prelude_status(const clprim__prelude *self)
{
    const clprim_status status = clprim__text_status(&self->callers);
    return status == CLPRIM_SUCCESS ? clprim__text_status(&self->own) : status;
}

void clprim__prelude_free(clprim__prelude *self)
{
    clprim__text_free(&self->callers);
    clprim__text_free(&self->own);
}
