// SPDX-License-Identifier: MIT
/* test_reduce.reproducible.c: float sums that have the same bits on every device, in every run. */
#include "folds.h"

/* The fixed tree, as the first comment of kernels/reduce/fixed_tree.cl describes it. */
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

/* The value of the documented tree. The chunks' values are the next pass's input. */
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
    const double tree = fold_chunk(d->op, stored, x, count);
    test_store(stored, c->out.host, 0,
               d->has_initial_at ? test_combine(d->op, stored, test_load(stored, c->initial_at.host, 0), tree) : tree);
    return CLPRIM_SUCCESS;
}

TEST_WITH_RUNTIME(reduce_reproducible, gives_the_bits_of_the_documented_tree)
{
    static const size_t counts[] = {0, 1, 2, 255, 257, 4095, 4096, 4097, MAX_COUNT};
    static const clprim_reduce_desc cases[] = {
        {.type = CLPRIM_F32},
        {.type = CLPRIM_F32, .op = CLPRIM_PROD},
        {.type = CLPRIM_F16, .has_initial_at = true},
        {.type = CLPRIM_I16, .accumulator_type = CLPRIM_F32},
        {.type = CLPRIM_F64, .has_initial_at = true},
        {.type = CLPRIM_F32, .accumulator_type = CLPRIM_F64},
        {.type = CLPRIM_I32, .accumulator_type = CLPRIM_F32},
    };
    if (!clprim_runtime_info(runtime)->has_denormals_f32)
        cr_skip_test("the device does not keep denormals");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        test_fold_reproducible(runtime, &clprim_reduce_operation, &cases[i], fold_tree, counts,
                               sizeof counts / sizeof *counts);
}
