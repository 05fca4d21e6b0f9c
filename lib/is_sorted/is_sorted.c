/* is_sorted.c: check what is asked for, pick the variant, launch it. */
#include "error.h"
#include "is_sorted_internal.h"
#include "runtime_internal.h"

clprim_status clprim__is_sorted_make(clprim_plan *plan, const void *description)
{
    clprim__is_sorted_plan *self = (void *)plan;
    const clprim_is_sorted_desc *desc = description;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__order order = CLPRIM__ORDER_OF(desc, type);
    clprim_status status = CLPRIM_SUCCESS;
    order.input = desc->input;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__IS_SORTED_KERNELS;
    CLPRIM__TRY(clprim__plan_indices(plan, desc->index_type));
    CLPRIM__TRY(clprim__order_check(&order, info));
    self->element_size = order.key_size;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, is_sorted, desc->variant, clprim__is_sorted_auto(info)));
    CLPRIM__TRY(clprim__variant_check(
        &self->row->info, self->row->kernels[CLPRIM__IS_SORTED_FINISH] != NULL || info->has_device_fence, info));
    CLPRIM__TRY(clprim__is_sorted_build(self, &order));
done:
    return status;
}

static size_t groups_for(const clprim__is_sorted_plan *self, size_t count)
{
    const size_t groups = clprim__divide_up(count, self->group_elements);
    return groups == 0 ? 1 : groups < self->max_groups ? groups : self->max_groups;
}

static bool is_in_two_launches(const clprim__is_sorted_plan *self)
{
    return self->kernels[CLPRIM__IS_SORTED_FINISH].kernel != NULL;
}

/* What each group has found, where there are several and another launch brings it together. */
size_t clprim__is_sorted_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__is_sorted_plan *self = (const void *)plan;
    const size_t groups = groups_for(self, ((const clprim_is_sorted_call *)call)->count);
    return !is_in_two_launches(self) || groups == 1 ? 0 : clprim__times(groups, sizeof(cl_ulong));
}

/* The arguments that all first launches begin with. */
static clprim__arguments begin_arguments(const clprim_is_sorted_call *call)
{
    clprim__arguments list = {.count = 0};
    clprim__add_array(&list, call->in.buffer, call->in.offset);
    clprim__add_ulong(&list, call->count);
    return list;
}

static clprim_status launch_once(clprim__is_sorted_plan *self, clprim__chain *chain, const clprim_is_sorted_call *call)
{
    clprim__state *state = &self->base.state;
    clprim__arguments list = begin_arguments(call);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, state->size, 1));
    clprim__add_array(&list, call->out.buffer, call->out.offset);
    clprim__add_buffer(&list, state->memory);
    CLPRIM__ADD_SCALAR(&list, state->epoch);
    CLPRIM__TRY(
        clprim__launch(chain, &self->kernels[CLPRIM__IS_SORTED_LOOK], &list, groups_for(self, call->count), true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

static clprim_status launch_twice(clprim__is_sorted_plan *self, clprim__chain *chain, const clprim_is_sorted_call *call,
                                  cl_mem scratch)
{
    const size_t groups = groups_for(self, call->count);
    const cl_mem found = groups > 1 ? scratch : call->out.buffer; /* of which a group that is alone makes no use */
    clprim__arguments list = begin_arguments(call);
    clprim__arguments finish = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    clprim__add_buffer(&list, found);
    clprim__add_array(&list, call->out.buffer, call->out.offset);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[CLPRIM__IS_SORTED_LOOK], &list, groups, groups == 1));
    if (groups == 1)
        goto done;
    clprim__add_buffer(&finish, found);
    clprim__add_ulong(&finish, groups);
    clprim__add_ulong(&finish, call->count);
    clprim__add_array(&finish, call->out.buffer, call->out.offset);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[CLPRIM__IS_SORTED_FINISH], &finish, 1, true));
done:
    return status;
}

clprim_status clprim__is_sorted_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__is_sorted_plan *self = (void *)plan;
    return is_in_two_launches(self) ? launch_twice(self, chain, c->given, c->scratch)
                                    : launch_once(self, chain, c->given);
}
