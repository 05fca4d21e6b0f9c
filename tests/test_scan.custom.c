/* test_scan.custom.c: scans by operators of the caller's own, on built-in types and on structs, in segments too. */
#include <clprim/reference.h>
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, 20011};

enum { NUM_COUNTS = sizeof counts / sizeof *counts, ROOM = 20011 + 16, MAX_SIZE = 40 };

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

/* All counts, each at other offsets, in place or not, against the host's scan. how->begins is NULL, or holds the head
 * flags of a plan with segments. */
static void check_plan(clprim_runtime *runtime, clprim_plan *plan, const custom_case *c,
                       const clprim_reference_scan_how *how, const char *variant)
{
    unsigned char *data = malloc(ROOM * c->size);
    unsigned char *expected = malloc(ROOM * c->size);
    unsigned char *got = malloc(ROOM * c->size);
    cr_assert(data != NULL && expected != NULL && got != NULL);
    test_fill(data, CLPRIM_U32, CLPRIM_SUM, TEST_RANDOM, ROOM * c->size / 4, TEST_SEED);
    cl_mem in = test_buffer(runtime, ROOM * c->size);
    cl_mem out = test_buffer(runtime, ROOM * c->size);
    cl_mem heads = how->begins == NULL ? NULL : test_upload(runtime, how->begins, ROOM);
    for (size_t i = 0; i < NUM_COUNTS; i++) {
        char what[160];
        const size_t from = i % 8;
        const bool in_place = i % 4 == 3;
        const size_t to = in_place ? from : (i + 3) % 8;
        (void)snprintf(what, sizeof what, "%s %s%s by %s: %zu elements from %zu to %zu on",
                       how->exclusive ? "exclusive" : "inclusive", c->name,
                       how->initial != NULL ? " from an initial value" : "", variant, counts[i], from, to);
        test_write(runtime, in, data, ROOM * c->size);
        test_write(runtime, out, data, ROOM * c->size);
        memcpy(expected, data, ROOM * c->size); /* all of the rest stays */
        ASSERT_OK(clprim_reference_scan_custom(expected + to * c->size, c->size, c->identity, c->combine, how,
                                               data + from * c->size, counts[i]));
        if (heads != NULL)
            ASSERT_OK(clprim_scan_enqueue(
                plan, NULL,
                &(clprim_scan_call){
                    .in = {in, from}, .heads = {heads}, .count = counts[i], .out = {in_place ? in : out, to}},
                0, NULL, NULL));
        else
            ASSERT_OK(clprim_scan_enqueue(
                plan, NULL, &(clprim_scan_call){.in = {in, from}, .count = counts[i], .out = {in_place ? in : out, to}},
                0, NULL, NULL));
        test_read(runtime, got, in_place ? in : out, ROOM * c->size);
        test_expect_same(expected, got, c->size, ROOM, what);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    if (heads != NULL)
        ASSERT_CL(clReleaseMemObject(heads));
    free(data);
    free(expected);
    free(got);
}

/* By every variant, from the identity and from an initial value; inclusive and exclusive in turn. */
static void check_case(const custom_case *c)
{
    uint32_t initial[MAX_SIZE / 4];
    size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (uint32_t i = 0; i < MAX_SIZE / 4; i++)
        initial[i] = 3 * i + 5;
    for (size_t v = 0; v <= count; v++) {
        const char *name = v < count ? variants[v].name : "auto";
        for (int exclusive = 0; exclusive < 2; exclusive++)
            for (int from_initial = 0; from_initial < 2; from_initial++) {
                if (!test_is_full() && (v + c->size / 4) % 2 != (size_t)exclusive)
                    continue;
                const clprim_reference_scan_how how = {.exclusive = exclusive != 0,
                                                       .initial = from_initial != 0 ? initial : NULL};
                const clprim_scan_desc desc = {.type = c->type,
                                               .custom = &c->op,
                                               .exclusive = how.exclusive,
                                               .initial = how.initial,
                                               .variant = v < count ? (clprim_scan_variant)variants[v].id : 0};
                clprim_plan *plan = NULL;
                const clprim_status status = clprim_scan_create(&plan, runtime, &desc);
                if (status == CLPRIM_UNSUPPORTED && v < count)
                    continue;
                cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s by %s: %s", c->name, name, clprim_last_error());
                check_plan(runtime, plan, c, &how, name);
                clprim_plan_destroy(plan);
            }
    }
    clprim_runtime_destroy(runtime);
}

Test(scan_custom, operator_on_a_built_in_type)
{
    check_case(&join_case);
}

Test(scan_custom, struct_of_12_bytes)
{
    check_case(&range_case);
}

Test(scan_custom, struct_of_40_bytes)
{
    check_case(&wide_case);
}

Test(scan_custom, products_of_matrices_keep_their_order)
{
    check_case(&matrix_case);
}

Test(scan_custom, compositions_keep_their_order)
{
    check_case(&affine_case);
}

/* Segments of all lengths, by the variants that AUTO takes. */
Test(scan_custom, operators_in_segments)
{
    static const clprim_scan_variant variants[] = {CLPRIM_SCAN_AUTO, CLPRIM_SCAN_REDUCE_THEN_SCAN,
                                                   CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_CPU_CHUNK};
    static const char *const names[] = {"auto", "reduce_then_scan", "look_back", "cpu_chunk"};
    static const custom_case *const cases[] = {&matrix_case, &range_case, &matrix_case, &affine_case};
    static const matrix initial = {{1, 2, 3, 4}};
    static uint8_t begins[ROOM];
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < ROOM; i++)
        begins[i] = test_random_below(&random, i < ROOM / 2 ? 7 : 700) == 0;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t v = 0; v < 4; v++) {
        const custom_case *c = cases[v];
        const clprim_reference_scan_how how = {
            .exclusive = v % 2 == 1, .initial = c == &matrix_case ? &initial : NULL, .begins = begins};
        const clprim_scan_desc desc = {.type = c->type,
                                       .custom = &c->op,
                                       .exclusive = how.exclusive,
                                       .initial = how.initial,
                                       .segments = CLPRIM_SEGMENTS_BY_FLAG,
                                       .variant = variants[v]};
        clprim_plan *plan = NULL;
        if (variants[v] == CLPRIM_SCAN_LOOK_BACK && !test_can_look_back(runtime))
            continue;
        ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
        check_plan(runtime, plan, c, &how, names[v]);
        clprim_plan_destroy(plan);
    }
    clprim_runtime_destroy(runtime);
}

/* Halves are floats inside of the operator. */
Test(scan_custom, operator_on_halves)
{
    static uint16_t in[] = {0x3c00, 0xc200, 0x4000, 0xc400}; /* 1 -3 2 -4 */
    static const uint16_t farthest[] = {0x3c00, 0xc200, 0xc200, 0xc400};
    const clprim_custom_op op = {.combine = "fabs(a) >= fabs(b) ? a : b", .identity = "0.0f"};
    const clprim_scan_desc desc = {.type = CLPRIM_F16, .custom = &op};
    clprim_runtime *runtime = test_runtime(NULL);
    uint16_t out[4] = {0};
    ASSERT_OK(
        clprim_scan_run(runtime, &desc, &(clprim_scan_call){.in = {.host = in}, .count = 4, .out = {.host = out}}));
    test_expect_same(farthest, out, sizeof *out, 4, "halves");
    clprim_runtime_destroy(runtime);
}

/* Texts and initial value are the library's own copies. */
Test(scan_custom, what_describes_a_plan_may_go_once_it_is_made)
{
    static const int32_t data[] = {-5, -3, -7};
    static const int32_t expected[] = {-4, -3, -3};
    char combine[] = "max(a, b)";
    char identity[] = "INT_MIN";
    int32_t initial = -4;
    int32_t got[3] = {0};
    clprim_custom_op op = {.combine = combine, .identity = identity};
    clprim_scan_desc desc = {.type = CLPRIM_I32, .custom = &op, .initial = &initial};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
    memset(combine, '?', sizeof combine);
    memset(identity, '?', sizeof identity);
    memset(&op, 0xff, sizeof op);
    memset(&desc, 0xff, sizeof desc);
    initial = 1000;
    cl_mem in = test_upload(runtime, data, sizeof data);
    ASSERT_OK(clprim_scan_enqueue(plan, NULL, &(clprim_scan_call){.in = {in}, .count = 3, .out = {in}}, 0, NULL, NULL));
    test_read(runtime, got, in, sizeof got);
    test_expect_same(expected, got, sizeof *got, 3, "the greatest so far");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(in));
    clprim_runtime_destroy(runtime);
}

/* The compiler's log names the text with the mistake, and its line. */
Test(scan_custom, mistakes_are_located)
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
        const clprim_scan_desc desc = {.type = CLPRIM_I32, .custom = &rows[i].op};
        ASSERT_STATUS(clprim_scan_create(&plan, runtime, &desc), CLPRIM_BUILD_FAILED);
        cr_assert_null(plan);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].place), "%s is not named in: %s", rows[i].place,
                           clprim_last_error());
    }
    clprim_custom_op op = range_case.op;
    op.type_size = 16;
    clprim_plan *plan = NULL;
    const clprim_scan_desc desc = {.custom = &op};
    ASSERT_STATUS(clprim_scan_create(&plan, runtime, &desc), CLPRIM_BUILD_FAILED);
    cr_assert_null(plan);
    cr_assert_not_null(strstr(clprim_last_error(), "type_size"), "%s", clprim_last_error());
    clprim_runtime_destroy(runtime);
}

Test(scan_custom, incomplete_operators_are_refused)
{
    static const clprim_custom_op rows[] = {{.identity = "0"},
                                            {.combine = "a + b"},
                                            {.combine = "a + b", .identity = "0", .type_size = 4},
                                            {.combine = "a + b", .identity = "0", .type_name = "int"}};
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_scan_desc desc = {.type = CLPRIM_I32, .custom = &rows[i]};
        ASSERT_STATUS(clprim_scan_create(&plan, runtime, &desc), CLPRIM_INVALID_ARGUMENT);
    }
    const clprim_custom_op complete = {.combine = "a + b", .identity = "0"};
    const clprim_scan_desc unknown = {.type = CLPRIM_TYPE_END, .custom = &complete};
    ASSERT_STATUS(clprim_scan_create(&plan, runtime, &unknown), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(plan);
    clprim_runtime_destroy(runtime);
}
