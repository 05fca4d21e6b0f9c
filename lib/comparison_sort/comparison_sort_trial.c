/* comparison_sort_trial.c: a sort of small arrays, against the reference. */
#include <clprim/reference.h>

#include "comparison_sort_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_comparison_sort_desc *desc = description;
    return desc->less == NULL && desc->type_name == NULL;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_comparison_sort_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->type;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t size = clprim_type_size(type);
    const clprim_reference_comparison_how how = {
        .type = type, .value_size = desc->value_size, .descending = desc->descending, .nan_order = desc->nan_order};
    void *keys = clprim__trial_elements(trial, type, count);
    void *values = clprim__trial_values(trial, keys, size, desc->value_size, count, !desc->stable);
    cl_mem in = clprim__trial_buffer(trial, keys, count * size);
    cl_mem values_in = clprim__trial_buffer(trial, values, count * desc->value_size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem values_out = clprim__trial_buffer(trial, NULL, count * desc->value_size);
    if (trial->is_over ||
        !clprim__trial_goes_on(
            trial, clprim_reference_comparison_sort(keys, desc->value_size > 0 ? values : NULL, &how, count)) ||
        !clprim__trial_goes_on(
            trial, desc->value_size > 0
                       ? clprim_comparison_sort_enqueue_pairs(plan, trial->queue, in, 0, values_in, 0, count, out, 0,
                                                              values_out, 0, 0, NULL, NULL)
                       : clprim_comparison_sort_enqueue(plan, trial->queue, in, 0, count, out, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the order of keys", out, keys, size, count);
    clprim__trial_expect(trial, "the order of values", values_out, values, desc->value_size, count);
}

static const clprim_comparison_sort_desc samples[] = {
    {.type = CLPRIM_U32},
    {.type = CLPRIM_F32, .value_size = 4, .stable = true, .descending = true},
};
static const int order[] = {CLPRIM_COMPARISON_SORT_MERGE_NETWORK, CLPRIM_COMPARISON_SORT_MERGE_PATH,
                            CLPRIM_COMPARISON_SORT_CPU_CHUNK,     CLPRIM_COMPARISON_SORT_BITONIC,
                            CLPRIM_COMPARISON_SORT_RADIX,         CLPRIM_COMPARISON_SORT_AUTO};

CLPRIM__DEFINE_TRIAL(comparison_sort, clprim_comparison_sort_variants, "u32", "f32 and values, stable, descending")
