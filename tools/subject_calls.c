// SPDX-License-Identifier: MIT
/* subject_calls.c: a subject's plans, and its calls with their data, by the operation's table. */
#include <stdlib.h>
#include <string.h>

#include "runtime_internal.h"
#include "subjects.h"

enum { POISON = 0xa5 };

typedef union description {
    max_align_t alignment;
    char bytes[CLPRIM__MAX_DESC];
} description;

/* The member of this name, or NULL. */
static const clprim_member *member_of(const subject *self, const char *name)
{
    for (const clprim_member *m = self->operation->operation->face->desc_members; m->name != NULL; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

static void set(description *desc, const clprim_member *member, const void *value)
{
    if (member != NULL)
        memcpy(desc->bytes + member->place, value, member->size);
}

static description describe(const subject *self, int variant, size_t count)
{
    const clprim_member *key_type = member_of(self, "key_type");
    description desc = {.bytes = {0}};
    if (self->desc != NULL)
        memcpy(desc.bytes, self->desc, self->operation->desc_size);
    set(&desc, key_type != NULL ? key_type : member_of(self, "type"), &self->type);
    set(&desc, member_of(self, "value_size"), &self->value_size);
    set(&desc, member_of(self, "max_count"), &count);
    set(&desc, member_of(self, "variant"), &variant);
    if (self->suit != NULL)
        self->suit(desc.bytes, variant);
    return desc;
}

clprim_status subject_plan(clprim_plan **out, clprim_runtime *runtime, const subject *self, int variant, size_t count)
{
    const description desc = describe(self, variant, count);
    return self->operation->operation->face->create(out, runtime, desc.bytes);
}

/* An array of a call. */
typedef struct place {
    const clprim_member *member;
    size_t at;   /* in the call */
    size_t size; /* of an element */
} place;

static bool is_array(const clprim_member *member)
{
    return member->kind == CLPRIM_MEMBER_INPUT || member->kind == CLPRIM_MEMBER_OUTPUT;
}

/* All but those that this description's calls do not have. Returns how many. */
static size_t places_of(place out[CLPRIM__MAX_ARRAYS], const subject *self, const description *desc)
{
    size_t count = 0;
    for (const clprim_member *m = self->operation->operation->face->call_members; m->name != NULL; m++) {
        for (size_t i = 0; is_array(m) && i < (m->repeat > 0 ? m->repeat : 1); i++) {
            const size_t size = m->element(desc->bytes, i).size;
            if (size > 0)
                out[count++] = (place){m, m->place + i * sizeof(clprim_array), size};
        }
    }
    return count;
}

static clprim_array *array_at(void *call, size_t at)
{
    return (clprim_array *)(void *)((char *)call + at);
}

/* By the reference, which reads no text. */
static clprim_status make_results(const subject *self, const description *desc, void *call)
{
    const clprim__operation *operation = self->operation->operation;
    description plain = *desc;
    for (const clprim_member *m = operation->face->desc_members; m->name != NULL; m++)
        if (m->kind == CLPRIM_MEMBER_TEXT)
            memset(plain.bytes + m->place, 0, m->size);
    return operation->reference(plain.bytes, call);
}

/* How many elements of an array are read, or written as another output says. */
static size_t used_length(const place *array, const place *places, size_t count, const description *desc, void *call)
{
    for (size_t i = 0; i < count && array->member->counted_by != NULL; i++) {
        cl_ulong number = 0; /* little-endian, as all the devices there are */
        if (strcmp(places[i].member->name, array->member->counted_by) != 0)
            continue;
        memcpy(&number, array_at(call, places[i].at)->host, places[i].size);
        return (size_t)number;
    }
    return array->member->length(desc->bytes, call);
}

/* The arrays of the call on the host, which has its results, on the device. */
static void upload(subject_data *data, const place *places, size_t count, const description *desc, char *on_host)
{
    for (size_t i = 0; i < count; i++) {
        const void *host = array_at(on_host, places[i].at)->host;
        const bool is_output = places[i].member->kind == CLPRIM_MEMBER_OUTPUT;
        const size_t bytes = places[i].member->length(desc->bytes, on_host) * places[i].size;
        const size_t used = used_length(&places[i], places, count, desc, on_host) * places[i].size;
        const cl_mem buffer = clprim__trial_buffer(&data->owner, is_output ? NULL : host, bytes);
        data->arrays[data->num_arrays++] = (subject_array){buffer, is_output ? host : NULL, used};
        data->traffic += (double)used;
        *array_at(data->call.bytes, places[i].at) = (clprim_array){.buffer = buffer};
    }
}

clprim_status subject_data_create(subject_data *out, clprim_runtime *runtime, const subject *self, int variant,
                                  size_t count)
{
    const clprim__operation *operation = self->operation->operation;
    const description desc = describe(self, variant, count);
    place places[CLPRIM__MAX_ARRAYS];
    const size_t num_places = places_of(places, self, &desc);
    union {
        max_align_t alignment;
        char bytes[CLPRIM__MAX_CALL];
    } on_host = {.bytes = {0}};
    *out = (subject_data){.count = count,
                          .owner = {.runtime = runtime,
                                    .subject = self->operation,
                                    .queue = clprim_runtime_queue(runtime),
                                    .pattern = self->pattern}};
    operation->sample(&out->owner, desc.bytes, on_host.bytes, count);
    memcpy(out->call.bytes, on_host.bytes, sizeof on_host.bytes);
    for (const clprim_member *m = operation->face->call_members; m->name != NULL; m++)
        if (is_array(m))
            memset(out->call.bytes + m->place, 0, m->size);
    if (self->prepare != NULL)
        self->prepare(&out->owner, desc.bytes, on_host.bytes);
    for (size_t i = 0; i < num_places; i++)
        if (places[i].member->kind == CLPRIM_MEMBER_OUTPUT)
            array_at(on_host.bytes, places[i].at)->host =
                clprim__trial_memory(&out->owner, places[i].member->length(desc.bytes, on_host.bytes) * places[i].size);
    clprim_status status = out->owner.status;
    if (status == CLPRIM_SUCCESS)
        status = make_results(self, &desc, on_host.bytes);
    if (status == CLPRIM_SUCCESS) {
        upload(out, places, num_places, &desc, on_host.bytes);
        status = out->owner.status;
    }
    return status;
}

void subject_data_destroy(subject_data *data)
{
    clprim__trial_clear(&data->owner);
    *data = (subject_data){.count = 0};
}

clprim_status subject_enqueue(clprim_plan *plan, const subject_data *data)
{
    return clprim_plan_operation(plan)->enqueue(plan, NULL, data->call.bytes, 0, NULL, NULL);
}

static clprim_status poison(cl_command_queue queue, const subject_array *array)
{
    const cl_uchar byte = POISON;
    if (array->expected == NULL || array->bytes == 0)
        return CLPRIM_SUCCESS;
    return (clprim_status)clEnqueueFillBuffer(queue, array->buffer, &byte, 1, 0, array->bytes, 0, NULL, NULL);
}

static clprim_status compare(bool *is_same, cl_command_queue queue, const subject_array *array)
{
    if (array->expected == NULL || array->bytes == 0)
        return CLPRIM_SUCCESS;
    void *got = malloc(array->bytes);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (got != NULL)
        code = clEnqueueReadBuffer(queue, array->buffer, CL_TRUE, 0, array->bytes, got, 0, NULL, NULL);
    *is_same = *is_same && code == CL_SUCCESS && memcmp(got, array->expected, array->bytes) == 0;
    free(got);
    return (clprim_status)code;
}

clprim_status subject_try(bool *is_right, clprim_plan *plan, const subject_data *data)
{
    const cl_command_queue queue = data->owner.queue;
    clprim_status status = CLPRIM_SUCCESS;
    *is_right = true;
    for (size_t i = 0; i < data->num_arrays && status == CLPRIM_SUCCESS; i++)
        status = poison(queue, &data->arrays[i]);
    if (status == CLPRIM_SUCCESS)
        status = subject_enqueue(plan, data);
    for (size_t i = 0; i < data->num_arrays && status == CLPRIM_SUCCESS; i++)
        status = compare(is_right, queue, &data->arrays[i]);
    return status;
}
