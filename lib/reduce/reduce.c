// SPDX-License-Identifier: MIT
/* reduce.c: check a description, choose the variant, launch it. */
#include "build.h"
#include "error.h"
#include "expression.h"
#include "input_packets.h"
#include "operator.h"
#include "order.h"
#include "reduce_internal.h"
#include "runtime_internal.h"

/* Flags of passes.cl. For fixed_tree.cl, the number of lanes, and the number of rows that each lane folds. */
#define SHARED(X) X(FIRST_PASS, 1u) X(LAST_PASS, 2u) X(LANES, 256) X(ROWS, 16)
enum { SHARED(CLPRIM__SHARED_ENUMERATOR) MAX_LOADS = 16 };

/* Check that the variant gives the same bits everywhere, if that is asked for. */
static clprim_status check_reproducible(const clprim_reduce_desc *desc, const clprim__operator *op,
                                        const clprim_device_info *info)
{
    const bool is_auto = desc->variant == CLPRIM_REDUCE_AUTO;
    const clprim__reduce_row *row = clprim__reduce_row_of(is_auto ? CLPRIM_REDUCE_FIXED_TREE : desc->variant);
    if (!desc->reproducible || !(op->is_rounding || desc->custom != NULL) || row == NULL)
        return CLPRIM_SUCCESS;
    return clprim__operator_reproducible(&row->info, row->info.id == CLPRIM_REDUCE_FIXED_TREE, info);
}

static clprim_status check_variant(const clprim__reduce_plan *self, const clprim__operator *op)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const clprim_variant_info *variant = &self->row->info;
    if (!op->is_commutative && !variant->keeps_order)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "%s changes the order of elements, but the operator does not commute", variant->name);
    return clprim__variant_check(variant, true, info);
}

/* The largest group size that device, variant and local memory allow: a power of two, or 0 if there is none. */
static size_t allowed_group_size(const clprim__reduce_plan *self, size_t wanted)
{
    const clprim_device_info *info = &self->base.runtime->info;
    size_t size = 1;
    while (size * 2 <= wanted && size * 2 <= info->max_work_group_size)
        size *= 2;
    if (self->row->largest_group != 0 && size > self->row->largest_group)
        size = self->row->largest_group;
    /* Use half of it, because some drivers use local memory themselves. */
    const size_t room = info->local_memory_size / 2 / self->value_size;
    if (self->row->local_values > room)
        return 0;
    while (self->row->local_values == 0 && size > 1 && size > room)
        size /= 2;
    return size;
}

/* The tuned parameters, or the description's own ones if it has any, in the units of the table. */
static clprim__reduce_tuning choose_tuning(const clprim__reduce_plan *self, const clprim_reduce_desc *desc, size_t pack)
{
    const clprim_reduce_variant variant = (clprim_reduce_variant)self->row->info.id;
    clprim__reduce_tuning tuning = clprim__reduce_tuning_of(
        variant, self->base.runtime, (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    if (self->base.work_group_size != 0)
        tuning.group_size = self->base.work_group_size;
    if (desc->items_per_work_item != 0 && (variant == CLPRIM_REDUCE_MASTER || variant == CLPRIM_REDUCE_TREE))
        tuning.items = tuning.share = desc->items_per_work_item;
    if (desc->items_per_work_item != 0 && variant == CLPRIM_REDUCE_SINGLE_PASS)
        tuning.items = tuning.share = (desc->items_per_work_item + pack - 1) / pack;
    if (variant == CLPRIM_REDUCE_TREE)
        tuning.share = tuning.items; /* a work-item loads only once */
    if (variant == CLPRIM_REDUCE_SINGLE_PASS && tuning.items > MAX_LOADS)
        tuning.items = MAX_LOADS; /* each is unrolled into its own registers */
    return tuning;
}

/* Let single_pass read the arrays of an expression in packets, if that is possible. Returns the number of elements in a
 * packet; 0: it is not possible. */
static size_t write_packets(clprim__prelude *prelude, const clprim_reduce_desc *desc)
{
    const clprim_custom_op *op = desc->custom;
    const char *const sources[] = {desc->text.source, op != NULL ? op->source : NULL};
    const clprim__packed input = {.text = desc->input,
                                  .type = desc->type != CLPRIM_TYPE_DEFAULT ? desc->type : CLPRIM_I32,
                                  .own_type = op != NULL && op->type_name != NULL ? CLPRIM__CALLERS_TYPE : NULL,
                                  .name = "input"};
    return desc->input != NULL ? clprim__packets_write(prelude, &input, 1, 0, sources) : 0;
}

static clprim_status build_kernel(clprim__reduce_plan *self, const clprim_reduce_desc *desc, clprim__prelude *prelude)
{
    clprim__text options = {0};
    const char *const names[] = {
        [CLPRIM__REDUCE_FOLD] = self->row->kernel, [CLPRIM__REDUCE_NOTHING] = "reduce_nothing"};
    const clprim__build what = {.source = self->row->source,
                                .names = names,
                                .count = CLPRIM__REDUCE_KERNELS,
                                .prelude = prelude,
                                .options = &options,
                                .counts = self->base.counts,
                                .initial = self->base.initial};
    const clprim_device_info *info = &self->base.runtime->info;
    const bool is_single_pass = self->row->info.id == CLPRIM_REDUCE_SINGLE_PASS;
    const bool in_packets = is_single_pass && CLPRIM__PACKET_BYTES % self->element_size == 0;
    size_t pack = in_packets ? CLPRIM__PACKET_BYTES / self->element_size : 1;
    clprim__reduce_tuning tuning = choose_tuning(self, desc, pack);
    const size_t input_pack = is_single_pass ? write_packets(prelude, desc) : 0;
    if (input_pack > 0) {
        pack = input_pack;
    } else if (desc->input != NULL && in_packets) {
        tuning.items = clprim__items_alone(tuning.items, pack);
        tuning.share *= pack;
        pack = 1;
    }

    clprim_status status = CLPRIM_SUCCESS;
    size_t group_size = allowed_group_size(self, tuning.group_size);
    if (group_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs %zu values of %zu bytes in local memory; %s has %zu bytes",
                            self->row->info.name, self->row->local_values, self->value_size, info->name,
                            info->local_memory_size);
    if (group_size * tuning.items == 1) /* the smallest group that reduces the number of values */
        group_size = allowed_group_size(self, 2);
    clprim__text_format(&options, "-DITEMS=%zu -DPACKET_BYTES=%d" SHARED(CLPRIM__SHARED_OPTION), tuning.items,
                        CLPRIM__PACKET_BYTES);
    CLPRIM__TRY(clprim__prelude_status(prelude));
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    /* The fixed tree has chunks of fixed size, however many work-items share a chunk. */
    self->group_elements =
        self->row->local_values != 0 ? self->row->local_values * CLPRIM__ROWS : group_size * tuning.share * pack;
    self->max_groups = tuning.groups_per_unit != 0 ? tuning.groups_per_unit * info->compute_units : SIZE_MAX;
    if (!self->row->collects && self->group_elements < 2)
        status = clprim__fail(CLPRIM_UNSUPPORTED, "%s needs work-groups of two work-items; %s allows only one",
                              self->row->info.name, info->name);
done:
    clprim__text_free(&options);
    return status;
}

static clprim_status create_state(clprim__reduce_plan *self)
{
    const size_t value_words = (self->value_size + 3) / 4;
    if (!self->row->collects)
        return CLPRIM_SUCCESS;
    return clprim__state_create(&self->base.state, self->base.runtime,
                                (CLPRIM__COLLECT_HEADER + self->max_groups * value_words) * sizeof(cl_ulong),
                                clprim__look_back_last_epoch(&self->base.runtime->info));
}

clprim_status clprim__reduce_make(clprim_plan *plan, const void *description)
{
    clprim__reduce_plan *self = (void *)plan;
    const clprim_reduce_desc *desc = description;
    clprim__operator op = {0};
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = self->kernels;
    plan->num_kernels = CLPRIM__REDUCE_KERNELS;
    CLPRIM__TRY(clprim__operator_create(
        &op, &(clprim__operands){CLPRIM__OPERANDS_OF(desc), .input = desc->input, .output = CLPRIM__OUTPUT_OF(desc)},
        &plan->runtime->info));
    self->element_size = op.element_size;
    self->value_size = op.value_size;
    CLPRIM__TRY(check_reproducible(desc, &op, &plan->runtime->info));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, reduce, desc->variant,
                               clprim__reduce_auto(&plan->runtime->info, !op.is_commutative, desc->reproducible)));
    CLPRIM__TRY(check_variant(self, &op));
    CLPRIM__TRY(clprim__plan_keep_initial(plan, op.result_type, op.result_size, desc->initial, desc->has_initial_at));
    CLPRIM__TRY(build_kernel(self, desc, &op.prelude));
    CLPRIM__TRY(create_state(self));
done:
    clprim__operator_clear(&op);
    return status;
}

static size_t groups_for(const clprim__reduce_plan *self, size_t count)
{
    const size_t groups = count / self->group_elements + (count % self->group_elements != 0);
    return groups == 0 ? 1 : groups < self->max_groups ? groups : self->max_groups;
}

/* The size of the values between passes: those of the first pass, followed by those of the second. Later passes
 * alternate between these two ranges. */
size_t clprim__reduce_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__reduce_plan *self = (const void *)plan;
    if (self->row->collects)
        return 0;
    const size_t first = groups_for(self, ((const clprim_reduce_call *)call)->count);
    const size_t second = groups_for(self, first);
    return first == 1 ? 0 : clprim__times(clprim__plus(first, second == 1 ? 0 : second), self->value_size);
}

static reduce_args args_of(const clprim__range *in, const clprim__range *out)
{
    return (reduce_args){.buffers = {.in = in->memory, .out = out->memory},
                         .numbers = {.in_offset = in->offset, .out_offset = out->offset, .n = in->count}};
}

static clprim_status launch_once(clprim__reduce_plan *self, clprim__chain *chain, const clprim__range *in,
                                 const clprim__range *out)
{
    clprim__state *state = &self->base.state;
    reduce_args args = args_of(in, out);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(state, chain, state->size, 1));
    args.buffers.state = state->memory;
    args.numbers.epoch = state->epoch;
    CLPRIM__TRY(clprim__launch_reduce_once(chain, &self->kernels[CLPRIM__REDUCE_FOLD], &args,
                                           groups_for(self, in->count), true));
done:
    clprim__state_end(state, chain, status);
    return status;
}

/* Launch pass after pass. The values in between alternate between two ranges of scratch memory. */
static clprim_status launch_passes(clprim__reduce_plan *self, clprim__chain *chain, const clprim__range *in,
                                   const clprim__range *out, cl_mem scratch)
{
    const size_t second_range = groups_for(self, in->count);
    size_t n = in->count;
    size_t to = 0; /* offset in scratch memory */
    reduce_args args = args_of(in, out);
    args.numbers.pass = CLPRIM__FIRST_PASS;
    for (;;) {
        const size_t groups = groups_for(self, n);
        const bool is_last = groups == 1;
        args.buffers.out = is_last ? out->memory : scratch;
        args.numbers.out_offset = is_last ? out->offset : to;
        args.numbers.pass |= is_last ? CLPRIM__LAST_PASS : 0;
        const clprim_status status =
            clprim__launch_reduce_pass(chain, &self->kernels[CLPRIM__REDUCE_FOLD], &args, groups, is_last);
        if (status != CLPRIM_SUCCESS || is_last)
            return status;
        args.buffers.in = scratch;
        args.numbers.in_offset = to;
        args.numbers.n = n = groups;
        args.numbers.pass = 0;
        to = to == 0 ? second_range : 0;
    }
}

clprim_status clprim__reduce_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    clprim__reduce_plan *self = (void *)plan;
    clprim__range in = *CLPRIM__RANGE(plan, c, reduce, in);
    const clprim__range *out = CLPRIM__RANGE(plan, c, reduce, out);
    in.count = ((const clprim_reduce_call *)c->given)->count; /* even if there is no array */
    if (in.count == 0) {
        const reduce_args args = args_of(&in, out);
        return clprim__launch_reduce_nothing(chain, &self->kernels[CLPRIM__REDUCE_NOTHING], &args, 1, true);
    }
    return self->row->collects ? launch_once(self, chain, &in, out) : launch_passes(self, chain, &in, out, c->scratch);
}
