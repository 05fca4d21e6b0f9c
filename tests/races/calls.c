/* calls.c: a call of a plan: its arrays in buffers, and what the reference says must come of it. */
#include <string.h>

#include "error.h"
#include "races.h"

enum { POISON = 0xa5 };

typedef struct array {
    const clprim__slot *slot;
    size_t size, plain_size; /* of an element, of the plan's and of the plain description's; 0: there is none */
    size_t length, begin;    /* in elements; in bytes of the buffer */
    size_t bytes;            /* of the buffer, which ends where the last element does, but is not empty */
    clprim_array *host;
    struct array *place;           /* whose buffer it is written to */
    unsigned char *before, *after; /* what the buffer holds */
    cl_mem buffer;
} array;

typedef struct arrays {
    array of[CLPRIM__MAX_ARRAYS];
    test_struct host;
} arrays;

/* The first elements of an array on the host into what a buffer holds. Records of descs.c are made of the one number
 * that the plain description has. */
static void put(unsigned char *buffer, const array *a, size_t count)
{
    const uint32_t *numbers = a->host->host;
    if (a->size == a->plain_size && count > 0)
        memcpy(buffer + a->begin, numbers, count * a->size);
    for (size_t i = 0; i < count && a->size != a->plain_size; i++) {
        const uint32_t record[] = {numbers[i], ~numbers[i], numbers[i] * 3};
        memcpy(buffer + a->begin + i * sizeof record, record, sizeof record);
    }
}

/* The call on the host, by the plain description. An input that only this one has holds what the text works out: it is
 * about the elements, which are the first array. */
static clprim_status sample(arrays *self, races_call *call)
{
    const clprim_plan *plan = call->plan;
    const void *desc = call->desc.plain.bytes;
    call->trial.pattern = call->round->pattern;
    plan->operation->sample(&call->trial, desc, self->host.bytes,
                            clprim__trial_count(races_count(call), plan->max_count));
    for (size_t i = 0; i < plan->num_slots; i++) {
        const clprim__slot *slot = &plan->slots[i];
        array *a = &self->of[i];
        array *source = slot->in_place_of >= 0 && call->round->is_in_place ? &self->of[slot->in_place_of] : a;
        *a = (array){.slot = slot,
                     .size = slot->element_size,
                     .plain_size = slot->member->element(desc, slot->index).size,
                     .begin = call->round->skip * slot->element_size,
                     .host = clprim__array_of(self->host.bytes, slot)};
        a->place = source->size == a->size ? source : a;
        if (a->plain_size == 0)
            continue;
        a->length = slot->member->length(desc, self->host.bytes);
        a->bytes = a->begin + a->length * a->size;
        a->bytes += a->bytes == 0;
        a->before = memset(races_memory(call, a->bytes), POISON, a->bytes);
        a->after = races_memory(call, a->bytes);
        if (slot->is_written)
            a->host->host = races_memory(call, a->length * a->plain_size);
        else if (a->size == 0)
            a->host->host = self->of[0].host->host;
        else
            put(a->before, a, a->length);
    }
    return call->trial.status;
}

/* As many elements as another output says, or all. */
static size_t written(const arrays *self, const array *a)
{
    uint64_t count = 0; /* little-endian, as all the devices there are */
    if (a->slot->counted_by < 0)
        return a->length;
    const array *counter = &self->of[a->slot->counted_by];
    memcpy(&count, counter->host->host, counter->size);
    return count < a->length ? (size_t)count : a->length;
}

/* What buffers hold before and after. Outputs that are added to hold the results of a first call. */
static clprim_status expect(arrays *self, const races_call *call)
{
    const array *end = self->of + call->plan->num_slots;
    bool is_added_to = false;
    clprim_status status = call->plan->operation->reference(call->desc.plain.bytes, self->host.bytes);
    for (array *a = self->of; a < end; a++)
        if (a->size > 0 && a->slot->is_written && a->slot->is_read) {
            put(a->before, a, a->length);
            is_added_to = true;
        }
    if (is_added_to)
        status = call->plan->operation->reference(call->desc.plain.bytes, self->host.bytes);
    for (array *a = self->of; a < end; a++) {
        if (a->size > 0)
            memcpy(a->after, a->before, a->bytes);
        if (a->size > 0 && a->slot->is_written) /* behind the inputs */
            put(a->place->after, a, written(self, a));
    }
    return status;
}

/* Enqueue it by buffers that are new. */
static clprim_status enqueue(arrays *self, races_call *call)
{
    test_struct device = self->host;
    cl_int code = CL_SUCCESS;
    for (array *a = self->of; a < self->of + call->plan->num_slots; a++) {
        if (a->size > 0 && a->place == a) {
            a->buffer = clCreateBuffer(clprim_runtime_context(call->runtime), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       a->bytes, a->before, &code);
            if (code != CL_SUCCESS)
                return clprim__cl(code, "clCreateBuffer");
            call->trial.buffers[call->trial.num_buffers++] = a->buffer;
        }
        *clprim__array_of(device.bytes, a->slot) = (clprim_array){.buffer = a->size > 0 ? a->place->buffer : NULL,
                                                                  .offset = a->size > 0 ? call->round->skip : 0};
    }
    return call->subject->operation->face->enqueue(call->plan, NULL, device.bytes, 0, NULL, NULL);
}

/* Compare all buffers with what they hold after the call. */
static clprim_status compare(const arrays *self, races_call *call)
{
    cl_int code = CL_SUCCESS;
    for (const array *a = self->of; a < self->of + call->plan->num_slots && code == CL_SUCCESS; a++) {
        if (a->size == 0 || a->place != a)
            continue;
        void *got = races_memory(call, a->bytes);
        code = clEnqueueReadBuffer(clprim_runtime_queue(call->runtime), a->buffer, CL_TRUE, 0, a->bytes, got, 0, NULL,
                                   NULL);
        call->is_wrong = call->is_wrong || memcmp(got, a->after, a->bytes) != 0;
    }
    return clprim__cl(code, "clEnqueueReadBuffer");
}

clprim_status races_enqueue(races_call *call)
{
    arrays self = {.host = {.bytes = {0}}};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(sample(&self, call));
    CLPRIM__TRY(expect(&self, call));
    for (size_t i = 0; i < (call->number == 0 ? 2 : 1); i++) {
        CLPRIM__TRY(enqueue(&self, call));
        CLPRIM__TRY(compare(&self, call));
    }
done:
    return status;
}
