/* is_sorted_trial.c: a test of order of small arrays, against the reference. */
#include <clprim/reference.h>
#include <string.h>

#include "is_sorted_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_is_sorted_desc *desc = description;
    return desc->less == NULL && desc->type_name == NULL;
}

/* As they are, in order, and in order but for the last one. */
static void run(clprim__trial *trial, void *plan, const void *description, size_t count)
{
    const clprim_is_sorted_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->type;
    const size_t size = clprim_type_size(type);
    const clprim_reference_order by = {.type = type, .descending = desc->descending, .nan_order = desc->nan_order};
    unsigned char *data = clprim__trial_elements(trial, type, count);
    for (int step = 0; step < 3 && !trial->is_over; step++) {
        size_t expected = 0;
        cl_mem in = clprim__trial_buffer(trial, data, count * size);
        cl_mem out = clprim__trial_buffer(trial, NULL, sizeof(cl_ulong));
        if (trial->is_over || !clprim__trial_goes_on(trial, clprim_reference_is_sorted(&expected, &by, data, count)) ||
            !clprim__trial_goes_on(trial,
                                   clprim_is_sorted_enqueue(plan, trial->queue, in, 0, count, out, 0, 0, NULL, NULL)))
            return;
        const cl_uint narrow = (cl_uint)expected;
        const cl_ulong wide = expected;
        if (desc->index_type == CLPRIM_U64)
            clprim__trial_expect(trial, "the index", out, &wide, sizeof wide, 1);
        else
            clprim__trial_expect(trial, "the index", out, &narrow, sizeof narrow, 1);
        if (step == 0 && !trial->is_over)
            clprim__trial_sort(trial, data, &by, count);
        else if (count > 1)
            memcpy(data + (count - 1) * size, data, size);
    }
}

static const clprim_is_sorted_desc samples[] = {
    {.type = CLPRIM_U32},
    {.type = CLPRIM_F64, .descending = true, .index_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_IS_SORTED_SINGLE_PASS, CLPRIM_IS_SORTED_TREE, CLPRIM_IS_SORTED_CPU_CHUNK,
                            CLPRIM_IS_SORTED_AUTO};

CLPRIM__DEFINE_TRIAL(is_sorted, clprim_is_sorted_variants, "u32", "f64, descending")
