// SPDX-License-Identifier: MIT
/* unique.c: the first element of each run, selected by comparison with the previous element: see
 * kernels/select/parts/keep.cl. */
#include "order.h"
#include "unique_internal.h"

clprim_status clprim__unique_make(clprim_plan *plan, const void *description)
{
    const clprim_unique_desc *desc = description;
    clprim__select_plan *self = (void *)plan;
    const clprim_select_desc selection = {.type = desc->type,
                                          .predicate = desc->equal,
                                          .input = desc->input,
                                          .output = desc->output,
                                          .output_type = desc->output_type,
                                          .output_type_name = desc->output_type_name,
                                          .output_type_size = desc->output_type_size,
                                          .text = desc->text,
                                          .type_name = desc->type_name,
                                          .type_size = desc->type_size,
                                          .index_type = desc->index_type,
                                          .variant = desc->variant};
    const clprim_status status =
        clprim__value_check(&self->value_size, desc->value_size, desc->indices, desc->index_type, plan->max_count);
    self->indices = desc->indices;
    return status == CLPRIM_SUCCESS
               ? clprim__select_make_by(self, &(clprim__select_how){.desc = selection, .heads = true})
               : status;
}

clprim_status clprim__unique_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim_unique_call *call = c->given;
    const clprim__select_arrays arrays = {.in = call->in,
                                          .out = call->out,
                                          .out_count = call->out_count,
                                          .values_in = call->values_in,
                                          .values_out = call->values_out,
                                          .count = call->count,
                                          .room = CLPRIM__RANGE(plan, c, unique, out)->count,
                                          .values_room = CLPRIM__RANGE(plan, c, unique, values_out)->count};
    return clprim__select_launch_on((void *)plan, chain, &arrays, c->scratch);
}
