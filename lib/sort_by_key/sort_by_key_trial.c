/* sort_by_key_trial.c: arrays sorted by small arrays of keys, against the reference. */
#include <clprim/reference.h>

#include "sort_by_key_internal.h"
#include "trial.h"

_Static_assert(4 * (1 + CLPRIM_SORT_BY_KEY_MAX_ARRAYS) <= CLPRIM__TRIAL_MAX_ARRAYS,
               "of keys and of each array: what is given, copies of it for two buffers, what is found");

static bool has_reference(const void *description)
{
    (void)description;
    return true;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_sort_by_key_desc *desc = description;
    const clprim_type type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t size = clprim_type_size(type);
    const size_t num_arrays = desc->num_arrays == 0 ? 1 : desc->num_arrays;
    clprim_reference_sort_by_key_how how = {.key_type = type,
                                            .descending = desc->descending,
                                            .bit_range = desc->bit_range,
                                            .nan_order = desc->nan_order,
                                            .begin_bit = desc->begin_bit,
                                            .end_bit = desc->end_bit,
                                            .values_only = desc->values_only,
                                            .num_arrays = num_arrays};
    void *values[CLPRIM_SORT_BY_KEY_MAX_ARRAYS] = {NULL};
    clprim_sort_by_key_array arrays[CLPRIM_SORT_BY_KEY_MAX_ARRAYS] = {{0}};
    void *keys = clprim__trial_elements(trial, type, count);
    cl_mem in = clprim__trial_buffer(trial, keys, count * size);
    cl_mem out = desc->values_only ? NULL : clprim__trial_buffer(trial, NULL, count * size);
    for (size_t a = 0; a < num_arrays; a++) {
        how.element_sizes[a] = desc->element_sizes[a] == 0 ? 4 : desc->element_sizes[a];
        values[a] = clprim__trial_values(trial, keys, size, how.element_sizes[a], count, false);
        arrays[a].in = clprim__trial_buffer(trial, values[a], count * how.element_sizes[a]);
        arrays[a].out = clprim__trial_buffer(trial, NULL, count * how.element_sizes[a]);
    }
    if (trial->is_over || !clprim__trial_goes_on(trial, clprim_reference_sort_by_key(keys, values, &how, count)) ||
        !clprim__trial_goes_on(
            trial, clprim_sort_by_key_enqueue(plan, trial->queue, in, 0, count, out, 0, arrays, 0, NULL, NULL)))
        return;
    if (!desc->values_only)
        clprim__trial_expect(trial, "the order of keys", out, keys, size, count);
    for (size_t a = 0; a < num_arrays; a++)
        clprim__trial_expect(trial, "an array's order", arrays[a].out, values[a], how.element_sizes[a], count);
}

static const clprim_sort_by_key_desc samples[] = {
    {.key_type = CLPRIM_F32, .num_arrays = 2, .element_sizes = {4, 12}},
};
/* The sort underneath goes on by itself. */
static const int order[] = {CLPRIM_RADIX_SORT_AUTO};

CLPRIM__DEFINE_TRIAL(sort_by_key, NULL, "two arrays by f32")
