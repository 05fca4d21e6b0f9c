/* segmented_sort.c: check what is asked for, pick the variant. */
#include "error.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"
#include "segments.h"

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
                                         .max_count = desc->max_count};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check(&out->keys, &keys));
    out->keys.text = &desc->text;
    out->keys.then = &desc->then;
    CLPRIM__TRY(clprim__offsets_type_check(&out->offset_size, desc->offsets_type));
    if (desc->max_segments > CLPRIM__MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_segments is %zu, but must be at most %zu", desc->max_segments,
                            CLPRIM__MOST_SEGMENTS);
    out->max_segments = desc->max_segments != 0 ? desc->max_segments : CLPRIM__MOST_SEGMENTS;
    out->max_segment_size = desc->max_segment_size;
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
    return clprim__segments_check(&given->offsets, setting->offset_size, given->segment_count, setting->max_segments,
                                  given->count);
}
