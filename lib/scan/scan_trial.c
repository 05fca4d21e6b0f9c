/* scan_trial.c: a scan on small arrays, against the reference. */
#include <clprim/reference.h>
#include <string.h>

#include "scan_internal.h"
#include "trial.h"

static bool rounds(const clprim_scan_desc *desc)
{
    const bool is_float = desc->type == CLPRIM_F16 || desc->type == CLPRIM_F32 || desc->type == CLPRIM_F64 ||
                          desc->accumulator_type == CLPRIM_F32 || desc->accumulator_type == CLPRIM_F64;
    return is_float && (desc->op == CLPRIM_SUM || desc->op == CLPRIM_PROD);
}

/* Of a caller's own first value it is not known what sums with it round. */
static bool has_reference(const void *description)
{
    const clprim_scan_desc *desc = description;
    return desc->custom == NULL && (desc->initial == NULL || !rounds(desc));
}

static size_t result_size(const clprim_scan_desc *desc, clprim_type type)
{
    return desc->op == CLPRIM_ARGMIN || desc->op == CLPRIM_ARGMAX ? sizeof(clprim_indexed)
           : desc->accumulator_type != CLPRIM_TYPE_DEFAULT        ? clprim_type_size(desc->accumulator_type)
                                                                  : clprim_type_size(type);
}

/* Which elements begin a segment, of the flags or keys. */
static uint8_t *find_begins(clprim__trial *trial, bool by_key, const unsigned char *heads, size_t size, size_t count)
{
    uint8_t *begins = clprim__trial_memory(trial, count);
    for (size_t i = 0; begins != NULL && i < count; i++)
        begins[i] = by_key ? i == 0 || memcmp(heads + i * size, heads + (i - 1) * size, size) != 0 : heads[i * size];
    return begins;
}

static void run(clprim__trial *trial, void *plan, const void *description, size_t count)
{
    const clprim_scan_desc *desc = description;
    const bool by_key = desc->segments == CLPRIM_SCAN_BY_KEY;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const clprim_type heads_type = desc->segments_type != CLPRIM_TYPE_DEFAULT ? desc->segments_type
                                   : by_key                                   ? CLPRIM_I32
                                                                              : CLPRIM_U8;
    const size_t size = result_size(desc, type);
    const size_t head_size = clprim_type_size(heads_type);
    clprim_reference_scan_how how = {
        .exclusive = desc->exclusive, .initial = desc->initial, .nan_order = desc->nan_order};
    const void *data = clprim__trial_numbers(trial, type, desc->op, desc->accumulator_type, count);
    void *expected = clprim__trial_memory(trial, count * size);
    cl_mem in = clprim__trial_buffer(trial, data, count * clprim_type_size(type));
    cl_mem out = clprim__trial_buffer(trial, NULL, count * size);
    cl_mem heads = NULL;
    if (desc->segments != CLPRIM_SCAN_WHOLE) {
        const void *bytes = clprim__trial_runs(trial, head_size, count);
        heads = clprim__trial_buffer(trial, bytes, count * head_size);
        how.begins = find_begins(trial, by_key, bytes, head_size, count);
    }
    if (trial->is_over ||
        !clprim__trial_goes_on(
            trial, clprim_reference_scan(expected, type, desc->op, desc->accumulator_type, &how, data, count)))
        return;
    if (clprim__trial_goes_on(trial, heads == NULL
                                         ? clprim_scan_enqueue(plan, trial->queue, in, 0, count, out, 0, 0, NULL, NULL)
                                         : clprim_scan_enqueue_segments(plan, trial->queue, in, 0, count, heads, 0, out,
                                                                        0, 0, NULL, NULL)))
        clprim__trial_expect(trial, "the scan", out, expected, size, count);
}

static const clprim_scan_desc samples[] = {
    {.type = CLPRIM_I32},
    {.type = CLPRIM_F32, .exclusive = true},
    {.type = CLPRIM_I64, .op = CLPRIM_MAX},
    {.type = CLPRIM_U8, .accumulator_type = CLPRIM_U32, .segments = CLPRIM_SCAN_BY_KEY},
};
static const int order[] = {CLPRIM_SCAN_LOOK_BACK,  CLPRIM_SCAN_REDUCE_THEN_SCAN, CLPRIM_SCAN_CPU_CHUNK,
                            CLPRIM_SCAN_FIXED_TREE, CLPRIM_SCAN_WORK_EFFICIENT,   CLPRIM_SCAN_NAIVE,
                            CLPRIM_SCAN_AUTO};

CLPRIM__DEFINE_TRIAL(scan, clprim_scan_variants, "sums of i32", "exclusive sums of f32", "maxima of i64",
                     "sums of u8 by key")
