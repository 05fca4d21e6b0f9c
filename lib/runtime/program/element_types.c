// SPDX-License-Identifier: MIT
/* element_types.c: the built-in types as OpenCL C text. */
#include "element_types.h"

const clprim__element_type clprim__element_types[CLPRIM_KEY_TYPE_END] = {
    [CLPRIM_I8] = {CLPRIM__SIGNED, 7, "char", "uchar", "char", "((char)-128)", "((char)127)", "uint", "int"},
    [CLPRIM_U8] = {CLPRIM__UNSIGNED, 8, "uchar", "uchar", "uchar", "((uchar)0)", "((uchar)255)", "uint", "int"},
    [CLPRIM_I16] = {CLPRIM__SIGNED, 15, "short", "ushort", "short", "((short)-32768)", "((short)32767)", "uint", "int"},
    [CLPRIM_U16] = {CLPRIM__UNSIGNED, 16, "ushort", "ushort", "ushort", "((ushort)0)", "((ushort)65535)", "uint",
                    "int"},
    [CLPRIM_I32] = {CLPRIM__SIGNED, 31, "int", "uint", "int", "INT_MIN", "INT_MAX", "uint", "int"},
    [CLPRIM_U32] = {CLPRIM__UNSIGNED, 32, "uint", "uint", "uint", "0u", "0xffffffffu", "uint", "int"},
    [CLPRIM_I64] = {CLPRIM__SIGNED, 63, "long", "ulong", "long", "LONG_MIN", "LONG_MAX", "ulong", "long"},
    [CLPRIM_U64] = {CLPRIM__UNSIGNED, 64, "ulong", "ulong", "ulong", "0ul", "0xfffffffffffffffful", "ulong", "long"},
    [CLPRIM_F16] = {CLPRIM__FLOAT, 11, "ushort", "ushort", "short", "((short)-32768)", "((short)32767)", "float", NULL},
    [CLPRIM_F32] = {CLPRIM__FLOAT, 24, "float", "uint", "int", "INT_MIN", "INT_MAX", "float", NULL},
    [CLPRIM_F64] = {CLPRIM__FLOAT, 53, "double", "ulong", "long", "LONG_MIN", "LONG_MAX", "double", NULL},
    [CLPRIM_BF16] = {CLPRIM__FLOAT, 8, "ushort", "ushort", "short", "((short)-32768)", "((short)32767)", "float", NULL},
    [CLPRIM_U128] = {CLPRIM__UNSIGNED, 128, "ulong2", "ulong2", NULL, NULL, NULL, NULL, NULL}, /* keys only */
};

const char *clprim__type_to_float(clprim_type type)
{
    return type == CLPRIM_F16 ? "half_to_float" : type == CLPRIM_BF16 ? "bf16_to_float" : NULL;
}

const char *clprim__type_from_float(clprim_type type)
{
    return type == CLPRIM_F16 ? "half_from_float" : type == CLPRIM_BF16 ? "bf16_from_float" : NULL;
}

const char *clprim__type_storage(clprim_type type)
{
    return clprim__element_types[type].storage;
}

const char *clprim__type_bits(clprim_type type)
{
    return clprim__element_types[type].bits;
}
