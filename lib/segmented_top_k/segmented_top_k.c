// SPDX-License-Identifier: MIT
/* segmented_top_k.c: check a description, choose the variant. */
#include "error.h"
#include "runtime_internal.h"
#include "segmented_top_k_internal.h"
#include "segments.h"

static clprim_status check_desc(clprim__segmented_top_k_setting *out, const clprim_segmented_top_k_desc *desc)
{
    const clprim_radix_sort_desc keys = {.key_type = desc->key_type,
                                         .value_size = desc->value_size,
                                         .argsort = desc->indices,
                                         .index_type = desc->index_type,
                                         .descending = !desc->smallest,
                                         .nan_order = desc->nan_order,
                                         .max_count = desc->max_count};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check(&out->keys, &keys));
    out->keys.text = NULL;
    out->keys.then = NULL;
    CLPRIM__TRY(clprim__offsets_type_check(&out->offset_size, desc->offsets_type));
    if (desc->k == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "k is 0");
    if (desc->max_segments > CLPRIM__MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_segments is %zu, but must be at most %zu", desc->max_segments,
                            CLPRIM__MOST_SEGMENTS);
    out->max_segments = desc->max_segments != 0 ? desc->max_segments : CLPRIM__MOST_SEGMENTS;
    out->unsorted = desc->unsorted;
    out->k = desc->k;
    out->segment_length = desc->segment_length;
done:
    return status;
}

clprim_status clprim__segmented_top_k_make(clprim_plan *plan, const void *desc)
{
    clprim__segmented_top_k_plan *self = (void *)plan;
    const clprim_segmented_top_k_desc *given = desc;
    const clprim_device_info *info = &plan->runtime->info;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, given));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__SEGMENTED_TOP_K_KERNELS;
    CLPRIM__TRY(
        CLPRIM__CHOOSE(self, segmented_top_k, given->variant, clprim__segmented_top_k_auto(info, &self->setting)));
    CLPRIM__TRY(clprim__segmented_top_k_supported(self->row, &self->setting, info));
    status = clprim__segmented_top_k_build(self);
done:
    return status;
}

void clprim__segmented_top_k_clear(clprim_plan *plan)
{
    clprim_plan_destroy(((clprim__segmented_top_k_plan *)(void *)plan)->sort);
}

clprim_status clprim__segmented_top_k_check(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_top_k_setting *setting =
        &((const clprim__segmented_top_k_plan *)(const void *)plan)->setting;
    const clprim_segmented_top_k_call *given = call;
    if (setting->segment_length != 0)
        return clprim__rows_check(setting->segment_length, given->segment_count, setting->max_segments, given->count);
    return clprim__segments_check(&given->offsets, setting->offset_size, given->segment_count, setting->max_segments,
                                  given->count);
}
