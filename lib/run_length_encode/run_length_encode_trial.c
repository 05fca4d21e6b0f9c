/* run_length_encode_trial.c: the runs of small arrays, against the reference. */
#include <clprim/reference.h>

#include "run_length_encode_internal.h"
#include "trial.h"

static bool has_reference(const void *description)
{
    (void)description;
    return true;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t wanted)
{
    const clprim_run_length_encode_desc *desc = description;
    const size_t count = clprim__trial_count(wanted, desc->max_count);
    const size_t size = clprim_type_size(desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type);
    const bool is_wide = desc->lengths_type == CLPRIM_U64;
    const size_t length_size = is_wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    const void *data = clprim__trial_runs(trial, size, count);
    void *expected = clprim__trial_memory(trial, count * size);
    uint64_t *expected_lengths = clprim__trial_memory(trial, count * sizeof *expected_lengths);
    uint32_t *narrow = clprim__trial_memory(trial, count * sizeof *narrow);
    cl_mem in = clprim__trial_buffer(trial, data, count * size);
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem lengths = clprim__trial_buffer(trial, NULL, count * length_size);
    cl_mem number = clprim__trial_buffer(trial, NULL, sizeof(cl_ulong));
    size_t runs = 0;
    if (trial->is_over ||
        !clprim__trial_goes_on(
            trial, clprim_reference_run_length_encode(expected, expected_lengths, &runs, size, data, count)) ||
        !clprim__trial_goes_on(trial, clprim_run_length_encode_enqueue(plan, trial->queue, in, 0, count, out, 0,
                                                                       lengths, 0, number, 0, 0, NULL, NULL)))
        return;
    const cl_ulong found = runs;
    for (size_t i = 0; i < runs; i++)
        narrow[i] = (uint32_t)expected_lengths[i];
    clprim__trial_expect(trial, "the number", number, &found, sizeof found, 1);
    clprim__trial_expect(trial, "the elements", out, expected, size, runs);
    clprim__trial_expect(trial, "the lengths", lengths, is_wide ? (void *)expected_lengths : (void *)narrow,
                         length_size, runs);
}

static const clprim_run_length_encode_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_U8, .lengths_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_SCAN_LOOK_BACK, CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_CPU_CHUNK,
                            CLPRIM_SCAN_AUTO};

CLPRIM__DEFINE_TRIAL(run_length_encode, clprim_scan_variants, "i32", "u8, lengths of u64")
