/* plan_trial.c: trials of operations that have a table: a call of the operation's own sample, against its reference. */
#include <string.h>

#include "plan_internal.h"

void clprim__plan_trial_destroy(void *plan)
{
    clprim_plan_destroy(plan);
}

bool clprim__plan_trial_has_reference(const clprim__trial_subject *subject, const void *desc)
{
    for (const clprim_member *m = subject->operation->face->desc_members; m->name != NULL; m++) {
        const void *text = NULL;
        if (m->kind != CLPRIM_MEMBER_TEXT && m->kind != CLPRIM_MEMBER_CUSTOM_OP && m->kind != CLPRIM_MEMBER_PARAMETER)
            continue;
        memcpy(&text, (const char *)desc + m->place, sizeof text);
        if (text != NULL)
            return false;
    }
    return subject->operation->has_reference == NULL || subject->operation->has_reference(desc);
}

static size_t length_of(const clprim_plan *plan, const clprim__slot *slot, const void *call)
{
    return slot->element_size == 0 ? 0 : clprim__length_of(slot, plan->desc.bytes, call);
}

/* How many elements of an output the reference has written. */
static size_t written_length(const clprim_plan *plan, const clprim__slot *slot, const void *call)
{
    const size_t length = length_of(plan, slot, call);
    if (slot->counted_by < 0)
        return length;
    const clprim__slot *counter = &plan->slots[slot->counted_by];
    cl_ulong count = 0; /* little-endian, as all the devices there are */
    memcpy(&count, clprim__array_in(call, counter)->host, counter->element_size);
    return count < length ? (size_t)count : length;
}

void clprim__plan_sample(clprim__trial *trial, const clprim__operation *operation, const void *desc, void *call,
                         size_t count)
{
    const cl_ulong numbers[] = {count / 2, count, 0, count + 3, 1, count - (count > 0)};
    size_t which = (size_t)(trial->random >> 7);
    operation->sample(trial, desc, call, count);
    for (const clprim_member *m = operation->face->call_members; m->name != NULL; m++) {
        const size_t size = clprim__is_count_at(m) ? m->element(desc, 0).size : 0;
        clprim_array *at = (clprim_array *)(void *)((char *)call + m->place);
        if (size == 0 || (at->host = clprim__trial_memory(trial, size)) == NULL)
            continue;
        memcpy(at->host, &numbers[which++ % (sizeof numbers / sizeof *numbers)], size); /* little-endian */
    }
}

void clprim__plan_limit(clprim__given *out, const clprim__operation *operation, const void *desc, const void *call)
{
    const clprim_operation *face = operation->face;
    memcpy(out->bytes, call, face->call_size);
    for (const clprim_member *m = face->call_members; m->name != NULL; m++) {
        const clprim_array *at = (const clprim_array *)(const void *)((const char *)call + m->place);
        cl_ulong limit = 0;
        if (!clprim__is_count_at(m) || at->host == NULL)
            continue;
        memcpy(&limit, at->host, m->element(desc, 0).size);
        for (const clprim_member *of = face->call_members; of->name != NULL; of++) {
            size_t *count = (size_t *)(void *)(out->bytes + of->place);
            if (strncmp(of->name, m->name, strlen(m->name) - strlen("_at")) == 0 && of->kind == CLPRIM_MEMBER_SIZE &&
                limit < *count)
                *count = (size_t)limit;
        }
    }
}

void clprim__plan_trial_run(clprim__trial *trial, void *made, const void *desc, size_t wanted)
{
    clprim_plan *plan = made;
    const clprim__operation *operation = plan->operation;
    clprim__given on_host = {.bytes = {0}}, on_device, limited;
    clprim__plan_sample(trial, operation, desc, on_host.bytes, clprim__trial_count(wanted, plan->max_count));
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->is_written && slot->element_size > 0)
            clprim__array_of(on_host.bytes, slot)->host =
                clprim__trial_memory(trial, length_of(plan, slot, on_host.bytes) * slot->element_size);
    }
    if (trial->is_over)
        return;
    clprim__plan_limit(&limited, operation, desc, on_host.bytes);
    if (!clprim__trial_goes_on(trial, operation->reference(desc, limited.bytes)))
        return;
    memcpy(on_device.bytes, on_host.bytes, sizeof on_host.bytes);
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        clprim_array *array = clprim__array_of(on_device.bytes, slot);
        const size_t bytes = length_of(plan, slot, on_host.bytes) * slot->element_size;
        const void *data = !slot->is_written ? array->host : slot->is_read ? clprim__trial_memory(trial, bytes) : NULL;
        *array = (clprim_array){0};
        if (slot->element_size > 0)
            array->buffer = clprim__trial_buffer(trial, data, bytes);
    }
    if (trial->is_over || !clprim__trial_goes_on(trial, clprim__plan_enqueue(plan, operation, trial->queue,
                                                                             on_device.bytes, 0, NULL, NULL)))
        return;
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        if (slot->is_written && slot->element_size > 0)
            clprim__trial_expect(trial, slot->member->name, clprim__array_of(on_device.bytes, slot)->buffer,
                                 clprim__array_of(on_host.bytes, slot)->host, slot->element_size,
                                 written_length(plan, slot, limited.bytes));
    }
}
