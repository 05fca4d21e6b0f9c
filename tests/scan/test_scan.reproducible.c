/* test_scan.reproducible.c: float sums that are the same bits on every device, in every run. */
#include "test_scan.h"
#include "operators.h"

enum { BLOCK = 512, LEVELS = 4, COUNT = 512 * 512 + 1 };

static clprim_type stored_type(const clprim_scan_desc *desc)
{
    return desc->accumulator_type == CLPRIM_TYPE_DEFAULT ? desc->type : desc->accumulator_type;
}

static double combine(const clprim_scan_desc *desc, double a, double b)
{
    return test_combine(desc->op, stored_type(desc), a, b);
}

/* One block, Blelloch 1990: up a tree, each node the value of all below it; and down again, each node the value of all
 * before it. What is behind the block's end is the identity. x[0 .. length) becomes exclusive; the sum is returned. */
static double scan_block(const clprim_scan_desc *desc, double *x, size_t length)
{
    double tree[BLOCK];
    for (size_t i = 0; i < BLOCK; i++)
        tree[i] = i < length ? x[i] : test_identity(desc->op);
    for (size_t step = 1; step < BLOCK; step *= 2)
        for (size_t right = 2 * step - 1; right < BLOCK; right += 2 * step)
            tree[right] = combine(desc, tree[right - step], tree[right]);
    const double sum = tree[BLOCK - 1];
    tree[BLOCK - 1] = test_identity(desc->op);
    for (size_t step = BLOCK / 2; step > 0; step /= 2)
        for (size_t right = 2 * step - 1; right < BLOCK; right += 2 * step) {
            const double left_sum = tree[right - step];
            tree[right - step] = tree[right];
            tree[right] = combine(desc, tree[right], left_sum);
        }
    memcpy(x, tree, length * sizeof *x);
    return sum;
}

/* x becomes exclusive: blocks by themselves, then what is before each, which is the scan of the blocks' sums. `room`
 * holds as many values as there are blocks, on all levels. */
static void scan_tree(const clprim_scan_desc *desc, double *x, size_t count, double *room)
{
    double *arrays[LEVELS] = {x};
    size_t counts[LEVELS] = {count};
    int top = 0;
    while (true) {
        size_t blocks = 0;
        for (size_t begin = 0; begin < counts[top]; begin += BLOCK) {
            const size_t length = counts[top] - begin < BLOCK ? counts[top] - begin : BLOCK;
            room[blocks++] = scan_block(desc, arrays[top] + begin, length);
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
            arrays[top - 1][i] = combine(desc, arrays[top][i / BLOCK], arrays[top - 1][i]);
}

/* The documented tree's values. */
static clprim_status reference(const void *desc, const void *call)
{
    static double room[2 * COUNT];
    const clprim_scan_desc *d = desc;
    const clprim_scan_call *c = call;
    const double from = d->initial != NULL ? test_load(stored_type(d), d->initial, 0) : test_identity(d->op);
    for (size_t i = 0; i < c->count; i++)
        room[i] = test_load(d->type, c->in.host, i);
    scan_tree(d, room, c->count, room + c->count);
    for (size_t i = 0; i < c->count; i++) {
        const double before = combine(d, from, room[i]);
        const double own = test_load(d->type, c->in.host, i);
        test_store(stored_type(d), c->out.host, i, d->exclusive ? before : combine(d, before, own));
    }
    return CLPRIM_SUCCESS;
}

/* Work-group sizes and repetitions make no difference: always the bits of the documented tree. Counts around one block,
 * one block of blocks, and beyond. */
static void check_case(clprim_runtime *runtime, clprim_scan_desc desc, test_pattern pattern, size_t first)
{
    static const size_t tree_counts[] = {0, 1, 2, 255, 511, 512, 513, 1024, 4097, 60001, COUNT};
    static const size_t group_sizes[] = {0, 1, 16, 256};
    static uint64_t in[COUNT];
    test_fill(in, desc.type, desc.op, pattern, COUNT, TEST_SEED + 2);
    for (size_t g = test_is_full() ? 0 : first; g < sizeof group_sizes / sizeof *group_sizes;
         g += test_is_full() ? 1 : 2) {
        test_call self;
        desc.reproducible = true;
        desc.work_group_size = group_sizes[g];
        cr_assert(test_call_create(&self, runtime, &clprim_scan_operation, &desc));
        cr_assert_eq((int)clprim_plan_variant(self.plan)->id, (int)CLPRIM_SCAN_FIXED_TREE);
        self.reference = reference;
        for (size_t i = 0; i < sizeof tree_counts / sizeof *tree_counts; i++) {
            test_call_fill(&self, &(clprim_scan_call){.in = {.host = in}, .count = tree_counts[i]}, i);
            test_call_check(&self, "%zu elements (%s)", tree_counts[i], test_pattern_name(pattern));
        }
        test_call_destroy(&self);
    }
}

Test(scan_reproducible, gives_the_bits_of_the_documented_tree)
{
    static uint64_t initial;
    static const clprim_scan_desc cases[] = {
        {.type = CLPRIM_F32},
        {.type = CLPRIM_F32, .exclusive = true, .initial = &initial},
        {.type = CLPRIM_F16, .op = CLPRIM_PROD, .initial = &initial},
        {.type = CLPRIM_F16, .exclusive = true},
        {.type = CLPRIM_I16, .accumulator_type = CLPRIM_F32, .initial = &initial},
        {.type = CLPRIM_I32, .accumulator_type = CLPRIM_F32, .exclusive = true},
        {.type = CLPRIM_F64, .exclusive = true, .initial = &initial},
        {.type = CLPRIM_F16, .accumulator_type = CLPRIM_F64},
    };
    clprim_runtime *runtime = test_runtime(NULL);
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!test_is_supported(runtime, cases[i].type, cases[i].op, cases[i].accumulator_type))
            continue;
        test_fill(&initial, stored_type(&cases[i]), cases[i].op, TEST_RANDOM, 1, TEST_SEED + 1);
        check_case(runtime, cases[i], TEST_RANDOM, 0);
        check_case(runtime, cases[i], TEST_EXTREMES, 1);
    }
    clprim_runtime_destroy(runtime);
}

/* Other variants promise nothing of the kind for operators that round; for those that do not it is all the same. */
Test(scan_reproducible, is_refused_by_variants_that_are_not)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    for (int variant = 1; variant < CLPRIM_SCAN_FIXED_TREE; variant++) {
        const clprim_scan_desc desc = {
            .type = CLPRIM_F32, .reproducible = true, .variant = (clprim_scan_variant)variant};
        ASSERT_STATUS(clprim_scan_create(&plan, runtime, &desc), CLPRIM_INVALID_ARGUMENT);
        cr_assert_null(plan);
    }
    const clprim_scan_desc exact = {.type = CLPRIM_I32, .reproducible = true, .variant = CLPRIM_SCAN_REDUCE_THEN_SCAN};
    ASSERT_OK(clprim_scan_create(&plan, runtime, &exact));
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
}
