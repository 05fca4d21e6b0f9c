// SPDX-License-Identifier: MIT
/* select.c: check a description, choose the variant, build it. */
#include "build.h"
#include "device.h"
#include "error.h"
#include "expression.h"
#include "runtime_internal.h"
#include "select_internal.h"

static clprim_status check_how(const clprim__select_how *how, const clprim_device_info *info)
{
    const clprim_select_desc *desc = &how->desc;
    const clprim_type flags = desc->flags_type;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const clprim__output output = CLPRIM__OUTPUT_OF(desc);
    const bool has_text = desc->predicate != NULL || desc->input != NULL || how->second_predicate != NULL;
    clprim_status status = flags != CLPRIM_TYPE_DEFAULT ? clprim__type_check(flags, "flags_type") : CLPRIM_SUCCESS;
    if (status == CLPRIM_SUCCESS)
        status = clprim__element_check(type, desc->type_name, desc->type_size, has_text, info);
    return status == CLPRIM_SUCCESS ? clprim__output_check(&output, type, desc->type_name != NULL, info) : status;
}

clprim_status clprim__select_make_by(clprim__select_plan *self, const clprim__select_how *how)
{
    const clprim_select_desc *desc = &how->desc;
    clprim_plan *plan = &self->base;
    clprim_status status = CLPRIM_SUCCESS;
    self->portion = (size_t)1 << 31;
    self->heads = how->heads;
    self->rest = how->rest;
    self->is_three_way = how->second_predicate != NULL;
    plan->kernels = self->kernels;
    plan->num_kernels = sizeof self->kernels / sizeof *self->kernels;
    CLPRIM__TRY(check_how(how, &plan->runtime->info));
    CLPRIM__TRY(clprim__plan_indices(plan, desc->index_type));
    self->element_size = desc->type_name != NULL             ? desc->type_size
                         : desc->type == CLPRIM_TYPE_DEFAULT ? sizeof(cl_int)
                                                             : clprim_type_size(desc->type);
    self->output_size = clprim__output_size(&(clprim__output)CLPRIM__OUTPUT_OF(desc), self->element_size);
    if (desc->predicate == NULL && !how->heads)
        self->flag_size = desc->flags_type == CLPRIM_TYPE_DEFAULT ? 1 : clprim_type_size(desc->flags_type);
    CLPRIM__TRY(CLPRIM__CHOOSE(self, select, desc->variant, clprim__select_auto(&plan->runtime->info, how->rest)));
    if (self->row->looks_back && self->rest == CLPRIM__REST_FOLLOWS)
        CLPRIM__TRY(
            clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s requires separate or reversed_rest", self->row->info.name));
    CLPRIM__TRY(clprim__select_build(self, how));
    plan->scratch_is_state = self->row->looks_back;
    if (self->row->looks_back)
        CLPRIM__TRY(clprim__state_create(&plan->state, plan->runtime, clprim__select_bytes(self, 1),
                                         clprim__look_back_last_epoch(&plan->runtime->info)));
done:
    return status;
}

clprim_status clprim__select_make(clprim_plan *plan, const void *desc)
{
    return clprim__select_make_by((void *)plan, &(clprim__select_how){.desc = *(const clprim_select_desc *)desc});
}

clprim_status clprim__select_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim_select_call *call = c->given;
    const clprim__select_arrays arrays = {.in = call->in,
                                          .flags = call->flags,
                                          .out = call->out,
                                          .out_count = call->out_count,
                                          .count = call->count,
                                          .room = CLPRIM__RANGE(plan, c, select, out)->count};
    return clprim__select_launch_on((void *)plan, chain, &arrays, c->scratch);
}
