// SPDX-License-Identifier: MIT
/* segmented_sort.c: check what is asked for, pick the variant. */
#include "error.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"
#include "segments.h"

/* The bits that decide become the highest of the images, as those of several keys are. */
static void turn_images(clprim__segmented_sort_setting *setting)
{
    clprim__radix_sort_setting *keys = &setting->keys;
    const unsigned bits = (unsigned)keys->key_size * 8;
    setting->is_partial = keys->num_keys <= 1 && (keys->begin_bit > 0 || keys->end_bit < bits);
    if (!setting->is_partial || keys->end_bit == 0)
        return;
    keys->rotation = bits - keys->end_bit;
    keys->begin_bit += keys->rotation;
    keys->end_bit = bits;
}

static clprim_status check_lengths(clprim__segmented_sort_setting *out, const clprim_segmented_sort_desc *desc)
{
    out->segment_length = desc->segment_length;
    out->max_segment_size = desc->segment_length != 0 ? desc->segment_length : desc->max_segment_size;
    return desc->max_segment_size == 0 || desc->segment_length <= desc->max_segment_size
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "segment_length is %zu, but max_segment_size is only %zu",
                              desc->segment_length, desc->max_segment_size);
}

static clprim_status check_desc(clprim__segmented_sort_setting *out, const clprim_segmented_sort_desc *desc)
{
    const clprim_radix_sort_desc keys = {.key_type = desc->key_type,
                                         .input = desc->input,
                                         .then = desc->then,
                                         .value_size = desc->value_size,
                                         .argsort = desc->argsort,
                                         .index_type = desc->index_type,
                                         .descending = desc->descending,
                                         .nan_order = desc->nan_order,
                                         .bit_range = desc->bit_range,
                                         .begin_bit = desc->begin_bit,
                                         .end_bit = desc->end_bit,
                                         .max_count = desc->max_count};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check(&out->keys, &keys));
    out->keys.text = &desc->text;
    out->keys.then = &desc->then;
    turn_images(out);
    CLPRIM__TRY(clprim__offsets_type_check(&out->offset_size, desc->offsets_type));
    if (desc->max_segments > CLPRIM__MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_segments is %zu, but must be at most %zu", desc->max_segments,
                            CLPRIM__MOST_SEGMENTS);
    out->max_segments = desc->max_segments != 0 ? desc->max_segments : CLPRIM__MOST_SEGMENTS;
    status = check_lengths(out, desc);
done:
    return status;
}

clprim_status clprim__segmented_sort_make(clprim_plan *plan, const void *desc)
{
    clprim__segmented_sort_plan *self = (void *)plan;
    const clprim_segmented_sort_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, given));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__SEGMENTED_SORT_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, segmented_sort, given->variant,
                               clprim__segmented_sort_auto(&plan->runtime->info, &self->setting)));
    CLPRIM__TRY(clprim__segmented_sort_supported(self->row, &self->setting));
    status = clprim__segmented_sort_build(self);
done:
    return status;
}

void clprim__segmented_sort_clear(clprim_plan *plan)
{
    clprim__segmented_sort_plan *self = (void *)plan;
    clprim_plan_destroy(self->by_code);
    clprim_plan_destroy(self->by_number);
}

clprim_status clprim__segmented_sort_check(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_sort_setting *setting = &((const clprim__segmented_sort_plan *)(const void *)plan)->setting;
    const clprim_segmented_sort_call *given = call;
    if (setting->segment_length != 0)
        return clprim__rows_check(setting->segment_length, given->segment_count, setting->max_segments, given->count);
    return clprim__segments_check(&given->offsets, setting->offset_size, given->segment_count, setting->max_segments,
                                  given->count);
}
