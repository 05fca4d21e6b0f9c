/* plan_run.c: an operation from beginning to end, on arrays of the host and of the device. */
#include <stdint.h>
#include <string.h>

#include "error.h"
#include "host.h"
#include "plan_internal.h"
#include "plan_svm.h"
#include "runtime_internal.h"

/* A run under way. `call` is the caller's with a buffer in the place of each array on the host and of each .svm. */
typedef struct run {
    clprim_plan *plan;
    const clprim_runtime *runtime;
    const void *given;
    clprim__given call;
    clprim__svm svm;
    cl_mem made[CLPRIM__MAX_ARRAYS]; /* buffers of its own, by slot */
    cl_event done;
} run;

static void *host_data(const run *self, const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(self->given, slot);
    return (char *)array->host + array->offset * slot->element_size;
}

/* Whether what is in an output before the call matters: it is read, or not all that is copied back is written. */
static bool keeps_some(const clprim_plan *plan, const clprim__slot *slot)
{
    return slot->is_read || slot->member->is_partial || (plan->counts.number > 0 && slot->counted_by < 0);
}

/* A buffer for the slot's array, if it is one on the host. */
static clprim_status bring_in(run *self, size_t i)
{
    const clprim__slot *slot = &self->plan->slots[i];
    const clprim_array *array = clprim__array_in(self->given, slot);
    const char *name = slot->member->name;
    size_t end = 0;
    if (array->host == NULL || slot->is_value)
        return CLPRIM_SUCCESS;
    if (array->buffer != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s has both a buffer and an array on the host", name);
    if (slot->element_size == 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the description has none", name);
    const size_t length = clprim__length_of(slot, self->plan->desc.bytes, self->given);
    clprim_status status = clprim__check_length(slot, array, length);
    if (status != CLPRIM_SUCCESS)
        return status;
    status = clprim__check_end(
        &end,
        &(clprim__range){.name = name, .offset = array->offset, .count = length, .element_size = slot->element_size});
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t bytes = length * slot->element_size;
    *clprim__array_of(self->call.bytes, slot) = (clprim_array){.length = array->length};
    status = slot->is_written ? clprim__host_result(&self->made[i], self->runtime, bytes)
                              : clprim__host_input(&self->made[i], self->runtime, host_data(self, slot), bytes);
    if (status == CLPRIM_SUCCESS && slot->is_written && keeps_some(self->plan, slot) && bytes > 0)
        status = clprim__host_write(self->made[i], self->runtime, host_data(self, slot), bytes);
    clprim__array_of(self->call.bytes, slot)->buffer = self->made[i];
    return status;
}

/* How many elements of an output are there to copy: all, or as many as another output says. */
static clprim_status written_length(size_t *out, const run *self, const clprim__slot *slot)
{
    *out = clprim__length_of(slot, self->plan->desc.bytes, self->given);
    if (slot->counted_by < 0)
        return CLPRIM_SUCCESS;
    const clprim__slot *counter = &self->plan->slots[slot->counted_by];
    const clprim_array *array = clprim__array_in(self->call.bytes, counter);
    cl_uint narrow = 0;
    cl_ulong wide = 0;
    const bool is_wide = counter->element_size == sizeof wide;
    const clprim_status status =
        clprim__host_output_at(is_wide ? (void *)&wide : &narrow, self->runtime, array->buffer,
                               array->offset * counter->element_size, counter->element_size, self->done);
    const size_t count = (size_t)(is_wide ? wide : narrow);
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
    return clprim__host_output(host_data(self, slot), self->runtime, self->made[i], length * slot->element_size,
                               self->done);
}

static clprim_status run_call(run *self)
{
    const clprim_plan *plan = self->plan;
    const clprim__operation *operation = plan->operation;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__plan_check_given(plan, self->given));
    memcpy(self->call.bytes, self->given, operation->face->call_size);
    CLPRIM__TRY(clprim__svm_begin(&self->svm, plan, self->call.bytes));
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(bring_in(self, i));
    CLPRIM__TRY(clprim__plan_enqueue(self->plan, operation, NULL, self->call.bytes, 0, NULL, &self->done));
    CLPRIM__TRY(clprim__cl(clWaitForEvents(1, &self->done), "clWaitForEvents"));
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(bring_out(self, i));
done:
    clprim__host_finish(self->runtime, self->done, self->made, plan->num_slots, self->svm.num_regions > 0);
    clprim__svm_end(&self->svm);
    return status;
}

clprim_status clprim__plan_run(clprim_runtime *runtime, const clprim__trial_subject *subject, const void *desc,
                               const void *call)
{
    run self = {.given = call};
    clprim_status status = CLPRIM_SUCCESS;
    if (call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_run: call is NULL", subject->stem);
    if (runtime == NULL)
        CLPRIM__TRY(clprim_runtime_default(&runtime));
    self.runtime = runtime;
    CLPRIM__TRY(clprim__plan_create(&self.plan, runtime, subject, desc));
    status = run_call(&self);
done:
    clprim_plan_destroy(self.plan);
    return status;
}
