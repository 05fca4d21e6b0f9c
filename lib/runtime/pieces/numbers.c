// SPDX-License-Identifier: MIT
/* numbers.c: loops over arrays of built-in types, which the compiler vectorises. */
#include "numbers.h"

#include <string.h>

#include "kinds.h"

clprim__computed clprim__computed_in(clprim_type accumulator_type)
{
    if (accumulator_type == CLPRIM_F64)
        return CLPRIM__IN_F64;
    if (clprim__is_float(accumulator_type))
        return CLPRIM__IN_F32;
    return clprim_type_size(accumulator_type) <= sizeof(uint32_t) ? CLPRIM__IN_U32 : CLPRIM__IN_U64;
}

/* A half as a float. The exponent of a half is too small by 112; infinity and NaNs have the largest one of both. No step
 * has a denormal float, which the caller's thread may flush to zero. */
static inline float float_of_half(uint16_t half)
{
    const uint32_t magnitude = half & 0x7fffu;
    const float small = (float)(int32_t)magnitude * 0x1p-24F; /* of a denormal half: exact */
    const uint32_t large = (magnitude << 13) + (magnitude >= 0x7c00u ? 0x70000000u : 0x38000000u);
    uint32_t bits = 0;
    float number = 0;
    memcpy(&bits, &small, sizeof bits);
    bits = (magnitude < 0x400u ? bits : large) | (half & 0x8000u) << 16;
    memcpy(&number, &bits, sizeof number);
    return number;
}

#define SAME(x) (x)
/* from a type, to a member of the block, by way of a type that extends the sign */
#define CONVERT(from, to, through, by)                                                                                 \
    static void from##_to_##to(clprim__numbers_block *room, const void *in, size_t n)                                  \
    {                                                                                                                  \
        const clprim__##from *x = in;                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            room->to[i] = (through)by(x[i]);                                                                           \
    }

CONVERT(i8, u32, uint32_t, SAME)
CONVERT(u8, u32, uint32_t, SAME)
CONVERT(i16, u32, uint32_t, SAME)
CONVERT(u16, u32, uint32_t, SAME)
CONVERT(i8, u64, uint64_t, SAME)
CONVERT(u8, u64, uint64_t, SAME)
CONVERT(i16, u64, uint64_t, SAME)
CONVERT(u16, u64, uint64_t, SAME)
CONVERT(i32, u64, uint64_t, SAME)
CONVERT(u32, u64, uint64_t, SAME)
CONVERT(i8, f32, float, SAME)
CONVERT(u8, f32, float, SAME)
CONVERT(i16, f32, float, SAME)
CONVERT(i32, f32, float, SAME)
CONVERT(u32, f32, float, SAME)
CONVERT(i64, f32, float, SAME)
CONVERT(u64, f32, float, SAME)
CONVERT(i8, f64, double, SAME)
CONVERT(u8, f64, double, SAME)
CONVERT(i16, f64, double, SAME)
CONVERT(u16, f64, double, SAME)
CONVERT(i32, f64, double, SAME)
CONVERT(u32, f64, double, SAME)
CONVERT(i64, f64, double, SAME)
CONVERT(u64, f64, double, SAME)
CONVERT(f32, f64, double, SAME)

static void u16_to_f32(clprim__numbers_block *room, const void *in, size_t n)
{
    const clprim__u16 *x = in;
    for (size_t i = 0; i < n; i++)
        room->f32[i] = (float)x[i];
}

static void f16_to_f32(clprim__numbers_block *room, const void *in, size_t n)
{
    const clprim__u16 *x = in;
    for (size_t i = 0; i < n; i++)
        room->f32[i] = float_of_half(x[i]);
}

static void f16_to_f64(clprim__numbers_block *room, const void *in, size_t n)
{
    const clprim__u16 *x = in;
    for (size_t i = 0; i < n; i++)
        room->f64[i] = (double)float_of_half(x[i]);
}

typedef void converter(clprim__numbers_block *room, const void *in, size_t n);

/* NULL: elements have that form already, or the pair does not occur. */
static converter *const converters[CLPRIM_TYPE_END][4] = {
    [CLPRIM_I8] = {i8_to_u32, i8_to_u64, i8_to_f32, i8_to_f64},
    [CLPRIM_U8] = {u8_to_u32, u8_to_u64, u8_to_f32, u8_to_f64},
    [CLPRIM_I16] = {i16_to_u32, i16_to_u64, i16_to_f32, i16_to_f64},
    [CLPRIM_U16] = {u16_to_u32, u16_to_u64, u16_to_f32, u16_to_f64},
    [CLPRIM_I32] = {NULL, i32_to_u64, i32_to_f32, i32_to_f64},
    [CLPRIM_U32] = {NULL, u32_to_u64, u32_to_f32, u32_to_f64},
    [CLPRIM_I64] = {NULL, NULL, i64_to_f32, i64_to_f64},
    [CLPRIM_U64] = {NULL, NULL, u64_to_f32, u64_to_f64},
    [CLPRIM_F16] = {NULL, NULL, f16_to_f32, f16_to_f64},
    [CLPRIM_F32] = {NULL, NULL, NULL, f32_to_f64},
};

const void *clprim__numbers_in(clprim__numbers_block *room, clprim__computed as, clprim_type type, const void *in,
                               size_t n)
{
    converter *convert = converters[type][as];
    if (convert == NULL)
        return in;
    convert(room, in, n);
    return room;
}

/* Unsigned numbers have another sign bit; the opposite order is that of the complement. */
uint64_t clprim__numbers_flip(clprim_type type, bool reversed)
{
    const bool is_unsigned = !clprim__is_signed(type) && !clprim__is_float(type);
    const uint64_t sign = is_unsigned ? UINT64_C(1) << (8 * clprim_type_size(type) - 1) : 0;
    return reversed ? ~sign : sign;
}

#define KEY_LOOPS(bits)                                                                                                \
    static inline int##bits##_t key_##bits(int##bits##_t x, int##bits##_t flip, bool is_float)                         \
    {                                                                                                                  \
        const int##bits##_t others = is_float && x < 0 ? INT##bits##_MAX : 0;                                          \
        return (int##bits##_t)(x ^ others ^ flip);                                                                     \
    }                                                                                                                  \
    static inline int##bits##_t least_of_##bits(const clprim__i##bits *x, size_t n, int##bits##_t flip, bool is_float) \
    {                                                                                                                  \
        int##bits##_t least = INT##bits##_MAX;                                                                         \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const int##bits##_t key = key_##bits(x[i], flip, is_float);                                                \
            least = key < least ? key : least;                                                                         \
        }                                                                                                              \
        return least;                                                                                                  \
    }                                                                                                                  \
    static int64_t least_##bits(const void *in, size_t n, uint64_t flip, bool is_float)                                \
    {                                                                                                                  \
        return is_float ? least_of_##bits(in, n, (int##bits##_t)flip, true)                                            \
                        : least_of_##bits(in, n, (int##bits##_t)flip, false);                                          \
    }                                                                                                                  \
    static size_t where_##bits(const void *in, size_t n, uint64_t flip, bool is_float, int64_t key)                    \
    {                                                                                                                  \
        const clprim__i##bits *x = in;                                                                                 \
        size_t i = 0;                                                                                                  \
        while (i < n && key_##bits(x[i], (int##bits##_t)flip, is_float) != key)                                        \
            i++;                                                                                                       \
        return i;                                                                                                      \
    }

#define NAN_LOOP(bits)                                                                                                 \
    static size_t nan_##bits(const void *in, size_t n, uint64_t infinity)                                              \
    {                                                                                                                  \
        const clprim__i##bits *x = in;                                                                                 \
        int##bits##_t largest = 0;                                                                                     \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const int##bits##_t magnitude = (int##bits##_t)(x[i] & INT##bits##_MAX);                                   \
            largest = magnitude > largest ? magnitude : largest;                                                       \
        }                                                                                                              \
        size_t first = largest > (int##bits##_t)infinity ? 0 : n;                                                      \
        while (first < n && (x[first] & INT##bits##_MAX) <= (int##bits##_t)infinity)                                   \
            first++;                                                                                                   \
        return first;                                                                                                  \
    }

KEY_LOOPS(8)
KEY_LOOPS(16)
KEY_LOOPS(32)
KEY_LOOPS(64)
NAN_LOOP(16)
NAN_LOOP(32)
NAN_LOOP(64)

int64_t clprim__numbers_least(clprim_type type, bool reversed, const void *in, size_t n)
{
    const uint64_t flip = clprim__numbers_flip(type, reversed);
    const bool is_float = clprim__is_float(type);
    switch (clprim_type_size(type)) {
    case 1: return least_8(in, n, flip, is_float);
    case 2: return least_16(in, n, flip, is_float);
    case 4: return least_32(in, n, flip, is_float);
    default: return least_64(in, n, flip, is_float);
    }
}

size_t clprim__numbers_where(clprim_type type, bool reversed, int64_t key, const void *in, size_t n)
{
    const uint64_t flip = clprim__numbers_flip(type, reversed);
    const bool is_float = clprim__is_float(type);
    switch (clprim_type_size(type)) {
    case 1: return where_8(in, n, flip, is_float, key);
    case 2: return where_16(in, n, flip, is_float, key);
    case 4: return where_32(in, n, flip, is_float, key);
    default: return where_64(in, n, flip, is_float, key);
    }
}

size_t clprim__numbers_first_nan(clprim_type type, const void *in, size_t n)
{
    switch (type) {
    case CLPRIM_F16: return nan_16(in, n, 0x7c00);
    case CLPRIM_F32: return nan_32(in, n, 0x7f800000);
    case CLPRIM_F64: return nan_64(in, n, UINT64_C(0x7ff) << 52);
    default: return n;
    }
}
