// SPDX-License-Identifier: MIT
/* comparison_sort.c: check a description, choose the variant. */
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
    out->is_counted = desc->count_at_type != CLPRIM_TYPE_DEFAULT;
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
    if (setting->in_place_only && setting->stable && setting->shows_order)
        return clprim__fail(
            CLPRIM_UNSUPPORTED,
            "stable and in_place_only cannot be combined here: no stable sort works without scratch memory");
    return setting->in_place_only && setting->is_counted
               ? clprim__fail(CLPRIM_UNSUPPORTED,
                              "count_at_type and in_place_only cannot be combined: the host enqueues "
                              "as many steps of a sort in place as there are elements")
               : CLPRIM_SUCCESS;
}

/* Make the plan for small arrays, for which AUTO does not use a sample sort. */
static clprim_status make_few(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc)
{
    clprim_comparison_sort_desc few = *desc;
    const clprim__sample_sort_range range = clprim__sample_sort_range_of(&self->base.runtime->info);
    self->few_below = self->setting.stable ? range.stable_from : range.from;
    few.max_count = self->few_below;
    few.variant = clprim__comparison_sort_merging(&self->setting);
    return clprim__plan_create(&self->few, self->base.runtime, self->base.subject, &few);
}

/* For values that do not move along with the keys: make a plan that sorts indices, and the kernels that gather the
 * values. */
static clprim_status make_gathering(clprim__comparison_sort_plan *self, const clprim_comparison_sort_desc *desc)
{
    clprim_comparison_sort_desc by_indices = *desc;
    size_t index_size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (desc->value_size > CLPRIM__MAX_MOVED_SIZE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "value_size is %zu, but must be at most %d bytes",
                            desc->value_size, CLPRIM__MAX_MOVED_SIZE);
    if (desc->argsort)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "value_size %zu is given, but the values are indices",
                            desc->value_size);
    if (desc->in_place_only)
        return clprim__fail(CLPRIM_UNSUPPORTED, "in_place_only takes values of 1, 2, 4, 8 or 16 bytes, not of %zu",
                            desc->value_size);
    CLPRIM__TRY(clprim__index_check(&index_size, desc->index_type, 0)); /* checked, though no index is written */
    by_indices.value_size = 0;
    by_indices.argsort = true;
    by_indices.index_type = clprim__max_count_or(desc->max_count) > UINT32_MAX ? CLPRIM_U64 : CLPRIM_U32;
    CLPRIM__TRY(clprim__plan_create(&self->indices, self->base.runtime, self->base.subject, &by_indices));
    self->row = ((const clprim__comparison_sort_plan *)(const void *)self->indices)->row;
    self->base.variant = clprim_plan_variant(self->indices);
    status = clprim__mover_build(&self->mover, &self->base, desc->value_size, clprim_type_size(by_indices.index_type));
done:
    return status;
}

clprim_status clprim__comparison_sort_make(clprim_plan *plan, const void *description)
{
    clprim__comparison_sort_plan *self = (void *)plan;
    const clprim_comparison_sort_desc *desc = description;
    if (!clprim__moves_along(desc->value_size))
        return make_gathering(self, desc);
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
    order.input = NULL; /* for the sort, the keys are in an array */
    order.text = desc->less != NULL ? &desc->text : &no_text;
    CLPRIM__TRY(clprim__comparison_sort_build(self, desc, &order)); /* the last look-up of parameters must be the plan's
                                                                     * own */
done:
    return status;
}

void clprim__comparison_sort_clear(clprim_plan *plan)
{
    clprim__comparison_sort_plan *self = (void *)plan;
    clprim_plan_destroy(self->bitonic);
    clprim_plan_destroy(self->radix);
    clprim_plan_destroy(self->few);
    clprim_plan_destroy(self->indices);
    clprim__mover_clear(&self->mover);
    clprim__sample_sort_clear(&self->samples);
}
