/* merge.c: check what is asked for, pick the variant, launch it. */
#include "error.h"
#include "merge_internal.h"
#include "runtime_internal.h"

clprim_status clprim__merge_make(clprim_plan *plan, const void *description)
{
    clprim__merge_plan *self = (void *)plan;
    const clprim_merge_desc *desc = description;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    order.value_size = desc->value_size;
    plan->kernels = &self->kernel;
    plan->num_kernels = 1;
    CLPRIM__TRY(clprim__order_check(&order, info));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, merge, desc->variant, clprim__merge_auto(info)));
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    CLPRIM__TRY(clprim__merge_build(self, &order));
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
