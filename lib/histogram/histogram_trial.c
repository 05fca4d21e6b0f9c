/* histogram_trial.c: a histogram of small arrays, against the reference. */
#include <clprim/reference.h>

#include "histogram_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    const clprim_histogram_desc *desc = description;
    return desc->mapping != CLPRIM_HISTOGRAM_CUSTOM;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_histogram_desc *desc = description;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U8 : desc->type;
    const bool is_wide = desc->max_count > UINT32_MAX;
    const clprim_type counter = desc->counter_type != CLPRIM_TYPE_DEFAULT   ? desc->counter_type
                                : desc->weights_type != CLPRIM_TYPE_DEFAULT ? desc->weights_type
                                : is_wide                                   ? CLPRIM_U64
                                                                            : CLPRIM_U32;
    const bool is_weighted = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    const size_t channels = desc->channels == 0 ? 1 : desc->channels;
    const size_t active = desc->active_channels == 0 ? channels : desc->active_channels;
    const size_t bins = (desc->bins == 0 ? 256 : desc->bins) * active;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const clprim_reference_histogram_how how = {.type = type,
                                                .mapping = desc->mapping,
                                                .bins = desc->bins,
                                                .low = desc->low,
                                                .high = desc->high,
                                                .boundaries = desc->boundaries,
                                                .channels = desc->channels,
                                                .active_channels = desc->active_channels,
                                                .weights_type = desc->weights_type,
                                                .counter_type = counter,
                                                .accumulate = desc->accumulate};
    const void *data = clprim__trial_elements(trial, type, count * channels);
    const void *weights =
        is_weighted ? clprim__trial_numbers(trial, desc->weights_type, CLPRIM_SUM, desc->weights_type, count) : NULL;
    void *expected = clprim__trial_memory(trial, bins * clprim_type_size(counter));
    uint64_t *missed = clprim__trial_memory(trial, active * sizeof *missed);
    cl_mem in = clprim__trial_buffer(trial, data, count * channels * clprim_type_size(type));
    cl_mem by = is_weighted ? clprim__trial_buffer(trial, weights, count * clprim_type_size(counter)) : NULL;
    cl_mem out = clprim__trial_buffer(trial, desc->accumulate ? expected : NULL, bins * clprim_type_size(counter));
    cl_mem outside = clprim__trial_buffer(trial, desc->accumulate ? missed : NULL, active * sizeof *missed);
    if (trial->is_over ||
        !clprim__trial_goes_on(trial, clprim_reference_histogram(expected, missed, &how, data, weights, count)) ||
        !clprim__trial_goes_on(
            trial, is_weighted
                       ? clprim_histogram_enqueue_weighted(plan, trial->queue, in, 0, count, by, 0, out, 0, outside, 0,
                                                           0, NULL, NULL)
                       : clprim_histogram_enqueue(plan, trial->queue, in, 0, count, out, 0, outside, 0, 0, NULL, NULL)))
        return;
    clprim__trial_expect(trial, "the histogram", out, expected, clprim_type_size(counter), bins);
    clprim__trial_expect(trial, "the number outside", outside, missed, sizeof *missed, active);
}

static const clprim_histogram_desc samples[] = {
    {.type = CLPRIM_U8},
    {.type = CLPRIM_F32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 100, .low = -1, .high = 1},
    {.type = CLPRIM_U16, .bins = 1000, .weights_type = CLPRIM_I32},
};
static const int order[] = {CLPRIM_HISTOGRAM_REPLICATED,    CLPRIM_HISTOGRAM_LOCAL_ATOMIC, CLPRIM_HISTOGRAM_LARGE,
                            CLPRIM_HISTOGRAM_GLOBAL_ATOMIC, CLPRIM_HISTOGRAM_CPU_CHUNK,    CLPRIM_HISTOGRAM_SORT_BASED,
                            CLPRIM_HISTOGRAM_AUTO};

CLPRIM__DEFINE_TRIAL(histogram, clprim_histogram_variants, "u8", "f32 in intervals", "u16 with weights of i32")
