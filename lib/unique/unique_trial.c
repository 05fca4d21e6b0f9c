/* unique_trial.c: the runs of small arrays, against the reference. */
#include <clprim/reference.h>

#include "trial.h"
#include "unique_internal.h"

static bool has_reference(const void *description)
{
    const clprim_unique_desc *desc = description;
    return desc->equal == NULL && desc->type_name == NULL;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t count)
{
    const clprim_unique_desc *desc = description;
    const size_t size = clprim_type_size(desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type);
    const void *data = clprim__trial_runs(trial, size, count);
    void *expected = clprim__trial_memory(trial, count * size);
    cl_mem in = clprim__trial_buffer(trial, data, count * size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem number = clprim__trial_buffer(trial, NULL, sizeof(cl_ulong));
    size_t selected = 0;
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_unique(expected, &selected, size, NULL, data, count)) ||
        !clprim__trial_goes_on(
            trial, clprim_unique_enqueue(plan, trial->queue, in, 0, count, out, 0, number, 0, 0, NULL, NULL)))
        return;
    const cl_ulong found = selected;
    clprim__trial_expect(trial, "the number", number, &found, sizeof found, 1);
    clprim__trial_expect(trial, "what is selected", out, expected, size, selected);
}

static const clprim_unique_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F64},
};
static const int order[] = {CLPRIM_SELECT_LOOK_BACK, CLPRIM_SELECT_COUNT_THEN_MOVE, CLPRIM_SELECT_CPU_CHUNK,
                            CLPRIM_SELECT_AUTO};

CLPRIM__DEFINE_TRIAL(unique, clprim_select_variants, "i32", "f64")
