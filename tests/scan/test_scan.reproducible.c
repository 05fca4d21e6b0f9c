// SPDX-License-Identifier: MIT
/* test_scan.reproducible.c: float sums have the same bits on every device, in every run. */
#include "folds.h"

enum { BLOCK = 512, SQUARE = BLOCK * BLOCK, MOST = 5 * SQUARE + 3 };

static clprim_type stored_type(const clprim_scan_desc *desc)
{
    return desc->accumulator_type == CLPRIM_TYPE_DEFAULT ? desc->type : desc->accumulator_type;
}

static double combine(const clprim_scan_desc *desc, double a, double b)
{
    return test_combine(desc->op, stored_type(desc), a, b);
}

/* One block, Blelloch 1990: on the way up the tree, each node becomes the sum of all values below it; on the way down,
 * the sum of all values before it. Places after the block's end are the identity. x[0 .. length) becomes exclusive
 * prefixes; returns the sum. */
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

/* x becomes exclusive prefixes: first within each block; then each block adds what precedes it, from a scan of the
 * blocks' sums, which are stored after x. */
static void scan_tree(const clprim_scan_desc *desc, double *x, size_t count)
{
    double *sums = x + count;
    const size_t blocks = (count + BLOCK - 1) / BLOCK;
    for (size_t b = 0; b < blocks; b++)
        sums[b] = scan_block(desc, x + b * BLOCK, count - b * BLOCK < BLOCK ? count - b * BLOCK : BLOCK);
    if (blocks <= 1)
        return;
    scan_tree(desc, sums, blocks);
    for (size_t i = 0; i < count; i++)
        x[i] = combine(desc, sums[i / BLOCK], x[i]);
}

/* The values of the documented tree. */
static clprim_status reference(const void *desc, const void *call)
{
    static double room[2 * MOST];
    const clprim_scan_desc *d = desc;
    const clprim_scan_call *c = call;
    const double from = d->initial != NULL ? test_load(stored_type(d), d->initial, 0) : test_identity(d->op);
    for (size_t i = 0; i < c->count; i++)
        room[i] = test_load(d->type, c->in.host, i);
    scan_tree(d, room, c->count);
    for (size_t i = 0; i < c->count; i++) {
        const double before = combine(d, from, room[i]);
        const double own = test_load(d->type, c->in.host, i);
        test_store(stored_type(d), c->out.host, i, d->exclusive ? before : combine(d, before, own));
    }
    return CLPRIM_SUCCESS;
}

/* Counts around one block, one block of blocks, and beyond. */
TEST_WITH_RUNTIME(scan_reproducible, gives_the_bits_of_the_documented_tree)
{
    static const size_t counts[] = {0, 1, 2, 255, 511, 512, 513, 1024, 4097, 60001, SQUARE + 1};
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
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_fill(&initial, stored_type(&cases[i]), cases[i].op, TEST_RANDOM, 1, TEST_SEED + 1);
        test_fold_reproducible(runtime, &clprim_scan_operation, &cases[i], reference, counts,
                               sizeof counts / sizeof *counts);
    }
}

/* Enough elements to need subtrees of two and of four blocks of blocks, and prefixes of two subtrees. */
TEST_WITH_RUNTIME(scan_reproducible, of_blocks_of_blocks)
{
    static const size_t counts[] = {MOST};
    static const clprim_scan_desc desc = {.type = CLPRIM_F32, .exclusive = true};
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    test_fold_reproducible(runtime, &clprim_scan_operation, &desc, reference, counts, 1);
}
