/* radix_sort.c: check what is asked for, pick the variant; calls. */
#include <clprim/radix_sort.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "order.h"
#include "radix_sort_internal.h"
#include "runtime_internal.h"

enum { LAST_EPOCH = (1 << 30) - 1 };

static clprim_status check_values(clprim__radix_sort_setting *out, const clprim_radix_sort_desc *desc)
{
    const size_t size = desc->value_size == 0 && desc->argsort ? sizeof(cl_uint) : desc->value_size;
    if (size > 16 || (size & (size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "value_size %zu is not 0, 1, 2, 4, 8 or 16", size);
    if (desc->argsort && size != sizeof(cl_uint) && size != sizeof(cl_ulong))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "indices have value_size 4 or 8, not %zu", size);
    if (desc->argsort && size == sizeof(cl_uint) && out->max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "indices of %zu elements take value_size 8", out->max_count);
    out->value_size = size;
    out->indices = desc->argsort;
    return CLPRIM_SUCCESS;
}

/* Bits that a key does not have are 0 in all keys: they decide nothing. Where no bit decides both ends are 0. */
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
    out->key_type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    out->key_size = clprim_type_size(out->key_type);
    out->descending = desc->descending;
    out->nan_order = desc->nan_order;
    out->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    if (out->key_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown key_type %d", (int)desc->key_type);
    clprim_status status = check_bits(out, desc);
    if (status != CLPRIM_SUCCESS)
        return status;
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    status = clprim__nan_order_check(desc->nan_order, false);
    return status != CLPRIM_SUCCESS ? status : check_values(out, desc);
}

static clprim_status choose_variant(clprim_radix_sort *self, clprim_radix_sort_variant variant)
{
    const clprim_device_info *info = &self->runtime->info;
    if (variant == CLPRIM_RADIX_SORT_AUTO)
        variant = clprim__radix_sort_auto(info, &self->setting);
    self->row = clprim__radix_sort_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of radix_sort", (int)variant);
    clprim__trial_chose(&self->row->info);
    return clprim__radix_sort_supported(self->row, info, &self->setting);
}

/* AUTO always finds a variant: where an array does not fit one work-group's local memory after all, one with several.
 */
static clprim_status build(clprim_radix_sort *self, const clprim_radix_sort_desc *desc)
{
    clprim__radix_sort_setting any_count = self->setting;
    const clprim_status status = clprim__radix_sort_build(self, desc->work_group_size);
    if (status != CLPRIM_UNSUPPORTED || desc->variant != CLPRIM_RADIX_SORT_AUTO ||
        self->row->shape != CLPRIM__RADIX_SORT_ONE)
        return status;
    any_count.max_count = UINT32_MAX;
    self->row = clprim__radix_sort_row_of(clprim__radix_sort_auto(&self->runtime->info, &any_count));
    return clprim__radix_sort_build(self, desc->work_group_size);
}

clprim_status clprim__radix_sort_create(clprim_radix_sort **out, clprim_runtime *runtime,
                                        const clprim_radix_sort_desc *desc, bool is_counted)
{
    clprim_radix_sort *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort");
    self->runtime = clprim__runtime_retain(runtime);

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__radix_sort_check(&self->setting, desc));
    self->setting.is_counted = is_counted;
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(build(self, desc));
    if (self->row->shape == CLPRIM__RADIX_SORT_ONESWEEP)
        CLPRIM__TRY(clprim__state_create(&self->state, runtime, clprim__radix_sort_state(self), LAST_EPOCH));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_radix_sort_destroy(self);
    return status;
}

clprim_status clprim__radix_sort_make(clprim_radix_sort **out, clprim_runtime *runtime,
                                      const clprim_radix_sort_desc *desc)
{
    return clprim__radix_sort_create(out, runtime, desc, false);
}

CLPRIM__DEFINE_CREATE(radix_sort)

void clprim_radix_sort_destroy(clprim_radix_sort *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    for (size_t i = 0; i < CLPRIM__RADIX_SORT_KERNELS; i++)
        clprim__kernel_clear(&plan->kernels[i]);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_radix_sort_variant clprim_radix_sort_plan_variant(const clprim_radix_sort *plan)
{
    return plan != NULL ? (clprim_radix_sort_variant)plan->row->info.id : CLPRIM_RADIX_SORT_AUTO;
}

clprim_status clprim_radix_sort_scratch_size(size_t *out, const clprim_radix_sort *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, clprim__radix_sort_scratch(plan, count), count);
}

clprim_status clprim_radix_sort_set_scratch(clprim_radix_sort *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

/* What is written overlaps nothing, but for what is sorted where it lies. Arrays there are none of, are replaced by one
 * that is there. */
static clprim_status check_call(const clprim_radix_sort *self, clprim__radix_sort_call *c)
{
    const clprim__radix_sort_setting *setting = &self->setting;
    const size_t n = (size_t)c->n;
    clprim__range ranges[] = {
        {"keys_in", c->in.keys, (size_t)c->in.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_in", c->in.values, (size_t)c->in.values_offset, n, setting->value_size, NULL, 0, 0},
        {"keys_out", c->out.keys, (size_t)c->out.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_out", c->out.values, (size_t)c->out.values_offset, n, setting->value_size, NULL, 0, 0},
    };
    enum { VALUES_IN = 1, FIRST_WRITTEN = 2, NUM_RANGES = 4 };
    clprim_status status = CLPRIM_SUCCESS;
    bool in_place[FIRST_WRITTEN];
    bool all_in_place = true;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i % 2 == 0 || (setting->value_size > 0 && (i != VALUES_IN || !setting->indices));
        if (is_used && (ranges[i].memory != NULL || n > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, in_place));
    for (int k = 0; k < FIRST_WRITTEN; k++) {
        if (ranges[FIRST_WRITTEN + k].parent == NULL)
            continue;
        c->flags |= in_place[k] ? CLPRIM__RADIX_SORT_IN_PLACE : 0;
        all_in_place = all_in_place && in_place[k];
    }
    c->flags |= all_in_place ? 0 : CLPRIM__RADIX_SORT_MUST_MOVE;
    if (setting->indices)
        c->in.values = c->out.values;
done:
    return status;
}

static clprim_status enqueue(clprim_radix_sort *plan, cl_command_queue queue, const clprim__radix_sort_call *wanted,
                             cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    clprim__radix_sort_call c = *wanted;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (c.n > plan->setting.max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            (size_t)c.n, plan->setting.max_count);
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__radix_sort_launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_radix_sort_enqueue(clprim_radix_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                        size_t keys_in_offset, size_t count, cl_mem keys_out, size_t keys_out_offset,
                                        cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_enqueue: plan is NULL");
    if (plan->setting.value_size > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_enqueue: the plan has values, use "
                                                     "clprim_radix_sort_enqueue_pairs");
    const clprim__radix_sort_call call = {.in = {.keys = keys_in, .keys_offset = keys_in_offset},
                                          .out = {.keys = keys_out, .keys_offset = keys_out_offset},
                                          .n = count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_radix_sort_enqueue_pairs(clprim_radix_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                              size_t keys_in_offset, cl_mem values_in, size_t values_in_offset,
                                              size_t count, cl_mem keys_out, size_t keys_out_offset, cl_mem values_out,
                                              size_t values_out_offset, cl_uint num_waits, const cl_event *waits,
                                              cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_enqueue_pairs: plan is NULL");
    if (plan->setting.value_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_enqueue_pairs: the plan has no values, use "
                                                     "clprim_radix_sort_enqueue");
    if (plan->setting.indices && (values_in != NULL || values_in_offset != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_enqueue_pairs: values_in is given, but the "
                                                     "plan makes indices itself");
    const clprim__radix_sort_call call = {.in = {keys_in, values_in, keys_in_offset, values_in_offset},
                                          .out = {keys_out, values_out, keys_out_offset, values_out_offset},
                                          .n = count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_radix_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                     const clprim_radix_sort_desc *desc, size_t count)
{
    clprim_radix_sort *plan = NULL;
    clprim__radix_sort_call c = {.n = count};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (count > 0 && keys == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_host: keys is NULL");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_radix_sort_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero): create succeeded */
    const clprim__radix_sort_setting *setting = &plan->setting;
    const size_t larger = setting->key_size > setting->value_size ? setting->key_size : setting->value_size;
    if (count > 0 && (values != NULL) != (setting->value_size > 0))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_radix_sort_host: values is %s",
                                 values == NULL ? "NULL" : "given, but the description has none"));
    if (count > SIZE_MAX / larger)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    const size_t key_bytes = count * setting->key_size;
    const size_t value_bytes = count * setting->value_size;
    CLPRIM__TRY(clprim__host_input(&c.in.keys, runtime, keys, key_bytes));
    CLPRIM__TRY(clprim__host_result(&c.out.keys, runtime, key_bytes));
    if (!setting->indices)
        CLPRIM__TRY(clprim__host_input(&c.in.values, runtime, values, value_bytes));
    CLPRIM__TRY(clprim__host_result(&c.out.values, runtime, value_bytes));
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    if (count > 0)
        CLPRIM__TRY(clprim__host_output(keys, runtime, c.out.keys, key_bytes, ready));
    if (value_bytes > 0)
        CLPRIM__TRY(clprim__host_output(values, runtime, c.out.values, value_bytes, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){c.in.keys, c.in.values, c.out.keys, c.out.values}, 4);
    clprim_radix_sort_destroy(plan);
    return status;
}
