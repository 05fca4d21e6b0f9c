// SPDX-License-Identifier: MIT
/* nth_element.c: check a description, choose the variant. */
#include "error.h"
#include "nth_element_internal.h"
#include "order.h"
#include "runtime_internal.h"
#include "segments.h"

static clprim_status check_desc(clprim__nth_element_setting *out, const clprim_nth_element_desc *desc)
{
    const clprim_radix_sort_desc keys = {.key_type = desc->key_type,
                                         .input = desc->input,
                                         .count_at_type = desc->count_at_type,
                                         .descending = desc->descending,
                                         .nan_order = desc->nan_order,
                                         .max_count = desc->max_count};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check(&out->keys, &keys));
    out->keys.text = &desc->text;
    out->keys.then = NULL;
    out->count_at_type = desc->count_at_type;
    out->max_ranks = desc->max_ranks != 0 ? desc->max_ranks : CLPRIM_NTH_ELEMENT_SELECTED_RANKS;
done:
    return status;
}

static clprim_status create_few(clprim__nth_element_plan *self, const clprim_nth_element_desc *given)
{
    clprim_nth_element_desc desc = *given;
    desc.variant = CLPRIM_NTH_ELEMENT_SORT;
    desc.max_count = clprim__smaller(self->setting.keys.max_count, CLPRIM__NTH_ELEMENT_FEW);
    return self->base.operation->face->create(&self->few, self->base.runtime, &desc);
}

clprim_status clprim__nth_element_make(clprim_plan *plan, const void *desc)
{
    clprim__nth_element_plan *self = (void *)plan;
    const clprim_nth_element_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, given));
    CLPRIM__TRY(clprim__plan_indices(plan, given->index_type));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__NTH_ELEMENT_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, nth_element, given->variant,
                               clprim__nth_element_auto(&plan->runtime->info, &self->setting)));
    if (self->row->selects && self->setting.max_ranks > CLPRIM_NTH_ELEMENT_SELECTED_RANKS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_ranks is %zu, but %s supports at most %d ranks",
                            self->setting.max_ranks, self->row->info.name, CLPRIM_NTH_ELEMENT_SELECTED_RANKS);
    CLPRIM__TRY(clprim__nth_element_build(self));
    if (self->row->selects && given->variant == CLPRIM_NTH_ELEMENT_AUTO &&
        given->max_ranks >= CLPRIM__NTH_ELEMENT_MANY_RANKS)
        status = create_few(self, given);
done:
    return status;
}

void clprim__nth_element_clear(clprim_plan *plan)
{
    const clprim__nth_element_plan *self = (const void *)plan;
    clprim_plan_destroy(self->sort);
    clprim_plan_destroy(self->few);
}

/* If the ranks are on the host, which is possible only for run, check all of them. */
clprim_status clprim__nth_element_check(const clprim_plan *plan, const void *call)
{
    const clprim__nth_element_plan *self = (const void *)plan;
    const clprim_nth_element_call *given = call;
    const size_t size = plan->index_size;
    if (given->rank_count > self->setting.max_ranks)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu ranks are more than the plan was made for (max_ranks %zu)",
                            given->rank_count, self->setting.max_ranks);
    if (!clprim__is_known(&given->ranks, size))
        return CLPRIM_SUCCESS;
    for (size_t r = 0; r < given->rank_count; r++) {
        const size_t rank = clprim__offset_at((const char *)given->ranks.host + given->ranks.offset * size, size, r);
        if (rank >= given->count)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "ranks[%zu] is %zu, but there are only %zu elements", r, rank,
                                given->count);
    }
    return CLPRIM_SUCCESS;
}
