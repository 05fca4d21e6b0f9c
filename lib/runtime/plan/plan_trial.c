// SPDX-License-Identifier: MIT
/* plan_trial.c: trials of operations that have a table: run the operation's own sample, and compare it with the
 * reference. */
#include <string.h>

#include "error.h"
#include "plan_internal.h"
#include "plan_sample.h"
#include "trace.h"

void clprim__plan_trial_destroy(void *plan)
{
    clprim_plan_destroy(plan);
}

bool clprim__plan_trial_has_reference(const clprim__trial_subject *subject, const void *desc)
{
    return clprim__plan_has_reference(subject->operation, desc);
}

const char *clprim__plan_trial_give(void *desc, const clprim__trial_subject *subject)
{
    const bool has_input = clprim__plan_give_input(desc, subject->operation);
    const bool has_count = clprim__plan_give_count_at(desc, subject->operation);
    return has_input && has_count ? ", .input, .count_at" : has_input ? ", .input" : has_count ? ", .count_at" : NULL;
}

static size_t length_of(const clprim_plan *plan, const clprim__slot *slot, const void *call)
{
    return slot->element_size == 0 ? 0 : clprim__length_of(slot, plan->desc.bytes, call);
}

/* The number of elements of an output that the reference has written. */
static size_t written_length(const clprim_plan *plan, const clprim__slot *slot, const void *call)
{
    const size_t length = length_of(plan, slot, call);
    if (slot->counted_by < 0)
        return length;
    const clprim__slot *counter = &plan->slots[slot->counted_by];
    cl_ulong count = 0; /* little-endian, like all supported devices */
    memcpy(&count, clprim__array_in(call, counter)->host, counter->element_size);
    return count < length ? (size_t)count : length;
}

/* Create a device array for each array of the call on the host. Outputs whose previous contents matter begin with
 * zeros. */
static void put_on_device(clprim__trial *trial, const clprim_plan *plan, void *on_device, const void *on_host)
{
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        clprim_array *array = clprim__array_of(on_device, slot);
        const size_t bytes = length_of(plan, slot, on_host) * slot->element_size;
        const bool begins_as_expected = slot->is_read || slot->member->is_partial; /* as on the host, with zeros */
        const void *data = !slot->is_written    ? array->host
                           : begins_as_expected ? clprim__trial_memory(trial, bytes)
                                                : NULL;
        *array = (clprim_array){0};
        if (slot->element_size > 0)
            array->buffer = clprim__trial_buffer(trial, data, bytes);
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
    if (!clprim__trial_goes_on(trial, clprim__plan_reference(operation, desc, on_host.bytes)))
        return;
    clprim__plan_limit(&limited, operation, desc, on_host.bytes);
    memcpy(on_device.bytes, on_host.bytes, sizeof on_host.bytes);
    put_on_device(trial, plan, on_device.bytes, on_host.bytes);
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

/* The time of `calls` consecutive calls in nanoseconds; 0 if one failed. */
static long long time_calls(clprim__trial *trial, clprim_plan *plan, const void *call, size_t calls)
{
    const long long began = clprim__trace_now();
    for (size_t i = 0; i < calls && !trial->is_over; i++)
        (void)clprim__trial_goes_on(trial,
                                    clprim__plan_enqueue(plan, plan->operation, trial->queue, call, 0, NULL, NULL));
    if (!trial->is_over)
        (void)clprim__trial_goes_on(trial, clprim__cl(clFinish(trial->queue), "clFinish for a measurement"));
    return trial->is_over ? 0 : clprim__trace_now() - began;
}

double clprim__plan_trial_time(size_t *count, clprim__trial *trial, clprim_plan *plan, const void *desc, size_t wanted)
{
    enum { MOST_CALLS = 1 << 12, ENOUGH = 20000000 /* nanoseconds */, ROUNDS = 3 };
    clprim__given on_host = {.bytes = {0}}, on_device;
    double best = 0;
    *count = clprim__trial_count(wanted, plan->max_count);
    clprim__plan_sample(trial, plan->operation, desc, on_host.bytes, *count);
    memcpy(on_device.bytes, on_host.bytes, sizeof on_host.bytes);
    put_on_device(trial, plan, on_device.bytes, on_host.bytes);
    (void)time_calls(trial, plan, on_device.bytes, 1); /* the first call may compile */
    size_t calls = 1;
    long long passed = time_calls(trial, plan, on_device.bytes, calls);
    while (passed > 0 && passed < ENOUGH && calls < MOST_CALLS) {
        calls *= 2;
        passed = time_calls(trial, plan, on_device.bytes, calls);
    }
    for (int round = 0; round < ROUNDS && !trial->is_over; round++) {
        const double seconds = (double)passed * 1e-9 / (double)calls;
        best = round == 0 || seconds < best ? seconds : best;
        passed = round + 1 < ROUNDS ? time_calls(trial, plan, on_device.bytes, calls) : 0;
    }
    return trial->is_over ? 0 : best;
}
