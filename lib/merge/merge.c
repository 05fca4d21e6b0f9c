/* merge.c: check what is asked for, pick the variant; calls. */
#include <clprim/merge.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "merge_internal.h"
#include "runtime_internal.h"

/* What one call works on. Without values their buffers are NULL. */
typedef struct merge_call {
    clprim__pairs a, b, out;
    cl_ulong a_count, b_count;
} merge_call;

static clprim_status choose_variant(clprim_merge *self, clprim_merge_variant variant)
{
    if (variant == CLPRIM_MERGE_AUTO)
        variant = clprim__merge_auto(&self->runtime->info);
    self->row = clprim__merge_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of merge", (int)variant);
    clprim__trial_chose(&self->row->info);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__merge_make(clprim_merge **out, clprim_runtime *runtime, const clprim_merge_desc *desc)
{
    clprim_merge *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a merge");
    self->runtime = clprim__runtime_retain(runtime);

    clprim__order order = CLPRIM__ORDER_OF(desc);
    clprim_status status = CLPRIM_SUCCESS;
    order.value_size = desc->value_size;
    CLPRIM__TRY(clprim__order_check(&order, &runtime->info));
    CLPRIM__TRY(clprim__order_check_group(desc->work_group_size));
    self->key_size = order.key_size;
    self->value_size = order.value_size;
    self->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(clprim__merge_build(self, &order, desc->work_group_size));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_merge_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(merge)

void clprim_merge_destroy(clprim_merge *plan)
{
    if (plan == NULL)
        return;
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->kernel);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_merge_variant clprim_merge_plan_variant(const clprim_merge *plan)
{
    return plan != NULL ? (clprim_merge_variant)plan->row->info.id : CLPRIM_MERGE_AUTO;
}

static clprim_status check_call(const clprim_merge *self, const merge_call *c)
{
    const size_t a_count = (size_t)c->a_count;
    const size_t b_count = (size_t)c->b_count;
    if (a_count > self->max_count || b_count > self->max_count - a_count)
        return clprim__fail(CLPRIM_INVALID_RANGE,
                            "%zu and %zu elements are more than the plan was made for (max_count %zu)", a_count,
                            b_count, self->max_count);
    clprim__range ranges[] = {
        {"a", c->a.keys, (size_t)c->a.keys_offset, a_count, self->key_size, NULL, 0, 0},
        {"a_values", c->a.values, (size_t)c->a.values_offset, a_count, self->value_size, NULL, 0, 0},
        {"b", c->b.keys, (size_t)c->b.keys_offset, b_count, self->key_size, NULL, 0, 0},
        {"b_values", c->b.values, (size_t)c->b.values_offset, b_count, self->value_size, NULL, 0, 0},
        {"out", c->out.keys, (size_t)c->out.keys_offset, a_count + b_count, self->key_size, NULL, 0, 0},
        {"out_values", c->out.values, (size_t)c->out.values_offset, a_count + b_count, self->value_size, NULL, 0, 0},
    };
    enum { FIRST_WRITTEN = 4, NUM_RANGES = 6 };
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i % 2 == 0 || self->value_size > 0;
        if (is_used && (ranges[i].memory != NULL || ranges[i].count > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, NULL));
done:
    return status;
}

/* An empty range may be no buffer: then the other one stands in, of which nothing is read. */
static clprim_status launch(clprim_merge *self, clprim__chain *chain, const merge_call *c)
{
    const size_t n = (size_t)(c->a_count + c->b_count);
    const clprim__pairs *a = c->a_count > 0 ? &c->a : &c->b;
    const clprim__pairs *b = c->b_count > 0 ? &c->b : &c->a;
    const size_t portions = clprim__divide_up(n, self->portion);
    const size_t most = portions < self->max_groups ? portions : self->max_groups;
    clprim__arguments list = {.count = 0};
    if (n == 0)
        return clprim__chain_marker(chain);
    const cl_ulong share = (cl_ulong)(clprim__divide_up(portions, most) * self->portion);
    clprim__add_pairs(&list, a, self->value_size > 0);
    CLPRIM__ADD_SCALAR(&list, c->a_count);
    clprim__add_pairs(&list, b, self->value_size > 0);
    CLPRIM__ADD_SCALAR(&list, c->b_count);
    clprim__add_pairs(&list, &c->out, self->value_size > 0);
    CLPRIM__ADD_SCALAR(&list, share);
    return clprim__launch(chain, &self->kernel, &list, clprim__divide_up(n, (size_t)share), true);
}

static clprim_status enqueue(clprim_merge *plan, cl_command_queue queue, const merge_call *call, cl_uint num_waits,
                             const cl_event *waits, cl_event *done)
{
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_call(plan, call));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = launch(plan, &chain, call);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_merge_enqueue(clprim_merge *plan, cl_command_queue queue, cl_mem a, size_t a_offset,
                                   size_t a_count, cl_mem b, size_t b_offset, size_t b_count, cl_mem out,
                                   size_t out_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_merge_enqueue: plan is NULL");
    if (plan->value_size > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_merge_enqueue: the plan has values, use clprim_merge_enqueue_pairs");
    const merge_call call = {.a = {.keys = a, .keys_offset = a_offset},
                             .b = {.keys = b, .keys_offset = b_offset},
                             .out = {.keys = out, .keys_offset = out_offset},
                             .a_count = a_count,
                             .b_count = b_count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_merge_enqueue_pairs(clprim_merge *plan, cl_command_queue queue, cl_mem a, size_t a_offset,
                                         cl_mem a_values, size_t a_values_offset, size_t a_count, cl_mem b,
                                         size_t b_offset, cl_mem b_values, size_t b_values_offset, size_t b_count,
                                         cl_mem out, size_t out_offset, cl_mem out_values, size_t out_values_offset,
                                         cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_merge_enqueue_pairs: plan is NULL");
    if (plan->value_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_merge_enqueue_pairs: the plan has no values, use clprim_merge_enqueue");
    const merge_call call = {.a = {a, a_values, a_offset, a_values_offset},
                             .b = {b, b_values, b_offset, b_values_offset},
                             .out = {out, out_values, out_offset, out_values_offset},
                             .a_count = a_count,
                             .b_count = b_count};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

/* The arrays that a description asks for, and no others. */
static clprim_status check_host_arrays(const clprim_merge *plan, const void *out, const void *out_values, const void *a,
                                       const void *a_values, size_t a_count, const void *b, const void *b_values,
                                       size_t b_count)
{
    const struct {
        const char *name;
        const void *data;
        size_t count, size;
    } arrays[] = {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): create succeeded */
        {"a", a, a_count, plan->key_size},
        {"a_values", a_values, a_count, plan->value_size},
        {"b", b, b_count, plan->key_size},
        {"b_values", b_values, b_count, plan->value_size},
        {"out", out, a_count + b_count, plan->key_size},
        {"out_values", out_values, a_count + b_count, plan->value_size},
    };
    if (b_count > SIZE_MAX - a_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu and %zu elements are more than memory can hold", a_count,
                            b_count);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (arrays[i].count > 0 && (arrays[i].data != NULL) != (arrays[i].size > 0))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_merge_host: %s is %s", arrays[i].name,
                                arrays[i].data == NULL ? "NULL" : "given, but the description has no values");
        if (arrays[i].size > 0 && arrays[i].count > SIZE_MAX / arrays[i].size)
            return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", arrays[i].count);
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim_merge_host(void *out, void *out_values, clprim_runtime *runtime, const clprim_merge_desc *desc,
                                const void *a, const void *a_values, size_t a_count, const void *b,
                                const void *b_values, size_t b_count)
{
    clprim_merge *plan = NULL;
    merge_call c = {.a_count = a_count, .b_count = b_count};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_merge_create(&plan, runtime, desc));
    CLPRIM__TRY(check_host_arrays(plan, out, out_values, a, a_values, a_count, b, b_values, b_count));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    const size_t key_bytes = (a_count + b_count) * plan->key_size;
    const size_t value_bytes = (a_count + b_count) * plan->value_size;
    CLPRIM__TRY(clprim__host_input(&c.a.keys, runtime, a, a_count * plan->key_size));
    CLPRIM__TRY(clprim__host_input(&c.a.values, runtime, a_values, a_count * plan->value_size));
    CLPRIM__TRY(clprim__host_input(&c.b.keys, runtime, b, b_count * plan->key_size));
    CLPRIM__TRY(clprim__host_input(&c.b.values, runtime, b_values, b_count * plan->value_size));
    CLPRIM__TRY(clprim__host_result(&c.out.keys, runtime, key_bytes));
    CLPRIM__TRY(clprim__host_result(&c.out.values, runtime, value_bytes));
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    if (key_bytes > 0)
        CLPRIM__TRY(clprim__host_output(out, runtime, c.out.keys, key_bytes, ready));
    if (value_bytes > 0)
        CLPRIM__TRY(clprim__host_output(out_values, runtime, c.out.values, value_bytes, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready,
                        (const cl_mem[]){c.a.keys, c.a.values, c.b.keys, c.b.values, c.out.keys, c.out.values}, 6);
    clprim_merge_destroy(plan);
    return status;
}
