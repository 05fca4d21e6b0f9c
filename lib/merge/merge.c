/* merge.c: check what is asked for, pick the variant, launch it. */
#include "error.h"
#include "merge_internal.h"
#include "runtime_internal.h"

static clprim_status choose_variant(clprim__merge_plan *self, clprim_merge_variant variant)
{
    if (variant == CLPRIM_MERGE_AUTO)
        variant = clprim__merge_auto(&self->base.runtime->info);
    self->row = clprim__merge_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of merge", (int)variant);
    clprim__plan_chose(&self->base, &self->row->info);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__merge_make(clprim_plan *plan, const void *description)
{
    clprim__merge_plan *self = (void *)plan;
    const clprim_merge_desc *desc = description;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    order.value_size = desc->value_size;
    CLPRIM__TRY(clprim__order_check(&order, &plan->runtime->info));
    CLPRIM__TRY(clprim__order_check_group(desc->work_group_size));
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    plan->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    plan->kernels = &self->kernel;
    plan->num_kernels = 1;
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(clprim__merge_build(self, &order, desc->work_group_size));
done:
    return status;
}

/* An empty range may be no buffer: then the other one stands in, of which nothing is read. */
clprim_status clprim__merge_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__merge_plan *self = (void *)plan;
    const clprim_merge_call *call = c->given;
    const bool has_values = self->value_size > 0;
    const cl_ulong a_count = call->a_count;
    const cl_ulong b_count = call->b_count;
    const size_t n = call->a_count + call->b_count;
    const clprim__pairs a = clprim__pairs_of(&call->a_keys, &call->a_values);
    const clprim__pairs b = clprim__pairs_of(&call->b_keys, &call->b_values);
    const clprim__pairs out = clprim__pairs_of(&call->keys_out, &call->values_out);
    const size_t portions = clprim__divide_up(n, self->portion);
    const size_t most = portions < self->max_groups ? portions : self->max_groups;
    const cl_ulong share = (cl_ulong)(clprim__divide_up(portions, most) * self->portion);
    clprim__arguments list = {.count = 0};
    clprim__add_pairs(&list, a_count > 0 ? &a : &b, has_values);
    CLPRIM__ADD_SCALAR(&list, a_count);
    clprim__add_pairs(&list, b_count > 0 ? &b : &a, has_values);
    CLPRIM__ADD_SCALAR(&list, b_count);
    clprim__add_pairs(&list, &out, has_values);
    CLPRIM__ADD_SCALAR(&list, share);
    return clprim__launch(chain, &self->kernel, &list, clprim__divide_up(n, (size_t)share), true);
}
