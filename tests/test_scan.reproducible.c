/* test_scan.reproducible.c: float sums that are the same bits on every device, in every run. */
#include <clprim/scan.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { BLOCK = 512, LEVELS = 4, COUNT = 512 * 512 + 1, MAX_OFFSET = 4 };

/* What is scanned. */
typedef struct tree_case {
    clprim_type type;
    clprim_op op;
    clprim_type accumulator;
    bool exclusive;
    bool from_initial;
} tree_case;

/* Sums and products of floats, done in double and rounded, are those done in float: double is wide enough. */
static double combine_rounding(const tree_case *c, bool is_double, double a, double b)
{
    const double exact = c->op == CLPRIM_SUM ? a + b : a * b;
    return is_double ? exact : (double)(float)exact;
}

static double identity_of(const tree_case *c)
{
    return c->op == CLPRIM_SUM ? 0.0 : 1.0;
}

/* One block, Blelloch 1990: up a tree, each node the value of all below it; and down again, each node the value of all
 * before it. What is behind the block's end is the identity. x[0 .. length) becomes exclusive; the sum is returned. */
static double scan_block(const tree_case *c, bool is_double, double *x, size_t length)
{
    double tree[BLOCK];
    for (size_t i = 0; i < BLOCK; i++)
        tree[i] = i < length ? x[i] : identity_of(c);
    for (size_t step = 1; step < BLOCK; step *= 2)
        for (size_t right = 2 * step - 1; right < BLOCK; right += 2 * step)
            tree[right] = combine_rounding(c, is_double, tree[right - step], tree[right]);
    const double sum = tree[BLOCK - 1];
    tree[BLOCK - 1] = identity_of(c);
    for (size_t step = BLOCK / 2; step > 0; step /= 2)
        for (size_t right = 2 * step - 1; right < BLOCK; right += 2 * step) {
            const double left_sum = tree[right - step];
            tree[right - step] = tree[right];
            tree[right] = combine_rounding(c, is_double, tree[right], left_sum);
        }
    memcpy(x, tree, length * sizeof *x);
    return sum;
}

/* x becomes exclusive: blocks by themselves, then what is before each, which is the scan of the blocks' sums. `room`
 * holds as many values as there are blocks, on all levels. */
static void scan_tree(const tree_case *c, bool is_double, double *x, size_t count, double *room)
{
    double *arrays[LEVELS] = {x};
    size_t counts[LEVELS] = {count};
    int top = 0;
    while (true) {
        size_t blocks = 0;
        for (size_t begin = 0; begin < counts[top]; begin += BLOCK) {
            const size_t length = counts[top] - begin < BLOCK ? counts[top] - begin : BLOCK;
            room[blocks++] = scan_block(c, is_double, arrays[top] + begin, length);
        }
        if (blocks <= 1)
            break;
        top++;
        arrays[top] = room;
        counts[top] = blocks;
        room += blocks;
    }
    for (; top > 0; top--)
        for (size_t i = 0; i < counts[top - 1]; i++)
            arrays[top - 1][i] = combine_rounding(c, is_double, arrays[top][i / BLOCK], arrays[top - 1][i]);
}

static double load(clprim_type type, const void *data, size_t i)
{
    switch (type) {
    case CLPRIM_F16: return (double)clprim_half_to_float(((const uint16_t *)data)[i]);
    case CLPRIM_F32: return (double)((const float *)data)[i];
    case CLPRIM_F64: return ((const double *)data)[i];
    case CLPRIM_I32: return (double)(float)((const int32_t *)data)[i]; /* in F32 */
    default: return (double)((const int16_t *)data)[i];                /* I16 */
    }
}

static void store(clprim_type type, void *out, size_t i, double value)
{
    if (type == CLPRIM_F64)
        ((double *)out)[i] = value;
    else if (type == CLPRIM_F32)
        ((float *)out)[i] = (float)value;
    else
        ((uint16_t *)out)[i] = clprim_half_from_float((float)value);
}

/* The documented tree's values of data[0 .. count), in `expected`. */
static void expect_tree(const tree_case *c, const void *data, size_t count, const void *initial, double *room,
                        void *expected)
{
    const clprim_type stored = c->accumulator == CLPRIM_TYPE_DEFAULT ? c->type : c->accumulator;
    const bool is_double = stored == CLPRIM_F64;
    const double from = c->from_initial ? load(stored, initial, 0) : identity_of(c);
    for (size_t i = 0; i < count; i++)
        room[i] = load(c->type, data, i);
    scan_tree(c, is_double, room, count, room + count);
    for (size_t i = 0; i < count; i++) {
        const double before = combine_rounding(c, is_double, from, room[i]);
        store(stored, expected, i,
              c->exclusive ? before : combine_rounding(c, is_double, before, load(c->type, data, i)));
    }
}

/* Counts around one block, one block of blocks, and beyond. */
static void check_plan(clprim_runtime *runtime, clprim_plan *plan, const tree_case *c, const unsigned char *data,
                       const void *initial, const char *what_plan)
{
    static const size_t tree_counts[] = {0, 1, 2, 255, 511, 512, 513, 1024, 4097, 60001, COUNT};
    const size_t size = clprim_type_size(c->type);
    const size_t out_size = test_result_size(c->type, c->op, c->accumulator);
    double *room = malloc(2 * COUNT * sizeof *room);
    unsigned char *expected = malloc(COUNT * out_size);
    unsigned char *got = malloc(COUNT * out_size);
    cr_assert(room != NULL && expected != NULL && got != NULL);
    cl_mem in = test_upload(runtime, data, (COUNT + MAX_OFFSET) * size);
    cl_mem out = test_buffer(runtime, COUNT * out_size);
    for (size_t i = 0; i < sizeof tree_counts / sizeof *tree_counts; i++) {
        char what[160];
        const size_t count = tree_counts[i];
        const size_t offset = i % (MAX_OFFSET + 1);
        (void)snprintf(what, sizeof what, "%s: %zu elements from %zu on", what_plan, count, offset);
        ASSERT_OK(clprim_scan_enqueue(plan, NULL, &(clprim_scan_call){.in = {in, offset}, .count = count, .out = {out}},
                                      0, NULL, NULL));
        test_read(runtime, got, out, count * out_size);
        expect_tree(c, data + offset * size, count, initial, room, expected);
        test_expect_same(expected, got, out_size, count, what);
    }
    ASSERT_CL(clReleaseMemObject(in));
    ASSERT_CL(clReleaseMemObject(out));
    free(room);
    free(expected);
    free(got);
}

/* Work-group sizes and repetitions make no difference: always the bits of the documented tree. */
static void check_case(clprim_runtime *runtime, const tree_case *c)
{
    static const size_t group_sizes[] = {0, 1, 16, 256};
    static const test_pattern patterns[] = {TEST_RANDOM, TEST_EXTREMES};
    const clprim_type stored = c->accumulator == CLPRIM_TYPE_DEFAULT ? c->type : c->accumulator;
    unsigned char initial[8];
    unsigned char *data = malloc((COUNT + MAX_OFFSET) * clprim_type_size(c->type));
    cr_assert_not_null(data);
    test_fill(initial, stored, c->op, TEST_RANDOM, 1, TEST_SEED + 1);
    for (size_t p = 0; p < 2; p++) {
        test_fill(data, c->type, c->op, patterns[p], COUNT + MAX_OFFSET, TEST_SEED + 2);
        for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
            char what[128];
            clprim_plan *plan = NULL;
            const clprim_scan_desc desc = {.type = c->type,
                                           .op = c->op,
                                           .accumulator_type = c->accumulator,
                                           .exclusive = c->exclusive,
                                           .initial = c->from_initial ? initial : NULL,
                                           .reproducible = true,
                                           .work_group_size = group_sizes[g]};
            if ((g + p) % 2 != 0 && !test_is_full())
                continue;
            ASSERT_OK(clprim_scan_create(&plan, runtime, &desc));
            cr_assert_eq((int)clprim_plan_variant(plan)->id, (int)CLPRIM_SCAN_FIXED_TREE);
            (void)snprintf(what, sizeof what, "%s %s of %s in %s (%s), work-group size %zu",
                           c->exclusive ? "exclusive" : "inclusive", clprim_op_name(c->op), clprim_type_name(c->type),
                           clprim_type_name(stored), test_pattern_name(patterns[p]), group_sizes[g]);
            check_plan(runtime, plan, c, data, initial, what);
            clprim_plan_destroy(plan);
        }
    }
    free(data);
}

Test(scan_reproducible, gives_the_bits_of_the_documented_tree)
{
    static const tree_case cases[] = {
        {CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, false, false},
        {CLPRIM_F32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, true, true},
        {CLPRIM_F16, CLPRIM_PROD, CLPRIM_TYPE_DEFAULT, false, true},
        {CLPRIM_F16, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, true, false},
        {CLPRIM_I16, CLPRIM_SUM, CLPRIM_F32, false, true},
        {CLPRIM_I32, CLPRIM_SUM, CLPRIM_F32, true, false},
        {CLPRIM_F64, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT, true, true},
        {CLPRIM_F16, CLPRIM_SUM, CLPRIM_F64, false, false},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (test_is_supported(runtime, cases[i].type, cases[i].op, cases[i].accumulator))
            check_case(runtime, &cases[i]);
    clprim_runtime_destroy(runtime);
}

/* Other variants promise nothing of the kind for operators that round; for those that do not it is all the same. */
Test(scan_reproducible, is_refused_by_variants_that_are_not)
{
    clprim_runtime *runtime = test_runtime(NULL);
    size_t count = 0;
    const clprim_variant_info *variants = clprim_scan_operation.variants(&count);
    for (size_t v = 0; v < count; v++) {
        clprim_plan *plan = NULL;
        clprim_scan_desc desc = {.type = CLPRIM_F32, .reproducible = true};
        desc.variant = (clprim_scan_variant)variants[v].id;
        if (desc.variant == CLPRIM_SCAN_FIXED_TREE)
            continue;
        ASSERT_STATUS(clprim_scan_create(&plan, runtime, &desc), CLPRIM_INVALID_ARGUMENT);
        cr_assert_null(plan);
    }
    clprim_plan *plan = NULL;
    const clprim_scan_desc exact = {.type = CLPRIM_I32, .reproducible = true, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN};
    ASSERT_OK(clprim_scan_create(&plan, runtime, &exact));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}
