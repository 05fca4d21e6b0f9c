/* test_reduce.reproducible.c: float sums that are the same bits on every device, in every run. */
#include <clprim/reduce.h>

#include "call.h"
#include "operators.h"

/* The fixed tree as the head of kernels/reduce/fixed_tree.cl describes it. */
enum { LANES = 256, ROWS = 16, CHUNK = LANES * ROWS, MAX_COUNT = 100003 };

static double fold_chunk(clprim_op op, clprim_type type, const double *x, size_t length)
{
    double lanes[LANES];
    for (size_t l = 0; l < LANES; l++) {
        lanes[l] = l < length ? x[l] : test_identity(op);
        for (size_t i = l + LANES; i < length; i += LANES)
            lanes[l] = test_combine(op, type, lanes[l], x[i]);
    }
    for (size_t s = LANES / 2; s > 0; s /= 2)
        for (size_t l = 0; l < s; l++)
            lanes[l] = test_combine(op, type, lanes[l], lanes[l + s]);
    return lanes[0];
}

/* The documented tree's value. The values of the chunks are the next pass's input. */
static clprim_status fold_tree(const void *desc, const void *call)
{
    static double x[MAX_COUNT];
    const clprim_reduce_desc *d = desc;
    const clprim_reduce_call *c = call;
    const clprim_type stored = d->accumulator_type == CLPRIM_TYPE_DEFAULT ? d->type : d->accumulator_type;
    size_t count = c->count;
    for (size_t i = 0; i < count; i++)
        x[i] = test_load(d->type, c->in.host, i);
    while (count > CHUNK) {
        size_t chunks = 0;
        for (size_t begin = 0; begin < count; begin += CHUNK)
            x[chunks++] = fold_chunk(d->op, stored, x + begin, count - begin < CHUNK ? count - begin : CHUNK);
        count = chunks;
    }
    test_store(stored, c->out.host, 0, fold_chunk(d->op, stored, x, count));
    return CLPRIM_SUCCESS;
}

/* Work-group sizes, offsets and repetitions make no difference: always the bits of the documented tree. */
static void check_tree(clprim_runtime *runtime, clprim_reduce_desc desc, test_pattern pattern)
{
    static const size_t tree_counts[] = {0, 1, 2, 255, 257, 4095, 4096, 4097, MAX_COUNT};
    static const size_t group_sizes[] = {0, 1, 16, 256};
    static uint64_t in[MAX_COUNT];
    test_fill(in, desc.type, desc.op, pattern, MAX_COUNT, TEST_SEED + 2);
    for (size_t g = 0; g < sizeof group_sizes / sizeof *group_sizes; g++) {
        test_call self;
        desc.reproducible = true;
        desc.work_group_size = group_sizes[g];
        cr_assert(test_call_create(&self, runtime, &clprim_reduce_operation, &desc));
        cr_assert_eq((int)clprim_plan_variant(self.plan)->id, (int)CLPRIM_REDUCE_FIXED_TREE);
        self.reference = fold_tree;
        for (size_t i = 0; i < 2 * sizeof tree_counts / sizeof *tree_counts; i++) {
            test_call_fill(&self, &(clprim_reduce_call){.in = {.host = in}, .count = tree_counts[i / 2]}, i + g);
            test_call_check(&self, "%zu elements (%s)", tree_counts[i / 2], test_pattern_name(pattern));
        }
        test_call_destroy(&self);
    }
}

Test(reduce_reproducible, gives_the_bits_of_the_documented_tree)
{
    static const clprim_reduce_desc cases[] = {
        {.type = CLPRIM_F32},
        {.type = CLPRIM_F32, .op = CLPRIM_PROD},
        {.type = CLPRIM_F16},
        {.type = CLPRIM_I16, .accumulator_type = CLPRIM_F32},
        {.type = CLPRIM_F64},
        {.type = CLPRIM_F32, .accumulator_type = CLPRIM_F64},
        {.type = CLPRIM_I32, .accumulator_type = CLPRIM_F32},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (test_is_supported(runtime, cases[i].type, cases[i].op, cases[i].accumulator_type)) {
            check_tree(runtime, cases[i], TEST_RANDOM);
            check_tree(runtime, cases[i], TEST_EXTREMES);
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
