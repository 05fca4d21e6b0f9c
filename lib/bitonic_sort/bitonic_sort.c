// SPDX-License-Identifier: MIT
/* bitonic_sort.c: check a description, choose the variant. */
#include "bitonic_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"
#include "segments.h"

clprim_status clprim__bitonic_sort_make(clprim_plan *plan, const void *description)
{
    clprim__bitonic_sort_plan *self = (void *)plan;
    const clprim_bitonic_sort_desc *desc = description;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    order.value_size = desc->value_size;
    CLPRIM__TRY(clprim__order_check(&order, &plan->runtime->info));
    CLPRIM__TRY(clprim__offsets_type_check(&self->offset_size, desc->offsets_type));
    if (!desc->segmented)
        self->offset_size = 0;
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__BITONIC_SORT_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, bitonic_sort, desc->variant,
                               clprim__bitonic_sort_auto(&plan->runtime->info, desc->segmented)));
    if (desc->segmented && self->row->segment_source == NULL)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s does not sort segments: use local_merge, cpu_chunk or AUTO",
                            self->row->info.name);
    CLPRIM__TRY(clprim__bitonic_sort_build(self, &order));
done:
    return status;
}

clprim_status clprim__bitonic_sort_check(const clprim_plan *plan, const void *given)
{
    const clprim__bitonic_sort_plan *self = (const void *)plan;
    const clprim_bitonic_sort_call *call = given;
    if (self->offset_size != 0)
        return clprim__segments_check(&call->offsets, self->offset_size, call->segment_count, CLPRIM__MOST_SEGMENTS,
                                      call->count);
    return call->segment_count == 0
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "segment_count is %zu, but the plan was made without segmented",
                              call->segment_count);
}
