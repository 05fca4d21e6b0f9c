/* calls.c: a call of a plan: its arrays in buffers, and what the reference says must come of it. */
#include <string.h>

#include "error.h"
#include "races.h"

enum { POISON = 0xa5 };

typedef struct array {
    const clprim__slot *slot;
    size_t size, plain_size; /* of an element, of the plan's and of the plain description's; 0: there is none */
    size_t length, bytes;    /* elements; of the buffer, which ends where the last one does */
    clprim_array *host, *device;
    struct array *place;           /* whose buffer it is written to */
    unsigned char *before, *after; /* what the buffer holds */
} array;

typedef struct arrays {
    array of[CLPRIM__MAX_ARRAYS];
    union {
        max_align_t alignment;
        char bytes[CLPRIM__MAX_CALL];
    } host, device;
} arrays;

/* Elements of the plain description as the plan's: records of descs.c are made of one number each. */
static void widen(unsigned char *out, const array *a, const void *plain, size_t count)
{
    const uint32_t *numbers = plain;
    if (a->size == a->plain_size && count > 0)
        memcpy(out, plain, count * a->size);
    for (size_t i = 0; i < count && a->size != a->plain_size; i++) {
        const uint32_t record[] = {numbers[i], ~numbers[i], numbers[i] * 3};
        memcpy(out + i * sizeof record, record, sizeof record);
    }
}

/* The call on the host, by the plain description. An input that only this one has holds what the text works out: it is
 * about the elements, which are the first array. */
static void sample(arrays *self, races_call *call)
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
        *a = (array){
            .slot = slot, .size = slot->element_size, .plain_size = slot->member->element(desc, slot->index).size};
        a->host = clprim__array_of(self->host.bytes, slot);
        a->device = clprim__array_of(self->device.bytes, slot);
        a->place = source->size == a->size ? source : a;
        if (a->plain_size == 0)
            continue;
        a->length = slot->member->length(desc, self->host.bytes);
        a->bytes = (call->round->skip + a->length) * a->size;
        a->before = memset(races_memory(call, a->bytes), POISON, a->bytes);
        a->after = races_memory(call, a->bytes);
        if (slot->is_written)
            a->host->host = races_memory(call, a->length * a->plain_size);
        else if (a->size == 0)
            a->host->host = self->of[0].host->host;
        else
            widen(a->before + call->round->skip * a->size, a, a->host->host, a->length);
    }
    memcpy(self->device.bytes, self->host.bytes, sizeof self->host.bytes);
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
    const clprim_plan *plan = call->plan;
    const array *read = NULL;
    clprim_status status = plan->operation->reference(call->desc.plain.bytes, self->host.bytes);
    for (array *a = self->of; a < self->of + plan->num_slots; a++)
        if (a->size > 0 && a->slot->is_written && a->slot->is_read) {
            widen(a->before + call->round->skip * a->size, a, a->host->host, a->length);
            read = a;
        }
    if (read != NULL)
        status = plan->operation->reference(call->desc.plain.bytes, self->host.bytes);
    for (array *a = self->of; a < self->of + plan->num_slots; a++) {
        if (a->size > 0)
            memcpy(a->after, a->before, a->bytes);
        if (a->size > 0 && a->slot->is_written) /* behind the inputs */
            widen(a->place->after + call->round->skip * a->size, a, a->host->host, written(self, a));
    }
    return status;
}

static cl_int make_buffers(const arrays *self, races_call *call)
{
    cl_int code = CL_SUCCESS;
    for (const array *a = self->of; a < self->of + call->plan->num_slots && code == CL_SUCCESS; a++) {
        *a->device = (clprim_array){0};
        if (a->size == 0)
            continue;
        if (a->place == a)
            a->device->buffer = call->trial.buffers[call->trial.num_buffers++] = clCreateBuffer(
                clprim_runtime_context(call->runtime), CL_MEM_READ_WRITE, a->bytes > 0 ? a->bytes : 1, NULL, &code);
        *a->device = (clprim_array){.buffer = a->place->device->buffer, .offset = call->round->skip};
    }
    return code;
}

/* Set all buffers to what they hold before; or else compare with what they hold after. */
static cl_int move(const arrays *self, races_call *call, bool is_before)
{
    cl_command_queue queue = clprim_runtime_queue(call->runtime);
    cl_int code = CL_SUCCESS;
    for (const array *a = self->of; a < self->of + call->plan->num_slots && code == CL_SUCCESS; a++) {
        unsigned char *got = a->bytes > 0 && a->place == a && !is_before ? races_memory(call, a->bytes) : NULL;
        if (a->bytes > 0 && a->place == a)
            code = is_before
                       ? clEnqueueWriteBuffer(queue, a->device->buffer, CL_TRUE, 0, a->bytes, a->before, 0, NULL, NULL)
                       : clEnqueueReadBuffer(queue, a->device->buffer, CL_TRUE, 0, a->bytes, got, 0, NULL, NULL);
        call->is_wrong = call->is_wrong || (got != NULL && memcmp(got, a->after, a->bytes) != 0);
    }
    return code;
}

clprim_status races_enqueue(races_call *call)
{
    arrays self = {.host = {.bytes = {0}}};
    clprim_status status = CLPRIM_SUCCESS;
    sample(&self, call);
    CLPRIM__TRY(call->trial.status);
    CLPRIM__TRY(expect(&self, call));
    CLPRIM__TRY(clprim__cl(make_buffers(&self, call), "clCreateBuffer"));
    for (size_t i = 0; i < (call->number == 0 ? 2 : 1); i++) {
        CLPRIM__TRY(clprim__cl(move(&self, call, true), "clEnqueueWriteBuffer"));
        CLPRIM__TRY(call->subject->operation->face->enqueue(call->plan, NULL, self.device.bytes, 0, NULL, NULL));
    }
    CLPRIM__TRY(clprim__cl(move(&self, call, false), "clEnqueueReadBuffer"));
done:
    return status;
}
