// SPDX-License-Identifier: MIT
/* plan.c: create and destroy plans, for all operations. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "error.h"
#include "making.h"
#include "native.h"
#include "order.h"
#include "plan_internal.h"
#include "plan_texts.h"
#include "runtime_internal.h"

enum { MAX_ITEMS = 1024 /* per work-item */ };

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

int clprim__slot_named(const clprim_plan *plan, const char *name, size_t index)
{
    for (size_t i = 0; name != NULL && i < plan->num_slots; i++)
        if (strcmp(plan->slots[i].member->name, name) == 0 && plan->slots[i].index == index)
            return (int)i;
    return -1;
}

/* Fill in the plan's slots, one for each array of its calls. Later, only a copy of the description without pointers is
 * kept. */
static void fill_in_slots(clprim_plan *plan, const void *desc)
{
    const clprim_operation *face = plan->operation->face;
    const unsigned always_read = clprim__texts_always_read(face, desc);
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
        slot->is_optional = m->is_optional && (m->is_needed == NULL || !m->is_needed(desc));
        slot->is_always_read = m->is_value != NULL && (always_read & 1U << slot->index) != 0;
        slot->is_read = !slot->is_written || (m->is_read != NULL && m->is_read(desc));
        slot->in_place_of = clprim__slot_named(plan, slot->member->in_place_of, slot->index);
        slot->counted_by = slot->element_size == 0 || (m->is_whole != NULL && m->is_whole(desc))
                               ? -1
                               : clprim__slot_named(plan, slot->member->counted_by, 0);
    }
    memcpy(plan->desc.bytes, desc, face->desc_size);
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++)
        if (m->kind == CLPRIM_MEMBER_TEXT || m->kind == CLPRIM_MEMBER_DATA || m->kind == CLPRIM_MEMBER_CUSTOM_OP ||
            m->kind == CLPRIM_MEMBER_PARAMETER)
            memset(plan->desc.bytes + m->place, 0, m->size);
}

/* Read a member of a description, if there is a member of that name. */
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

/* Read the members that the descriptions of all operations have in common. */
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

/* Find out which arguments an output may overwrite in place. */
static clprim_status read_texts(clprim_plan *plan, const void *desc)
{
    const clprim__operation *operation = plan->operation;
    const clprim__reading found = clprim__texts_read(operation->face, desc, operation->replaces_arguments);
    if (found.failed)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for the texts of a plan");
    plan->replaced = found.at_index;
    return CLPRIM_SUCCESS;
}

/* Whether this thread makes a plan for a call of run with few elements on the host. */
static _Thread_local bool is_for_few;

/* Whether this thread makes a plan of kernels. Plans that are made for it are of kernels, too, for its own launches contain
 * theirs. */
static _Thread_local bool is_for_another;

static clprim_status make_kernels(clprim_plan *plan, const void *desc)
{
    const bool before = is_for_another;
    is_for_another = true;
    const clprim_status status = plan->operation->make(plan, desc);
    is_for_another = before;
    return status;
}

static clprim_status make_in(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                             const void *desc, size_t local_room, bool may_be_native)
{
    const clprim__operation *operation = subject->operation;
    clprim_plan *plan = calloc(1, operation->plan_size);
    if (plan == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a plan of %s", operation->face->name);
    plan->operation = operation;
    plan->subject = subject;
    plan->runtime = clprim__runtime_retain(runtime);
    plan->local_room = local_room;
    clprim_status status = read_common(plan, desc);
    if (status == CLPRIM_SUCCESS)
        status = clprim__texts_check(operation->face, desc);
    if (status == CLPRIM_SUCCESS && may_be_native && !is_for_another)
        status = clprim__native_make(plan, desc, is_for_few);
    if (status == CLPRIM_SUCCESS && plan->native == NULL)
        status = make_kernels(plan, desc);
    if (status == CLPRIM_SUCCESS && operation->replaces_arguments != NULL && !plan->keeps_arguments)
        status = read_texts(plan, desc);
    if (status != CLPRIM_SUCCESS) {
        clprim_plan_destroy(plan);
        return status;
    }
    fill_in_slots(plan, desc);
    *out = plan;
    return CLPRIM_SUCCESS;
}

clprim_status clprim__plan_trial_make(void **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                      const void *desc)
{
    const size_t room = clprim__device_local_room(&runtime->info);
    const size_t whole = clprim__device_local_whole(&runtime->info);
    clprim_status status = make_in(out, runtime, subject, desc, room, true);
    /* if two groups do not fit on a compute unit, a single one works, too, but more slowly */
    if (status == CLPRIM_UNSUPPORTED && room < whole)
        status = make_in(out, runtime, subject, desc, whole, true);
    return status;
}

clprim_status clprim__plan_make_kernels(clprim_plan **out, const clprim_plan *native)
{
    void *plan = NULL;
    clprim__any_desc desc;
    memcpy(desc.bytes, clprim__native_desc(native), native->subject->desc_size);
    memset(desc.bytes + native->subject->variant_at, 0, sizeof(int));
    const clprim_status status =
        make_in(&plan, native->runtime, native->subject, desc.bytes, native->local_room, false);
    if (status == CLPRIM_SUCCESS)
        *out = plan;
    return status;
}

/* Fail as for a zeroed description, but tell the caller that they passed none. */
static clprim_status say_without_description(const char *stem)
{
    char *why = clprim__last_error_copy();
    const clprim_status status = clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_%s_create: desc is NULL: %s", stem,
                                              why != NULL ? why : "it must say more");
    free(why);
    return status;
}

clprim_status clprim__plan_create(clprim_plan **out, clprim_runtime *runtime, const clprim__trial_subject *subject,
                                  const void *desc)
{
    void *plan = NULL;
    const clprim_status status =
        clprim__trial_create(out != NULL ? &plan : NULL, runtime, subject, desc != NULL ? desc : zeroed.bytes);
    if (status == CLPRIM_INVALID_ARGUMENT && desc == NULL && out != NULL && runtime != NULL)
        return say_without_description(subject->stem);
    if (status == CLPRIM_SUCCESS && out != NULL)
        *out = plan;
    return status;
}

clprim_status clprim__plan_create_for_run(clprim_plan **out, clprim_runtime *runtime,
                                          const clprim__trial_subject *subject, const void *desc, const void *call)
{
    is_for_few = runtime->limits.device_memory == 0 && clprim__native_is_for_few(subject->operation, call);
    const clprim_status status = clprim__plan_create(out, runtime, subject, desc);
    is_for_few = false;
    return status;
}

clprim_status clprim__plan_keep_initial(clprim_plan *plan, const char *type, size_t size, const void *value, bool is_at)
{
    if (is_at || value != NULL)
        plan->initial = (clprim__initial){.type = type, .is_at = is_at};
    if (value == NULL)
        return CLPRIM_SUCCESS;
    plan->initial_size = size;
    plan->initial_value = malloc(size);
    if (plan->initial_value == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for an initial value");
    memcpy(plan->initial_value, value, size);
    return CLPRIM_SUCCESS;
}

void clprim_plan_destroy(clprim_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->operation->clear != NULL)
        plan->operation->clear(plan);
    for (size_t i = 0; i < plan->num_kernels; i++)
        clprim__kernel_clear(&plan->kernels[i]);
    clprim_plan_destroy(plan->in_kernels);
    clprim__recording_clear(&plan->recording);
    clprim__state_clear(&plan->state);
    clprim__workspace_clear(&plan->workspace);
    clprim__queue_clear(&plan->queue);
    clprim_runtime_destroy(plan->runtime);
    free(plan->native);
    free(plan->initial_value);
    free(plan);
}

clprim_status clprim__plan_chose(clprim_plan *plan, const clprim_variant_info *variant, int wanted)
{
    if (variant == NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown variant %d of %s", wanted, plan->operation->face->name);
    plan->variant = variant;
    clprim__making_chose(variant);
    return !clprim__is_native(variant)
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_UNSUPPORTED, "%s needs %s, which %s or this description lacks", variant->name,
                              variant->needs, plan->runtime->info.name);
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
