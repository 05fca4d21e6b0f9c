// SPDX-License-Identifier: MIT
/* operators.c: custom operators, for the device and for the host. */
#include "folds.h"

#include <limits.h>
#include <string.h>

/* Names of OpenCL C, so that the same texts can be compiled here. */
#define uint      uint32_t
#define ulong     uint64_t
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

/* X(id, name, whether it does not commute, struct, combination of a and b, identity, the struct's source) */
#define OPERATORS(X)                                                                                                   \
    X(                                                                                                                 \
        TEST_RANGES, "ranges", false, range,                                                                           \
        ((range){min(a.least, b.least), max(a.greatest, b.greatest), a.count + (uint)b.count}),                        \
        ((range){INT_MAX, INT_MIN, 0}), typedef struct { int least, greatest, count; } range;)                         \
    X(                                                                                                                 \
        TEST_WIDE, "40 bytes", false, wide, add(a, b), ((wide){{0}}), typedef struct { ulong v[5]; } wide;             \
        static inline wide add(wide a, wide b) {                                                                       \
            for (int i = 0; i < 5; i++)                                                                                \
                a.v[i] += b.v[i];                                                                                      \
            return a;                                                                                                  \
        })                                                                                                             \
    X(                                                                                                                 \
        TEST_MATRICES, "2 x 2 matrices", true, matrix,                                                                 \
        ((matrix){{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3],                               \
                   a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]}}),                            \
        ((matrix){{1, 0, 0, 1}}), typedef struct { uint m[4]; } matrix;)                                               \
    /* first a, then b: x -> b.factor * (a.factor * x + a.summand) + b.summand */                                      \
    X(                                                                                                                 \
        TEST_AFFINE, "affine maps", true, affine, ((affine){a.factor * b.factor, a.summand * b.factor + b.summand}),   \
        ((affine){1, 0}), typedef struct { uint factor, summand; } affine;)                                            \
    X(                                                                                                                 \
        TEST_SPANS, "spans", true, span,                                                                               \
        ((span){min(a.lowest, b.lowest), max(a.highest, b.highest), b.last != 0 ? b.last : a.last}),                   \
        ((span){0xffffffff, 0, 0}), typedef struct { uint lowest, highest, last; } span;)

#define COMBINE(id, name, does_not_commute, type, combined, identity, ...)                                             \
    __VA_ARGS__ static void combine_##type(void *accumulated, const void *element)                                     \
    {                                                                                                                  \
        type a, b;                                                                                                     \
        memcpy(&a, accumulated, sizeof a);                                                                             \
        memcpy(&b, element, sizeof b);                                                                                 \
        a = combined;                                                                                                  \
        memcpy(accumulated, &a, sizeof a);                                                                             \
    }

/* The member after the texts is the type of elements that have no type_name. */
#define ROW(id, name, does_not_commute, type, combined, neutral, ...)                                                  \
    [id] = {name,                                                                                                      \
            {#type, sizeof(type), #__VA_ARGS__, #combined, #neutral, does_not_commute},                                \
            CLPRIM_TYPE_DEFAULT,                                                                                       \
            sizeof(type),                                                                                              \
            &neutral,                                                                                                  \
            combine_##type},

OPERATORS(COMBINE)

static void join(void *accumulated, const void *element)
{
    uint32_t *a = accumulated;
    const uint32_t *b = element;
    *a = *a * *b + *a + *b;
}

/* i -> a[b[i]]: maps of five places to themselves; any number stands for one of the places. */
typedef struct moves {
    uint32_t to[5];
} moves;

static void move(void *accumulated, const void *element)
{
    moves a, b;
    memcpy(&a, accumulated, sizeof a);
    memcpy(&b, element, sizeof b);
    for (int i = 0; i < 5; i++)
        b.to[i] = a.to[b.to[i] % 5];
    memcpy(accumulated, &b, sizeof b);
}

static void keep_first(void *accumulated, const void *element)
{
    (void)accumulated;
    (void)element;
}

static void keep_next(void *accumulated, const void *element)
{
    memcpy(accumulated, element, sizeof(uint16_t));
}

#define MOVES "typedef struct { uint to[5]; } moves;"

const test_operator test_operators[TEST_OPERATORS] = {
    [TEST_MOVES] = {"maps of five places",
                    {"moves", sizeof(moves), MOVES,
                     "(moves){{a.to[b.to[0] % 5], a.to[b.to[1] % 5], a.to[b.to[2] % 5], a.to[b.to[3] % 5], "
                     "a.to[b.to[4] % 5]}}",
                     NULL, true},
                    CLPRIM_TYPE_DEFAULT,
                    sizeof(moves),
                    NULL,
                    move},
    [TEST_FIRST] =
        {"the first one", {.combine = "a", .non_commutative = true}, CLPRIM_U64, sizeof(uint64_t), NULL, keep_first},
    [TEST_NEXT] =
        {"the last one", {.combine = "b", .non_commutative = true}, CLPRIM_F16, sizeof(uint16_t), NULL, keep_next},
    [TEST_JOIN] =
        {"built-in", {.combine = "a * b + a + b", .identity = "0"}, CLPRIM_U32, 4, &(const uint32_t){0}, join},
    OPERATORS(ROW)};

test_operator test_without_identity(const test_operator *own)
{
    test_operator without = *own;
    without.op.identity = without.identity = NULL;
    return without;
}

double test_combine(clprim_op op, clprim_type accumulator, double a, double b)
{
    const double exact = op == CLPRIM_SUM ? a + b : a * b;
    return accumulator == CLPRIM_F64 ? exact : (double)(float)exact;
}

double test_identity(clprim_op op)
{
    return op == CLPRIM_SUM ? 0.0 : 1.0;
}

double test_load(clprim_type type, const void *data, size_t i)
{
    switch (type) {
    case CLPRIM_F16: return (double)clprim_half_to_float(((const uint16_t *)data)[i]);
    case CLPRIM_F32: return (double)((const float *)data)[i];
    case CLPRIM_F64: return ((const double *)data)[i];
    case CLPRIM_I32: return (double)(float)((const int32_t *)data)[i];
    default: return (double)((const int16_t *)data)[i]; /* I16 */
    }
}
