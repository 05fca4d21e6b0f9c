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
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__MERGE_KERNELS;
    CLPRIM__TRY(clprim__order_check(&order, info));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, merge, desc->variant, clprim__merge_auto(info)));
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    CLPRIM__TRY(clprim__merge_build(self, &order));
done:
    return status;
}

/* Splits that a launch of their own finds for a call of n elements: where each tile begins, and where the last one ends. */
static size_t splits_for(const clprim__merge_plan *self, size_t n)
{
    return n >= self->splits_from ? clprim__divide_up(n, self->portion) + 1 : 0;
}

size_t clprim__merge_scratch(const clprim_plan *plan, const void *call)
{
    const clprim_merge_call *c = call;
    return clprim__times(splits_for((const void *)plan, clprim__plus(c->a_count, c->b_count)), sizeof(cl_ulong));
}

/* What all kernels are handed. An empty range may be no buffer: then the other one stands in, of which nothing is read. */
static clprim__arguments arguments_of(const clprim__merge_plan *self, const clprim_merge_call *call, cl_ulong share)
{
    const bool has_values = self->value_size > 0;
    const cl_ulong a_count = call->a_count;
    const cl_ulong b_count = call->b_count;
    const clprim__pairs a = clprim__pairs_of(&call->a_keys, &call->a_values);
    const clprim__pairs b = clprim__pairs_of(&call->b_keys, &call->b_values);
    const clprim__pairs out = clprim__pairs_of(&call->keys_out, &call->values_out);
    CLPRIM__ARGUMENTS(list);
    clprim__add_pairs(&list, a_count > 0 ? &a : &b, has_values);
    CLPRIM__ADD_SCALAR(&list, a_count);
    clprim__add_pairs(&list, b_count > 0 ? &b : &a, has_values);
    CLPRIM__ADD_SCALAR(&list, b_count);
    clprim__add_pairs(&list, &out, has_values);
    CLPRIM__ADD_SCALAR(&list, share);
    return list;
}

static clprim_status launch_splits(clprim__merge_plan *self, clprim__chain *chain, clprim__arguments list,
                                   cl_ulong splits)
{
    clprim__kernel *kernel = &self->kernels[CLPRIM__MERGE_SPLITS];
    CLPRIM__ADD_SCALAR(&list, splits);
    return clprim__launch(chain, kernel, &list, clprim__divide_up((size_t)splits, self->splits), false);
}

clprim_status clprim__merge_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__merge_plan *self = (void *)plan;
    const clprim_merge_call *call = c->given;
    const size_t n = call->a_count + call->b_count;
    const size_t portions = clprim__divide_up(n, self->portion);
    const size_t most = clprim__smaller(portions, self->max_groups);
    const cl_ulong share = (cl_ulong)(clprim__divide_up(portions, most) * self->portion);
    const cl_ulong splits = splits_for(self, n);
    const cl_uint is_split = splits > 0;
    clprim__arguments list = arguments_of(self, call, share);
    clprim_status status = CLPRIM_SUCCESS;
    if (self->row->shape == CLPRIM__MERGE_TILES) {
        clprim__add_buffer(&list, c->scratch);
        if (splits > 0)
            CLPRIM__TRY(launch_splits(self, chain, list, splits));
        CLPRIM__ADD_SCALAR(&list, is_split);
    }
    status =
        clprim__launch(chain, &self->kernels[CLPRIM__MERGE_MERGE], &list, clprim__divide_up(n, (size_t)share), true);
done:
    return status;
}
