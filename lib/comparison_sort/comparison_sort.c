/* comparison_sort.c: check what is asked for, pick the variant. */
#include "comparison_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"

static clprim_status check_desc(clprim__comparison_sort_setting *out, clprim__order *order,
                                const clprim_comparison_sort_desc *desc, const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    order->value_size = desc->value_size;
    CLPRIM__TRY(clprim__order_check(order, info));
    CLPRIM__TRY(clprim__order_check_group(desc->work_group_size));
    out->key_size = order->key_size;
    out->value_size = order->value_size;
    out->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    out->is_custom = desc->less != NULL;
    out->stable = desc->stable;
    out->in_place_only = desc->in_place_only;
    out->shows_order = desc->less != NULL || desc->value_size > 0;
done:
    return status;
}

static clprim_status choose_variant(clprim__comparison_sort_plan *self, clprim_comparison_sort_variant variant)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    if (variant == CLPRIM_COMPARISON_SORT_AUTO) {
        self->row = clprim__comparison_sort_row_of(clprim__comparison_sort_auto(&self->base.runtime->info, setting));
        clprim__plan_chose(&self->base, &self->row->info);
        if (setting->in_place_only && setting->stable && setting->shows_order)
            return clprim__fail(CLPRIM_UNSUPPORTED,
                                "no sort is stable and takes no scratch memory: stable, in_place_only");
        return CLPRIM_SUCCESS;
    }
    self->row = clprim__comparison_sort_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of comparison_sort", (int)variant);
    clprim__plan_chose(&self->base, &self->row->info);
    return clprim__comparison_sort_supported(self->row, setting);
}

/* For calls of a plan by AUTO that are not worth a sample. */
static clprim_status make_few(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc)
{
    clprim_comparison_sort_desc few = *desc;
    self->few_below = clprim__sample_sort_range_of(&self->base.runtime->info).from;
    few.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK;
    few.max_count = self->few_below;
    return clprim__plan_create(&self->few, self->base.runtime, &clprim__comparison_sort_trial, &few);
}

clprim_status clprim__comparison_sort_make(clprim_plan *plan, const void *description)
{
    clprim__comparison_sort_plan *self = (void *)plan;
    const clprim_comparison_sort_desc *desc = description;
    clprim__order order = CLPRIM__ORDER_OF(desc, key_type);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, &order, desc, &plan->runtime->info));
    plan->max_count = self->setting.max_count;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__COMPARISON_SORT_KERNELS;
    CLPRIM__TRY(choose_variant(self, desc->variant));
    if (desc->variant == CLPRIM_COMPARISON_SORT_AUTO && self->row->shape == CLPRIM__COMPARISON_SORT_SAMPLES)
        CLPRIM__TRY(make_few(self, desc));
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
