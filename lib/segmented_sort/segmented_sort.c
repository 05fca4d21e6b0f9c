/* segmented_sort.c: check what is asked for, pick the variant; calls. */
#include <clprim/segmented_sort.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"

static const size_t MOST_SEGMENTS = UINT32_MAX - 1;

static clprim_status check_desc(clprim__segmented_sort_setting *out, const clprim_segmented_sort_desc *desc)
{
    const clprim_type offsets = desc->offsets_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->offsets_type;
    const clprim_radix_sort_desc keys = {.key_type = desc->key_type,
                                         .value_size = desc->value_size,
                                         .argsort = desc->argsort,
                                         .descending = desc->descending,
                                         .nan_order = desc->nan_order,
                                         .work_group_size = desc->work_group_size,
                                         .max_count = desc->max_count};
    const clprim_status status = clprim__radix_sort_check(&out->keys, &keys);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (offsets != CLPRIM_U32 && offsets != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "offsets_type is U32 or U64, not %s", clprim_type_name(offsets));
    if (desc->max_segments > MOST_SEGMENTS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_segments %zu: there cannot be more than %zu",
                            desc->max_segments, MOST_SEGMENTS);
    out->offset_size = clprim_type_size(offsets);
    out->max_segments = desc->max_segments != 0 ? desc->max_segments : MOST_SEGMENTS;
    out->max_segment_size = desc->max_segment_size;
    return CLPRIM_SUCCESS;
}

static clprim_status choose_variant(clprim_segmented_sort *self, clprim_segmented_sort_variant variant)
{
    if (variant == CLPRIM_SEGMENTED_SORT_AUTO)
        variant = clprim__segmented_sort_auto(&self->runtime->info, &self->setting);
    self->row = clprim__segmented_sort_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of segmented_sort", (int)variant);
    clprim__trial_chose(&self->row->info);
    return clprim__segmented_sort_supported(self->row, &self->setting);
}

clprim_status clprim__segmented_sort_make(clprim_segmented_sort **out, clprim_runtime *runtime,
                                          const clprim_segmented_sort_desc *desc)
{
    clprim_segmented_sort *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a sort by segments");
    self->runtime = clprim__runtime_retain(runtime);

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, desc));
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(clprim__segmented_sort_build(self, desc->work_group_size));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_segmented_sort_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(segmented_sort)

void clprim__segmented_sort_clear_kernels(clprim_segmented_sort *self)
{
    clprim__kernel_clear(&self->windows);
    clprim__kernel_clear(&self->sort);
    clprim__kernel_clear(&self->encode);
    clprim__kernel_clear(&self->numbers);
    clprim__kernel_clear(&self->decode);
}

void clprim_segmented_sort_destroy(clprim_segmented_sort *plan)
{
    if (plan == NULL)
        return;
    clprim_radix_sort_destroy(plan->by_code);
    clprim_radix_sort_destroy(plan->by_number);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__segmented_sort_clear_kernels(plan);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_segmented_sort_variant clprim_segmented_sort_plan_variant(const clprim_segmented_sort *plan)
{
    return plan != NULL ? (clprim_segmented_sort_variant)plan->row->info.id : CLPRIM_SEGMENTED_SORT_AUTO;
}

clprim_status clprim_segmented_sort_scratch_size(size_t *out, const clprim_segmented_sort *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, clprim__segmented_sort_scratch(plan, count), count);
}

clprim_status clprim_segmented_sort_set_scratch(clprim_segmented_sort *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

/* What is written overlaps nothing, but for what is sorted where it lies. */
static clprim_status check_call(const clprim_segmented_sort *self, clprim__segmented_sort_call *c)
{
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t n = (size_t)c->n;
    const size_t bounds = c->segments > 0 ? (size_t)c->segments + 1 : 0;
    clprim__range ranges[] = {
        {"keys_in", c->in.keys, (size_t)c->in.keys_offset, n, keys->key_size, NULL, 0, 0},
        {"values_in", c->in.values, (size_t)c->in.values_offset, n, keys->value_size, NULL, 0, 0},
        {"offsets", c->offsets, (size_t)c->offsets_offset, bounds, self->setting.offset_size, NULL, 0, 0},
        {"keys_out", c->out.keys, (size_t)c->out.keys_offset, n, keys->key_size, NULL, 0, 0},
        {"values_out", c->out.values, (size_t)c->out.values_offset, n, keys->value_size, NULL, 0, 0},
    };
    enum { VALUES_IN = 1, FIRST_WRITTEN = 3, VALUES_OUT = 4, NUM_RANGES = 5 };
    bool in_place[FIRST_WRITTEN];
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_value = i == VALUES_IN || i == VALUES_OUT;
        const bool is_used = !is_value || (keys->value_size > 0 && (i != VALUES_IN || !keys->indices));
        if (is_used && (ranges[i].memory != NULL || ranges[i].count > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, in_place));
    c->in_place = in_place[0] || in_place[VALUES_IN];
    if (keys->indices)
        c->in.values = c->out.values;
done:
    return status;
}

static clprim_status enqueue(clprim_segmented_sort *plan, cl_command_queue queue,
                             const clprim__segmented_sort_call *wanted, cl_uint num_waits, const cl_event *waits,
                             cl_event *done)
{
    clprim__segmented_sort_call c = *wanted;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (c.n > plan->setting.keys.max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            (size_t)c.n, plan->setting.keys.max_count);
    if (c.segments > plan->setting.max_segments)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu segments are more than the plan was made for (max_segments %zu)",
                            (size_t)c.segments, plan->setting.max_segments);
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__segmented_sort_launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_segmented_sort_enqueue(clprim_segmented_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                            size_t keys_in_offset, size_t count, cl_mem offsets, size_t offsets_offset,
                                            size_t num_segments, cl_mem keys_out, size_t keys_out_offset,
                                            cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_enqueue: plan is NULL");
    if (plan->setting.keys.value_size > 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_enqueue: the plan has values, use "
                                                     "clprim_segmented_sort_enqueue_pairs");
    const clprim__segmented_sort_call call = {.in = {.keys = keys_in, .keys_offset = keys_in_offset},
                                              .out = {.keys = keys_out, .keys_offset = keys_out_offset},
                                              .offsets = offsets,
                                              .offsets_offset = offsets_offset,
                                              .n = count,
                                              .segments = num_segments};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

clprim_status clprim_segmented_sort_enqueue_pairs(clprim_segmented_sort *plan, cl_command_queue queue, cl_mem keys_in,
                                                  size_t keys_in_offset, cl_mem values_in, size_t values_in_offset,
                                                  size_t count, cl_mem offsets, size_t offsets_offset,
                                                  size_t num_segments, cl_mem keys_out, size_t keys_out_offset,
                                                  cl_mem values_out, size_t values_out_offset, cl_uint num_waits,
                                                  const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_enqueue_pairs: plan is NULL");
    if (plan->setting.keys.value_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_enqueue_pairs: the plan has no values, use "
                                                     "clprim_segmented_sort_enqueue");
    if (plan->setting.keys.indices && (values_in != NULL || values_in_offset != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_enqueue_pairs: values_in is given, but the "
                                                     "plan makes indices itself");
    const clprim__segmented_sort_call call = {.in = {keys_in, values_in, keys_in_offset, values_in_offset},
                                              .out = {keys_out, values_out, keys_out_offset, values_out_offset},
                                              .offsets = offsets,
                                              .offsets_offset = offsets_offset,
                                              .n = count,
                                              .segments = num_segments};
    return enqueue(plan, queue, &call, num_waits, waits, done);
}

static clprim_status check_host_arrays(const clprim_segmented_sort *plan, const void *values, size_t count,
                                       const void *offsets, size_t num_segments)
{
    const clprim__radix_sort_setting *keys = &plan->setting.keys;
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero): create succeeded */
    const size_t larger = keys->key_size > keys->value_size ? keys->key_size : keys->value_size;
    if (count > 0 && (values != NULL) != (keys->value_size > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_host: values is %s",
                            values == NULL ? "NULL" : "given, but the description has none");
    if (count > SIZE_MAX / larger || num_segments > plan->setting.max_segments)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements in %zu segments are too many", count, num_segments);
    return clprim__segmented_sort_check_offsets(offsets, plan->setting.offset_size, num_segments, count);
    /* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.DivideZero) */
}

/* A buffer that is a copy of an array, to be sorted where it lies. */
static clprim_status upload(cl_mem *out, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    clprim_status status = clprim__host_result(out, runtime, bytes);
    if (status == CLPRIM_SUCCESS && bytes > 0)
        status = clprim__host_write(*out, runtime, data, bytes);
    return status;
}

clprim_status clprim_segmented_sort_host(void *keys, void *values, clprim_runtime *runtime,
                                         const clprim_segmented_sort_desc *desc, size_t count, const void *offsets,
                                         size_t num_segments)
{
    clprim_segmented_sort *plan = NULL;
    clprim__segmented_sort_call c = {.n = count, .segments = num_segments};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (count > 0 && keys == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_segmented_sort_host: keys is NULL");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_segmented_sort_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    CLPRIM__TRY(check_host_arrays(plan, values, count, offsets, num_segments));
    const size_t key_bytes = count * plan->setting.keys.key_size;
    const size_t value_bytes = count * plan->setting.keys.value_size;
    const size_t bounds = num_segments > 0 ? num_segments + 1 : 0;
    CLPRIM__TRY(upload(&c.out.keys, runtime, keys, key_bytes));
    CLPRIM__TRY(upload(&c.out.values, runtime, values, value_bytes));
    CLPRIM__TRY(clprim__host_input(&c.offsets, runtime, offsets, bounds * plan->setting.offset_size));
    c.in.keys = c.out.keys;
    c.in.values = plan->setting.keys.indices ? NULL : c.out.values;
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    if (count > 0)
        CLPRIM__TRY(clprim__host_output(keys, runtime, c.out.keys, key_bytes, ready));
    if (value_bytes > 0)
        CLPRIM__TRY(clprim__host_output(values, runtime, c.out.values, value_bytes, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){c.out.keys, c.out.values, c.offsets}, 3);
    clprim_segmented_sort_destroy(plan);
    return status;
}
