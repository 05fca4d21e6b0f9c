// SPDX-License-Identifier: MIT
/* find.c: check a description, choose the variant, launch it. */
#include "error.h"
#include "expression.h"
#include "find_internal.h"
#include "flags.h"
#include "operator.h"
#include "runtime_internal.h"

static clprim_status check_desc(const clprim_find_desc *desc, clprim_type type, const clprim_device_info *info)
{
    const bool has_expression = desc->predicate != NULL || desc->input != NULL;
    if (desc->type_name != NULL && desc->predicate == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "type_name %s requires a predicate", desc->type_name);
    if (clprim__has_text(&desc->text) && !has_expression)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s requires a predicate or an input",
                            desc->text.source != NULL ? "source" : "text");
    return clprim__element_check(type, desc->type_name, desc->type_size, has_expression, info);
}

/* Elements of built-in types are loaded as integers of the same size. */
static clprim_status write_prelude(clprim__prelude *prelude, const clprim_find_desc *desc, clprim_type type,
                                   const clprim_device_info *info)
{
    const bool is_struct = desc->type_name != NULL;
    clprim__text *text = &prelude->own;
    clprim__prelude_begin(prelude, info);
    const clprim_status status = clprim__text_write(prelude, &desc->text, info);
    if (status != CLPRIM_SUCCESS)
        return status;
    const char *own_type = is_struct ? clprim__prelude_type(prelude, desc->type_name, desc->type_size) : NULL;
    clprim__text_format(text, "#define ELEMENT %s\n#define ELEMENT_SIZE %zu\n",
                        is_struct ? own_type : clprim__type_bits(type),
                        is_struct ? desc->type_size : clprim_type_size(type));
    if (!is_struct)
        clprim__text_format(text, "#define ELEMENT_OF_BITS(b) ((ELEMENT)(b))\n");
    if (desc->predicate != NULL)
        clprim__predicate_write(prelude, "predicate", desc->predicate, type, own_type);
    else
        clprim__text_format(text, "#define predicate(x, i) (((x) & (ELEMENT)0x%llxul) != 0)\n",
                            clprim__flag_bits(type));
    clprim__text_format(text, "#define FIRST_PLACE 0\n#define HOLDS(x, earlier, i) predicate(x, i)\n");
    clprim__input_write(prelude, desc->input, type, own_type);
    return clprim__prelude_status(prelude);
}

clprim_status clprim__find_choose(clprim__find_plan *self, clprim_find_variant variant, clprim_type index_type)
{
    const clprim_device_info *info = &self->base.runtime->info;
    clprim_status status = CLPRIM_SUCCESS;
    self->base.kernels = self->kernels;
    self->base.num_kernels = CLPRIM__FIND_KERNELS;
    CLPRIM__TRY(clprim__plan_indices(&self->base, index_type));
    status = CLPRIM__CHOOSE(self, find, variant, clprim__find_auto(info));
done:
    return status;
}

clprim_status clprim__find_make(clprim_plan *plan, const void *description)
{
    clprim__find_plan *self = (void *)plan;
    const clprim_find_desc *desc = description;
    const clprim_device_info *info = &plan->runtime->info;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(desc, type, info));
    CLPRIM__TRY(clprim__find_choose(self, desc->variant, desc->index_type));
    CLPRIM__TRY(write_prelude(&prelude, desc, type, info));
    CLPRIM__TRY(clprim__find_build(
        self,
        &(clprim__find_condition){.prelude = &prelude,
                                  .element_size = desc->type_name != NULL ? desc->type_size : clprim_type_size(type),
                                  .has_input = desc->input != NULL}));
done:
    clprim__prelude_free(&prelude);
    return status;
}

static size_t groups_for(const clprim__find_plan *self, size_t count)
{
    const size_t groups = clprim__divide_up(count, self->group_elements);
    return groups == 0 ? 1 : groups < self->max_groups ? groups : self->max_groups;
}

static clprim_status launch(clprim__find_plan *self, clprim__chain *chain, const clprim__find_arrays *arrays)
{
    const clprim__state *state = &self->base.state;
    const size_t groups = groups_for(self, arrays->count);
    const bool finishes = groups > 1 && self->kernels[CLPRIM__FIND_FINISH].kernel != NULL;
    find_args args = {.buffers = {.state = state->memory},
                      .numbers = {.n = arrays->count, .epoch = state->epoch, .groups = (cl_uint)groups}};
    CLPRIM__PUT(&args, in, arrays->in);
    CLPRIM__PUT(&args, out, arrays->out);
    const clprim_status status =
        clprim__launch_find_look(chain, &self->kernels[CLPRIM__FIND_LOOK], &args, groups, !finishes);
    return status == CLPRIM_SUCCESS && finishes
               ? clprim__launch_find_finish(chain, &self->kernels[CLPRIM__FIND_FINISH], &args, 1, true)
               : status;
}

clprim_status clprim__find_launch_on(clprim__find_plan *self, clprim__chain *chain, const clprim__find_arrays *arrays)
{
    clprim__state *state = &self->base.state;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, state->size, 1));
    CLPRIM__TRY(launch(self, chain, arrays));
done:
    clprim__state_end(state, chain, status);
    return status;
}

clprim_status clprim__find_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim_find_call *call = c->given;
    const clprim__find_arrays arrays = {call->in, call->out, call->count};
    return clprim__find_launch_on((void *)plan, chain, &arrays);
}
