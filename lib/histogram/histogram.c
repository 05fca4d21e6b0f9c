/* histogram.c: check what is asked for, pick the variant, build it; calls. */
#include <clprim/histogram.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "histogram_internal.h"
#include "histogram_prelude.h"
#include "host.h"
#include "runtime_internal.h"

enum { LAST_EPOCH = (1 << 30) - 1 };

static const size_t max_bins = (size_t)1 << 24;

static clprim_status check_weights(clprim__histogram_setting *out, const clprim_histogram_desc *desc)
{
    const bool takes = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    const clprim_type weights[] = {CLPRIM_I32, CLPRIM_U32, CLPRIM_F32, CLPRIM_I64, CLPRIM_U64, CLPRIM_F64};
    bool is_known = !takes;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        is_known = is_known || desc->weights_type == weights[i];
    if (!is_known)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "weights are I32, U32, F32, I64, U64 or F64, not type %d",
                            (int)desc->weights_type);
    if (takes && out->channels > 1)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "weights are for one channel, not for %zu", out->channels);
    out->weights_type = desc->weights_type;
    out->counter_type = desc->counter_type;
    if (out->counter_type == CLPRIM_TYPE_DEFAULT)
        out->counter_type = takes ? desc->weights_type : desc->max_count > UINT32_MAX ? CLPRIM_U64 : CLPRIM_U32;
    if (takes ? out->counter_type != out->weights_type
              : out->counter_type != CLPRIM_U32 && out->counter_type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            takes ? "sums of weights have their type, not %s" : "counters are U32 or U64, not %s",
                            clprim_type_name(out->counter_type));
    return CLPRIM_SUCCESS;
}

static clprim_status check_desc(clprim__histogram_setting *out, const clprim_histogram_desc *desc,
                                const clprim_device_info *info)
{
    clprim_status status = CLPRIM_SUCCESS;
    out->type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U8 : desc->type;
    out->mapping = desc->mapping;
    out->bins = desc->bins == 0 ? 256 : desc->bins;
    out->channels = desc->channels == 0 ? 1 : desc->channels;
    out->active_channels = desc->active_channels == 0 ? out->channels : desc->active_channels;
    if (clprim_type_size(out->type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown type %d", (int)desc->type);
    if (out->bins > max_bins)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%zu bins are more than 2^24", out->bins);
    if (out->channels > 4 || out->active_channels > out->channels)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%zu active ones of %zu channels; there are up to 4",
                            out->active_channels, out->channels);
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    CLPRIM__TRY(check_weights(out, desc));
    CLPRIM__TRY(clprim__histogram_check_mapping(out, desc));
    const bool computes = out->type == CLPRIM_F64 || out->weights_type == CLPRIM_F64;
    if (computes && !info->has_fp64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);
    out->word_size = out->weights_type != CLPRIM_TYPE_DEFAULT ? clprim_type_size(out->weights_type) : sizeof(cl_uint);
    out->table = (out->bins + out->may_miss) * out->active_channels;
done:
    return status;
}

static clprim_status choose_variant(clprim_histogram *self, const clprim_histogram_desc *desc)
{
    const clprim_device_info *info = &self->runtime->info;
    clprim_histogram_variant variant = desc->variant;
    if (variant == CLPRIM_HISTOGRAM_AUTO)
        variant = clprim__histogram_auto(info, &self->setting);
    self->row = clprim__histogram_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of histogram", (int)variant);
    clprim__trial_chose(&self->row->info);
    return clprim__histogram_supported(self->row, info, &self->setting);
}

clprim_status clprim__histogram_make(clprim_histogram **out, clprim_runtime *runtime, const clprim_histogram_desc *desc)
{
    clprim_histogram *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a histogram");
    self->runtime = clprim__runtime_retain(runtime);
    self->accumulate = desc->accumulate;

    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(&self->setting, desc, &runtime->info));
    self->max_count = desc->max_count != 0 ? desc->max_count : UINT32_MAX;
    if (self->setting.weights_type == CLPRIM_TYPE_DEFAULT && self->setting.counter_type == CLPRIM_U32 &&
        self->max_count > UINT32_MAX)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "max_count %zu is more than counters of U32 can hold",
                                 self->max_count));
    CLPRIM__TRY(choose_variant(self, desc));
    CLPRIM__TRY(clprim__histogram_prelude(&prelude, &self->setting, desc, &runtime->info));
    CLPRIM__TRY(clprim__histogram_build(self, &prelude, desc->work_group_size));
    if (self->setting.mapping == CLPRIM_HISTOGRAM_BOUNDARIES)
        CLPRIM__TRY(clprim__histogram_boundaries(&self->boundaries, &self->setting, desc->boundaries, runtime));
    if (self->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH)
        CLPRIM__TRY(clprim__state_create(&self->state, runtime, clprim__histogram_scratch(self, 1), LAST_EPOCH));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim__prelude_free(&prelude);
    clprim_histogram_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(histogram)

void clprim_histogram_destroy(clprim_histogram *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->count);
    clprim__kernel_clear(&plan->merge);
    clprim__kernel_clear(&plan->edges);
    clprim_radix_sort_destroy(plan->sort);
    if (plan->boundaries != NULL)
        (void)clReleaseMemObject(plan->boundaries);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_histogram_variant clprim_histogram_plan_variant(const clprim_histogram *plan)
{
    return plan != NULL ? (clprim_histogram_variant)plan->row->info.id : CLPRIM_HISTOGRAM_AUTO;
}

clprim_status clprim_histogram_scratch_size(size_t *out, const clprim_histogram *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    const size_t channels = plan->setting.channels;
    *out = clprim__histogram_scratch(plan, count > SIZE_MAX / channels ? SIZE_MAX : count * channels);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_histogram_set_scratch(clprim_histogram *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace,
                                 plan->row->shape == CLPRIM__HISTOGRAM_ONE_LAUNCH ? &plan->state : NULL, plan->runtime,
                                 scratch);
}

/* What is read and what is written lie apart. An empty array need not exist: it is replaced by a buffer that does. */
static clprim_status check_call(const clprim_histogram *self, clprim__histogram_call *c)
{
    const clprim__histogram_setting *setting = &self->setting;
    const size_t n = (size_t)c->n;
    const bool is_weighted = setting->weights_type != CLPRIM_TYPE_DEFAULT;
    const size_t counters = setting->bins * setting->active_channels;
    clprim__range ranges[] = {
        {"in", c->in, (size_t)c->in_offset, n, clprim_type_size(setting->type), NULL, 0, 0},
        {"weights", c->weights, (size_t)c->weights_offset, n, clprim_type_size(setting->weights_type), NULL, 0, 0},
        {"out", c->out, (size_t)c->out_offset, counters, clprim_type_size(setting->counter_type), NULL, 0, 0},
        {"outside", c->outside, (size_t)c->outside_offset, setting->active_channels, sizeof(cl_ulong), NULL, 0, 0},
    };
    enum { WEIGHTS = 1, FIRST_WRITTEN = 2, OUTSIDE = 3, NUM_RANGES = 4 };
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool may_lack = i == OUTSIDE || (i < FIRST_WRITTEN && n == 0);
        if ((i == WEIGHTS && !is_weighted) || (may_lack && ranges[i].memory == NULL))
            continue;
        CLPRIM__TRY(
            clprim__check_range(&ranges[i], self->runtime->context, i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, NULL));
    c->in = c->in != NULL ? c->in : c->out;
    c->weights = c->weights != NULL ? c->weights : c->out;
done:
    return status;
}

/* count: elements of a channel. */
static clprim_status enqueue(clprim_histogram *plan, cl_command_queue queue, const clprim__histogram_call *wanted,
                             size_t count, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    clprim__histogram_call c = *wanted;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (count > plan->max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than the plan was made for (max_count %zu)",
                            count, plan->max_count);
    if (count > SIZE_MAX / plan->setting.channels)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count);
    c.n = count * plan->setting.channels;
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__histogram_launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_histogram_enqueue(clprim_histogram *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                       size_t count, cl_mem out, size_t out_offset, cl_mem outside,
                                       size_t outside_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_enqueue: plan is NULL");
    if (plan->setting.weights_type != CLPRIM_TYPE_DEFAULT)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_enqueue: the plan has weights, use "
                                                     "clprim_histogram_enqueue_weighted");
    const clprim__histogram_call call = {.in = in,
                                         .in_offset = in_offset,
                                         .out = out,
                                         .out_offset = out_offset,
                                         .outside = outside,
                                         .outside_offset = outside_offset};
    return enqueue(plan, queue, &call, count, num_waits, waits, done);
}

clprim_status clprim_histogram_enqueue_weighted(clprim_histogram *plan, cl_command_queue queue, cl_mem in,
                                                size_t in_offset, size_t count, cl_mem weights, size_t weights_offset,
                                                cl_mem out, size_t out_offset, cl_mem outside, size_t outside_offset,
                                                cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_enqueue_weighted: plan is NULL");
    if (plan->setting.weights_type == CLPRIM_TYPE_DEFAULT)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_enqueue_weighted: the plan has no weights, use "
                                                     "clprim_histogram_enqueue");
    const clprim__histogram_call call = {.in = in,
                                         .in_offset = in_offset,
                                         .weights = weights,
                                         .weights_offset = weights_offset,
                                         .out = out,
                                         .out_offset = out_offset,
                                         .outside = outside,
                                         .outside_offset = outside_offset};
    return enqueue(plan, queue, &call, count, num_waits, waits, done);
}

/* A buffer for results that begins with what the host has. */
static clprim_status in_and_out(cl_mem *buffer, const clprim_runtime *runtime, const void *data, size_t bytes)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__host_result(buffer, runtime, bytes));
    if (data != NULL)
        status = clprim__host_write(*buffer, runtime, data, bytes);
done:
    return status;
}

clprim_status clprim_histogram_host(void *out, uint64_t *outside, clprim_runtime *runtime,
                                    const clprim_histogram_desc *desc, const void *in, const void *weights,
                                    size_t count)
{
    clprim_histogram *plan = NULL;
    clprim__histogram_call c = {0};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (out == NULL || (count > 0 && in == NULL))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_host: %s is NULL", out == NULL ? "out" : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_histogram_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    const clprim__histogram_setting *setting = &plan->setting;
    const size_t element_size = clprim_type_size(setting->type) * setting->channels;
    const bool is_weighted = setting->weights_type != CLPRIM_TYPE_DEFAULT;
    const size_t bytes = setting->bins * setting->active_channels * clprim_type_size(setting->counter_type);
    const size_t outside_bytes = setting->active_channels * sizeof(cl_ulong);
    if (count > 0 && (weights != NULL) != is_weighted)
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_histogram_host: weights is %s",
                                 weights == NULL ? "NULL" : "given, but the description has none"));
    if (count > SIZE_MAX / element_size || count > SIZE_MAX / sizeof(cl_ulong))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    CLPRIM__TRY(clprim__host_input(&c.in, runtime, in, count * element_size));
    if (is_weighted)
        CLPRIM__TRY(clprim__host_input(&c.weights, runtime, weights, count * clprim_type_size(setting->weights_type)));
    CLPRIM__TRY(in_and_out(&c.out, runtime, plan->accumulate ? out : NULL, bytes));
    if (outside != NULL)
        CLPRIM__TRY(in_and_out(&c.outside, runtime, plan->accumulate ? outside : NULL, outside_bytes));
    CLPRIM__TRY(enqueue(plan, NULL, &c, count, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(out, runtime, c.out, bytes, ready));
    if (outside != NULL)
        CLPRIM__TRY(clprim__host_output(outside, runtime, c.outside, outside_bytes, ready));
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){c.in, c.weights, c.out, c.outside}, 4);
    clprim_histogram_destroy(plan);
    return status;
}
