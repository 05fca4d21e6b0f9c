/* test_reduce.reproducible.c: float sums that are the same bits on every device, in every run. */
#include <clprim/reduce.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

/* The fixed tree as the head of kernels/reduce/fixed_tree.cl describes it. */
enum { LANES = 256, ROWS = 16, CHUNK = LANES * ROWS };

/* Sums and products of floats, done in double and rounded, are those done in float: double is wide enough. */
static double combine_rounding(clprim_op op, bool is_double, double a, double b)
{
    const double exact = op == CLPRIM_SUM ? a + b : a * b;
    return is_double ? exact : (double)(float)exact;
}

static double fold_chunk(clprim_op op, bool is_double, const double *x, size_t length)
{
    double lanes[LANES];
    for (size_t l = 0; l < LANES; l++) {
        lanes[l] = l < length ? x[l] : op == CLPRIM_SUM ? 0.0 : 1.0;
        for (size_t i = l + LANES; i < length; i += LANES)
            lanes[l] = combine_rounding(op, is_double, lanes[l], x[i]);
    }
    for (size_t s = LANES / 2; s > 0; s /= 2)
        for (size_t l = 0; l < s; l++)
            lanes[l] = combine_rounding(op, is_double, lanes[l], lanes[l + s]);
    return lanes[0];
}

/* Overwrites x: the values of the chunks are the next pass's input. */
static double fold_tree(clprim_op op, bool is_double, double *x, size_t count)
{
    while (count > CHUNK) {
        size_t chunks = 0;
        for (size_t begin = 0; begin < count; begin += CHUNK)
            x[chunks++] = fold_chunk(op, is_double, x + begin, count - begin < CHUNK ? count - begin : CHUNK);
        count = chunks;
    }
    return fold_chunk(op, is_double, x, count);
}

typedef struct tree_case {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator;
} tree_case;

static double element(clprim_type type, const void *data, size_t i)
{
    switch (type) {
    case CLPRIM_F16: return (double)clprim_half_to_float(((const uint16_t *)data)[i]);
    case CLPRIM_F32: return (double)((const float *)data)[i];
    case CLPRIM_F64: return ((const double *)data)[i];
    case CLPRIM_I32: return (double)(float)((const int32_t *)data)[i]; /* in F32 */
    default: return (double)((const int16_t *)data)[i];                /* I16 */
    }
}

static void expect_tree(const tree_case *c, const void *data, size_t count, double *room, const void *result,
                        const char *what)
{
    const clprim_type stored = c->accumulator == CLPRIM_TYPE_DEFAULT ? c->type : c->accumulator;
    for (size_t i = 0; i < count; i++)
        room[i] = element(c->type, data, i);
    const double expected = fold_tree(c->op, stored == CLPRIM_F64, room, count);
    const float narrow = (float)expected;
    const uint16_t half = clprim_half_from_float(narrow);
    const void *bits = stored == CLPRIM_F64   ? (const void *)&expected
                       : stored == CLPRIM_F32 ? (const void *)&narrow
                                              : &half;
    cr_assert(memcmp(result, bits, clprim_type_size(stored)) == 0, "%s: %a, not %a", what, element(stored, result, 0),
              expected);
}

/* Work-group sizes, offsets and repetitions make no difference: always the bits of the documented tree. */
static void check_tree(clprim_runtime *runtime, const tree_case *c, test_pattern pattern)
{
    static const size_t tree_counts[] = {0, 1, 2, 255, 257, 4095, 4096, 4097, 100003};
    static const size_t group_sizes[] = {0, 1, 16, 256};
    const size_t size = clprim_type_size(c->type);
    const size_t most = 100003 + 5;
    unsigned char *data = malloc(most * size);
    double *room = malloc(most * sizeof *room);
    cr_assert(data != NULL && room != NULL);
    test_fill(data, c->type, c->op, pattern, most, TEST_SEED + 2);
    cl_mem in = test_upload(runtime, data, most * size);
    test_output out = test_output_create(runtime, test_result_size(c->type, c->op, c->accumulator), 1);
    for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
        clprim_plan *plan = NULL;
        const clprim_reduce_desc desc = {.type = c->type,
                                         .op = c->op,
                                         .accumulator_type = c->accumulator,
                                         .reproducible = true,
                                         .work_group_size = group_sizes[g]};
        ASSERT_OK(clprim_reduce_create(&plan, runtime, &desc));
        cr_assert_eq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_REDUCE_FIXED_TREE);
        for (size_t i = 0; i < 2 * sizeof tree_counts / sizeof *tree_counts; i++) {
            char what[160];
            unsigned char result[8];
            const size_t count = tree_counts[i / 2];
            const size_t offset = (i + g) % 5;
            (void)snprintf(what, sizeof what, "%s of %s, work-group size %zu: %zu elements (%s) from %zu on",
                           clprim_op_name(c->op), clprim_type_name(c->type), group_sizes[g], count,
                           test_pattern_name(pattern), offset);
            test_output_poison(runtime, &out);
            ASSERT_OK(clprim_reduce_enqueue(
                plan, NULL, &(clprim_reduce_call){.in = {in, offset}, .count = count, .out = {out.buffer, out.slot}}, 0,
                NULL, NULL));
            test_output_read(runtime, &out, result, what);
            expect_tree(c, data + offset * size, count, room, result, what);
        }
        clprim_plan_destroy(plan);
    }
    test_output_destroy(&out);
    ASSERT_CL(clReleaseMemObject(in));
    free(data);
    free(room);
}

Test(reduce_reproducible, gives_the_bits_of_the_documented_tree)
{
    static const tree_case cases[] = {
        {CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT}, {CLPRIM_F32, CLPRIM_PROD, CLPRIM_TYPE_DEFAULT},
        {CLPRIM_F16, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT}, {CLPRIM_I16, CLPRIM_SUM, CLPRIM_F32},
        {CLPRIM_F64, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT}, {CLPRIM_F32, CLPRIM_SUM, CLPRIM_F64},
        {CLPRIM_I32, CLPRIM_SUM, CLPRIM_F32}};
    clprim_runtime *runtime = test_runtime(NULL);
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (test_is_supported(runtime, cases[i].type, cases[i].op, cases[i].accumulator)) {
            check_tree(runtime, &cases[i], TEST_RANDOM);
            check_tree(runtime, &cases[i], TEST_EXTREMES);
        }
    clprim_runtime_destroy(runtime);
}

/* Other variants promise nothing of the kind for operators that round; for those that do not it is all the same. */
Test(reduce_reproducible, is_refused_by_variants_that_are_not)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    const clprim_reduce_desc rounding = {.type = CLPRIM_F32, .reproducible = true, .variant = CLPRIM_REDUCE_TREE};
    ASSERT_STATUS(clprim_reduce_create(&plan, runtime, &rounding), CLPRIM_INVALID_ARGUMENT);
    cr_assert_null(plan);
    const clprim_reduce_desc exact = {.type = CLPRIM_I32, .reproducible = true, .variant = CLPRIM_REDUCE_TREE};
    ASSERT_OK(clprim_reduce_create(&plan, runtime, &exact));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}
