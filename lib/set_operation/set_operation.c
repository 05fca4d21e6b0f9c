/* set_operation.c: check what is asked for, pick the variant, launch it. */
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

/* Tiles, or shares of cores; one at least, which writes the number of elements. */
static size_t portions_for(const clprim__set_operation_plan *self, size_t n)
{
    const size_t portions = clprim__divide_up(n, self->tile);
    return portions > 0 ? portions : 1;
}

static size_t groups_for(const clprim__set_operation_plan *self, size_t n)
{
    return clprim__smaller(portions_for(self, n), self->max_groups);
}

size_t clprim__set_operation_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__set_operation_plan *self = (const void *)plan;
    const size_t n = plan->operation->count(call);
    if (self->row->looks_back)
        return clprim__look_back_bytes(sizeof(cl_ulong), portions_for(self, n));
    const size_t counts = clprim__times(groups_for(self, n), sizeof(cl_ulong));
    return self->row->is_for_cores ? clprim__times(counts, CLPRIM__SET_OPERATION_STREAMS) : counts;
}

/* Arrays without elements may be no buffers: then others stand in, of which nothing is read or written. */
static clprim_array or_else(const clprim_array *array, const clprim_array *other)
{
    return array->buffer != NULL ? *array : *other;
}

/* SET_INPUT of kernels/set_operation/parts/sets.cl. */
static void add_input(clprim__arguments *list, const clprim_set_operation_call *call)
{
    const clprim_array a = or_else(&call->a_keys, &call->out_count);
    const clprim_array b = or_else(&call->b_keys, &call->out_count);
    clprim__add_array(list, a.buffer, a.offset);
    clprim__add_ulong(list, call->a_count);
    clprim__add_array(list, b.buffer, b.offset);
    clprim__add_ulong(list, call->b_count);
}

/* SET_OUTPUT. */
static void add_output(clprim__arguments *list, const clprim__set_operation_plan *self,
                       const clprim_set_operation_call *call)
{
    const clprim_array *const values[] = {&call->a_values, &call->b_values, &call->values_out};
    const clprim_array keys = or_else(&call->keys_out, &call->out_count);
    clprim__add_array(list, keys.buffer, keys.offset);
    clprim__add_array(list, call->out_count.buffer, call->out_count.offset);
    for (size_t i = 0; i < 3 && self->value_size > 0; i++) {
        const clprim_array array = or_else(values[i], &call->out_count);
        clprim__add_array(list, array.buffer, array.offset);
    }
}

static clprim_status launch_look_back(clprim__set_operation_plan *self, clprim__chain *chain,
                                      const clprim_set_operation_call *call, size_t bytes)
{
    clprim__state *state = &self->base.state;
    const size_t n = call->a_count + call->b_count;
    const size_t tiles = portions_for(self, n);
    const cl_uint has_cuts = n >= self->cuts_from;
    clprim__kernel *cuts = &self->kernels[1];
    CLPRIM__ARGUMENTS(list);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, bytes, 1));
    add_input(&list, call);
    if (has_cuts) {
        clprim__arguments input = list;
        clprim__add_buffer(&input, state->memory);
        CLPRIM__TRY(clprim__launch(chain, cuts, &input, clprim__divide_up(tiles, cuts->group_size), false));
    }
    add_output(&list, self, call);
    clprim__add_buffer(&list, state->memory);
    CLPRIM__ADD_SCALAR(&list, state->epoch);
    CLPRIM__ADD_SCALAR(&list, has_cuts);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[0], &list, tiles, true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

clprim_status clprim__set_operation_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__set_operation_plan *self = (void *)plan;
    const clprim_set_operation_call *call = c->given;
    const size_t groups = groups_for(self, call->a_count + call->b_count);
    CLPRIM__ARGUMENTS(list);
    clprim_status status = CLPRIM_SUCCESS;
    if (self->row->looks_back)
        return launch_look_back(self, chain, call, clprim__set_operation_scratch(plan, call));
    add_input(&list, call);
    clprim__arguments moved = list;
    clprim__add_buffer(&list, c->scratch);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[0], &list, groups, false));
    add_output(&moved, self, call);
    clprim__add_buffer(&moved, c->scratch);
    CLPRIM__TRY(clprim__launch(chain, &self->kernels[1], &moved, groups, true));
done:
    return status;
}
