/* reduce_reference.c: reductions on the host, one element after the other. */
#include <clprim/reference.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "error.h"
#include "operator.h"

/* The key by which MIN and MAX compare: the value of an integer; the bits of a float, taken as a signed integer, with
 * all but the sign flipped where that is set (see types.h). */
#define VALUE_KEY(T, x)   (x)
#define BITS_KEY(T, bits) ((bits) < 0 ? (T)((bits) ^ (T)(((uint64_t)1 << (8 * sizeof(T) - 1)) - 1)) : (bits))

#define SAME(x)           (x)
#define HALF(x)           clprim_half_to_float(x)

#define FOLD_CASE(OP, A, LOAD, expression)                                                                             \
    case OP:                                                                                                           \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const A b = (A)LOAD(x[i]);                                                                                 \
            a = expression;                                                                                            \
        }                                                                                                              \
        break;

/* Sum or product in A: float, double, or uint64_t, whose low bits are those of the sum in any narrower integer. */
#define DEFINE_ARITHMETIC(name, T, LOAD, A, OTHER_CASES)                                                               \
    static A name(clprim_op op, const void *in, size_t count)                                                          \
    {                                                                                                                  \
        const T *x = in;                                                                                               \
        A a = (A)(op == CLPRIM_PROD ? 1 : op == CLPRIM_AND ? -1 : 0);                                                  \
        switch (op) {                                                                                                  \
            FOLD_CASE(CLPRIM_SUM, A, LOAD, a + b)                                                                      \
            FOLD_CASE(CLPRIM_PROD, A, LOAD, a *b)                                                                      \
            OTHER_CASES                                                                                                \
        default: break;                                                                                                \
        }                                                                                                              \
        return a;                                                                                                      \
    }

#define BITWISE_CASES                                                                                                  \
    FOLD_CASE(CLPRIM_AND, uint64_t, SAME, (a & b))                                                                     \
    FOLD_CASE(CLPRIM_OR, uint64_t, SAME, (a | b))                                                                      \
    FOLD_CASE(CLPRIM_XOR, uint64_t, SAME, (a ^ b))

/* The first index of the least or of the greatest element; count > 0. */
#define DEFINE_EXTREMUM(name, K, KEY)                                                                                  \
    static K name##_key(const void *in, size_t i)                                                                      \
    {                                                                                                                  \
        K x;                                                                                                           \
        memcpy(&x, (const K *)in + i, sizeof x);                                                                       \
        return KEY(K, x);                                                                                              \
    }                                                                                                                  \
    static size_t name(bool greatest, const void *in, size_t count)                                                    \
    {                                                                                                                  \
        size_t best = 0;                                                                                               \
        for (size_t i = 1; i < count; i++)                                                                             \
            if (greatest ? name##_key(in, i) > name##_key(in, best) : name##_key(in, i) < name##_key(in, best))        \
                best = i;                                                                                              \
        return best;                                                                                                   \
    }

/* Everything for one type. T: how C holds it; K: the integer by which it is ordered. */
#define DEFINE_TYPE(name, T, LOAD, K, KEY)                                                                             \
    DEFINE_ARITHMETIC(name##_in_float, T, LOAD, float, )                                                               \
    DEFINE_ARITHMETIC(name##_in_double, T, LOAD, double, )                                                             \
    DEFINE_EXTREMUM(name##_extremum, K, KEY)                                                                           \
    static long double name##_load(const void *in, size_t i)                                                           \
    {                                                                                                                  \
        const T *x = in;                                                                                               \
        return (long double)LOAD(x[i]);                                                                                \
    }

#define DEFINE_INTEGER(name, T)                                                                                        \
    DEFINE_ARITHMETIC(name##_in_integer, T, SAME, uint64_t, BITWISE_CASES)                                             \
    DEFINE_TYPE(name, T, SAME, T, VALUE_KEY)

DEFINE_INTEGER(i8, int8_t)
DEFINE_INTEGER(u8, uint8_t)
DEFINE_INTEGER(i16, int16_t)
DEFINE_INTEGER(u16, uint16_t)
DEFINE_INTEGER(i32, int32_t)
DEFINE_INTEGER(u32, uint32_t)
DEFINE_INTEGER(i64, int64_t)
DEFINE_INTEGER(u64, uint64_t)
DEFINE_TYPE(f16, uint16_t, HALF, int16_t, BITS_KEY)
DEFINE_TYPE(f32, float, SAME, int32_t, BITS_KEY)
DEFINE_TYPE(f64, double, SAME, int64_t, BITS_KEY)

/* Identities of MIN and MAX: the bits of the greatest and of the least element of the order. */
#define FUNCTIONS(name) name##_in_float, name##_in_double, name##_extremum, name##_load
#define SIGNED_ROW(name, bits)                                                                                         \
    {                                                                                                                  \
        name##_in_integer, FUNCTIONS(name), UINT64_MAX >> (65 - (bits)), UINT64_C(1) << ((bits)-1)                     \
    }
#define UNSIGNED_ROW(name, bits)                                                                                       \
    {                                                                                                                  \
        name##_in_integer, FUNCTIONS(name), UINT64_MAX, 0                                                              \
    }
#define FLOAT_ROW(name, bits)                                                                                          \
    {                                                                                                                  \
        NULL, FUNCTIONS(name), UINT64_MAX >> (65 - (bits)), UINT64_MAX                                                 \
    }

static const struct type_row {
    uint64_t (*in_integer)(clprim_op op, const void *in, size_t count);
    float (*in_float)(clprim_op op, const void *in, size_t count);
    double (*in_double)(clprim_op op, const void *in, size_t count);
    size_t (*extremum)(bool greatest, const void *in, size_t count);
    long double (*load)(const void *in, size_t i);
    uint64_t greatest;
    uint64_t least;
} types[CLPRIM_TYPE_END] = {
    [CLPRIM_I8] = SIGNED_ROW(i8, 8),      [CLPRIM_U8] = UNSIGNED_ROW(u8, 8),    [CLPRIM_I16] = SIGNED_ROW(i16, 16),
    [CLPRIM_U16] = UNSIGNED_ROW(u16, 16), [CLPRIM_I32] = SIGNED_ROW(i32, 32),   [CLPRIM_U32] = UNSIGNED_ROW(u32, 32),
    [CLPRIM_I64] = SIGNED_ROW(i64, 64),   [CLPRIM_U64] = UNSIGNED_ROW(u64, 64), [CLPRIM_F16] = FLOAT_ROW(f16, 16),
    [CLPRIM_F32] = FLOAT_ROW(f32, 32),    [CLPRIM_F64] = FLOAT_ROW(f64, 64),
};

/* Write the low bits of value as an integer (or as a float's bits) of `size` bytes. */
static void store_bits(void *out, size_t size, uint64_t value)
{
    const uint8_t u8 = (uint8_t)value;
    const uint16_t u16 = (uint16_t)value;
    const uint32_t u32 = (uint32_t)value;
    memcpy(out,
           size == 1   ? (const void *)&u8
           : size == 2 ? (const void *)&u16
           : size == 4 ? (const void *)&u32
                       : &value,
           size);
}

static void store_extremum(void *out, clprim_type type, clprim_op op, const void *in, size_t count)
{
    const size_t size = clprim_type_size(type);
    const bool greatest = op == CLPRIM_MAX || op == CLPRIM_ARGMAX;
    const size_t index = count > 0 ? types[type].extremum(greatest, in, count) : 0;
    clprim_indexed result = {.index = count > 0 ? index : UINT64_MAX};
    if (count > 0)
        memcpy(&result.value, (const char *)in + index * size, size);
    else
        store_bits(&result.value, size, greatest ? types[type].least : types[type].greatest);
    if (op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX)
        memcpy(out, &result, sizeof result);
    else
        memcpy(out, &result.value, size);
}

clprim_status clprim_reference_reduce(void *out, clprim_type type, clprim_op op, clprim_type accumulator_type,
                                      const void *in, size_t count)
{
    if (out == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce: %s is NULL", out == NULL ? "out" : "in");
    const clprim_status status = clprim__operator_check(type, op, &accumulator_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const struct type_row *row = &types[type];
    if (op == CLPRIM_MIN || op == CLPRIM_MAX || op == CLPRIM_ARGMIN || op == CLPRIM_ARGMAX) {
        store_extremum(out, type, op, in, count);
    } else if (accumulator_type == CLPRIM_F64) {
        const double result = row->in_double(op, in, count);
        memcpy(out, &result, sizeof result);
    } else if (accumulator_type == CLPRIM_F32) {
        const float result = row->in_float(op, in, count);
        memcpy(out, &result, sizeof result);
    } else if (accumulator_type == CLPRIM_F16) {
        store_bits(out, sizeof(uint16_t), clprim_half_from_float(row->in_float(op, in, count)));
    } else {
        store_bits(out, clprim_type_size(accumulator_type), row->in_integer(op, in, count));
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reference_reduce_custom(void *out, size_t size, const void *identity,
                                             clprim_reference_combine combine, const void *in, size_t count)
{
    if (out == NULL || size == 0 || identity == NULL || combine == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_custom: an argument is NULL or 0");
    memcpy(out, identity, size);
    for (size_t i = 0; i < count; i++)
        combine(out, (const char *)in + i * size);
    return CLPRIM_SUCCESS;
}

/* What a float type does to a number: the unit roundoff, half the distance of its denormals, and the least magnitude
 * that rounds to infinity. F16 computes in F32 and rounds once more when stored. */
typedef struct precision {
    long double unit;
    long double half_denormal;
    long double overflow;
} precision;

static const precision half_precision = {0x1p-11L, 0x1p-25L, 65520.0L};
static const precision float_precision = {0x1p-24L, 0x1p-150L, 0x1.ffffffp127L};
static const precision double_precision = {0x1p-53L, 0.0L, 0x1.fffffffffffff8p1023L};

/* Sum and product of the elements with the errors of addition carried along (Neumaier 1974), and of magnitudes. */
typedef struct exact_fold {
    long double value;
    long double correction; /* value + correction is the sum; kept apart, for their difference from a result */
    long double magnitude;  /* sum of |x|, or |product| */
} exact_fold;

static exact_fold fold_exactly(long double (*load)(const void *, size_t), clprim_op op, const void *in, size_t count)
{
    exact_fold f = {.value = op == CLPRIM_PROD ? 1.0L : 0.0L};
    for (size_t i = 0; i < count; i++) {
        const long double x = load(in, i);
        const long double before = f.value;
        f.value = op == CLPRIM_PROD ? before * x : before + x;
        if (op == CLPRIM_SUM && isfinite(f.value))
            f.correction += fabsl(before) >= fabsl(x) ? (before - f.value) + x : (x - f.value) + before;
        f.magnitude += fabsl(x);
    }
    if (op == CLPRIM_PROD)
        f.magnitude = fabsl(f.value);
    if (!isfinite(f.value))
        f.correction = 0;
    return f;
}

static long double rounding_bound(const exact_fold *f, const precision *computed, const precision *stored, size_t depth)
{
    const long double spread = (long double)depth * computed->unit;
    if (!isfinite(f->value))
        return 0;
    if (spread >= 1 || f->magnitude >= computed->overflow) /* nothing can be promised: some order may overflow */
        return (long double)INFINITY;
    /* LDBL_EPSILON: what this computation itself rounds. */
    const long double operations = (spread / (1 - spread) + 4 * LDBL_EPSILON) * f->magnitude;
    if (computed == stored)
        return operations;
    return operations + stored->unit * (fabsl(f->value) + operations) + stored->half_denormal;
}

static long double distance(const exact_fold *f, const precision *stored, long double bound, long double result)
{
    if (isnan(f->value) || isnan(result) || isinf(f->value))
        return (isnan(f->value) && isnan(result)) || f->value == result ? 0 : (long double)INFINITY;
    if (!isinf(result))
        return fabsl((f->value - result) + f->correction);
    /* An infinite result is right where the exact value comes as near as the bound to those that round to it. */
    const long double missing = stored->overflow - (result > 0 ? f->value : -f->value);
    return missing <= 0 ? 0 : missing <= bound ? missing : (long double)INFINITY;
}

clprim_status clprim_reference_reduce_error(double *error, double *bound, clprim_type type, clprim_op op,
                                            clprim_type accumulator_type, const void *in, size_t count, size_t depth,
                                            const void *result)
{
    if (error == NULL || bound == NULL || result == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_error: an argument is NULL");
    const clprim_status status = clprim__operator_check(type, op, &accumulator_type);
    if (status != CLPRIM_SUCCESS)
        return status;
    const bool is_float =
        accumulator_type == CLPRIM_F16 || accumulator_type == CLPRIM_F32 || accumulator_type == CLPRIM_F64;
    if (!is_float || (op != CLPRIM_SUM && op != CLPRIM_PROD))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_reduce_error judges float sums and products");
    const precision *computed = accumulator_type == CLPRIM_F64 ? &double_precision : &float_precision;
    const precision *stored = accumulator_type == CLPRIM_F16 ? &half_precision : computed;
    const exact_fold f = fold_exactly(types[type].load, op, in, count);
    const size_t chain = depth > 0 || count == 0 ? depth : count - 1;
    const long double allowed = rounding_bound(&f, computed, stored, chain);
    *error = (double)distance(&f, stored, allowed, types[accumulator_type].load(result, 0));
    *bound = (double)allowed;
    return CLPRIM_SUCCESS;
}
