/* comparison_sort.c: check what is asked for, pick the variant; calls. */
#include <clprim/comparison_sort.h>
#include <stdlib.h>

#include "check.h"
#include "comparison_sort_internal.h"
#include "error.h"
#include "host.h"
#include "runtime_internal.h"

static clprim_status check_desc(clprim__comparison_sort_setting *out, clprim__order *order,
                                const clprim_comparison_sort_desc *desc, const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    order->value_size = desc->value_size;
    CLPRIM__TRY(clprim__order_check(order, info));
    CLPRIM__TRY(clprim__order_check_group(desc->work_group_size));
    out->elements = (clprim__bitonic_sort_setting){.key_size = order->key_size,
                                                   .value_size = order->value_size,
                                                   .max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX};
    out->is_custom = desc->less != NULL;
    out->stable = desc->stable;
    out->in_place_only = desc->in_place_only;
    out->shows_order = desc->less != NULL || desc->value_size > 0;
done:
    return status;
}

static clprim_status choose_variant(clprim_comparison_sort *self, clprim_comparison_sort_variant variant)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    if (variant == CLPRIM_COMPARISON_SORT_AUTO) {
        self->row = clprim__comparison_sort_row_of(clprim__comparison_sort_auto(&self->runtime->info, setting));
        clprim__trial_chose(&self->row->info);
        if (setting->in_place_only && setting->stable && setting->shows_order)
            return clprim__fail(CLPRIM_UNSUPPORTED,
                                "no sort is stable and takes no scratch memory: stable, in_place_only");
        return CLPRIM_SUCCESS;
    }
    self->row = clprim__comparison_sort_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of comparison_sort", (int)variant);
    clprim__trial_chose(&self->row->info);
    return clprim__comparison_sort_supported(self->row, setting);
}

/* For calls of a plan by AUTO that are not worth a sample. */
static clprim_status make_few(clprim_comparison_sort *self, const clprim_comparison_sort_desc *desc)
{
    clprim_comparison_sort_desc few = *desc;
    self->few_below = clprim__sample_sort_range_of(&self->runtime->info).from;
    few.variant = CLPRIM_COMPARISON_SORT_MERGE_NETWORK;
    few.max_count = self->few_below;
    return clprim_comparison_sort_create(&self->few, self->runtime, &few);
}

clprim_status clprim__comparison_sort_make(clprim_comparison_sort **out, clprim_runtime *runtime,
                                           const clprim_comparison_sort_desc *desc)
{
    clprim_comparison_sort *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort");
    self->runtime = clprim__runtime_retain(runtime);

    clprim__order order = CLPRIM__ORDER_OF(desc);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, &order, desc, &runtime->info));
    CLPRIM__TRY(choose_variant(self, desc->variant));
    if (desc->variant == CLPRIM_COMPARISON_SORT_AUTO && self->row->shape == CLPRIM__COMPARISON_SORT_SAMPLES)
        CLPRIM__TRY(make_few(self, desc));
    CLPRIM__TRY(clprim__comparison_sort_build(self, desc, &order)); /* the plan's own parameters are looked up last */
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_comparison_sort_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(comparison_sort)

void clprim_comparison_sort_destroy(clprim_comparison_sort *plan)
{
    if (plan == NULL)
        return;
    clprim_bitonic_sort_destroy(plan->bitonic);
    clprim_radix_sort_destroy(plan->radix);
    clprim_comparison_sort_destroy(plan->few);
    clprim__sample_sort_clear(&plan->samples);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    for (size_t i = 0; i < CLPRIM__COMPARISON_SORT_KERNELS; i++)
        clprim__kernel_clear(&plan->kernels[i]);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_comparison_sort_variant clprim_comparison_sort_plan_variant(const clprim_comparison_sort *plan)
{
    return plan != NULL ? (clprim_comparison_sort_variant)plan->row->info.id : CLPRIM_COMPARISON_SORT_AUTO;
}

clprim_status clprim_comparison_sort_scratch_size(size_t *out, const clprim_comparison_sort *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, clprim__comparison_sort_scratch(plan, count), count);
}

clprim_status clprim_comparison_sort_set_scratch(clprim_comparison_sort *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

/* What is written overlaps nothing, but for what is sorted where it lies. It is read as well: there elements are
 * merged. */
static clprim_status check_call(const clprim_comparison_sort *self, clprim__comparison_sort_call *call)
{
    clprim__bitonic_sort_call *c = &call->arrays;
    const clprim__bitonic_sort_setting *setting = &self->setting.elements;
    const size_t n = (size_t)c->n;
    clprim__range ranges[] = {
        {"keys_in", c->in.keys, (size_t)c->in.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_in", c->in.values, (size_t)c->in.values_offset, n, setting->value_size, NULL, 0, 0},
        {"keys_out", c->out.keys, (size_t)c->out.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_out", c->out.values, (size_t)c->out.values_offset, n, setting->value_size, NULL, 0, 0},
    };
    enum { FIRST_WRITTEN = 2, NUM_RANGES = 4 };
    bool in_place[FIRST_WRITTEN];
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i % 2 == 0 || setting->value_size > 0;
        if (!is_used || (ranges[i].memory == NULL && n == 0))
            continue;
        CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context, CLPRIM__READ)); /* outputs, too */
        if (i >= FIRST_WRITTEN)
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context, CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, in_place));
    c->in_place = true;
    for (int k = 0; k < FIRST_WRITTEN; k++)
        if (ranges[FIRST_WRITTEN + k].parent != NULL) {
            c->in_place = c->in_place && in_place[k];
            call->is_partly_in_place = call->is_partly_in_place || in_place[k];
        }
done:
    return status;
}

static clprim_status enqueue(clprim_comparison_sort *plan, cl_command_queue queue,
                             const clprim__bitonic_sort_call *wanted, cl_uint num_waits, const cl_event *waits,
                             cl_event *done)
{
    clprim__comparison_sort_call c = {.arrays = *wanted};
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (wanted->n > plan->setting.elements.max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            (size_t)wanted->n, plan->setting.elements.max_count);
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__comparison_sort_launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_comparison_sort_enqueue(clprim_comparison_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                             size_t keys_in_offset, size_t count, cl_mem keys_out,
                                             size_t keys_out_offset, cl_uint num_waits, const cl_event *waits,
                                             cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_enqueue: plan is NULL");
    if (plan->setting.elements.value_size > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_enqueue: the plan has values, use "
                                                     "clprim_comparison_sort_enqueue_pairs");
    const clprim__bitonic_sort_call call = {.in = {.keys = keys_in, .keys_offset = keys_in_offset},
                                            .out = {.keys = keys_out, .keys_offset = keys_out_offset},
                                            .n = count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_comparison_sort_enqueue_pairs(clprim_comparison_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                                   size_t keys_in_offset, cl_mem values_in, size_t values_in_offset,
                                                   size_t count, cl_mem keys_out, size_t keys_out_offset,
                                                   cl_mem values_out, size_t values_out_offset, cl_uint num_waits,
                                                   const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_enqueue_pairs: plan is NULL");
    if (plan->setting.elements.value_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_comparison_sort_enqueue_pairs: the plan has no values, use "
                            "clprim_comparison_sort_enqueue");
    const clprim__bitonic_sort_call call = {.in = {keys_in, values_in, keys_in_offset, values_in_offset},
                                            .out = {keys_out, values_out, keys_out_offset, values_out_offset},
                                            .n = count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_comparison_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                          const clprim_comparison_sort_desc *desc, size_t count)
{
    clprim_comparison_sort *plan = NULL;
    clprim__bitonic_sort_call c = {.n = count};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (count > 0 && keys == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_host: keys is NULL");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_comparison_sort_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero): create succeeded */
    const clprim__bitonic_sort_setting *setting = &plan->setting.elements;
    const size_t larger = setting->key_size > setting->value_size ? setting->key_size : setting->value_size;
    if (count > 0 && (values != NULL) != (setting->value_size > 0))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_comparison_sort_host: values is %s",
                                 values == NULL ? "NULL" : "given, but the description has none"));
    if (count > SIZE_MAX / larger)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    const size_t key_bytes = count * setting->key_size;
    const size_t value_bytes = count * setting->value_size;
    CLPRIM__TRY(clprim__host_input(&c.in.keys, runtime, keys, key_bytes));
    CLPRIM__TRY(clprim__host_result(&c.out.keys, runtime, key_bytes));
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
    clprim_comparison_sort_destroy(plan);
    return status;
}
