/* is_sorted.c: check what is asked for, pick the variant; calls. */
#include <clprim/is_sorted.h>
#include <stdlib.h>

#include "check.h"
#include "error.h"
#include "host.h"
#include "is_sorted_internal.h"
#include "runtime_internal.h"

static clprim_status choose_variant(clprim_is_sorted *self, clprim_is_sorted_variant variant)
{
    if (variant == CLPRIM_IS_SORTED_AUTO)
        variant = clprim__is_sorted_auto(&self->runtime->info);
    self->row = clprim__is_sorted_row_of(variant);
    if (self->row == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of is_sorted", (int)variant);
    clprim__trial_chose(&self->row->info);
    return clprim__is_sorted_supported(self->row, &self->runtime->info);
}

clprim_status clprim__is_sorted_make(clprim_is_sorted **out, clprim_runtime *runtime, const clprim_is_sorted_desc *desc)
{
    const clprim_type index = desc->index_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->index_type;
    if (index != CLPRIM_U32 && index != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "index_type is U32 or U64, not %s", clprim_type_name(index));
    clprim_is_sorted *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a test of order");
    self->runtime = clprim__runtime_retain(runtime);

    clprim__order order = CLPRIM__ORDER_OF(desc);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__order_check(&order, &runtime->info));
    CLPRIM__TRY(clprim__order_check_group(desc->work_group_size));
    self->element_size = order.key_size;
    self->index_size = clprim_type_size(index);
    CLPRIM__TRY(choose_variant(self, desc->variant));
    CLPRIM__TRY(clprim__is_sorted_build(self, &order, desc->work_group_size));
    *out = self;
    self = NULL; /* ownership passed to the caller */
done:
    clprim_is_sorted_destroy(self);
    return status;
}

CLPRIM__DEFINE_CREATE(is_sorted)

void clprim_is_sorted_destroy(clprim_is_sorted *plan)
{
    if (plan == NULL)
        return;
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim__kernel_clear(&plan->look);
    clprim__kernel_clear(&plan->finish);
    clprim_runtime_destroy(plan->runtime);
    free(plan);
}

clprim_is_sorted_variant clprim_is_sorted_plan_variant(const clprim_is_sorted *plan)
{
    return plan != NULL ? (clprim_is_sorted_variant)plan->row->info.id : CLPRIM_IS_SORTED_AUTO;
}

static size_t groups_for(const clprim_is_sorted *self, size_t count)
{
    const size_t groups = clprim__divide_up(count, self->group_elements);
    return groups == 0 ? 1 : groups < self->max_groups ? groups : self->max_groups;
}

/* What each group has found, where there are several and another launch brings it together. */
static size_t scratch_bytes(const clprim_is_sorted *self, size_t count)
{
    const size_t groups = groups_for(self, count);
    return self->finish.kernel == NULL || groups == 1 ? 0 : clprim__times(groups, sizeof(cl_ulong));
}

clprim_status clprim_is_sorted_scratch_size(size_t *out, const clprim_is_sorted *plan, size_t count)
{
    if (out == NULL || plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_is_sorted_scratch_size: %s is NULL",
                            out == NULL ? "out" : "plan");
    return clprim__scratch_answer(out, scratch_bytes(plan, count), count);
}

clprim_status clprim_is_sorted_set_scratch(clprim_is_sorted *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_is_sorted_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, NULL, plan->runtime, scratch);
}

/* The arguments that all first launches begin with. With no elements there may be no input: the output stands in. */
static clprim__arguments begin_arguments(const clprim__range *in, const clprim__range *out, const cl_ulong *in_offset,
                                         const cl_ulong *n)
{
    clprim__arguments list = {.count = 0};
    clprim__add_buffer(&list, in->memory != NULL ? &in->memory : &out->memory);
    CLPRIM__ADD_SCALAR(&list, *in_offset);
    CLPRIM__ADD_SCALAR(&list, *n);
    return list;
}

static clprim_status launch_once(clprim_is_sorted *self, clprim__chain *chain, const clprim__range *in,
                                 const clprim__range *out)
{
    const cl_ulong in_offset = in->memory != NULL ? in->offset : 0;
    const cl_ulong out_offset = out->offset;
    const cl_ulong n = in->count;
    clprim__arguments list = begin_arguments(in, out, &in_offset, &n);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__state_begin(&self->state, chain, self->state.size, 1));
    clprim__add_buffer(&list, &out->memory);
    CLPRIM__ADD_SCALAR(&list, out_offset);
    clprim__add_buffer(&list, &self->state.memory);
    CLPRIM__ADD_SCALAR(&list, self->state.epoch);
    CLPRIM__TRY(clprim__launch(chain, &self->look, &list, groups_for(self, in->count), true));
done:
    clprim__state_end(&self->state, chain, status);
    return status;
}

static clprim_status launch_twice(clprim_is_sorted *self, clprim__chain *chain, const clprim__range *in,
                                  const clprim__range *out)
{
    const cl_ulong in_offset = in->memory != NULL ? in->offset : 0;
    const cl_ulong out_offset = out->offset;
    const cl_ulong n = in->count;
    const cl_ulong groups = groups_for(self, in->count);
    cl_mem found = NULL;
    clprim__arguments list = begin_arguments(in, out, &in_offset, &n);
    clprim__arguments finish = {.count = 0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__workspace_begin(&found, &self->workspace, chain, scratch_bytes(self, in->count)));
    found = groups > 1 ? found : out->memory; /* of which a group that is alone makes no use */
    clprim__add_buffer(&list, &found);
    clprim__add_buffer(&list, &out->memory);
    CLPRIM__ADD_SCALAR(&list, out_offset);
    CLPRIM__TRY(clprim__launch(chain, &self->look, &list, (size_t)groups, groups == 1));
    if (groups == 1)
        goto done;
    clprim__add_buffer(&finish, &found);
    CLPRIM__ADD_SCALAR(&finish, groups);
    CLPRIM__ADD_SCALAR(&finish, n);
    clprim__add_buffer(&finish, &out->memory);
    CLPRIM__ADD_SCALAR(&finish, out_offset);
    CLPRIM__TRY(clprim__launch(chain, &self->finish, &finish, 1, true));
done:
    clprim__workspace_end(&self->workspace, chain);
    return status;
}

clprim_status clprim_is_sorted_enqueue(clprim_is_sorted *plan, cl_command_queue queue, cl_mem in, size_t in_offset,
                                       size_t count, cl_mem out, size_t out_offset, cl_uint num_waits,
                                       const cl_event *waits, cl_event *done)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_is_sorted_enqueue: plan is NULL");
    if (plan->index_size < sizeof(cl_ulong) && count > UINT32_MAX)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements take index_type U64", count);
    clprim__range from = {
        .name = "in", .memory = in, .offset = in_offset, .count = count, .element_size = plan->element_size};
    clprim__range to = {
        .name = "out", .memory = out, .offset = out_offset, .count = 1, .element_size = plan->index_size};
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__check_range(&to, plan->runtime->context, CLPRIM__WRITE));
    if (in != NULL || count > 0) { /* an empty array need not exist */
        CLPRIM__TRY(clprim__check_range(&from, plan->runtime->context, CLPRIM__READ));
        CLPRIM__TRY(clprim__check_disjoint(&from, &to));
    }
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status =
        plan->finish.kernel != NULL ? launch_twice(plan, &chain, &from, &to) : launch_once(plan, &chain, &from, &to);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}

clprim_status clprim_is_sorted_host(bool *out, size_t *until, clprim_runtime *runtime,
                                    const clprim_is_sorted_desc *desc, const void *in, size_t count)
{
    clprim_is_sorted_desc wide = {0};
    clprim_is_sorted *plan = NULL;
    cl_mem buffers[2] = {NULL, NULL};
    cl_event ready = NULL;
    cl_ulong sorted = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (out == NULL || (in == NULL && count > 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_is_sorted_host: %s is NULL", out == NULL ? "out" : "in");
    if (desc != NULL)
        wide = *desc;
    wide.index_type = CLPRIM_U64;
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    CLPRIM__TRY(clprim_is_sorted_create(&plan, runtime, &wide));
    if (count > SIZE_MAX / plan->element_size) /* NOLINT(clang-analyzer-core.NullDereference): create succeeded */
        CLPRIM__TRY(clprim__fail(CLPRIM_INVALID_RANGE, "%zu elements are more than memory can hold", count));
    CLPRIM__TRY(clprim__host_input(&buffers[0], runtime, in, count * plan->element_size));
    CLPRIM__TRY(clprim__host_result(&buffers[1], runtime, sizeof sorted));
    CLPRIM__TRY(clprim_is_sorted_enqueue(plan, NULL, buffers[0], 0, count, buffers[1], 0, 0, NULL, &ready));
    CLPRIM__TRY(clprim__host_output(&sorted, runtime, buffers[1], sizeof sorted, ready));
    *out = sorted == count;
    if (until != NULL)
        *until = (size_t)sorted;
done:
    clprim__host_finish(runtime, ready, buffers, 2);
    clprim_is_sorted_destroy(plan);
    return status;
}
