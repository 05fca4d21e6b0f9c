// SPDX-License-Identifier: MIT
/* set_operation.c: check a description, choose the variant, launch it. */
#include "build.h"
#include "device.h"
#include "error.h"
#include "runtime_internal.h"
#include "set_operation_internal.h"
#include "sizes.h"

clprim_status clprim__set_operation_make(clprim_plan *plan, const void *description)
{
    clprim__set_operation_plan *self = (void *)plan;
    const clprim_set_operation_desc *desc = description;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    order.value_size = desc->value_size;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__SET_OPERATION_KERNELS;
    if ((int)desc->op < 0 || desc->op > CLPRIM_SET_SYMMETRIC_DIFFERENCE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown op %d", (int)desc->op);
    CLPRIM__TRY(clprim__order_check(&order, info));
    CLPRIM__TRY(clprim__plan_indices(plan, desc->index_type));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, set_operation, desc->variant, clprim__set_operation_auto(info)));
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    CLPRIM__TRY(clprim__set_operation_build(self, &order, desc->op));
    plan->scratch_is_state = self->row->looks_back;
    if (self->row->looks_back)
        status = clprim__state_create(&plan->state, plan->runtime, clprim__look_back_bytes(sizeof(cl_ulong), 1),
                                      clprim__look_back_last_epoch(info));
done:
    return status;
}

/* The number of tiles, or of shares for cores: at least one, because it writes the number of elements. */
static size_t tiles_for(const clprim__set_operation_plan *self, size_t n)
{
    const size_t tiles = clprim__divide_up(n, self->tile);
    return tiles > 0 ? tiles : 1;
}

static size_t groups_for(const clprim__set_operation_plan *self, size_t n)
{
    return clprim__smaller(tiles_for(self, n), self->max_groups);
}

size_t clprim__set_operation_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__set_operation_plan *self = (const void *)plan;
    const size_t n = plan->operation->count(call);
    if (self->row->looks_back)
        return clprim__look_back_bytes(sizeof(cl_ulong), tiles_for(self, n));
    const size_t counts = clprim__times(groups_for(self, n), sizeof(cl_ulong));
    return self->row->is_for_cores ? clprim__times(counts, CLPRIM__SET_OPERATION_STREAMS) : counts;
}

/* The buffer of an array without elements may be NULL. Then another buffer is passed instead, and nothing is read or
 * written through it. */
static clprim_array or_else(const clprim_array *array, const clprim_array *other)
{
    return array->buffer != NULL ? *array : *other;
}

static set_args args_of(const clprim__set_operation_plan *self, const clprim_set_operation_call *call, cl_mem words)
{
    const clprim_array *other = &call->out_count;
    const bool has_values = self->value_size > 0;
    set_args args = {.buffers = {.words = words}, .numbers = {.a_count = call->a_count, .b_count = call->b_count}};
    CLPRIM__PUT_KEYS(&args, a, or_else(&call->a_keys, other));
    CLPRIM__PUT_KEYS(&args, b, or_else(&call->b_keys, other));
    CLPRIM__PUT_KEYS(&args, out, or_else(&call->keys_out, other));
    CLPRIM__PUT(&args, out_count, call->out_count);
    CLPRIM__PUT_IF(has_values, &args, a_values, or_else(&call->a_values, other));
    CLPRIM__PUT_IF(has_values, &args, b_values, or_else(&call->b_values, other));
    CLPRIM__PUT_IF(has_values, &args, out_values, or_else(&call->values_out, other));
    return args;
}

static clprim_status launch_look_back(clprim__set_operation_plan *self, clprim__chain *chain,
                                      const clprim_set_operation_call *call, size_t bytes)
{
    clprim__state *state = &self->base.state;
    const size_t n = call->a_count + call->b_count;
    const size_t tiles = tiles_for(self, n);
    clprim__kernel *cuts = &self->kernels[1];
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, bytes, 1));
    set_args args = args_of(self, call, state->memory);
    args.numbers.epoch = state->epoch;
    args.numbers.has_cuts = n >= self->cuts_from;
    if (args.numbers.has_cuts)
        CLPRIM__TRY(clprim__launch_set_before(chain, cuts, &args, clprim__divide_up(tiles, cuts->group_size), false));
    CLPRIM__TRY(clprim__launch_set_write(chain, &self->kernels[0], &args, tiles, true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

clprim_status clprim__set_operation_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__set_operation_plan *self = (void *)plan;
    const clprim_set_operation_call *call = c->given;
    const size_t groups = groups_for(self, call->a_count + call->b_count);
    if (self->row->looks_back)
        return launch_look_back(self, chain, call, clprim__set_operation_scratch(plan, call));
    const set_args args = args_of(self, call, c->scratch);
    const clprim_status status = clprim__launch_set_before(chain, &self->kernels[0], &args, groups, false);
    return status == CLPRIM_SUCCESS ? clprim__launch_set_write(chain, &self->kernels[1], &args, groups, true) : status;
}
