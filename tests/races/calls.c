// SPDX-License-Identifier: MIT
/* calls.c: data for a call, and the results that the reference expects. */
#include "races.h"

static races_call *filled;     /* the call that the reference is asked about */
static test_struct of_numbers; /* its call with the plain description */

/* Elements of an array. For the plain description: bytes of one element, 0 if there is no such array. */
static size_t length_of(const clprim__slot *slot)
{
    return slot->member->length(filled->desc.plain.bytes, of_numbers.bytes);
}

static size_t plain_size(const clprim__slot *slot)
{
    return slot->member->element(filled->desc.plain.bytes, slot->index).size;
}

/* Records of descs.c; each is made from the one number that the plain description has. */
static void make_records(void *out, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t record[] = {numbers[i], ~numbers[i], numbers[i] * 3};
        memcpy((char *)out + i * sizeof record, record, sizeof record);
    }
}

/* The operation's reference, called with the plain description. An input that only the plain call has holds the values
 * that the text computes; the text reads the elements, which are the first array. */
static clprim_status reference(const void *desc, const void *on_host)
{
    const clprim_plan *plan = filled->self.plan;
    for (const clprim__slot *slot = plan->slots; slot < plan->slots + plan->num_slots; slot++) {
        clprim_array *a = clprim__array_of(of_numbers.bytes, slot);
        if (slot->is_written && slot->element_size == plain_size(slot))
            *a = *clprim__array_in(on_host, slot);
        else if (slot->is_written)
            a->host = clprim__trial_memory(&filled->trial, length_of(slot) * plain_size(slot));
        else if (slot->element_size == 0 && plain_size(slot) > 0)
            *a = *clprim__array_in(of_numbers.bytes, plan->slots);
    }
    const clprim_status status = clprim__plan_reference(plan->operation, desc, of_numbers.bytes);
    for (const clprim__slot *slot = plan->slots; slot < plan->slots + plan->num_slots; slot++)
        if (slot->is_written && slot->element_size != plain_size(slot))
            make_records(clprim__array_in(on_host, slot)->host, clprim__array_in(of_numbers.bytes, slot)->host,
                         length_of(slot));
    return status;
}

void races_fill(races_call *call)
{
    test_call *self = &call->self;
    filled = call;
    of_numbers = (test_struct){.bytes = {0}};
    call->trial.pattern = call->round->pattern;
    clprim__plan_sample(&call->trial, self->operation, call->desc.plain.bytes, of_numbers.bytes,
                        clprim__trial_count(races_count(call), self->plan->max_count));
    test_expect_status(call->trial.status, CLPRIM_SUCCESS, "", self->name);
    test_struct given = of_numbers;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        const size_t bytes = length_of(slot) * slot->element_size;
        clprim_array *a = clprim__array_of(given.bytes, slot);
        if (slot->is_written || bytes == 0 || slot->element_size == plain_size(slot))
            continue;
        void *records = clprim__trial_memory(&call->trial, bytes);
        make_records(records, a->host, length_of(slot));
        a->host = records;
    }
    self->desc = call->desc.plain;
    self->reference = reference;
    self->replaced = call->round->is_in_place ? UINT64_MAX : 0;
    self->is_tight = true;
    test_call_fill(self, given.bytes, call->round->skip);
}
