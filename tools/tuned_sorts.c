/* tuned_sorts.c: radix_sort, bitonic_sort, comparison_sort and segmented_sort. */
#include "bitonic_sort_internal.h"
#include "comparison_sort_internal.h"
#include "radix_sort_internal.h"
#include "segmented_sort_internal.h"
#include "tuned.h"

enum { SEGMENT = 40 /* elements on average */ };

static clprim_status sort_prepare(subject_data *data, const subject *self, void *in, void *values, size_t count)
{
    const clprim_reference_sort_how how = {.key_type = self->type, .value_size = self->value_size};
    data->expected_bytes = count * subject_type_size(self);
    data->expected_values_bytes = count * self->value_size;
    data->expected = tuned_room(data->expected_bytes);
    data->expected_values = tuned_room(data->expected_values_bytes);
    if (data->expected == NULL || data->expected_values == NULL)
        return CLPRIM_OUT_OF_MEMORY;
    memcpy(data->expected, in, data->expected_bytes);
    if (self->value_size > 0)
        memcpy(data->expected_values, values, data->expected_values_bytes);
    return clprim_reference_sort(data->expected, self->value_size > 0 ? data->expected_values : NULL, &how, count);
}

static clprim_radix_sort_desc radix_sort_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_radix_sort_desc){.key_type = self->type,
                                    .value_size = self->value_size,
                                    .max_count =
                                        self->up_to != 0 || variant == CLPRIM_RADIX_SORT_SINGLE_GROUP ? count : 0,
                                    .variant = (clprim_radix_sort_variant)variant};
}

static clprim_status radix_sort_enqueue(void *plan, const subject_data *data)
{
    const clprim_radix_sort_call call = {.keys_in = {data->in},
                                         .values_in = {data->values_in},
                                         .count = data->count,
                                         .keys_out = {data->out},
                                         .values_out = {data->values_out}};
    return clprim_radix_sort_enqueue(plan, NULL, &call, 0, NULL, NULL);
}

static clprim_bitonic_sort_desc bitonic_sort_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_bitonic_sort_desc){
        .key_type = self->type, .max_count = count, .variant = (clprim_bitonic_sort_variant)variant};
}

static clprim_status bitonic_sort_enqueue(void *plan, const subject_data *data)
{
    return clprim_bitonic_sort_enqueue(
        plan, NULL, &(clprim_bitonic_sort_call){.keys_in = {data->in}, .count = data->count, .keys_out = {data->out}},
        0, NULL, NULL);
}

/* In an order of the caller's: that of integers alone is the radix sort's matter. */
static clprim_comparison_sort_desc comparison_sort_desc_of(const subject *self, int variant, size_t count)
{
    return (clprim_comparison_sort_desc){.key_type = self->type,
                                         .less = "a < b",
                                         .value_size = self->value_size,
                                         .max_count = count,
                                         .variant = (clprim_comparison_sort_variant)variant};
}

static clprim_status comparison_sort_enqueue(void *plan, const subject_data *data)
{
    if (data->values_in == NULL)
        return clprim_comparison_sort_enqueue(
            plan, NULL,
            &(clprim_comparison_sort_call){.keys_in = {data->in}, .count = data->count, .keys_out = {data->out}}, 0,
            NULL, NULL);
    return clprim_comparison_sort_enqueue(plan, NULL,
                                          &(clprim_comparison_sort_call){.keys_in = {data->in},
                                                                         .values_in = {data->values_in},
                                                                         .count = data->count,
                                                                         .keys_out = {data->out},
                                                                         .values_out = {data->values_out}},
                                          0, NULL, NULL);
}

static clprim_segmented_sort_desc segmented_sort_desc_of(const subject *self, int variant, size_t count)
{
    const bool is_local = variant == CLPRIM_SEGMENTED_SORT_LOCAL; /* which must know how long they get */
    return (clprim_segmented_sort_desc){.key_type = self->type,
                                        .max_count = count,
                                        .max_segments = count / SEGMENT + 1,
                                        .max_segment_size = is_local ? 2 * SEGMENT : 0,
                                        .variant = (clprim_segmented_sort_variant)variant};
}

static clprim_status segmented_sort_prepare(subject_data *data, const subject *self, void *in, void *values,
                                            size_t count)
{
    const clprim_reference_sort_how how = {.key_type = self->type};
    const size_t segments = count / SEGMENT + 1;
    cl_uint *offsets = tuned_room((segments + 1) * sizeof *offsets);
    (void)values;
    data->expected_bytes = count * subject_type_size(self);
    data->expected = tuned_room(data->expected_bytes);
    if (offsets == NULL || data->expected == NULL) {
        free(offsets);
        return CLPRIM_OUT_OF_MEMORY;
    }
    for (size_t s = 1; s < segments; s++) /* of 1 to 2 * SEGMENT - 1 elements */
        offsets[s] = (cl_uint)(s * SEGMENT - s * s * 7 % SEGMENT);
    offsets[segments] = (cl_uint)count;
    memcpy(data->expected, in, data->expected_bytes);
    const clprim_status status =
        clprim_reference_segmented_sort(data->expected, NULL, &how, count, CLPRIM_U32, offsets, segments);
    data->parts = segments;
    data->second_on_host = offsets;
    data->second_bytes = (segments + 1) * sizeof *offsets;
    return status;
}

static clprim_status segmented_sort_enqueue(void *plan, const subject_data *data)
{
    const clprim_segmented_sort_call call = {.keys_in = {data->in},
                                             .offsets = {data->second},
                                             .count = data->count,
                                             .segment_count = data->parts,
                                             .keys_out = {data->out}};
    return clprim_segmented_sort_enqueue(plan, NULL, &call, 0, NULL, NULL);
}

TUNED_OPERATION(radix_sort, radix_sort, tuned_in_and_out, sort_prepare)
TUNED_OPERATION(bitonic_sort, bitonic_sort, tuned_in_and_out, sort_prepare)
TUNED_OPERATION(comparison_sort, comparison_sort, tuned_in_and_out, sort_prepare)
TUNED_OPERATION(segmented_sort, segmented_sort, tuned_in_and_out, segmented_sort_prepare)
