/* segmented_sort_trial.c: a sort by segments of small arrays, against the reference. */
#include <clprim/reference.h>

#include "segmented_sort_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    (void)description;
    return true;
}

/* Segments of all sizes up to `most`, some of them empty: their ends, and how many there are, but no more than
 * `limit`. */
static uint64_t *make_offsets(clprim__trial *trial, size_t *num_segments, size_t count, size_t most, size_t limit)
{
    static const size_t sizes[] = {3, 0, 40, 1, 700, 2, 0, 9000, 17, 100};
    uint64_t *offsets = clprim__trial_memory(trial, (count + sizeof sizes / sizeof *sizes + 2) * sizeof *offsets);
    size_t at = 0;
    *num_segments = 0;
    for (size_t i = 0; offsets != NULL && at < count && i < limit; i++) {
        const size_t wanted = sizes[i % (sizeof sizes / sizeof *sizes)];
        const size_t size = wanted < most ? wanted : most;
        at = size < count - at ? at + size : count;
        offsets[++*num_segments] = at;
    }
    return offsets;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_segmented_sort_desc *desc = description;
    const clprim_type type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t size = clprim_type_size(type);
    const bool is_wide = desc->offsets_type == CLPRIM_U64;
    const size_t index_size = desc->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const size_t value_size = desc->argsort && desc->value_size == 0 ? index_size : desc->value_size;
    const clprim_reference_sort_how how = {.key_type = type,
                                           .value_size = value_size,
                                           .argsort = desc->argsort,
                                           .descending = desc->descending,
                                           .nan_order = desc->nan_order};
    size_t segments = 0;
    uint64_t *offsets = make_offsets(trial, &segments, count, clprim__trial_count(SIZE_MAX, desc->max_segment_size),
                                     clprim__trial_count(SIZE_MAX, desc->max_segments));
    uint32_t *narrow = clprim__trial_memory(trial, (segments + 1) * sizeof *narrow);
    for (size_t s = 0; !trial->is_over && s <= segments; s++)
        narrow[s] = (uint32_t)offsets[s];
    const size_t covered =
        trial->is_over ? 0 : (size_t)offsets[segments]; /* what is in no segment need not be written */
    void *keys = clprim__trial_elements(trial, type, count);
    void *values = clprim__trial_values(trial, keys, size, value_size, count, false);
    cl_mem ends = clprim__trial_buffer(trial, is_wide ? (void *)offsets : (void *)narrow,
                                       (segments + 1) * (is_wide ? sizeof *offsets : sizeof *narrow));
    cl_mem in = clprim__trial_buffer(trial, keys, count * size);
    cl_mem values_in = desc->argsort ? NULL : clprim__trial_buffer(trial, values, count * value_size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem values_out = clprim__trial_buffer(trial, NULL, count * value_size);
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_segmented_sort(keys, value_size > 0 ? values : NULL, &how, count,
                                                                      CLPRIM_U64, offsets, segments)) ||
        !clprim__trial_goes_on(trial, value_size > 0
                                          ? clprim_segmented_sort_enqueue_pairs(plan, trial->queue, in, 0, values_in, 0,
                                                                                count, ends, 0, segments, out, 0,
                                                                                values_out, 0, 0, NULL, NULL)
                                          : clprim_segmented_sort_enqueue(plan, trial->queue, in, 0, count, ends, 0,
                                                                          segments, out, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the order of keys", out, keys, size, covered);
    clprim__trial_expect(trial, "the order of values", values_out, values, value_size, covered);
}

static const clprim_segmented_sort_desc samples[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
};
static const int order[] = {CLPRIM_SEGMENTED_SORT_MIXED, CLPRIM_SEGMENTED_SORT_COMPOSITE,
                            CLPRIM_SEGMENTED_SORT_CPU_CHUNK, CLPRIM_SEGMENTED_SORT_LOCAL, CLPRIM_SEGMENTED_SORT_AUTO};

CLPRIM__DEFINE_TRIAL(segmented_sort, clprim_segmented_sort_variants, "u32", "f32 and values, descending")
