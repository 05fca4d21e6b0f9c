// SPDX-License-Identifier: MIT
/* plan_run.c: run an operation from beginning to end, on arrays of the host and of the device. */
#include <string.h>

#include "error.h"
#include "host.h"
#include "native.h"
#include "plan_host.h"
#include "plan_pieces.h"
#include "plan_svm.h"
#include "runtime_internal.h"

/* A run in progress. `call` is the caller's call; buffers replace each array on the host and each .svm. */
typedef struct run {
    clprim_plan *plan;
    const clprim_runtime *runtime;
    const void *given;
    clprim__given call;
    clprim__svm svm;
    cl_mem made[CLPRIM__MAX_ARRAYS]; /* the buffers that this run created, by slot */
    cl_event done;
} run;

/* Find where the slot's array is: in a buffer or in host memory. Other errors in the array are reported later. */
static clprim_status find_place(clprim__range *out, const clprim_plan *plan, const void *call, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    const int places = (array->buffer != NULL) + (array->host != NULL) + (array->svm != NULL);
    *out = (clprim__range){.name = slot->member->name, .memory = array->buffer, .offset = array->offset};
    if (slot->is_value || slot->element_size == 0 || places != 1)
        return CLPRIM_SUCCESS;
    out->element_size = slot->element_size;
    out->count = clprim__length_of(slot, plan->desc.bytes, call);
    const clprim_status status = clprim__check_length(plan, call, slot);
    return status != CLPRIM_SUCCESS ? status
           : array->buffer != NULL  ? clprim__check_range(out, plan->runtime->context, 0)
                                    : clprim__check_host_range(out, array->host != NULL ? array->host : array->svm);
}

clprim_status clprim__plan_check_places(const clprim_plan *plan, const void *call)
{
    clprim__call c; /* only the entries that are used are filled in */
    clprim_status status = CLPRIM_SUCCESS;
    bool has_host = false;
    CLPRIM__TRY(clprim__plan_check_rests(plan, call));
    for (size_t i = 0; i < plan->num_slots; i++)
        has_host = has_host || clprim__is_on_host(call, &plan->slots[i]);
    if (!has_host) /* enqueue will check buffers itself */
        return CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(find_place(&c.arrays[i], plan, call, &plan->slots[i]));
    status = clprim__plan_check_outputs(&c, plan);
done:
    return status;
}

/* If the slot's array is on the host, create a buffer for it. */
static clprim_status bring_in(run *self, size_t i)
{
    const clprim__slot *slot = &self->plan->slots[i];
    size_t length = 0;
    if (!clprim__is_on_host(self->given, slot))
        return CLPRIM_SUCCESS;
    clprim_status status = clprim__host_check(&length, self->plan, self->given, slot);
    if (status != CLPRIM_SUCCESS)
        return status;
    status = clprim__host_bring(&self->made[i], self->plan, self->given, slot, length);
    *clprim__array_of(self->call.bytes, slot) =
        (clprim_array){.buffer = self->made[i], .length = clprim__array_in(self->given, slot)->length};
    return status;
}

/* How many elements of an output to copy back: all, or the number that another output says. */
static clprim_status written_length(size_t *out, const run *self, const clprim__slot *slot)
{
    size_t count = 0;
    *out = clprim__length_of(slot, self->plan->desc.bytes, self->given);
    if (slot->counted_by < 0)
        return CLPRIM_SUCCESS;
    const clprim__slot *counter = &self->plan->slots[slot->counted_by];
    const clprim_status status = clprim__host_number(&count, self->runtime, clprim__array_in(self->call.bytes, counter),
                                                     counter->element_size, self->done);
    if (status == CLPRIM_SUCCESS && count < *out)
        *out = count;
    return status;
}

static clprim_status bring_out(const run *self, size_t i)
{
    const clprim__slot *slot = &self->plan->slots[i];
    size_t length = 0;
    if (self->made[i] == NULL || !slot->is_written)
        return CLPRIM_SUCCESS;
    const clprim_status status = written_length(&length, self, slot);
    if (status != CLPRIM_SUCCESS || length == 0)
        return status;
    return clprim__host_output(clprim__host_data(self->given, slot), self->runtime, self->made[i],
                               length * slot->element_size, self->done);
}

/* If the caller set a memory limit, allocate exactly the scratch memory that the call needs, instead of taking a buffer
 * from the pool. */
static clprim_status bring_scratch(cl_mem *out, const run *self)
{
    size_t size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->runtime->limits.device_memory == 0)
        return CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim_plan_scratch_size(&size, self->plan, self->call.bytes));
    CLPRIM__TRY(clprim__host_result(out, self->runtime, size));
    if (size > 0)
        status = clprim_plan_set_scratch(self->plan, *out);
done:
    return status;
}

static clprim_status run_call(run *self)
{
    const clprim_plan *plan = self->plan;
    const clprim__operation *operation = plan->operation;
    clprim_status status = CLPRIM_SUCCESS;
    cl_mem scratch = NULL;
    CLPRIM__TRY(clprim__plan_check_given(plan, self->given));
    memcpy(self->call.bytes, self->given, operation->face->call_size);
    CLPRIM__TRY(clprim__svm_begin(&self->svm, plan, self->call.bytes));
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(bring_in(self, i));
    CLPRIM__TRY(bring_scratch(&scratch, self));
    CLPRIM__TRY(clprim__plan_enqueue(self->plan, operation, NULL, self->call.bytes, 0, NULL, &self->done));
    CLPRIM__TRY(clprim__cl(clWaitForEvents(1, &self->done), "clWaitForEvents"));
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(bring_out(self, i));
done:
    clprim__host_finish(self->runtime, self->done, self->made, plan->num_slots, self->svm.num_regions > 0);
    clprim__svm_end(&self->svm);
    if (scratch != NULL) {
        (void)clprim_plan_set_scratch(self->plan, NULL);
        (void)clReleaseMemObject(scratch);
    }
    return status;
}

/* Do a call without a queue: its arrays are on the host, and so is the plan's code. */
static clprim_status run_at_hand(clprim_plan *plan, const void *call)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__plan_check_given(plan, call));
    CLPRIM__TRY(clprim__plan_check_places(plan, call));
    CLPRIM__TRY(clprim__native_run(plan, call));
done:
    return status;
}

clprim_status clprim__plan_run_whole(clprim_plan *plan, const void *call)
{
    run self = {.plan = plan, .runtime = plan->runtime, .given = call};
    if (clprim__native_is_at_hand(plan, call))
        return run_at_hand(plan, call);
    const clprim_status status = clprim__plan_check_places(plan, call);
    return status == CLPRIM_SUCCESS ? run_call(&self) : status;
}

clprim_status clprim__plan_run(clprim_runtime *runtime, const clprim__trial_subject *subject, const void *desc,
                               const void *call)
{
    run self = {.given = call};
    clprim__pieces_need pieces = CLPRIM__PIECES_NOT;
    clprim_status status = CLPRIM_SUCCESS;
    if (call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_run: call is NULL", subject->stem);
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    self.runtime = runtime;
    CLPRIM__TRY(clprim__plan_create_for_run(&self.plan, runtime, subject, desc, call));
    if (clprim__native_is_at_hand(self.plan, call)) {
        status = run_at_hand(self.plan, call);
        goto done;
    }
    CLPRIM__TRY(clprim__pieces_of_run(&pieces, self.plan, desc, call));
    CLPRIM__TRY(clprim__plan_check_places(self.plan, call));
    if (pieces != CLPRIM__PIECES_NOT)
        status = clprim__pieces_run(self.plan, desc, call);
    if (pieces == CLPRIM__PIECES_NOT || (pieces == CLPRIM__PIECES_MAY && status == CLPRIM_UNSUPPORTED))
        status = run_call(&self); /* pieces may turn out to be unsupported; nothing is written before that */
done:
    clprim_plan_destroy(self.plan);
    return status;
}
