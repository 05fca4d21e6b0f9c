/* radix_sort_trial.c: a sort of small arrays, against the reference. */
#include <clprim/reference.h>

#include "radix_sort_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    (void)description;
    return true;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_radix_sort_desc *desc = description;
    const clprim_type type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t size = clprim_type_size(type);
    const size_t index_size = desc->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const size_t value_size = desc->argsort && desc->value_size == 0 ? index_size : desc->value_size;
    const clprim_reference_sort_how how = {.key_type = type,
                                           .value_size = value_size,
                                           .argsort = desc->argsort,
                                           .descending = desc->descending,
                                           .bit_range = desc->bit_range,
                                           .nan_order = desc->nan_order,
                                           .begin_bit = desc->begin_bit,
                                           .end_bit = desc->end_bit};
    void *keys = clprim__trial_elements(trial, type, count);
    void *values = clprim__trial_values(trial, keys, size, value_size, count, false);
    cl_mem in = clprim__trial_buffer(trial, keys, count * size);
    cl_mem values_in = desc->argsort ? NULL : clprim__trial_buffer(trial, values, count * value_size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem values_out = clprim__trial_buffer(trial, NULL, count * value_size);
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_sort(keys, value_size > 0 ? values : NULL, &how, count)) ||
        !clprim__trial_goes_on(
            trial, value_size > 0 ? clprim_radix_sort_enqueue_pairs(plan, trial->queue, in, 0, values_in, 0, count, out,
                                                                    0, values_out, 0, 0, NULL, NULL)
                                  : clprim_radix_sort_enqueue(plan, trial->queue, in, 0, count, out, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the order of keys", out, keys, size, count);
    clprim__trial_expect(trial, "the order of values", values_out, values, value_size, count);
}

static const clprim_radix_sort_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
    {.key_type = CLPRIM_I16, .argsort = true, .max_count = 1000},
};
static const int order[] = {CLPRIM_RADIX_SORT_ONESWEEP, CLPRIM_RADIX_SORT_LOCAL,     CLPRIM_RADIX_SORT_CPU_BUCKETS,
                            CLPRIM_RADIX_SORT_SPLIT,    CLPRIM_RADIX_SORT_CPU_CHUNK, CLPRIM_RADIX_SORT_AUTO};

CLPRIM__DEFINE_TRIAL(radix_sort, clprim_radix_sort_variants, "u32", "f32 and values, descending", "few i16, indices")
