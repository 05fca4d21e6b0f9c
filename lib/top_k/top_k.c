/* top_k.c: check what is asked for, pick the variant. */
#include "error.h"
#include "order.h"
#include "runtime_internal.h"
#include "top_k_internal.h"

static clprim_status check_desc(clprim__top_k_setting *out, const clprim_top_k_desc *desc)
{
    clprim_status status = CLPRIM_SUCCESS;
    out->key_type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    out->key_size = clprim_type_size(out->key_type);
    out->indices = desc->indices;
    out->smallest = desc->smallest;
    out->nan_order = desc->nan_order;
    out->unsorted = desc->unsorted;
    out->k = desc->k;
    out->count_at_type = desc->count_at_type;
    out->has_input = desc->input != NULL;
    out->input = desc->input;
    out->text = &desc->text;
    out->max_count = clprim__max_count_or(desc->max_count);
    if (out->key_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown key_type %d", (int)desc->key_type);
    if (out->k == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "k is 0");
    CLPRIM__TRY(clprim__nan_order_check(desc->nan_order, false));
    status = clprim__value_check(&out->value_size, desc->value_size, desc->indices, desc->index_type, out->max_count);
done:
    return status;
}

clprim_status clprim__top_k_make(clprim_plan *plan, const void *desc)
{
    clprim__top_k_plan *self = (void *)plan;
    const clprim_top_k_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, given));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__TOP_K_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, top_k, given->variant, clprim__top_k_auto(&plan->runtime->info, &self->setting)));
    if (!self->row->selects && self->setting.unsorted)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s cannot leave them unsorted, in the order of the input",
                            self->row->info.name);
    CLPRIM__TRY(clprim__top_k_build(self));
    if (self->folds)
        status = clprim__state_create(&plan->state, plan->runtime, clprim__top_k_state(self), CLPRIM__LAST_EPOCH);
done:
    return status;
}

void clprim__top_k_clear(clprim_plan *plan)
{
    clprim_plan_destroy(((clprim__top_k_plan *)(void *)plan)->sort);
}
