/* merge_trial.c: a merge of small arrays, against the reference. */
#include <clprim/reference.h>

#include "merge_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_merge_desc *desc = description;
    return desc->less == NULL && desc->type_name == NULL;
}

/* One of the two ranges. */
typedef struct range {
    void *keys, *values;
    cl_mem keys_buffer, values_buffer;
    size_t count;
} range;

static range make_range(clprim__trial *trial, const clprim_merge_desc *desc, const clprim_reference_order *by,
                        size_t count)
{
    const size_t size = clprim_type_size(by->type);
    range r = {.keys = clprim__trial_elements(trial, by->type, count), .count = count};
    if (trial->is_over)
        return r;
    clprim__trial_sort(trial, r.keys, by, count);
    r.values = clprim__trial_values(trial, r.keys, size, desc->value_size, count, false);
    r.keys_buffer = clprim__trial_buffer(trial, r.keys, count * size);
    r.values_buffer = clprim__trial_buffer(trial, r.values, count * desc->value_size);
    return r;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_merge_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->type;
    const clprim_reference_order by = {.type = type, .descending = desc->descending, .nan_order = desc->nan_order};
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t size = clprim_type_size(type);
    const size_t value_size = desc->value_size;
    const range a = make_range(trial, desc, &by, count / 3);
    const range b = make_range(trial, desc, &by, count - count / 3);
    void *keys = clprim__trial_memory(trial, count * size);
    void *values = clprim__trial_memory(trial, count * value_size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem values_out = clprim__trial_buffer(trial, NULL, count * value_size);
    if (trial->is_over)
        return;
    if (value_size == 0)
        clprim__trial_goes_on(trial,
                              clprim_reference_merge(keys, NULL, &by, 0, a.keys, NULL, a.count, b.keys, NULL, b.count));
    else
        clprim__trial_goes_on(trial, clprim_reference_merge(keys, values, &by, value_size, a.keys, a.values, a.count,
                                                            b.keys, b.values, b.count));
    if (!clprim__trial_goes_on(
            trial, value_size == 0 ? clprim_merge_enqueue(plan, trial->queue, a.keys_buffer, 0, a.count, b.keys_buffer,
                                                          0, b.count, out, 0, 0, NULL, NULL)
                                   : clprim_merge_enqueue_pairs(plan, trial->queue, a.keys_buffer, 0, a.values_buffer,
                                                                0, a.count, b.keys_buffer, 0, b.values_buffer, 0,
                                                                b.count, out, 0, values_out, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the order of keys", out, keys, size, count);
    clprim__trial_expect(trial, "the order of values", values_out, values, value_size, count);
}

static const clprim_merge_desc samples[] = {
    {.type = CLPRIM_U32},
    {.type = CLPRIM_F32, .value_size = 4, .descending = true},
};
static const int order[] = {CLPRIM_MERGE_TILES, CLPRIM_MERGE_PATH, CLPRIM_MERGE_CPU_CHUNK, CLPRIM_MERGE_NAIVE,
                            CLPRIM_MERGE_AUTO};

CLPRIM__DEFINE_TRIAL(merge, clprim_merge_variants, "u32", "f32 and values, descending")
