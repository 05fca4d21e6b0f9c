/* top_k.c: check what is asked for, pick the variant; calls. */
#include <clprim/top_k.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "order.h"
#include "runtime_internal.h"
#include "top_k_internal.h"

enum { LAST_EPOCH = (1 << 30) - 1 };

static clprim_status check_values(clprim__top_k_setting *out, const clprim_top_k_desc *desc)
{
    const size_t size = desc->value_size == 0 && desc->indices ? sizeof(cl_uint) : desc->value_size;
    if (size > 16 || (size & (size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "value_size %zu is not 0, 1, 2, 4, 8 or 16", size);
    if (desc->indices && size != sizeof(cl_uint) && size != sizeof(cl_ulong))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "indices have value_size 4 or 8, not %zu", size);
    if (desc->indices && size == sizeof(cl_uint) && out->max_count > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "indices of %zu elements take value_size 8", out->max_count);
    out->value_size = size;
    out->indices = desc->indices;
    return CLPRIM_SUCCESS;
}

static clprim_status check_desc(clprim__top_k_setting *out, const clprim_top_k_desc *desc)
{
    out->key_type = desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
    out->key_size = clprim_type_size(out->key_type);
    out->smallest = desc->smallest;
    out->nan_order = desc->nan_order;
    out->unsorted = desc->unsorted;
    out->k = desc->k;
    out->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    if (out->key_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown key_type %d", (int)desc->key_type);
    if (out->k == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "k is 0");
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    const clprim_status status = clprim__nan_order_check(desc->nan_order, false);
    return status != CLPRIM_SUCCESS ? status : check_values(out, desc);
}

static clprim_status choose_variant(clprim_top_k *self, clprim_top_k_variant variant)
{
    if (variant == CLPRIM_TOP_K_AUTO)
        variant = clprim__top_k_auto(&self->runtime->info, &self->setting);
    self->row = clprim__top_k_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of top_k", (int)variant);
    clprim__trial_chose(&self->row->info);
    if (!self->row->selects && self->setting.unsorted)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s cannot leave them unsorted, in the order of the input",
                            self->row->info.name);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__top_k_make(clprim_top_k **out, clprim_runtime *runtime, const clprim_top_k_desc *desc)
{
    clprim_top_k *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a selection");
    self->runtime = clprim__runtime_retain(runtime);

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, desc));
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(clprim__top_k_build(self, desc->work_group_size));
    if (self->folds)
        CLPRIM__TRY(clprim__state_create(&self->state, runtime, clprim__top_k_state(self), LAST_EPOCH));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_top_k_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(top_k)

void clprim_top_k_destroy(clprim_top_k *plan)
{
    if (plan == NULL)
        return;
    clprim_radix_sort_destroy(plan->sort);
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->count);
    clprim__kernel_clear(&plan->choose);
    clprim__kernel_clear(&plan->gather);
    clprim__kernel_clear(&plan->copy);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_top_k_variant clprim_top_k_plan_variant(const clprim_top_k *plan)
{
    return plan != NULL ? (clprim_top_k_variant)plan->row->info.id : CLPRIM_TOP_K_AUTO;
}

clprim_status clprim_top_k_scratch_size(size_t *out, const clprim_top_k *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, clprim__top_k_scratch(plan, count), count);
}

clprim_status clprim_top_k_set_scratch(clprim_top_k *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

static size_t written(const clprim_top_k *self, size_t n)
{
    return n < self->setting.k ? n : self->setting.k;
}

/* What is written overlaps nothing. */
static clprim_status check_call(const clprim_top_k *self, const clprim__top_k_call *c)
{
    const clprim__top_k_setting *setting = &self->setting;
    const size_t n = (size_t)c->n;
    const size_t m = written(self, n);
    clprim__range ranges[] = {
        {"keys_in", c->in.keys, (size_t)c->in.keys_offset, n, setting->key_size, NULL, 0, 0},
        {"values_in", c->in.values, (size_t)c->in.values_offset, n, setting->value_size, NULL, 0, 0},
        {"keys_out", c->out.keys, (size_t)c->out.keys_offset, m, setting->key_size, NULL, 0, 0},
        {"values_out", c->out.values, (size_t)c->out.values_offset, m, setting->value_size, NULL, 0, 0},
    };
    enum { VALUES_IN = 1, FIRST_WRITTEN = 2, NUM_RANGES = 4 };
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i % 2 == 0 || (setting->value_size > 0 && (i != VALUES_IN || !setting->indices));
        if (is_used && (ranges[i].memory != NULL || n > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, NULL));
done:
    return status;
}

static clprim_status enqueue(clprim_top_k *plan, cl_command_queue queue, const clprim__top_k_call *call,
                             cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (call->n > plan->setting.max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            (size_t)call->n, plan->setting.max_count);
    CLPRIM__TRY(check_call(plan, call));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__top_k_launch(plan, &chain, call);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_top_k_enqueue(clprim_top_k *plan, cl_command_queue queue, cl_mem keys_in, size_t keys_in_offset,
                                   size_t count, cl_mem keys_out, size_t keys_out_offset, cl_uint num_waits,
                                   const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_enqueue: plan is NULL");
    if (plan->setting.value_size > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_enqueue: the plan has values, use "
                                                     "clprim_top_k_enqueue_pairs");
    const clprim__top_k_call call = {.in = {.keys = keys_in, .keys_offset = keys_in_offset},
                                     .out = {.keys = keys_out, .keys_offset = keys_out_offset},
                                     .n = count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_top_k_enqueue_pairs(clprim_top_k *plan, cl_command_queue queue, cl_mem keys_in,
                                         size_t keys_in_offset, cl_mem values_in, size_t values_in_offset, size_t count,
                                         cl_mem keys_out, size_t keys_out_offset, cl_mem values_out,
                                         size_t values_out_offset, cl_uint num_waits, const cl_event *waits,
                                         cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_enqueue_pairs: plan is NULL");
    if (plan->setting.value_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_enqueue_pairs: the plan has no values, use "
                                                     "clprim_top_k_enqueue");
    if (plan->setting.indices && (values_in != NULL || values_in_offset != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_enqueue_pairs: values_in is given, but the plan "
                                                     "makes indices itself");
    const clprim__top_k_call call = {.in = {keys_in, values_in, keys_in_offset, values_in_offset},
                                     .out = {keys_out, values_out, keys_out_offset, values_out_offset},
                                     .n = count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

/* Are the arrays those that the description has? */
static clprim_status check_arrays(const clprim_top_k *self, const void *values_out, const void *values, size_t count)
{
    const clprim__top_k_setting *setting = &self->setting;
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero): create succeeded */
    const size_t larger = setting->key_size > setting->value_size ? setting->key_size : setting->value_size;
    const bool reads_values = setting->value_size > 0 && !setting->indices;
    if (count > 0 && (values != NULL) != reads_values)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_host: values is %s",
                            values == NULL ? "NULL" : "given, but the description has none to read");
    if (count > 0 && (values_out != NULL) != (setting->value_size > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_host: values_out is %s",
                            values_out == NULL ? "NULL" : "given, but the description has no values");
    if (count > SIZE_MAX / larger)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count);
    /* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero) */
    return CLPRIM_SUCCESS;
}

clprim_status clprim_top_k_host(void *keys_out, void *values_out, clprim_runtime *runtime,
                                const clprim_top_k_desc *desc, const void *keys, const void *values, size_t count)
{
    clprim_top_k *plan = NULL;
    clprim__top_k_call c = {.n = count};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (count > 0 && (keys_out == NULL || keys == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_top_k_host: %s is NULL",
                            keys_out == NULL ? "keys_out" : "keys");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_top_k_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    CLPRIM__TRY(check_arrays(plan, values_out, values, count));
    const size_t key_size = plan->setting.key_size;
    const size_t value_size = plan->setting.value_size;
    const size_t m = written(plan, count);
    CLPRIM__TRY(clprim__host_input(&c.in.keys, runtime, keys, count * key_size));
    CLPRIM__TRY(clprim__host_result(&c.out.keys, runtime, m * key_size));
    if (values != NULL)
        CLPRIM__TRY(clprim__host_input(&c.in.values, runtime, values, count * value_size));
    CLPRIM__TRY(clprim__host_result(&c.out.values, runtime, m * value_size));
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    if (m > 0)
        CLPRIM__TRY(clprim__host_output(keys_out, runtime, c.out.keys, m * key_size, ready));
    if (m * value_size > 0)
        CLPRIM__TRY(clprim__host_output(values_out, runtime, c.out.values, m * value_size, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){c.in.keys, c.in.values, c.out.keys, c.out.values}, 4);
    clprim_top_k_destroy(plan);
    return status;
}
