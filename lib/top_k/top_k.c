// SPDX-License-Identifier: MIT
/* top_k.c: check a description, choose the variant. */
#include "error.h"
#include "order.h"
#include "runtime_internal.h"
#include "top_k_internal.h"

static clprim_status check_desc(clprim__top_k_setting *out, const clprim_top_k_desc *desc)
{
    const clprim_radix_sort_desc keys = {.key_type = desc->key_type,
                                         .input = desc->input,
                                         .then = desc->then,
                                         .value_size = desc->value_size,
                                         .argsort = desc->indices,
                                         .index_type = desc->index_type,
                                         .descending = !desc->smallest,
                                         .nan_order = desc->nan_order,
                                         .max_count = desc->max_count};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check(&out->keys, &keys));
    out->keys.text = &desc->text;
    out->keys.then = &desc->then;
    out->unsorted = desc->unsorted;
    out->k = desc->k;
    out->count_at_type = desc->count_at_type;
    if (out->k == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "k is 0");
done:
    return status;
}

clprim_status clprim__top_k_make(clprim_plan *plan, const void *desc)
{
    clprim__top_k_plan *self = (void *)plan;
    const clprim_top_k_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, given));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__TOP_K_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, top_k, given->variant, clprim__top_k_auto(&plan->runtime->info, &self->setting)));
    if (!self->row->selects && self->setting.unsorted)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s does not support unsorted", self->row->info.name);
    if (self->row->selects && self->setting.k == 1)
        self->setting.unsorted = true; /* a single element is sorted */
    CLPRIM__TRY(clprim__top_k_build(self));
    if (self->folds)
        status = clprim__state_create(&plan->state, plan->runtime, clprim__top_k_state(self), CLPRIM__LAST_EPOCH);
done:
    return status;
}

void clprim__top_k_clear(clprim_plan *plan)
{
    clprim_plan_destroy(((clprim__top_k_plan *)(void *)plan)->sort);
}
