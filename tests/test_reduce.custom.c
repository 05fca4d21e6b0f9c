/* test_reduce.custom.c: operators of the caller's own, on built-in types and on structs. */
#include <clprim/reduce.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, 20011};

/* An operator as the device and as the host know it. */
typedef struct custom_case {
    const char *name;
    clprim_custom_op op;
    clprim_type type; /* of elements without a type_name */
    size_t size;
    const void *identity;
    clprim_reference_combine combine;
} custom_case;

static void join(void *accumulated, const void *element)
{
    uint32_t *a = accumulated;
    const uint32_t *b = element;
    *a = *a * *b + *a + *b;
}

typedef struct range {
    int32_t least;
    int32_t greatest;
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
    wide *a = accumulated;
    const wide *b = element;
    for (int i = 0; i < 5; i++)
        a->v[i] += b->v[i];
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
    uint32_t factor;
    uint32_t summand;
} affine;

/* First a, then b: x -> b.factor * (a.factor * x + a.summand) + b.summand. */
static void compose(void *accumulated, const void *element)
{
    affine *a = accumulated;
    const affine *b = element;
    *a = (affine){a->factor * b->factor, a->summand * b->factor + b->summand};
}

static const uint32_t zero;
static const range no_range = {INT32_MAX, INT32_MIN, 0};
static const wide no_wide;
static const matrix unit_matrix = {{1, 0, 0, 1}};
static const affine unit_affine = {1, 0};

static const custom_case join_case = {
    "built-in", {.combine = "a * b + a + b", .identity = "0"}, CLPRIM_U32, sizeof(uint32_t), &zero, join};

static const custom_case range_case = {
    "12 bytes",
    {.type_name = "range",
     .type_size = sizeof(range),
     .source = "typedef struct { int least, greatest; uint count; } range;",
     .combine = "(range){min(a.least, b.least), max(a.greatest, b.greatest), a.count + b.count}",
     .identity = "(range){INT_MAX, INT_MIN, 0}"},
    CLPRIM_TYPE_DEFAULT,
    sizeof(range),
    &no_range,
    join_ranges};

static const custom_case wide_case = {
    "40 bytes",
    {.type_name = "wide",
     .type_size = sizeof(wide),
     .source = "typedef struct { ulong v[5]; } wide;\n"
               "static inline wide add(wide a, wide b)\n"
               "{\n    for (int i = 0; i < 5; i++)\n        a.v[i] += b.v[i];\n    return a;\n}\n",
     .combine = "add(a, b)",
     .identity = "(wide){{0}}"},
    CLPRIM_TYPE_DEFAULT,
    sizeof(wide),
    &no_wide,
    add_wide};

static const custom_case matrix_case = {
    "2 x 2 matrices",
    {.type_name = "matrix",
     .type_size = sizeof(matrix),
     .source = "typedef struct { uint m[4]; } matrix;",
     .combine = "(matrix){{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3],\n"
                "         a.m[2] * b.m[0] + a.m[3] * b.m[2], a.m[2] * b.m[1] + a.m[3] * b.m[3]}}",
     .identity = "(matrix){{1, 0, 0, 1}}",
     .non_commutative = true},
    CLPRIM_TYPE_DEFAULT,
    sizeof(matrix),
    &unit_matrix,
    multiply};

static const custom_case affine_case = {"affine maps",
                                        {.type_name = "affine",
                                         .type_size = sizeof(affine),
                                         .source = "typedef struct { uint factor, summand; } affine;",
                                         .combine = "(affine){a.factor * b.factor, a.summand * b.factor + b.summand}",
                                         .identity = "(affine){1, 0}",
                                         .non_commutative = true},
                                        CLPRIM_TYPE_DEFAULT,
                                        sizeof(affine),
                                        &unit_affine,
                                        compose};

/* All counts, each at another offset, against the host's fold. */
static void check_plan(clprim_runtime *runtime, clprim_plan *plan, const custom_case *c, const char *variant)
{
    char what[160];
    const size_t room = 20011 + 8;
    unsigned char *data = malloc(room * c->size);
    unsigned char expected[64];
    unsigned char result[64];
    cr_assert_not_null(data);
    test_fill(data, CLPRIM_U32, CLPRIM_SUM, TEST_RANDOM, room * c->size / 4, TEST_SEED);
    cl_mem in = test_upload(runtime, data, room * c->size);
    test_output out = test_output_create(runtime, c->size, 2);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t offset = i % 8;
        (void)snprintf(what, sizeof what, "%s by %s: %zu elements from %zu on", c->name, variant, counts[i], offset);
        test_output_poison(runtime, &out);
        ASSERT_OK(clprim_reduce_enqueue(
            plan, NULL, &(clprim_reduce_call){.in = {in, offset}, .count = counts[i], .out = {out.buffer, out.slot}}, 0,
            NULL, NULL));
        ASSERT_OK(clprim_reference_reduce_custom(expected, c->size, c->identity, c->combine, data + offset * c->size,
                                                 counts[i]));
        test_output_read(runtime, &out, result, what);
        cr_assert(memcmp(result, expected, c->size) == 0, "%s: another result than on the host", what);
    }
    test_output_destroy(&out);
    ASSERT_CL(clReleaseMemObject(in));
    free(data);
}

/* By every variant; those that change the order refuse operators that do not commute. */
static void check_case(const custom_case *c)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v <= count; v++) {
        const clprim_reduce_desc desc = {
            .type = c->type, .custom = &c->op, .variant = v < count ? (clprim_reduce_variant)variants[v].id : 0};
        const char *name = v < count ? variants[v].name : "auto";
        clprim_plan *plan = NULL;
        if (v < count && c->op.non_commutative && !variants[v].keeps_order) {
            ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), CLPRIM_INVALID_ARGUMENT);
            cr_assert_null(plan);
            continue;
        }
        const clprim_status status = clprim_reduce_create(&plan, runtime, &desc);
        if (status == CLPRIM_UNSUPPORTED && v < count)
            continue;
        cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s by %s: %s", c->name, name, clprim_last_error());
        check_plan(runtime, plan, c, name);
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

Test(reduce_custom, operator_on_a_built_in_type)
{
    check_case(&join_case);
}

Test(reduce_custom, struct_of_12_bytes)
{
    check_case(&range_case);
}

Test(reduce_custom, struct_of_40_bytes)
{
    check_case(&wide_case);
}

Test(reduce_custom, products_of_matrices_keep_their_order)
{
    check_case(&matrix_case);
}

Test(reduce_custom, compositions_keep_their_order)
{
    check_case(&affine_case);
}

/* Halves are floats inside of the operator. */
Test(reduce_custom, operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0x3800}; /* 1 -3 2 0.5 */
    const clprim_custom_op op = {.combine = "fabs(a) > fabs(b) ? a : b", .identity = "0.0f"};
    const clprim_reduce_desc desc = {.type = CLPRIM_F16, .custom = &op};
    clprim_runtime *runtime = test_runtime(NULL);
    uint16_t result = 0;
    ASSERT_OK(clprim_reduce_run(runtime, &desc,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 4, .out = {.host = &result}}));
    cr_assert_eq(result, 0xc200, "%04x", result);
    clprim_runtime_destroy(runtime);
}

/* The strings are the library's own copies. */
Test(reduce_custom, the_texts_may_go_once_the_plan_is_made)
{
    char combine[] = "max(a, b)";
    char identity[] = "INT_MIN";
    clprim_custom_op op = {.combine = combine, .identity = identity};
    clprim_reduce_desc desc = {.type = CLPRIM_I32, .custom = &op};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &desc));
    memset(combine, '?', sizeof combine);
    memset(identity, '?', sizeof identity);
    memset(&op, 0xff, sizeof op);
    memset(&desc, 0xff, sizeof desc);
    static const int32_t data[] = {-5, -3, -7};
    int32_t result = 0;
    cl_mem in = test_upload(runtime, data, sizeof data);
    cl_mem out = test_buffer(runtime, sizeof result);
    ASSERT_OK(
        clprim_reduce_enqueue(plan, NULL, &(clprim_reduce_call){.in = {in}, .count = 3, .out = {out}}, 0, NULL, NULL));
    test_read(runtime, &result, out, sizeof result);
    cr_assert_eq(result, -3);
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    clprim_runtime_destroy(runtime);
}

/* The compiler's log names the text with the mistake, and its line. */
Test(reduce_custom, mistakes_are_located)
{
    static const struct {
        clprim_custom_op op;
        const char *place;
    } rows[] = {
        {{.combine = "a + missing", .identity = "0"}, "combine:1"},
        {{.combine = "\na +\n missing", .identity = "0"}, "combine:3"},
        {{.combine = "a + b", .identity = "missing"}, "identity:1"},
        {{.source = "typedef int fine;\ntypedef missing broken;", .combine = "a + b", .identity = "0"}, "source:2"},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim_plan *plan = NULL;
        const clprim_reduce_desc desc = {.type = CLPRIM_I32, .custom = &rows[i].op};
        ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), CLPRIM_BUILD_FAILED);
        cr_assert_null(plan);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].place), "%s is not named in: %s", rows[i].place,
                           clprim_last_error());
    }
    /* and what was wrong once leaves nothing behind */
    int32_t result = 0;
    static int32_t in[] = {1, 2};
    const clprim_custom_op right = {.combine = "a + b", .identity = "0"};
    const clprim_reduce_desc desc = {.type = CLPRIM_I32, .custom = &right};
    ASSERT_OK(clprim_reduce_run(runtime, &desc,
                                &(clprim_reduce_call){.in = {.host = in}, .count = 2, .out = {.host = &result}}));
    cr_assert_eq(result, 3);
    clprim_runtime_destroy(runtime);
}

Test(reduce_custom, a_type_of_another_size_is_found_out)
{
    clprim_custom_op op = range_case.op;
    op.type_size = 16;
    clprim_plan *plan = NULL;
    clprim_runtime *runtime = test_runtime(NULL);
    const clprim_reduce_desc desc = {.custom = &op};
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), CLPRIM_BUILD_FAILED);
    cr_assert_null(plan);
    cr_assert_not_null(strstr(clprim_last_error(), "type_size"), "%s", clprim_last_error());
    clprim_runtime_destroy(runtime);
}

Test(reduce_custom, incomplete_operators_are_refused)
{
    static const clprim_custom_op rows[] = {{.identity = "0"},
                                            {.combine = "a + b"},
                                            {.combine = "a + b", .identity = "0", .type_size = 4},
                                            {.combine = "a + b", .identity = "0", .type_name = "int"}};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_reduce_desc desc = {.type = CLPRIM_I32, .custom = &rows[i]};
        ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &desc), CLPRIM_INVALID_ARGUMENT);
    }
    const clprim_custom_op complete = {.combine = "a + b", .identity = "0"};
    const clprim_reduce_desc unknown = {.type = CLPRIM_TYPE_END, .custom = &complete};
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &unknown), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(plan);
    clprim_runtime_destroy(runtime);
}
