// SPDX-License-Identifier: MIT
/* merge.c: check a description, choose the variant, launch it. */
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

/* How many splits a separate launch finds for a call of n elements: one where each tile begins, and one where the last
 * tile ends. */
static size_t splits_for(const clprim__merge_plan *self, size_t n)
{
    return n >= self->splits_from ? clprim__divide_up(n, self->tile) + 1 : 0;
}

size_t clprim__merge_scratch(const clprim_plan *plan, const void *call)
{
    const clprim_merge_call *c = call;
    return clprim__times(splits_for((const void *)plan, clprim__plus(c->a_count, c->b_count)), sizeof(cl_ulong));
}

/* The buffer of an empty range may be NULL. Then the other range's buffer is passed instead, and nothing is read
 * through it. */
static merge_args args_of(const clprim__merge_plan *self, const clprim_merge_call *call)
{
    const bool has_values = self->value_size > 0;
    const bool has_a = call->a_count > 0;
    const bool has_b = call->b_count > 0;
    merge_args args = {.numbers = {.a_count = call->a_count, .b_count = call->b_count}};
    CLPRIM__PUT_ITEMS(&args, a, has_values, has_a ? call->a_keys : call->b_keys,
                      has_a ? call->a_values : call->b_values);
    CLPRIM__PUT_ITEMS(&args, b, has_values, has_b ? call->b_keys : call->a_keys,
                      has_b ? call->b_values : call->a_values);
    CLPRIM__PUT_ITEMS(&args, out, has_values, call->keys_out, call->values_out);
    return args;
}

clprim_status clprim__merge_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__merge_plan *self = (void *)plan;
    const clprim_merge_call *call = c->given;
    const size_t n = call->a_count + call->b_count;
    const size_t tiles = clprim__divide_up(n, self->tile);
    const size_t most = clprim__smaller(tiles, self->max_groups);
    const size_t share = clprim__divide_up(tiles, most) * self->tile;
    const size_t groups = clprim__divide_up(n, share);
    clprim__kernel *merge = &self->kernels[CLPRIM__MERGE_MERGE];
    merge_args args = args_of(self, call);
    clprim_status status = CLPRIM_SUCCESS;
    args.numbers.share = share;
    if (self->row->shape != CLPRIM__MERGE_TILES)
        return clprim__launch_merge(chain, merge, &args, groups, true);
    args.buffers.splits = c->scratch;
    args.numbers.num_splits = splits_for(self, n);
    if (args.numbers.num_splits > 0)
        CLPRIM__TRY(clprim__launch_merge_tiles(chain, &self->kernels[CLPRIM__MERGE_SPLITS], &args,
                                               clprim__divide_up((size_t)args.numbers.num_splits, self->splits),
                                               false));
    status = clprim__launch_merge_tiles(chain, merge, &args, groups, true);
done:
    return status;
}
