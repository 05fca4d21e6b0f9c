/* plan.c: creation, checks, the frame of enqueue, scratch memory and destruction, for the plans of all operations. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "making.h"
#include "order.h"
#include "plan_internal.h"
#include "runtime_internal.h"

enum { MAX_ITEMS = 1024 /* elements of a work-item */ };

static const union {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_DESC];
} zeroed;

const clprim_enumerator clprim__nan_orders[] = {{"total", CLPRIM_NAN_TOTAL}, {"last", CLPRIM_NAN_LAST}, {NULL, 0}};
const clprim_enumerator clprim__operators[] = {{"sum", CLPRIM_SUM},       {"prod", CLPRIM_PROD},
                                               {"min", CLPRIM_MIN},       {"max", CLPRIM_MAX},
                                               {"and", CLPRIM_AND},       {"or", CLPRIM_OR},
                                               {"xor", CLPRIM_XOR},       {"argmin", CLPRIM_ARGMIN},
                                               {"argmax", CLPRIM_ARGMAX}, {NULL, 0}};

static bool is_array(const clprim_member *member)
{
    return member->kind == CLPRIM_MEMBER_INPUT || member->kind == CLPRIM_MEMBER_OUTPUT;
}

static int slot_named(const clprim_plan *plan, const char *name, size_t index)
{
    for (size_t i = 0; name != NULL && i < plan->num_slots; i++)
        if (strcmp(plan->slots[i].member->name, name) == 0 && plan->slots[i].index == index)
            return (int)i;
    return -1;
}

/* The arrays of the plan's calls. The description is not needed for that again: a copy without pointers is kept. */
static void fill_in_slots(clprim_plan *plan, const void *desc)
{
    const clprim_operation *face = plan->operation->face;
    for (const clprim_member *m = face->call_members; m->name != NULL; m++) {
        size_t repeat = !is_array(m) ? 0 : m->repeat > 0 ? m->repeat : 1;
        while (m->repeat > 0 && repeat > 0 && m->element(desc, repeat - 1).size == 0)
            repeat--;
        if (m->repeat > 0)
            plan->rests[plan->num_rests++] = (clprim__rest){m, repeat};
        for (size_t i = 0; i < repeat; i++)
            plan->slots[plan->num_slots++] = (clprim__slot){.member = m,
                                                            .index = i,
                                                            .element_size = m->element(desc, i).size,
                                                            .is_value = m->is_value != NULL && m->is_value(desc, i)};
    }
    for (size_t i = 0; i < plan->num_slots; i++) {
        clprim__slot *slot = &plan->slots[i];
        const clprim_member *m = slot->member;
        slot->is_written = m->kind == CLPRIM_MEMBER_OUTPUT;
        slot->is_read = !slot->is_written || (m->is_read != NULL && m->is_read(desc));
        slot->in_place_of = slot_named(plan, slot->member->in_place_of, slot->index);
        slot->counted_by =
            m->is_whole != NULL && m->is_whole(desc) ? -1 : slot_named(plan, slot->member->counted_by, 0);
    }
    memcpy(plan->desc.bytes, desc, face->desc_size);
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (m->kind == CLPRIM_MEMBER_TEXT || m->kind == CLPRIM_MEMBER_DATA || m->kind == CLPRIM_MEMBER_CUSTOM_OP ||
            m->kind == CLPRIM_MEMBER_PARAMETER)
            memset(plan->desc.bytes + m->place, 0, m->size);
}

/* A description's member, where there is one of that name. */
static void read_member(void *out, const clprim_operation *face, const void *desc, const char *name)
{
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            memcpy(out, (const char *)desc + m->place, m->size);
}

static clprim_status read_counts(clprim_plan *plan, const void *desc)
{
    const clprim_operation *face = plan->operation->face;
    clprim_type type = CLPRIM_TYPE_DEFAULT;
    read_member(&type, face, desc, "count_at_type");
    if (type == CLPRIM_TYPE_DEFAULT)
        return CLPRIM_SUCCESS;
    if (type != CLPRIM_U32 && type != CLPRIM_U64)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "count_at_type must be U32 or U64, not %s",
                            clprim_type_name(type));
    plan->counts.size = clprim_type_size(type);
    for (const clprim_member *m = face->call_members; m->name != NULL; m++)
        plan->counts.number += clprim__is_count_at(m);
    return CLPRIM_SUCCESS;
}

/* What descriptions of all operations say in the same way. */
static clprim_status read_common(clprim_plan *plan, const void *desc)
{
    const clprim_operation *face = plan->operation->face;
    size_t items = 0;
    read_member(&plan->max_count, face, desc, "max_count");
    read_member(&plan->work_group_size, face, desc, "work_group_size");
    read_member(&items, face, desc, "items_per_work_item");
    plan->max_count = clprim__max_count_or(plan->max_count);
    if ((plan->work_group_size & (plan->work_group_size - 1)) != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "work_group_size %zu is not a power of two",
                            plan->work_group_size);
    if (items > MAX_ITEMS)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "items_per_work_item %zu is more than %d", items, MAX_ITEMS);
    return read_counts(plan, desc);
}

clprim_status clprim__plan_trial_make(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                      const void *desc)
{
    const clprim__operation *operation = subject->operation;
    clprim_plan *plan = calloc(1, operation->plan_size);
    if (plan == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan of %s", operation->face->name);
    plan->operation = operation;
    plan->subject = subject;
    plan->runtime = clprim__runtime_retain(runtime);
    clprim_status status = read_common(plan, desc);
    if (status == CLPRIM_SUCCESS)
        status = operation->make(plan, desc);
    if (status != CLPRIM_SUCCESS) {
        clprim_plan_destroy(plan);
        return status;
    }
    fill_in_slots(plan, desc);
    *out = plan;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__plan_create(clprim_plan **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                  const void *desc)
{
    void *plan = NULL;
    const clprim_status status =
        clprim__trial_create(out != NULL ? &plan : NULL, runtime, subject, desc != NULL ? desc : zeroed.bytes);
    if (status == CLPRIM_SUCCESS && out != NULL)
        *out = plan;
    return status;
}

void clprim_plan_destroy(clprim_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->operation->clear != NULL)
        plan->operation->clear(plan);
    for (size_t i = 0; i < plan->num_kernels; i++)
        clprim__kernel_clear(&plan->kernels[i]);
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim_runtime_destroy(plan->runtime);
    free(plan->initial_value);
    free(plan);
}

clprim_status clprim__plan_chose(clprim_plan *plan, const clprim_variant_info *variant, int wanted)
{
    if (variant == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of %s", wanted, plan->operation->face->name);
    plan->variant = variant;
    clprim__making_chose(variant);
    return CLPRIM_SUCCESS;
}

clprim_status clprim__variant_check(const clprim_variant_info *variant, bool has_it, const clprim_device_info *info)
{
    return has_it ? CLPRIM_SUCCESS
                  : clprim__fail(CLPRIM_UNSUPPORTED, "%s needs %s, which %s does not promise", variant->name,
                                 variant->needs, info->name);
}

clprim_status clprim__plan_indices(clprim_plan *plan, clprim_type index_type)
{
    return clprim__index_check(&plan->index_size, index_type, plan->max_count);
}

size_t clprim__group_size(const clprim_plan *plan, size_t tuned)
{
    size_t size = plan->work_group_size != 0 && tuned != 1 ? plan->work_group_size : tuned;
    while (size > plan->runtime->info.max_work_group_size)
        size /= 2;
    return size;
}

const clprim_variant_info *clprim_plan_variant(const clprim_plan *plan)
{
    return plan != NULL ? plan->variant : NULL;
}

const clprim_operation *clprim_plan_operation(const clprim_plan *plan)
{
    return plan != NULL ? plan->operation->face : NULL;
}

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
    const clprim_status status = check_count(plan, call);
    return status == CLPRIM_SUCCESS && plan->operation->check != NULL ? plan->operation->check(plan, call) : status;
}

static bool launches(const clprim__operation *operation, const void *call)
{
    return operation->launches_for_none || operation->count(call) > 0;
}

/* Bytes of scratch memory. A call under way, c, may take less from the pool; NULL: there is none. */
static size_t scratch_of(const clprim_plan *plan, const void *call, const clprim__call *c)
{
    const clprim__operation *operation = plan->operation;
    if (operation->scratch == NULL || !launches(operation, call))
        return 0;
    return c != NULL && operation->pooled != NULL && plan->workspace.supplied == NULL ? operation->pooled(plan, c)
                                                                                      : operation->scratch(plan, call);
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

clprim_status clprim_plan_set_scratch(clprim_plan *plan, cl_mem scratch)
{
    if (plan == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_plan_set_scratch: plan is NULL");
    return clprim__workspace_set(&plan->workspace, plan->scratch_is_state ? &plan->state : NULL, plan->runtime,
                                 scratch);
}

clprim_status clprim__check_length(const clprim__slot *slot, const clprim_array *array, size_t needed)
{
    return array->length == 0 || array->length >= needed
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_RANGE, "%s has a length of %zu: the call needs %zu elements",
                              slot->member->name, array->length, needed);
}

/* One array of a call: there where the plan's description asks for it, and only there. */
static clprim_status check_array(clprim__range *out, const clprim_plan *plan, const void *call,
                                 const clprim__slot *slot)
{
    const clprim_array *array = clprim__array_in(call, slot);
    const char *name = slot->member->name;
    *out = (clprim__range){.name = name};
    if (slot->is_value)
        return array->host != NULL && array->buffer == NULL
                   ? CLPRIM_SUCCESS
                   : clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                  "%s[%zu] must have a .host and no buffer: its parameter is one value, "
                                  "which is copied when the call is enqueued",
                                  name, slot->index);
    if (array->host != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                            "%s.host is given: enqueue takes buffers, clprim_%s_run takes both", name,
                            plan->operation->face->name);
    if (slot->element_size == 0)
        return array->buffer == NULL && array->offset == 0
                   ? CLPRIM_SUCCESS
                   : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the plan was made without it", name);
    *out = (clprim__range){.name = name,
                           .memory = array->buffer,
                           .offset = array->offset,
                           .count = clprim__length_of(slot, plan->desc.bytes, call),
                           .element_size = slot->element_size};
    const clprim_status status = clprim__check_length(slot, array, out->count);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (array->buffer == NULL && (out->count == 0 || slot->member->is_optional))
        return CLPRIM_SUCCESS;
    return clprim__check_range(out, plan->runtime->context,
                               (slot->is_read || plan->operation->reads_outputs ? CLPRIM__READ : 0) |
                                   (slot->is_written ? CLPRIM__WRITE : 0));
}

/* Behind the arrays that a repeated member has by the description there are no more. */
static clprim_status check_rest(const clprim__rest *rest, const void *call)
{
    const clprim_member *m = rest->member;
    const size_t used = rest->used * sizeof(clprim_array);
    return memcmp((const char *)call + m->place + used, zeroed.bytes, m->size - used) == 0
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the plan was made without it", m->name);
}

/* What is written overlaps nothing, but for an output in the very place of its input. */
static clprim_status check_output(clprim__call *c, const clprim_plan *plan, int output)
{
    const int source = plan->slots[output].in_place_of;
    const clprim__range *out = &c->arrays[output];
    c->is_in_place[output] = false;
    if (out->parent == NULL)
        return CLPRIM_SUCCESS;
    c->is_in_place[output] = source >= 0 && out->element_size == c->arrays[source].element_size &&
                             clprim__is_same_range(&c->arrays[source], out);
    for (int other = 0; other < output; other++) {
        const bool is_argument = /* what is read of it, texts decide */
            plan->slots[other].member->is_value != NULL && !plan->operation->keeps_arguments;
        if (c->arrays[other].parent == NULL || (other == source && c->is_in_place[output]) ||
            (is_argument && out->element_size == c->arrays[other].element_size &&
             clprim__is_same_range(&c->arrays[other], out)))
            continue;
        const clprim_status status = clprim__check_disjoint(&c->arrays[other], out);
        if (status != CLPRIM_SUCCESS)
            return status;
    }
    return CLPRIM_SUCCESS;
}

/* What the call has for PARAMETERS (parameters.h), which was checked: its arguments. */
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

/* And its counts. */
static void add_counts(clprim__arguments *list, const clprim_plan *plan, const void *call)
{
    list->count = 0;
    for (size_t i = 0; i < plan->num_slots && plan->counts.number > 0; i++)
        if (clprim__is_count_at(plan->slots[i].member)) {
            const clprim_array *count = clprim__array_in(call, &plan->slots[i]);
            clprim__add_array(list, count->buffer, count->buffer != NULL ? count->offset : CLPRIM__NO_COUNT);
        }
}

/* And the value with which its folds begin. */
static void add_initial(clprim__arguments *list, const clprim_plan *plan, const void *call)
{
    list->count = 0;
    if (plan->initial_value != NULL)
        clprim__add_scalar(list, plan->initial_value, plan->initial_size);
    if (plan->initial.is_at) {
        const clprim_array *at = clprim__array_in(call, &plan->slots[slot_named(plan, "initial_at", 0)]);
        clprim__add_array(list, at->buffer, at->offset);
    }
}

static clprim_status check_call(clprim__call *c, const clprim_plan *plan)
{
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(check_count(plan, c->given));
    for (size_t i = 0; i < plan->num_slots; i++)
        CLPRIM__TRY(check_array(&c->arrays[i], plan, c->given, &plan->slots[i]));
    for (size_t i = 0; i < plan->num_rests; i++)
        CLPRIM__TRY(check_rest(&plan->rests[i], c->given));
    for (size_t i = 0; i < plan->num_slots; i++)
        if (plan->slots[i].is_written)
            CLPRIM__TRY(check_output(c, plan, (int)i));
    if (plan->operation->check != NULL)
        CLPRIM__TRY(plan->operation->check(plan, c->given));
done:
    return status;
}

static clprim_status launch(clprim_plan *plan, clprim__chain *chain, clprim__call *c)
{
    clprim__arguments arguments, counts, initial; /* of which only what there is is filled in */
    clprim_status status = CLPRIM_SUCCESS;
    add_arguments(&arguments, plan, c->given);
    add_counts(&counts, plan, c->given);
    add_initial(&initial, plan, c->given);
    chain->arguments = arguments.count > 0 ? &arguments : NULL;
    chain->counts = counts.count > 0 ? &counts : NULL;
    chain->initial = initial.count > 0 ? &initial : NULL;
    if (!launches(plan->operation, c->given))
        return clprim__chain_marker(chain);
    if (!plan->scratch_is_state)
        CLPRIM__TRY(clprim__workspace_begin(&c->scratch, &plan->workspace, chain, scratch_of(plan, c->given, c)));
    CLPRIM__TRY(plan->operation->launch(plan, chain, c));
done:
    clprim__workspace_end(&plan->workspace, chain);
    chain->arguments = chain->counts = chain->initial = NULL;
    return status;
}

clprim_status clprim__plan_enqueue(clprim_plan *plan, const clprim__operation *operation, cl_command_queue queue,
                                   const void *call, cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    const char *name = operation->face->name;
    clprim__call c; /* of which only what the plan has is filled in: there is room for many arrays */
    clprim__chain chain = {0};
    clprim_status status = CLPRIM_SUCCESS;
    if (plan == NULL || call == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_enqueue: %s is NULL", name,
                            plan == NULL ? "plan" : "call");
    if (plan->operation != operation)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_enqueue: the plan is one of %s", name,
                            plan->operation->face->name);
    c.given = call;
    c.scratch = NULL;
    CLPRIM__TRY(check_call(&c, plan));
    CLPRIM__TRY(clprim__chain_begin(&chain, plan->runtime, &plan->queue, queue, num_waits, waits, done != NULL));
    status = launch(plan, &chain, &c);
done:
    clprim__chain_end(&chain, status, done);
    return status;
}
