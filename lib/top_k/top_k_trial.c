/* top_k_trial.c: the first k of small arrays, against the reference. */
#include <clprim/reference.h>

#include "top_k_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    (void)description;
    return true;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_top_k_desc *desc = description;
    const clprim_type type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t number = count < desc->k ? count : desc->k;
    const size_t size = clprim_type_size(type);
    const size_t index_size = desc->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const size_t value_size = desc->indices && desc->value_size == 0 ? index_size : desc->value_size;
    const bool has_values = value_size > 0 && !desc->indices;
    const clprim_reference_top_k_how how = {.key_type = type,
                                            .k = desc->k,
                                            .smallest = desc->smallest,
                                            .value_size = value_size,
                                            .indices = desc->indices,
                                            .unsorted = desc->unsorted,
                                            .nan_order = desc->nan_order};
    const void *keys = clprim__trial_elements(trial, type, count);
    const void *values = has_values ? clprim__trial_values(trial, keys, size, value_size, count, false) : NULL;
    void *first = clprim__trial_memory(trial, number * size);
    void *first_values = clprim__trial_memory(trial, number * value_size);
    cl_mem in = clprim__trial_buffer(trial, keys, count * size);
    cl_mem values_in = has_values ? clprim__trial_buffer(trial, values, count * value_size) : NULL;
    cl_mem out = clprim__trial_buffer(trial, NULL, number * size);
    cl_mem values_out = clprim__trial_buffer(trial, NULL, number * value_size);
    if (trial->is_over ||
        !clprim__trial_goes_on(
            trial, clprim_reference_top_k(first, value_size > 0 ? first_values : NULL, &how, keys, values, count)) ||
        !clprim__trial_goes_on(
            trial, value_size > 0 ? clprim_top_k_enqueue_pairs(plan, trial->queue, in, 0, values_in, 0, count, out, 0,
                                                               values_out, 0, 0, NULL, NULL)
                                  : clprim_top_k_enqueue(plan, trial->queue, in, 0, count, out, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the first keys", out, first, size, number);
    clprim__trial_expect(trial, "the first keys' values", values_out, first_values, value_size, number);
}

static const clprim_top_k_desc samples[] = {
    {.key_type = CLPRIM_U32, .k = 100},
    {.key_type = CLPRIM_F32, .k = 1000, .indices = true, .smallest = true},
};
static const int order[] = {CLPRIM_TOP_K_RADIX_SELECT, CLPRIM_TOP_K_SORT, CLPRIM_TOP_K_CPU_CHUNK, CLPRIM_TOP_K_AUTO};

CLPRIM__DEFINE_TRIAL(top_k, clprim_top_k_variants, "100 of u32", "1000 of f32, indices")
