/* search_trial.c: a search in small arrays, against the reference. */
#include <clprim/reference.h>

#include "search_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_search_desc *desc = description;
    return desc->less == NULL && desc->type_name == NULL;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t count)
{
    const clprim_search_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->type;
    const size_t size = clprim_type_size(type);
    const size_t num_needles = count / 2 + 1;
    const bool is_wide = desc->index_type == CLPRIM_U64;
    const size_t index_size = is_wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    const clprim_reference_order by = {.type = type, .descending = desc->descending, .nan_order = desc->nan_order};
    void *data = clprim__trial_elements(trial, type, count);
    void *needles = clprim__trial_elements(trial, type, num_needles);
    uint64_t *found = clprim__trial_memory(trial, num_needles * sizeof *found);
    uint32_t *narrow = clprim__trial_memory(trial, num_needles * sizeof *narrow);
    if (trial->is_over)
        return;
    clprim__trial_sort(trial, data, &by, count);
    if (desc->needles_are_sorted)
        clprim__trial_sort(trial, needles, &by, num_needles);
    cl_mem in = clprim__trial_buffer(trial, data, count * size);
    cl_mem wanted = clprim__trial_buffer(trial, needles, num_needles * size);
    cl_mem out = clprim__trial_buffer(trial, NULL, num_needles * index_size);
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_search(found, &by, desc->bound == CLPRIM_SEARCH_UPPER, data,
                                                              count, needles, num_needles)) ||
        !clprim__trial_goes_on(trial, clprim_search_enqueue(plan, trial->queue, in, 0, count, wanted, 0, num_needles,
                                                            out, 0, 0, NULL, NULL)))
        return;
    for (size_t i = 0; i < num_needles; i++)
        narrow[i] = (uint32_t)found[i];
    clprim__trial_expect(trial, "the index", out, is_wide ? (void *)found : (void *)narrow, index_size, num_needles);
}

static const clprim_search_desc samples[] = {
    {.type = CLPRIM_U32, .needles_are_sorted = true},
    {.type = CLPRIM_F32, .bound = CLPRIM_SEARCH_UPPER, .descending = true},
};
static const int order[] = {CLPRIM_SEARCH_BINARY, CLPRIM_SEARCH_SORTED_NEEDLES, CLPRIM_SEARCH_CPU_CHUNK,
                            CLPRIM_SEARCH_AUTO};

CLPRIM__DEFINE_TRIAL(search, clprim_search_variants, "u32, sorted needles", "f32, descending")
