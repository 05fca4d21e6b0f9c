// SPDX-License-Identifier: MIT
/* types.c: sizes and names of types and operators; IEEE 754 halves. */
#include <clprim/types.h>
#include <string.h>

static const struct type_row {
    size_t size;
    const char *name;
} types[CLPRIM_KEY_TYPE_END] = {
    [CLPRIM_I8] = {1, "i8"},     [CLPRIM_U8] = {1, "u8"},      [CLPRIM_I16] = {2, "i16"},
    [CLPRIM_U16] = {2, "u16"},   [CLPRIM_I32] = {4, "i32"},    [CLPRIM_U32] = {4, "u32"},
    [CLPRIM_I64] = {8, "i64"},   [CLPRIM_U64] = {8, "u64"},    [CLPRIM_F16] = {2, "f16"},
    [CLPRIM_F32] = {4, "f32"},   [CLPRIM_F64] = {8, "f64"},    [CLPRIM_TYPE_END] = {0, "unknown"},
    [CLPRIM_BF16] = {2, "bf16"}, [CLPRIM_U128] = {16, "u128"},
};

static bool has_row(clprim_type type)
{
    return (int)type > CLPRIM_TYPE_DEFAULT && (int)type < CLPRIM_KEY_TYPE_END;
}

size_t clprim_type_size(clprim_type type)
{
    return has_row(type) ? types[type].size : 0;
}

const char *clprim_type_name(clprim_type type)
{
    return has_row(type) ? types[type].name : "unknown";
}

const char *clprim_op_name(clprim_op op)
{
    static const char *const names[CLPRIM_OP_END] = {
        [CLPRIM_SUM] = "sum", [CLPRIM_PROD] = "prod",     [CLPRIM_MIN] = "min",
        [CLPRIM_MAX] = "max", [CLPRIM_AND] = "and",       [CLPRIM_OR] = "or",
        [CLPRIM_XOR] = "xor", [CLPRIM_ARGMIN] = "argmin", [CLPRIM_ARGMAX] = "argmax",
    };
    return (int)op >= 0 && (int)op < CLPRIM_OP_END ? names[op] : "unknown";
}

/* A half has 1 sign bit, 5 exponent bits and 10 mantissa bits, with bias 15. A float has 1, 8 and 23, with bias 127. */
float clprim_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fU;
    const uint32_t mantissa = half & 0x3ffU;
    float result;
    if (exponent == 0) { /* zero or denormal: mantissa * 2^-24, which is a normal number as a float */
        result = (float)mantissa * 0x1p-24F;
        return sign != 0 ? -result : result;
    }
    /* In both formats, infinity and NaN have all exponent bits set. */
    const uint32_t wide_exponent = exponent == 0x1f ? 0xffU : exponent + 127 - 15;
    const uint32_t bits = sign | wide_exponent << 23 | mantissa << 13;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* value >> shift, rounded to nearest, ties to even; 0 < shift < 32. */
static uint32_t shift_rounding(uint32_t value, unsigned shift)
{
    const uint32_t kept = value >> shift;
    const uint32_t rest = value & ((UINT32_C(1) << shift) - 1);
    const uint32_t half_way = UINT32_C(1) << (shift - 1);
    return kept + (rest > half_way || (rest == half_way && (kept & 1U) != 0));
}

uint16_t clprim_half_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000U;
    const uint32_t magnitude = bits & 0x7fffffffU;
    const uint32_t exponent = magnitude >> 23;
    uint32_t result;
    if (magnitude > 0x7f800000U) /* NaN: make it quiet, and keep the part of its payload that fits */
        result = 0x7e00U | (magnitude >> 13 & 0x3ffU);
    else if (magnitude >= 0x477ff000U) /* 65520 or more: 65520 is half-way between the largest half and 2^16 */
        result = 0x7c00U;
    else if (exponent >= 113) /* normal: a carry out of the mantissa correctly increments the exponent */
        result = shift_rounding(magnitude - (UINT32_C(112) << 23), 13);
    else if (exponent >= 102) /* denormal: a multiple of 2^-24. A carry correctly gives the smallest normal number */
        result = shift_rounding((magnitude & 0x7fffffU) | 0x800000U, 126 - exponent);
    else
        result = 0;
    return (uint16_t)(sign | result);
}
