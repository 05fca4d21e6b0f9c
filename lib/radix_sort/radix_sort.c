// SPDX-License-Identifier: MIT
/* radix_sort.c: check a description, choose the variant. */
#include "error.h"
#include "kinds.h"
#include "order.h"
#include "prelude.h"
#include "radix_sort_internal.h"
#include "runtime_internal.h"

/* Bits that a key does not have are 0 in all keys, and do not matter. If no bit matters, both ends are 0. */
static clprim_status check_bits(clprim__radix_sort_setting *out, const clprim_radix_sort_desc *desc)
{
    const unsigned bits = (unsigned)out->key_size * 8;
    const unsigned begin = desc->begin_bit < bits ? desc->begin_bit : bits;
    const unsigned end = desc->end_bit < bits ? desc->end_bit : bits;
    if (!desc->bit_range && (desc->begin_bit != 0 || desc->end_bit != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "begin_bit %u and end_bit %u are given without bit_range",
                            desc->begin_bit, desc->end_bit);
    if (desc->begin_bit > desc->end_bit)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "begin_bit %u is greater than end_bit %u", desc->begin_bit,
                            desc->end_bit);
    out->begin_bit = begin < end ? begin : 0;
    out->end_bit = !desc->bit_range ? bits : begin < end ? end : 0;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__radix_sort_check(clprim__radix_sort_setting *out, const clprim_radix_sort_desc *desc)
{
    clprim_status status = CLPRIM_SUCCESS;
    out->key_type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    out->key_size = clprim_type_size(out->key_type);
    out->indices = desc->argsort;
    out->descending = desc->descending;
    out->nan_order = desc->nan_order;
    out->is_counted = desc->count_at_type != CLPRIM_TYPE_DEFAULT;
    out->has_input = desc->input != NULL;
    out->input = desc->input;
    out->text = &desc->text;
    out->max_count = clprim__max_count_or(desc->max_count);
    if (!clprim__is_key_type(out->key_type) && !(out->takes_u128 && out->key_type == CLPRIM_U128))
        return clprim__type_check(out->key_type, "key_type");
    if (out->key_type == CLPRIM_U128 && out->has_input)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "input computes no keys of u128: they must be in an array");
    CLPRIM__TRY(check_bits(out, desc));
    CLPRIM__TRY(clprim__nan_order_check(desc->nan_order, false));
    CLPRIM__TRY(
        clprim__value_check(&out->value_size, desc->value_size, desc->argsort, desc->index_type, out->max_count));
    status = clprim__radix_sort_join_keys(out, desc);
done:
    return status;
}

static clprim_status check_variant(const clprim__radix_sort_plan *self)
{
    const clprim_variant_info *variant = &self->row->info;
    if (self->setting.key_type == CLPRIM_U128 && variant->id != CLPRIM_RADIX_SORT_LOCAL &&
        variant->id != CLPRIM_RADIX_SORT_ONESWEEP && variant->id != CLPRIM_RADIX_SORT_REDUCE_THEN_SCAN &&
        variant->id != CLPRIM_RADIX_SORT_CPU_CHUNK)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s does not sort keys of u128; local, onesweep, reduce_then_scan and cpu_chunk do",
                            variant->name);
    if (self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP && self->setting.max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s counts in 32 bits, but max_count is %zu", variant->name,
                            self->setting.max_count);
    return CLPRIM_SUCCESS;
}

/* AUTO always finds a variant: if the local memory of one work-group turns out to be too small for the array, it takes
 * a variant with several groups. */
static clprim_status build(clprim__radix_sort_plan *self, const clprim_radix_sort_desc *desc)
{
    const clprim_device_info *info = &self->base.runtime->info;
    clprim__radix_sort_setting any_count = self->setting;
    clprim_status status = clprim__radix_sort_build(self);
    if (status != CLPRIM_UNSUPPORTED || desc->variant != CLPRIM_RADIX_SORT_AUTO ||
        self->row->shape != CLPRIM__RADIX_SORT_ONE)
        return status;
    any_count.max_count = UINT32_MAX;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, radix_sort, CLPRIM_RADIX_SORT_AUTO, clprim__radix_sort_auto(info, &any_count)));
    status = clprim__radix_sort_build(self);
done:
    return status;
}

clprim_status clprim__radix_sort_make(clprim_plan *plan, const void *desc)
{
    clprim__radix_sort_plan *self = (void *)plan;
    const clprim_radix_sort_desc *given = desc;
    clprim_status status = CLPRIM_SUCCESS;
    self->setting.takes_u128 = true;
    CLPRIM__TRY(clprim__radix_sort_check(&self->setting, given));
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__RADIX_SORT_KERNELS;
    CLPRIM__TRY(CLPRIM__CHOOSE(self, radix_sort, given->variant,
                               clprim__radix_sort_auto(&plan->runtime->info, &self->setting)));
    CLPRIM__TRY(check_variant(self));
    CLPRIM__TRY(build(self, given));
    if (self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP)
        status = clprim__state_create(&plan->state, plan->runtime, clprim__radix_sort_state(self), CLPRIM__LAST_EPOCH);
done:
    return status;
}
