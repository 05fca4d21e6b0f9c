// SPDX-License-Identifier: MIT
/* search.c: check a description, choose the variant, launch it. */
#include "error.h"
#include "runtime_internal.h"
#include "search_internal.h"

clprim_status clprim__search_make(clprim_plan *plan, const void *description)
{
    clprim__search_plan *self = (void *)plan;
    const clprim_search_desc *desc = description;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__order order = CLPRIM__ORDER_OF(desc, type);
    clprim_status status = CLPRIM_SUCCESS;
    order.input = desc->input;
    plan->kernels = &self->kernel;
    plan->num_kernels = 1;
    CLPRIM__TRY(clprim__order_check(&order, info));
    CLPRIM__TRY(clprim__plan_indices(plan, desc->index_type));
    if (desc->bound != CLPRIM_BOUND_LOWER && desc->bound != CLPRIM_BOUND_UPPER)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown bound %d", (int)desc->bound);
    self->element_size = order.key_size;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, search, desc->variant, clprim__search_auto(info, desc->needles_are_sorted)));
    if (self->row->for_sorted && !desc->needles_are_sorted)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s requires needles_are_sorted", self->row->info.name);
    CLPRIM__TRY(clprim__search_build(self, &order, desc));
done:
    return status;
}

clprim_status clprim__search_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__search_plan *self = (void *)plan;
    const clprim_search_call *call = c->given;
    const size_t m = call->needle_count;
    const size_t tiles = clprim__divide_up(m, self->tile);
    const size_t most = tiles < self->max_groups ? tiles : self->max_groups;
    search_args args = {.numbers = {.n = call->count, .m = m}};
    if (m == 0)
        return clprim__chain_marker(chain);
    const size_t share = clprim__divide_up(tiles, most) * self->tile;
    args.numbers.share = share;
    CLPRIM__PUT_KEYS(&args, in, call->in);
    CLPRIM__PUT_KEYS(&args, needles, call->needles);
    CLPRIM__PUT(&args, out, call->out);
    return clprim__launch_search(chain, &self->kernel, &args, clprim__divide_up(m, share), true);
}
