// SPDX-License-Identifier: MIT
/* plan_enqueue.c: a call of a plan: check it, get scratch memory, enqueue its kernels. */
#include <stdint.h>
#include <string.h>

#include "error.h"
#include "native.h"
#include "plan_host.h"
#include "plan_internal.h"
#include "plan_svm.h"
#include "runtime_internal.h"

static clprim_status check_count(const clprim_plan *plan, const void *call)
{
    const size_t count = plan->operation->count(call);
    if (count > plan->max_count)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%s%zu elements are more than the plan was made for (max_count %zu)",
                            count == SIZE_MAX ? "at least " : "", count, plan->max_count);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__plan_check_given(const clprim_plan *plan, const void *call)
{
    size_t length = 0;
    clprim_status status = check_count(plan, call);
    for (size_t i = 0; i < plan->num_slots && status == CLPRIM_SUCCESS && plan->operation->check != NULL; i++)
        if (clprim__is_on_host(call, &plan->slots[i]) && !plan->slots[i].is_written)
            status = clprim__host_check(&length, plan, call, &plan->slots[i]);
    return status == CLPRIM_SUCCESS && plan->operation->check != NULL ? plan->operation->check(plan, call) : status;
}

size_t clprim__plan_scratch(const clprim_plan *plan, const void *call)
{
    return plan->native != NULL               ? clprim__native_scratch(plan, call)
           : plan->operation->scratch != NULL ? plan->operation->scratch(plan, call)
                                              : 0;
}

/* The size of scratch memory in bytes. A checked call c may take less if the memory comes from the pool; NULL: no call
 * is given. */
static size_t scratch_of(const clprim_plan *plan, const void *call, const clprim__call *c)
{
    const clprim__operation *operation = plan->operation;
    const bool is_pooled = c != NULL && plan->native == NULL && plan->workspace.supplied == NULL;
    if (!clprim__plan_launches(operation, call))
        return 0;
    return is_pooled && operation->pooled != NULL ? operation->pooled(plan, c) : clprim__plan_scratch(plan, call);
}

clprim_status clprim_plan_scratch_size(size_t *out, const clprim_plan *plan, const void *call)
{
    if (out == NULL || plan == NULL || call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_plan_scratch_size: %s is NULL",
                            out == NULL    ? "out"
                            : plan == NULL ? "plan"
                                           : "call");
    const clprim_status status = check_count(plan, call);
    if (status != CLPRIM_SUCCESS)
        return status;
    const size_t size = scratch_of(plan, call, NULL);
    if (size == SIZE_MAX)
        return clprim__fail(CLPRIM_INVALID_RANGE, "the scratch memory for %zu elements is more than size_t can express",
                            plan->operation->count(call));
    *out = size;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__plan_check_free(const clprim_plan *plan)
{
    return plan->is_recorded
               ? clprim__fail(CLPRIM_INVALID_ARGUMENT, "the plan was recorded into a command buffer, which owns it now")
               : CLPRIM_SUCCESS;
}

clprim_status clprim_plan_set_scratch(clprim_plan *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_plan_set_scratch: plan is NULL");
    const clprim_status status = clprim__plan_check_free(plan);
    if (status != CLPRIM_SUCCESS)
        return status;
    return clprim__workspace_set(&plan->workspace, plan->scratch_is_state ? &plan->state : NULL, plan->runtime,
                                 scratch);
}

/* Check an argument that is a single value. */
static clprim_status check_value(const clprim_array *array, const clprim__slot *slot)
{
    const char *name = slot->member->name;
    size_t end = 0;
    if (array->host == NULL || array->buffer != NULL || array->svm != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "%s[%zu] must have only a .host: its parameter is one value, which enqueue copies", name,
                            slot->index);
    return clprim__check_end(
        &end, &(clprim__range){.name = name, .offset = array->offset, .count = 1, .element_size = slot->element_size});
}

/* Check one array of a call. It must be there if the plan's description needs it, and otherwise must not be there. */
static clprim_status check_array(clprim__range *out, const clprim_plan *plan, const void *call,
                                 const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    const char *name = slot->member->name;
    *out = (clprim__range){.name = name};
    if (slot->is_value)
        return check_value(array, slot);
    if (array->host != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "%s.host is given, but enqueue takes only buffers and .svm; clprim_%s_run takes all", name,
                            plan->operation->face->name);
    if (slot->element_size == 0)
        return array->buffer == NULL && array->svm == NULL && array->offset == 0
                   ? CLPRIM_SUCCESS
                   : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the plan was made without it", name);
    *out = (clprim__range){.name = name,
                           .memory = array->buffer,
                           .offset = array->offset,
                           .count = clprim__length_of(slot, plan->desc.bytes, call),
                           .element_size = slot->element_size};
    const clprim_status status = clprim__check_length(plan, call, slot);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (array->buffer == NULL && (out->count == 0 || slot->is_optional))
        return CLPRIM_SUCCESS;
    return clprim__check_range(out, plan->runtime->context,
                               (slot->is_read || plan->operation->reads_outputs ? CLPRIM__READ : 0) |
                                   (slot->is_written ? CLPRIM__WRITE : 0));
}

/* A repeated member must not have more arrays than the description says. */
static clprim_status check_rest(const clprim__rest *rest, const void *call)
{
    static const clprim_array none[CLPRIM__MAX_ARRAYS];
    const clprim_member *m = rest->member;
    const size_t used = rest->used * sizeof(clprim_array);
    return memcmp((const char *)call + m->place + used, none, m->size - used) == 0
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the plan was made without it", m->name);
}

clprim_status clprim__plan_check_rests(const clprim_plan *plan, const void *call)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_rests && status == CLPRIM_SUCCESS; i++)
        status = check_rest(&plan->rests[i], call);
    return status;
}

/* Whether an output may overwrite this argument exactly in place. Its elements must have the same size. */
static bool may_replace(const clprim_plan *plan, const clprim__slot *argument)
{
    return argument->member->is_value != NULL && (plan->replaced >> argument->index & 1) != 0;
}

static clprim_status check_disjoint(const clprim__call *c, const clprim_plan *plan, int other, int output)
{
    const clprim__slot *slot = &plan->slots[other];
    const clprim__range *a = &c->arrays[other], *out = &c->arrays[output];
    const bool is_same = a->element_size == out->element_size && clprim__is_same_range(a, out);
    if (is_same && may_replace(plan, slot))
        return CLPRIM_SUCCESS;
    if (is_same && slot->member->is_value != NULL && plan->operation->replaces_arguments != NULL &&
        clprim__check_disjoint(a, out) != CLPRIM_SUCCESS)
        return clprim__fail(CLPRIM_INVALID_OVERLAP,
                            "%s and %s[%zu] overlap: to be in the place of an argument, texts must read it at index i "
                            "alone (name[i])",
                            out->name, a->name, slot->index);
    return clprim__check_disjoint(a, out);
}

/* Check that an output overlaps no other array, except an input that it overwrites exactly in place. */
static clprim_status check_output(clprim__call *c, const clprim_plan *plan, int output)
{
    const int source = plan->slots[output].in_place_of;
    const clprim__range *out = &c->arrays[output];
    clprim_status status = CLPRIM_SUCCESS;
    c->is_in_place[output] = false;
    if (out->parent == NULL)
        return CLPRIM_SUCCESS;
    c->is_in_place[output] = source >= 0 && out->element_size == c->arrays[source].element_size &&
                             clprim__is_same_range(&c->arrays[source], out);
    for (int other = 0; other < output && status == CLPRIM_SUCCESS; other++)
        if (c->arrays[other].parent != NULL && (other != source || !c->is_in_place[output]))
            status = check_disjoint(c, plan, other, output);
    return status;
}

clprim_status clprim__plan_check_outputs(clprim__call *c, const clprim_plan *plan)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < plan->num_slots && status == CLPRIM_SUCCESS; i++)
        if (plan->slots[i].is_written)
            status = check_output(c, plan, (int)i);
    return status;
}

/* Collect the call's arguments, which were checked, for PARAMETERS (parameters.h). */
static void add_arguments(clprim__arguments *list, const clprim_plan *plan, const void *call)
{
    list->count = 0;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->member->is_value == NULL || slot->element_size == 0)
            continue;
        const clprim_array *argument = clprim__array_in(call, slot);
        if (slot->is_value)
            clprim__add_scalar(list, (const char *)argument->host + argument->offset * slot->element_size,
                               slot->element_size);
        else
            clprim__add_array(list, argument->buffer, argument->offset);
    }
}

/* Collect the call's counts. */
static void add_counts(clprim__arguments *list, const clprim_plan *plan, const void *call)
{
    list->count = 0;
    for (size_t i = 0; i < plan->num_slots && plan->counts.number > 0; i++)
        if (clprim__is_count_at(plan->slots[i].member)) {
            const clprim_array *count = clprim__array_in(call, &plan->slots[i]);
            clprim__add_array(list, count->buffer, count->buffer != NULL ? count->offset : CLPRIM__NO_COUNT);
        }
}

/* Collect the value with which the call's folds begin. */
static void add_initial(clprim__arguments *list, const clprim_plan *plan, const void *call)
{
    list->count = 0;
    if (plan->initial_value != NULL)
        clprim__add_scalar(list, plan->initial_value, plan->initial_size);
    if (plan->initial.is_at) {
        const clprim_array *at = clprim__array_in(call, &plan->slots[clprim__slot_named(plan, "initial_at", 0)]);
        clprim__add_array(list, at->buffer, at->offset);
    }
}

clprim_status clprim__plan_check_call(clprim__call *c, const clprim_plan *plan, const void *call)
{
    clprim_status status = CLPRIM_SUCCESS;
    c->given = call;
    c->scratch = NULL;
    CLPRIM__TRY(clprim__plan_check_free(plan));
    CLPRIM__TRY(check_count(plan, c->given));
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(check_array(&c->arrays[i], plan, c->given, &plan->slots[i]));
    CLPRIM__TRY(clprim__plan_check_rests(plan, c->given));
    CLPRIM__TRY(clprim__plan_check_outputs(c, plan));
    if (plan->operation->check != NULL)
        CLPRIM__TRY(plan->operation->check(plan, c->given));
done:
    return status;
}

clprim_status clprim__plan_launch(clprim_plan *plan, clprim__chain *chain, clprim__call *c)
{
    clprim__arguments arguments, counts, initial; /* only the entries that are used are filled in */
    clprim_status status = CLPRIM_SUCCESS;
    add_arguments(&arguments, plan, c->given);
    add_counts(&counts, plan, c->given);
    add_initial(&initial, plan, c->given);
    chain->arguments = arguments.count > 0 ? &arguments : NULL;
    chain->counts = counts.count > 0 ? &counts : NULL;
    chain->initial = initial.count > 0 ? &initial : NULL;
    if (!clprim__plan_launches(plan->operation, c->given))
        return clprim__chain_marker(chain);
    if (!plan->scratch_is_state)
        CLPRIM__TRY(clprim__workspace_begin(&c->scratch, &plan->workspace, chain, scratch_of(plan, c->given, c)));
    CLPRIM__TRY((plan->native != NULL ? clprim__native_launch : plan->operation->launch)(plan, chain, c));
done:
    clprim__workspace_end(&plan->workspace, chain);
    chain->arguments = chain->counts = chain->initial = NULL;
    return status;
}

/* Enqueue a call whose arrays are buffers. */
static clprim_status enqueue(clprim_plan *plan, cl_command_queue queue, const void *call, cl_uint num_waits,
                             const cl_event *waits, cl_event *done)
{
    clprim__call c; /* only the entries that are used are filled in, because there is room for many arrays */
    clprim__chain chain;
    clprim_status status = clprim__plan_check_call(&c, plan, call);
    if (status == CLPRIM_SUCCESS)
        status = clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL);
    if (status != CLPRIM_SUCCESS)
        return status;
    status = clprim__plan_launch(plan, &chain, &c);
    clprim__chain_end(&chain, status, done);
    return status;
}

/* Enqueue a call with arrays in shared virtual memory: a copy of the call has buffers in their place. */
static clprim_status enqueue_shared(clprim_plan *plan, cl_command_queue queue, const void *call, cl_uint num_waits,
                                    const cl_event *waits, cl_event *done)
{
    clprim__svm svm;
    clprim__given copy;
    clprim_status status = check_count(plan, call);
    if (status != CLPRIM_SUCCESS)
        return status;
    memcpy(copy.bytes, call, plan->operation->face->call_size);
    status = clprim__svm_begin(&svm, plan, copy.bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    status = enqueue(plan, queue, copy.bytes, num_waits, waits, done);
    clprim__svm_end(&svm);
    return status;
}

clprim_status clprim__plan_enqueue(clprim_plan *plan, const clprim__operation *operation, cl_command_queue queue,
                                   const void *call, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    const char *name = operation->face->name;
    if (plan == NULL || call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_enqueue: %s is NULL", name,
                            plan == NULL ? "plan" : "call");
    if (plan->operation != operation)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_enqueue: the plan belongs to %s", name,
                            plan->operation->face->name);
    return (clprim__svm_is_used(plan, call) ? enqueue_shared : enqueue)(plan, queue, call, num_waits, waits, done);
}
