/* reduce.c: check what is asked for, pick the variant, enqueue it. */
#include <clprim/reduce.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "launch.h"
#include "operator.h"
#include "reduce_internal.h"
#include "runtime_internal.h"
#include "state.h"
#include "workspace.h"

struct clprim_reduce {
    clprim_runtime *runtime;
    const clprim__reduce_row *row;
    size_t element_size;
    size_t value_size;
    size_t result_size;
    size_t group_elements; /* elements of a group before another one is worth it */
    size_t max_groups;
    clprim__kernel kernel;
    clprim__queue queue;
    clprim__state state; /* of one-launch variants: what kernels/common/collect.cl needs */
    clprim__workspace workspace;
};

enum { FIRST_PASS = 1, LAST_PASS = 2, PACKET_BYTES = 16, COLLECT_HEADER = 16, MAX_LOADS = 16 };

static clprim_status choose_variant(clprim_reduce *self, const clprim_reduce_desc *desc, const clprim__operator *op)
{
    const clprim_device_info *info = &self->runtime->info;
    clprim_reduce_variant variant = desc->variant;
    if (variant == CLPRIM_REDUCE_AUTO)
        variant = clprim__reduce_auto(info, !op->is_commutative, desc->reproducible);
    self->row = clprim__reduce_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of reduce", (int)variant);
    clprim__trial_chose(&self->row->info);
    if (!op->is_commutative && !self->row->info.keeps_order)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "%s changes the order of elements, and the operator does not commute",
                            self->row->info.name);
    const bool may_round = op->is_rounding || desc->custom != NULL;
    if (desc->reproducible && may_round && variant != CLPRIM_REDUCE_FIXED_TREE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is not reproducible across devices: use fixed_tree or AUTO",
                            self->row->info.name);
    if (desc->reproducible && may_round && !info->has_denormals_f32)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s does not keep denormals and round to nearest", info->name);
    return clprim__reduce_supported(self->row, info);
}

/* Largest power of two of work-items that device, variant and local memory allow; 0 where none. */
static size_t allowed_group_size(const clprim_reduce *self, size_t wanted)
{
    const clprim_device_info *info = &self->runtime->info;
    size_t size = 1;
    while (size * 2 <= wanted && size * 2 <= info->max_work_group_size)
        size *= 2;
    if (self->row->largest_group != 0 && size > self->row->largest_group)
        size = self->row->largest_group;
    /* Half of it: some drivers need local memory of their own. */
    const size_t room = info->local_memory_size / 2 / self->value_size;
    if (self->row->local_values > room)
        return 0;
    while (self->row->local_values == 0 && size > 1 && size > room)
        size /= 2;
    return size;
}

/* The tuned parameters, or where the description has its own those, in the units of the table. */
static clprim__reduce_tuning choose_tuning(const clprim_reduce *self, const clprim_reduce_desc *desc, size_t pack)
{
    const clprim_reduce_variant variant = (clprim_reduce_variant)self->row->info.id;
    clprim__reduce_tuning tuning = clprim__reduce_tuning_of(variant, self->runtime, self->element_size);
    if (desc->work_group_size != 0)
        tuning.group_size = desc->work_group_size;
    if (desc->items_per_work_item != 0 && (variant == CLPRIM_REDUCE_MASTER || variant == CLPRIM_REDUCE_TREE))
        tuning.items = tuning.share = desc->items_per_work_item;
    if (desc->items_per_work_item != 0 && variant == CLPRIM_REDUCE_SINGLE_PASS)
        tuning.items = tuning.share = (desc->items_per_work_item + pack - 1) / pack;
    if (variant == CLPRIM_REDUCE_TREE)
        tuning.share = tuning.items; /* a work-item takes no more than once */
    if (variant == CLPRIM_REDUCE_SINGLE_PASS && tuning.items > MAX_LOADS)
        tuning.items = MAX_LOADS; /* each is unrolled into registers of its own */
    return tuning;
}

static clprim_status build_kernel(clprim_reduce *self, const clprim_reduce_desc *desc, const clprim__prelude *prelude)
{
    clprim__text options = {0};
    clprim__program_request request = {.callers = prelude->callers.data, .prelude = prelude->own.data};
    const clprim_device_info *info = &self->runtime->info;
    const bool in_packets = self->row->shape == CLPRIM__REDUCE_ONE_LAUNCH && PACKET_BYTES % self->element_size == 0;
    const size_t pack = in_packets ? PACKET_BYTES / self->element_size : 1;
    const clprim__reduce_tuning tuning = choose_tuning(self, desc, pack);

    clprim_status status = CLPRIM_SUCCESS;
    size_t group_size = allowed_group_size(self, tuning.group_size);
    if (group_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs %zu values of %zu bytes in local memory; %s has %zu bytes",
                            self->row->info.name, self->row->local_values, self->value_size, info->name,
                            info->local_memory_size);
    if (group_size * tuning.items == 1) /* the smallest group that makes less of what it gets */
        group_size = allowed_group_size(self, 2);
    clprim__text_format(&options, "-DITEMS=%zu", tuning.items);
    CLPRIM__TRY(clprim__text_status(&options));
    request.options = options.data;
    for (int i = 0; i < CLPRIM__MAX_SOURCES && self->row->sources[i] != NULL; i++) {
        request.sources[i] = self->row->sources[i];
        self->kernel.program = request.sources[i]->path; /* the kernel's own file is the last one */
    }
    self->kernel.name = self->row->kernel;
    CLPRIM__TRY(clprim__kernels_create(&self->kernel.kernel, &group_size, self->runtime->programs, &request,
                                       &self->kernel.name, 1));
    self->kernel.group_size = group_size;
    /* The tree of fixed shape has chunks of fixed size, however many work-items share one. */
    self->group_elements =
        self->row->local_values != 0 ? self->row->local_values * 16 : group_size * tuning.share * pack;
    self->max_groups = tuning.groups_per_unit != 0 ? tuning.groups_per_unit * info->compute_units : SIZE_MAX;
    if (self->row->shape == CLPRIM__REDUCE_PASSES && self->group_elements < 2)
        status = clprim__fail(CLPRIM_UNSUPPORTED, "%s needs two work-items in a group; %s has room for one",
                              self->row->info.name, info->name);
done:
    clprim__text_free(&options);
    return status;
}

static clprim_status create_state(clprim_reduce *self)
{
    const size_t value_words = (self->value_size + 3) / 4;
    if (self->row->shape != CLPRIM__REDUCE_ONE_LAUNCH)
        return CLPRIM_SUCCESS;
    return clprim__state_create(&self->state, self->runtime,
                                (COLLECT_HEADER + self->max_groups * value_words) * sizeof(cl_ulong), UINT32_MAX);
}

clprim_status clprim__reduce_make(clprim_reduce **out, clprim_runtime *runtime, const clprim_reduce_desc *desc)
{
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    if (desc->items_per_work_item > 1024)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "items_per_work_item %zu is more than 1024",
                            desc->items_per_work_item);
    clprim_reduce *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a reduction");
    self->runtime = clprim__runtime_retain(runtime);

    clprim__operator op = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(
        clprim__operator_create(&op, desc->type, desc->op, desc->accumulator_type, desc->custom, &runtime->info));
    self->element_size = op.element_size;
    self->value_size = op.value_size;
    self->result_size = op.result_size;
    CLPRIM__TRY(choose_variant(self, desc, &op));
    CLPRIM__TRY(build_kernel(self, desc, &op.prelude));
    CLPRIM__TRY(create_state(self));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim__operator_clear(&op);
    clprim_reduce_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(reduce)

void clprim_reduce_destroy(clprim_reduce *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->kernel);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_reduce_variant clprim_reduce_plan_variant(const clprim_reduce *plan)
{
    return plan != NULL ? (clprim_reduce_variant)plan->row->info.id : CLPRIM_REDUCE_AUTO;
}

static size_t groups_for(const clprim_reduce *self, size_t count)
{
    const size_t groups = count / self->group_elements + (count % self->group_elements != 0);
    return groups == 0 ? 1 : groups < self->max_groups ? groups : self->max_groups;
}

/* Values that passes hand on: those of the first pass, and behind them those of the second, which alternate. */
static size_t scratch_bytes(const clprim_reduce *self, size_t count)
{
    if (self->row->shape == CLPRIM__REDUCE_ONE_LAUNCH)
        return 0;
    const size_t first = groups_for(self, count);
    const size_t second = groups_for(self, first);
    return first == 1 ? 0 : (first + (second == 1 ? 0 : second)) * self->value_size;
}

clprim_status clprim_reduce_scratch_size(size_t *out, const clprim_reduce *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    *out = scratch_bytes(plan, count);
    return CLPRIM_SUCCESS;
}

clprim_status clprim_reduce_set_scratch(clprim_reduce *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

static clprim_status enqueue_one_launch(clprim_reduce *self, clprim__chain *chain, const clprim__range *in,
                                        const clprim__range *out)
{
    const cl_ulong in_offset = in->offset;
    const cl_ulong out_offset = out->offset;
    const cl_ulong n = in->count;
    clprim__arguments arguments = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->state, chain, self->state.size, 1));
    clprim__add_buffer(&arguments, &in->memory);
    CLPRIM__ADD_SCALAR(&arguments, in_offset);
    CLPRIM__ADD_SCALAR(&arguments, n);
    clprim__add_buffer(&arguments, &out->memory);
    CLPRIM__ADD_SCALAR(&arguments, out_offset);
    clprim__add_buffer(&arguments, &self->state.memory);
    CLPRIM__ADD_SCALAR(&arguments, self->state.epoch);
    CLPRIM__TRY(clprim__launch(chain, &self->kernel, &arguments, groups_for(self, in->count), true));
done:
    clprim__state_end(&self->state, chain, status);
    return status;
}

/* Pass after pass; the values in between alternate between two ranges of the scratch memory. */
static clprim_status launch_passes(clprim_reduce *self, clprim__chain *chain, const clprim__range *in,
                                   const clprim__range *out, cl_mem scratch)
{
    const size_t second_range = groups_for(self, in->count);
    cl_mem from = in->memory;
    cl_ulong from_offset = in->offset;
    cl_ulong n = in->count;
    for (cl_uint pass = FIRST_PASS;; pass = 0) {
        const size_t groups = groups_for(self, (size_t)n);
        const bool is_last = groups == 1;
        const cl_mem to = is_last ? out->memory : scratch;
        const cl_ulong to_offset = is_last                                               ? out->offset
                                   : (pass == FIRST_PASS || from_offset == second_range) ? 0
                                                                                         : second_range;
        const cl_uint flags = pass | (is_last ? LAST_PASS : 0);
        clprim__arguments arguments = {.count = 0};
        clprim__add_buffer(&arguments, &from);
        CLPRIM__ADD_SCALAR(&arguments, from_offset);
        CLPRIM__ADD_SCALAR(&arguments, n);
        clprim__add_buffer(&arguments, &to);
        CLPRIM__ADD_SCALAR(&arguments, to_offset);
        CLPRIM__ADD_SCALAR(&arguments, flags);
        const clprim_status status = clprim__launch(chain, &self->kernel, &arguments, groups, is_last);
        if (status != CLPRIM_SUCCESS || is_last)
            return status;
        from = to;
        from_offset = to_offset;
        n = groups;
    }
}

static clprim_status enqueue_passes(clprim_reduce *self, clprim__chain *chain, const clprim__range *in,
                                    const clprim__range *out)
{
    cl_mem scratch = NULL;
    clprim_status status = clprim__workspace_begin(&scratch, &self->workspace, chain, scratch_bytes(self, in->count));
    if (status == CLPRIM_SUCCESS)
        status = launch_passes(self, chain, in, out, scratch);
    clprim__workspace_end(&self->workspace, chain);
    return status;
}

clprim_status clprim_reduce_enqueue(clprim_reduce *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                    size_t count, cl_mem out, size_t out_offset, cl_uint num_waits,
                                    const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_enqueue: plan is NULL");
    clprim__range from = {
        .name = "in", .memory = in, .offset = in_offset, .count = count, .element_size = plan->element_size};
    clprim__range to = {
        .name = "out", .memory = out, .offset = out_offset, .count = 1, .element_size = plan->result_size};
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__check_range(&to, plan->runtime->context, CLPRIM__WRITE));
    if (in != NULL || count > 0) { /* an empty array need not exist */
        CLPRIM__TRY(clprim__check_range(&from, plan->runtime->context, CLPRIM__READ));
        CLPRIM__TRY(clprim__check_disjoint(&from, &to));
    }
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = plan->row->shape == CLPRIM__REDUCE_ONE_LAUNCH ? enqueue_one_launch(plan, &chain, &from, &to)
                                                           : enqueue_passes(plan, &chain, &from, &to);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_reduce_host(void *out, clprim_runtime *runtime, const clprim_reduce_desc *desc, const void *in,
                                 size_t count)
{
    clprim_reduce *plan = NULL;
    cl_mem buffers[2] = {NULL, NULL};
    cl_event ready = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    if (out == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reduce_host: %s is NULL", out == NULL ? "out" : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_reduce_create(&plan, runtime, desc));
    if (count > SIZE_MAX / plan->element_size) /* NOLINT(clang-analyzer-core.NullDereference): create succeeded */
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    CLPRIM__TRY(clprim__host_input(&buffers[0], runtime, in, count * plan->element_size));
    CLPRIM__TRY(clprim__host_result(&buffers[1], runtime, plan->result_size));
    CLPRIM__TRY(clprim_reduce_enqueue(plan, NULL, buffers[0], 0, count, buffers[1], 0, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(out, runtime, buffers[1], plan->result_size, ready));
done:
    clprim__host_finish(runtime, ready, buffers, 2);
    clprim_reduce_destroy(plan);
    return status;
}
