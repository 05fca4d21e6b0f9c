/* bitonic_sort.c: check what is asked for, pick the variant. */
#include <stdint.h>

#include "bitonic_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"

static const size_t MOST_SEGMENTS = UINT32_MAX - 1;

static clprim_status check_offsets(clprim__bitonic_sort_plan *self, const clprim_bitonic_sort_desc *desc)
{
    const clprim_type type = desc->offsets_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->offsets_type;
    if (type != CLPRIM_U32 && type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "offsets_type is U32 or U64, not %s", clprim_type_name(type));
    self->offset_size = desc->segmented ? clprim_type_size(type) : 0;
    return CLPRIM_SUCCESS;
}

static clprim_status choose_variant(clprim__bitonic_sort_plan *self, clprim_bitonic_sort_variant variant)
{
    if (variant == CLPRIM_BITONIC_SORT_AUTO)
        variant = clprim__bitonic_sort_auto(&self->base.runtime->info, self->offset_size != 0);
    self->row = clprim__bitonic_sort_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of bitonic_sort", (int)variant);
    clprim__plan_chose(&self->base, &self->row->info);
    if (self->offset_size != 0 && self->row->segment_sources[0] == NULL)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s does not sort by segments: use local_merge, cpu_chunk or AUTO",
                            self->row->info.name);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__bitonic_sort_make(clprim_plan *plan, const void *description)
{
    clprim__bitonic_sort_plan *self = (void *)plan;
    const clprim_bitonic_sort_desc *desc = description;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    order.value_size = desc->value_size;
    CLPRIM__TRY(clprim__order_check(&order, &plan->runtime->info));
    CLPRIM__TRY(clprim__order_check_group(desc->work_group_size));
    CLPRIM__TRY(check_offsets(self, desc));
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    plan->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__BITONIC_SORT_KERNELS;
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(clprim__bitonic_sort_build(self, &order, desc->work_group_size));
done:
    return status;
}

clprim_status clprim__bitonic_sort_check(const clprim_plan *plan, const void *given)
{
    const clprim__bitonic_sort_plan *self = (const void *)plan;
    const clprim_bitonic_sort_call *call = given;
    if (self->offset_size == 0 && call->segment_count != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "segment_count is %zu, but the plan was made without segmented",
                            call->segment_count);
    if (call->segment_count > MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu segments are more than there can be (%zu)", call->segment_count,
                            MOST_SEGMENTS);
    return CLPRIM_SUCCESS;
}
