/* reduce_trial.c: a reduction on small arrays, against the reference. */
#include <clprim/reference.h>

#include "reduce_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_reduce_desc *desc = description;
    return desc->custom == NULL;
}

static size_t result_size(const clprim_reduce_desc *desc, clprim_type type)
{
    return desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX ? sizeof(clprim_indexed)
           : desc->accumulator_type != CLPRIM_TYPE_DEFAULT        ? clprim_type_size(desc->accumulator_type)
                                                                  : clprim_type_size(type);
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t count)
{
    const clprim_reduce_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const size_t size = result_size(desc, type);
    const void *data = clprim__trial_numbers(trial, type, desc->op, desc->accumulator_type, count);
    void *expected = clprim__trial_memory(trial, size);
    cl_mem in = clprim__trial_buffer(trial, data, count * clprim_type_size(type));
    cl_mem out = clprim__trial_buffer(trial, NULL, size);
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_reduce_ordered(expected, type, desc->op, desc->accumulator_type,
                                                                      desc->nan_order, data, count)) ||
        !clprim__trial_goes_on(trial, clprim_reduce_enqueue(plan, trial->queue, in, 0, count, out, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the result", out, expected, size, 1);
}

static const clprim_reduce_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F32, .op = CLPRIM_SUM},
    {.type = CLPRIM_I8, .op = CLPRIM_MAX},
    {.type = CLPRIM_F64, .op = CLPRIM_ARGMIN},
};
static const int order[] = {CLPRIM_REDUCE_SINGLE_PASS, CLPRIM_REDUCE_TREE,    CLPRIM_REDUCE_CPU_CHUNK,
                            CLPRIM_REDUCE_FIXED_TREE,  CLPRIM_REDUCE_STRIDED, CLPRIM_REDUCE_INTERLEAVED,
                            CLPRIM_REDUCE_AUTO};

CLPRIM__DEFINE_TRIAL(reduce, clprim_reduce_variants, "sum of i32", "sum of f32", "max of i8", "argmin of f64")
