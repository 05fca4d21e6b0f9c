/* select.c: check what is asked for, pick the variant, build it, enqueue it. */
#include <clprim/select.h>
#include <stdlib.h>

#include "device.h"
#include "error.h"
#include "host.h"
#include "runtime_internal.h"
#include "select_internal.h"

enum { LAST_EPOCH = (1 << 30) - 1 };

static clprim_status check_desc(const clprim_select_desc *desc, const clprim_device_info *info)
{
    const clprim_type flags = desc->flags_type;
    const bool is_struct = desc->type_name != NULL;
    if (!is_struct && desc->type != CLPRIM_TYPE_DEFAULT && clprim_type_size(desc->type) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown type %d", (int)desc->type);
    if (flags != CLPRIM_TYPE_DEFAULT && clprim_type_size(flags) == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown flags_type %d", (int)flags);
    if (is_struct != (desc->type_size != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            is_struct ? "type_name %s has no type_size" : "%stype_size without a type_name",
                            is_struct ? desc->type_name : "");
    if ((desc->work_group_size & (desc->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            desc->work_group_size);
    if (desc->items_per_work_item > 1024)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "items_per_work_item %zu is more than 1024",
                            desc->items_per_work_item);
    if (desc->predicate != NULL && !is_struct && desc->type == CLPRIM_F64 && !info->has_fp64)
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s has no double precision", info->name);
    return CLPRIM_SUCCESS;
}

static clprim_status choose_variant(clprim_select *self, const clprim_select_desc *desc)
{
    const clprim_device_info *info = &self->runtime->info;
    clprim_select_variant variant = desc->variant;
    if (variant == CLPRIM_SELECT_AUTO)
        variant = clprim__select_auto(info, desc->partition);
    self->row = clprim__select_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of select", (int)variant);
    clprim__trial_chose(&self->row->info);
    if (self->row->looks_back && desc->partition)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s cannot partition: where the others begin is not known in time",
                            self->row->info.name);
    if (self->row->looks_back && !clprim__device_can_look_back(info))
        return clprim__fail(CLPRIM_UNSUPPORTED, "%s needs %s, which %s does not promise", self->row->info.name,
                            self->row->info.needs, info->name);
    return CLPRIM_SUCCESS;
}

static clprim_status create(clprim_select **out, clprim_runtime *runtime, const clprim_select_desc *desc, bool heads)
{
    clprim_select *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a selection");
    self->runtime = clprim__runtime_retain(runtime);
    self->portion = (size_t)1 << 31;
    self->heads = heads;

    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_desc(desc, &runtime->info));
    self->element_size = desc->type_name != NULL             ? desc->type_size
                         : desc->type == CLPRIM_TYPE_DEFAULT ? sizeof(cl_int)
                                                             : clprim_type_size(desc->type);
    if (desc->predicate == NULL && !heads)
        self->flag_size = desc->flags_type == CLPRIM_TYPE_DEFAULT ? 1 : clprim_type_size(desc->flags_type);
    CLPRIM__TRY(choose_variant(self, desc));
    CLPRIM__TRY(clprim__select_build(self, desc));
    if (self->row->looks_back)
        CLPRIM__TRY(clprim__state_create(&self->state, runtime, clprim__select_scratch(self, 1), LAST_EPOCH));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_select_destroy(self);
    return status;
}

clprim_status clprim__select_make(clprim_select **out, clprim_runtime *runtime, const clprim_select_desc *desc)
{
    return create(out, runtime, desc, false);
}

CLPRIM__DEFINE_CREATE(select)

clprim_status clprim__select_create_heads(clprim_select **out, clprim_runtime *runtime, const clprim_select_desc *desc)
{
    return create(out, runtime, desc, true);
}

void clprim_select_destroy(clprim_select *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->kernels[0]);
    clprim__kernel_clear(&plan->kernels[1]);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_select_variant clprim_select_plan_variant(const clprim_select *plan)
{
    return plan != NULL ? (clprim_select_variant)plan->row->info.id : CLPRIM_SELECT_AUTO;
}

clprim_status clprim_select_scratch_size(size_t *out, const clprim_select *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, clprim__select_scratch(plan, count), count);
}

clprim_status clprim_select_set_scratch(clprim_select *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, plan->row->looks_back ? &plan->state : NULL, plan->runtime, scratch);
}

/* What is read and what is written lie apart. An empty array need not exist: it is replaced by a buffer that does. */
static clprim_status check_call(const clprim_select *self, clprim__select_call *c)
{
    const size_t n = (size_t)c->n;
    clprim__range ranges[] = {
        {"in", c->in, (size_t)c->in_offset, n, self->element_size, NULL, 0, 0},
        {"flags", c->flags, (size_t)c->flags_offset, n, self->flag_size, NULL, 0, 0},
        {"out", c->out, (size_t)c->out_offset, n, self->element_size, NULL, 0, 0},
        {"selected", c->selected, (size_t)c->selected_offset, 1, sizeof(cl_ulong), NULL, 0, 0},
    };
    enum { FLAGS = 1, FIRST_WRITTEN = 2, NUM_RANGES = 4 };
    clprim_status status = CLPRIM_SUCCESS;
    for (int i = 0; i < NUM_RANGES; i++) {
        const bool is_used = i != FLAGS || self->flag_size != 0;
        if (is_used && (ranges[i].memory != NULL || ranges[i].count > 0))
            CLPRIM__TRY(clprim__check_range(&ranges[i], self->runtime->context,
                                            i < FIRST_WRITTEN ? CLPRIM__READ : CLPRIM__WRITE));
    }
    CLPRIM__TRY(clprim__check_overlaps(ranges, NUM_RANGES, FIRST_WRITTEN, NULL));
    c->in = c->in != NULL ? c->in : c->selected;
    c->flags = c->flags != NULL ? c->flags : c->selected;
    c->out = c->out != NULL ? c->out : c->selected;
done:
    return status;
}

static clprim_status enqueue(clprim_select *plan, cl_command_queue queue, const clprim__select_call *wanted,
                             cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    clprim__select_call c = *wanted;
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_call(plan, &c));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = clprim__select_launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_select_enqueue(clprim_select *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                    size_t count, cl_mem out, size_t out_offset, cl_mem selected,
                                    size_t selected_offset, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_enqueue: plan is NULL");
    if (plan->flag_size != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_select_enqueue: the plan has no predicate, use clprim_select_enqueue_flagged");
    const clprim__select_call c = {.in = in,
                                   .in_offset = in_offset,
                                   .n = count,
                                   .out = out,
                                   .out_offset = out_offset,
                                   .selected = selected,
                                   .selected_offset = selected_offset};
    return enqueue(plan, queue, &c, num_waits, waits, done);
}

clprim_status clprim_select_enqueue_flagged(clprim_select *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                            size_t count, cl_mem flags, size_t flags_offset, cl_mem out,
                                            size_t out_offset, cl_mem selected, size_t selected_offset,
                                            cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_enqueue_flagged: plan is NULL");
    if (plan->flag_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "clprim_select_enqueue_flagged: the plan has a predicate, use clprim_select_enqueue");
    const clprim__select_call c = {.in = in,
                                   .in_offset = in_offset,
                                   .n = count,
                                   .flags = flags,
                                   .flags_offset = flags_offset,
                                   .out = out,
                                   .out_offset = out_offset,
                                   .selected = selected,
                                   .selected_offset = selected_offset};
    return enqueue(plan, queue, &c, num_waits, waits, done);
}

clprim_status clprim_select_host(void *out, size_t *selected, clprim_runtime *runtime, const clprim_select_desc *desc,
                                 const void *in, const void *flags, size_t count)
{
    clprim_select *plan = NULL;
    clprim__select_call c = {.n = count};
    cl_event ready = NULL;
    cl_ulong kept = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (selected == NULL || (count > 0 && (out == NULL || in == NULL)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_host: %s is NULL",
                            selected == NULL ? "selected"
                            : out == NULL    ? "out"
                                             : "in");
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_select_create(&plan, runtime, desc));
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): create succeeded */
    if (count > 0 && (flags != NULL) != (plan->flag_size != 0))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_select_host: flags is %s",
                                 flags == NULL ? "NULL" : "given, but the description has a predicate"));
    if (count > SIZE_MAX / plan->element_size || count > SIZE_MAX / sizeof(cl_ulong))
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    CLPRIM__TRY(clprim__host_input(&c.in, runtime, in, count * plan->element_size));
    if (flags != NULL)
        CLPRIM__TRY(clprim__host_input(&c.flags, runtime, flags, count * plan->flag_size));
    CLPRIM__TRY(clprim__host_result(&c.out, runtime, count * plan->element_size));
    CLPRIM__TRY(clprim__host_result(&c.selected, runtime, sizeof kept));
    CLPRIM__TRY(enqueue(plan, NULL, &c, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(&kept, runtime, c.selected, sizeof kept, ready));
    const size_t moved = desc != NULL && desc->partition ? count : (size_t)kept;
    if (moved > 0)
        CLPRIM__TRY(clprim__host_output(out, runtime, c.out, moved * plan->element_size, ready));
    *selected = (size_t)kept;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
done:
    clprim__host_finish(runtime, ready, (const cl_mem[]){c.in, c.flags, c.out, c.selected}, 4);
    clprim_select_destroy(plan);
    return status;
}
