/* comparison_sort.c: check what is asked for, pick the variant. */
#include "comparison_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"

static clprim_status check_desc(clprim__comparison_sort_setting *out, clprim__order *order,
                                const clprim_comparison_sort_desc *desc, const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    out->max_count = clprim__max_count_or(desc->max_count);
    CLPRIM__TRY(
        clprim__value_check(&out->value_size, desc->value_size, desc->argsort, desc->index_type, out->max_count));
    order->value_size = out->value_size;
    CLPRIM__TRY(clprim__order_check(order, info));
    out->key_size = order->key_size;
    out->is_custom = desc->less != NULL;
    out->is_record = desc->type_name != NULL && out->key_size % sizeof(cl_uint) == 0;
    out->stable = desc->stable;
    out->in_place_only = desc->in_place_only;
    out->shows_order = desc->less != NULL || out->value_size > 0;
done:
    return status;
}

static clprim_status check_variant(const clprim__comparison_sort_plan *self, clprim_comparison_sort_variant wanted)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    if (wanted != CLPRIM_COMPARISON_SORT_AUTO)
        return clprim__comparison_sort_supported(self->row, setting);
    return setting->in_place_only && setting->stable && setting->shows_order
               ? clprim__fail(
                     CLPRIM_UNSUPPORTED,
                     "stable and in_place_only cannot be combined here: no stable sort works without scratch memory")
               : CLPRIM_SUCCESS;
}

/* For calls of a plan by AUTO that are not worth a sample. */
static clprim_status make_few(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc)
{
    clprim_comparison_sort_desc few = *desc;
    self->few_below = clprim__sample_sort_range_of(&self->base.runtime->info).from;
    few.max_count = self->few_below;
    few.variant = clprim__comparison_sort_merging(&self->setting);
    return clprim__plan_create(&self->few, self->base.runtime, self->base.subject, &few);
}

clprim_status clprim__comparison_sort_make(clprim_plan *plan, const void *description)
{
    clprim__comparison_sort_plan *self = (void *)plan;
    const clprim_comparison_sort_desc *desc = description;
    static const clprim_text no_text;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    order.input = desc->input;
    CLPRIM__TRY(check_desc(&self->setting, &order, desc, &plan->runtime->info));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__COMPARISON_SORT_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, comparison_sort, desc->variant,
                               clprim__comparison_sort_auto(&plan->runtime->info, &self->setting)));
    CLPRIM__TRY(check_variant(self, desc->variant));
    if (desc->variant == CLPRIM_COMPARISON_SORT_AUTO && self->row->shape == CLPRIM__COMPARISON_SORT_SAMPLES)
        CLPRIM__TRY(make_few(self, desc));
    if (order.input != NULL)
        CLPRIM__TRY(clprim__comparison_sort_build_input(self, &order));
    if (desc->argsort)
        CLPRIM__TRY(clprim__comparison_sort_build_indices(self));
    order.input = NULL; /* the sort finds keys in an array */
    order.text = desc->less != NULL ? &desc->text : &no_text;
    CLPRIM__TRY(clprim__comparison_sort_build(self, desc, &order)); /* the plan's own parameters are looked up last */
done:
    return status;
}

void clprim__comparison_sort_clear(clprim_plan *plan)
{
    clprim__comparison_sort_plan *self = (void *)plan;
    clprim_plan_destroy(self->bitonic);
    clprim_plan_destroy(self->radix);
    clprim_plan_destroy(self->few);
    clprim__sample_sort_clear(&self->samples);
}
