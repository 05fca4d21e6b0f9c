/* select_trial.c: a selection from small arrays, against the reference. */
#include <clprim/reference.h>

#include "select_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_select_desc *desc = description;
    return desc->predicate == NULL && desc->type_name == NULL;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t count)
{
    const clprim_select_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const size_t size = clprim_type_size(type);
    const size_t flag_size = desc->flags_type == CLPRIM_TYPE_DEFAULT ? 1 : clprim_type_size(desc->flags_type);
    const void *data = clprim__trial_elements(trial, type, count);
    const unsigned char *raised = clprim__trial_runs(trial, flag_size, count);
    uint8_t *keep = clprim__trial_memory(trial, count);
    void *expected = clprim__trial_memory(trial, count * size);
    cl_mem in = clprim__trial_buffer(trial, data, count * size);
    cl_mem flags = clprim__trial_buffer(trial, raised, count * flag_size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem number = clprim__trial_buffer(trial, NULL, sizeof(cl_ulong));
    size_t selected = 0;
    if (trial->is_over)
        return;
    for (size_t i = 0; i < count; i++)
        keep[i] = raised[i * flag_size];
    if (!clprim__trial_goes_on(
            trial, clprim_reference_select(expected, &selected, size, keep, desc->partition, data, count)) ||
        !clprim__trial_goes_on(trial, clprim_select_enqueue_flagged(plan, trial->queue, in, 0, count, flags, 0, out, 0,
                                                                    number, 0, 0, NULL, NULL)))
        return;
    const cl_ulong found = selected;
    clprim__trial_expect(trial, "the number", number, &found, sizeof found, 1);
    clprim__trial_expect(trial, "what is selected", out, expected, size, desc->partition ? count : selected);
}

static const clprim_select_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_U8, .flags_type = CLPRIM_I32},
    {.type = CLPRIM_F64, .partition = true},
};
static const int order[] = {CLPRIM_SELECT_LOOK_BACK, CLPRIM_SELECT_COUNT_THEN_MOVE, CLPRIM_SELECT_CPU_CHUNK,
                            CLPRIM_SELECT_AUTO};

CLPRIM__DEFINE_TRIAL(select, clprim_select_variants, "i32", "u8 by flags of i32", "partition of f64")
