/* reduce_by_key_trial.c: the folds of runs in small arrays, against the reference. */
#include <clprim/reference.h>

#include "reduce_by_key_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_reduce_by_key_desc *desc = description;
    return desc->custom == NULL;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_reduce_by_key_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const clprim_type sum_type = desc->accumulator_type == CLPRIM_TYPE_DEFAULT ? type : desc->accumulator_type;
    const bool is_indexed = desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t key_size = clprim_type_size(desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->key_type);
    const size_t size = clprim_type_size(type);
    const size_t result_size = is_indexed ? sizeof(clprim_indexed) : clprim_type_size(sum_type);
    const void *keys = clprim__trial_runs(trial, key_size, count);
    const void *values = clprim__trial_numbers(trial, type, desc->op, sum_type, count);
    void *expected_keys = clprim__trial_memory(trial, count * key_size);
    void *expected = clprim__trial_memory(trial, count * result_size);
    cl_mem keys_in = clprim__trial_buffer(trial, keys, count * key_size);
    cl_mem values_in = clprim__trial_buffer(trial, values, count * size);
    cl_mem keys_out = clprim__trial_buffer(trial, NULL, count * key_size);
    cl_mem values_out = clprim__trial_buffer(trial, NULL, count * result_size);
    cl_mem number = clprim__trial_buffer(trial, NULL, sizeof(cl_ulong));
    size_t runs = 0;
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_reduce_by_key_ordered(expected_keys, expected, &runs, key_size,
                                                                             type, desc->op, desc->accumulator_type,
                                                                             desc->nan_order, keys, values, count)) ||
        !clprim__trial_goes_on(trial,
                               clprim_reduce_by_key_enqueue(plan, trial->queue, keys_in, 0, values_in, 0, count,
                                                            keys_out, 0, values_out, 0, number, 0, 0, NULL, NULL)))
        return;
    const cl_ulong found = runs;
    clprim__trial_expect(trial, "the number", number, &found, sizeof found, 1);
    clprim__trial_expect(trial, "the keys", keys_out, expected_keys, key_size, runs);
    clprim__trial_expect(trial, "the folds", values_out, expected, result_size, runs);
}

static const clprim_reduce_by_key_desc samples[] = {
    {.type = CLPRIM_I32},
    {.key_type = CLPRIM_U8, .type = CLPRIM_F32, .op = CLPRIM_MIN},
};
static const int order[] = {CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_CPU_CHUNK,
                            CLPRIM_SCAN_AUTO};

CLPRIM__DEFINE_TRIAL(reduce_by_key, clprim_scan_variants, "sums of i32", "minima of f32 by u8")
