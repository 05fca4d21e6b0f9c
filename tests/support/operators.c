/* operators.c: operators of a caller's own, as the device and as the host know them. */
#include "operators.h"

#include <string.h>

static void join(void *accumulated, const void *element)
{
    uint32_t *a = accumulated;
    const uint32_t *b = element;
    *a = *a * *b + *a + *b;
}

typedef struct range {
    int32_t least, greatest;
    uint32_t count;
} range;

static void join_ranges(void *accumulated, const void *element)
{
    range *a = accumulated;
    const range *b = element;
    a->least = b->least < a->least ? b->least : a->least;
    a->greatest = b->greatest > a->greatest ? b->greatest : a->greatest;
    a->count += b->count;
}

typedef struct wide {
    uint64_t v[5];
} wide;

static void add_wide(void *accumulated, const void *element)
{
    wide a;
    wide b;
    memcpy(&a, accumulated, sizeof a);
    memcpy(&b, element, sizeof b);
    for (int i = 0; i < 5; i++)
        a.v[i] += b.v[i];
    memcpy(accumulated, &a, sizeof a);
}

typedef struct matrix {
    uint32_t m[4];
} matrix;

static void multiply(void *accumulated, const void *element)
{
    matrix *a = accumulated;
    const matrix *b = element;
    const matrix product = {{a->m[0] * b->m[0] + a->m[1] * b->m[2], a->m[0] * b->m[1] + a->m[1] * b->m[3],
                             a->m[2] * b->m[0] + a->m[3] * b->m[2], a->m[2] * b->m[1] + a->m[3] * b->m[3]}};
    *a = product;
}

typedef struct affine {
    uint32_t factor, summand;
} affine;

/* First a, then b: x -> b.factor * (a.factor * x + a.summand) + b.summand. */
static void compose(void *accumulated, const void *element)
{
    affine *a = accumulated;
    const affine *b = element;
    *a = (affine){a->factor * b->factor, a->summand * b->factor + b->summand};
}

typedef struct span {
    uint32_t lowest, highest, last;
} span;

static void join_spans(void *accumulated, const void *element)
{
    span *a = accumulated;
    const span *b = element;
    a->lowest = a->lowest < b->lowest ? a->lowest : b->lowest;
    a->highest = a->highest > b->highest ? a->highest : b->highest;
    a->last = b->last != 0 ? b->last : a->last;
}

const test_operator test_operators[TEST_OPERATORS] = {
    [TEST_JOIN] = {"built-in",
                   {.combine = "a * b + a + b", .identity = "0"},
                   CLPRIM_U32,
                   sizeof(uint32_t),
                   &(const uint32_t){0},
                   join},
    [TEST_RANGES] = {"ranges",
                     {.type_name = "range",
                      .type_size = sizeof(range),
                      .source = "typedef struct { int least, greatest; uint count; } range;",
                      .combine = "(range){min(a.least, b.least), max(a.greatest, b.greatest), a.count + b.count}",
                      .identity = "(range){INT_MAX, INT_MIN, 0}"},
                     CLPRIM_TYPE_DEFAULT,
                     sizeof(range),
                     &(const range){INT32_MAX, INT32_MIN, 0},
                     join_ranges},
    [TEST_WIDE] = {"40 bytes",
                   {.type_name = "wide",
                    .type_size = sizeof(wide),
                    .source = "typedef struct { ulong v[5]; } wide;\n"
                              "static inline wide add(wide a, wide b)\n"
                              "{\n    for (int i = 0; i < 5; i++)\n        a.v[i] += b.v[i];\n    return a;\n}\n",
                    .combine = "add(a, b)",
                    .identity = "(wide){{0}}"},
                   CLPRIM_TYPE_DEFAULT,
                   sizeof(wide),
                   &(const wide){{0}},
                   add_wide},
    [TEST_MATRICES] = {"2 x 2 matrices",
                       {.type_name = "matrix",
                        .type_size = sizeof(matrix),
                        .source = "typedef struct { uint m[4]; } matrix;",
                        .combine = "(matrix){{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3],\n"
                                   "         a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]}}",
                        .identity = "(matrix){{1, 0, 0, 1}}",
                        .non_commutative = true},
                       CLPRIM_TYPE_DEFAULT,
                       sizeof(matrix),
                       &(const matrix){{1, 0, 0, 1}},
                       multiply},
    [TEST_AFFINE] = {"affine maps",
                     {.type_name = "affine",
                      .type_size = sizeof(affine),
                      .source = "typedef struct { uint factor, summand; } affine;",
                      .combine = "(affine){a.factor * b.factor, a.summand * b.factor + b.summand}",
                      .identity = "(affine){1, 0}",
                      .non_commutative = true},
                     CLPRIM_TYPE_DEFAULT,
                     sizeof(affine),
                     &(const affine){1, 0},
                     compose},
    [TEST_SPANS] = {"spans",
                    {.type_name = "span",
                     .type_size = sizeof(span),
                     .source = "typedef struct { uint lowest, highest, last; } span;",
                     .combine =
                         "(span){min(a.lowest, b.lowest), max(a.highest, b.highest), b.last != 0 ? b.last : a.last}",
                     .identity = "(span){0xffffffff, 0, 0}",
                     .non_commutative = true},
                    CLPRIM_TYPE_DEFAULT,
                    sizeof(span),
                    &(const span){UINT32_MAX, 0, 0},
                    join_spans},
};

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

void test_store(clprim_type type, void *out, size_t i, double value)
{
    if (type == CLPRIM_F64)
        ((double *)out)[i] = value;
    else if (type == CLPRIM_F32)
        ((float *)out)[i] = (float)value;
    else
        ((uint16_t *)out)[i] = clprim_half_from_float((float)value);
}
