/* segmented_sort.c: check what is asked for, pick the variant. */
#include "error.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"

static const size_t MOST_SEGMENTS = UINT32_MAX - 1;

static clprim_status check_desc(clprim__segmented_sort_setting *out, const clprim_segmented_sort_desc *desc)
{
    const clprim_type offsets = desc->offsets_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->offsets_type;
    const clprim_radix_sort_desc keys = {.key_type = desc->key_type,
                                         .value_size = desc->value_size,
                                         .argsort = desc->argsort,
                                         .index_type = desc->index_type,
                                         .descending = desc->descending,
                                         .nan_order = desc->nan_order,
                                         .work_group_size = desc->work_group_size,
                                         .max_count = desc->max_count};
    const clprim_status status = clprim__radix_sort_check(&out->keys, &keys);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (offsets != CLPRIM_U32 && offsets != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "offsets_type is U32 or U64, not %s", clprim_type_name(offsets));
    if (desc->max_segments > MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_segments %zu: there cannot be more than %zu",
                            desc->max_segments, MOST_SEGMENTS);
    out->offset_size = clprim_type_size(offsets);
    out->max_segments = desc->max_segments != 0 ? desc->max_segments : MOST_SEGMENTS;
    out->max_segment_size = desc->max_segment_size;
    return CLPRIM_SUCCESS;
}

static clprim_status choose_variant(clprim__segmented_sort_plan *self, clprim_segmented_sort_variant variant)
{
    if (variant == CLPRIM_SEGMENTED_SORT_AUTO)
        variant = clprim__segmented_sort_auto(&self->base.runtime->info, &self->setting);
    self->row = clprim__segmented_sort_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of segmented_sort", (int)variant);
    clprim__plan_chose(&self->base, &self->row->info);
    return clprim__segmented_sort_supported(self->row, &self->setting);
}

clprim_status clprim__segmented_sort_make(clprim_plan *plan, const void *desc)
{
    clprim__segmented_sort_plan *self = (void *)plan;
    const clprim_segmented_sort_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, given));
    plan->max_count = self->setting.keys.max_count;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__SEGMENTED_SORT_KERNELS;
    CLPRIM__TRY(choose_variant(self, given->variant));
    status = clprim__segmented_sort_build(self, given->work_group_size);
done:
    return status;
}

void clprim__segmented_sort_clear(clprim_plan *plan)
{
    clprim__segmented_sort_plan *self = (void *)plan;
    clprim_plan_destroy(self->by_code);
    clprim_plan_destroy(self->by_number);
}

/* Of offsets on the host a mistake can be seen. */
clprim_status clprim__segmented_sort_check(const clprim_plan *plan, const void *call)
{
    const clprim__segmented_sort_setting *setting = &((const clprim__segmented_sort_plan *)(const void *)plan)->setting;
    const clprim_segmented_sort_call *given = call;
    if (given->segment_count > setting->max_segments)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu segments are more than the plan was made for (max_segments %zu)",
                            given->segment_count, setting->max_segments);
    if (given->offsets.host == NULL || given->offsets.offset > SIZE_MAX / setting->offset_size)
        return CLPRIM_SUCCESS;
    return clprim__segmented_sort_check_offsets((const char *)given->offsets.host +
                                                    given->offsets.offset * setting->offset_size,
                                                setting->offset_size, given->segment_count, given->count);
}
