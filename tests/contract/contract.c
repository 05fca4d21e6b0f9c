/* contract.c: one call of any operation, made from the operation's table. */
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>

enum { POISON = 0xa5, FIRST_OFFSETS = 7 };

clprim_array *contract_array_of(const contract *self, contract_struct *call, size_t i)
{
    return clprim__array_of(call->bytes, &self->arrays[i].slot);
}

/* As many elements as another output says, or all. */
static size_t written_elements(contract *self, const contract_array *array)
{
    if (array->slot.counted_by < 0)
        return array->length;
    const clprim__slot *counter = &self->plan->slots[array->slot.counted_by];
    uint64_t count = 0;
    memcpy(&count, clprim__array_of(self->reference.bytes, counter)->host, counter->element_size);
    return count < array->length ? (size_t)count : array->length;
}

static void make_host_arrays(contract *self, const void *desc, size_t count)
{
    self->operation->sample(&self->trial, desc, self->reference.bytes, count);
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        const size_t length =
            slot->element_size > 0 ? slot->member->length(self->plan->desc.bytes, self->reference.bytes) : 0;
        self->arrays[i] = (contract_array){.slot = *slot,
                                           .is_there = slot->element_size > 0,
                                           .is_output = slot->member->kind == CLPRIM_MEMBER_OUTPUT,
                                           .size = slot->element_size,
                                           .length = length};
        if (self->arrays[i].is_there && self->arrays[i].is_output)
            clprim__array_of(self->reference.bytes, slot)->host =
                clprim__trial_memory(&self->trial, length * slot->element_size);
    }
    cr_assert_eq((int)self->trial.status, (int)CLPRIM_SUCCESS, "%s: %s", self->name, clprim_last_error());
}

static void make_buffer(contract *self, contract_array *array, uint64_t *random)
{
    const clprim_array *data = clprim__array_of(self->reference.bytes, &array->slot);
    array->offset = test_random_below(random, FIRST_OFFSETS);
    array->bytes = (array->offset + array->length + CONTRACT_GUARD) * array->size;
    array->before = test_allocate(array->bytes);
    array->after = test_allocate(array->bytes);
    if (array->is_output)
        memset(array->before, POISON, array->bytes);
    else
        test_fill_margin(array->before, array->bytes);
    if (array->is_output)
        array->expected = data->host;
    else if (array->length > 0)
        memcpy(array->before + array->offset * array->size, data->host, array->length * array->size);
    array->memory = test_upload(self->runtime, array->before, array->bytes);
    *clprim__array_of(self->call.bytes, &array->slot) =
        (clprim_array){.buffer = array->memory, .offset = array->offset};
}

bool contract_create(contract *out, clprim_runtime *runtime, const clprim__trial_subject *subject, size_t sample,
                     int variant, size_t count, uint64_t seed)
{
    union {
        max_align_t alignment;
        char bytes[CLPRIM__MAX_DESC];
    } desc;
    const char *given = (const char *)subject->samples + sample * subject->desc_size;
    memset(out, 0, sizeof *out);
    memcpy(desc.bytes, given, subject->desc_size);
    memcpy(desc.bytes + subject->variant_at, &variant, sizeof variant);
    out->runtime = runtime;
    out->operation = subject->operation;
    out->face = subject->operation->face;
    out->desc = given;
    (void)snprintf(out->name, sizeof out->name, "%s of %s, variant %d, %zu elements", out->face->name,
                   subject->sample_names[sample], variant, count);
    const clprim_status status = out->face->create(&out->plan, runtime, desc.bytes);
    if (status == CLPRIM_UNSUPPORTED || (variant != 0 && status == CLPRIM_INVALID_ARGUMENT))
        return false;
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", out->name, clprim_last_error());
    out->num_arrays = out->plan->num_slots;
    out->trial = (clprim__trial){
        .runtime = runtime, .subject = subject, .pattern = (unsigned)(seed % 4), .random = seed ^ TEST_SEED};
    make_host_arrays(out, desc.bytes, clprim__trial_count(count, out->plan->max_count));
    ASSERT_OK(out->operation->reference(desc.bytes, out->reference.bytes));
    memcpy(out->call.bytes, out->reference.bytes, sizeof out->call.bytes);
    for (size_t i = 0; i < out->num_arrays; i++) {
        if (!out->arrays[i].is_there)
            continue;
        make_buffer(out, &out->arrays[i], &seed);
        if (out->arrays[i].is_output)
            out->arrays[i].written = written_elements(out, &out->arrays[i]);
    }
    return true;
}

void contract_destroy(contract *self)
{
    clprim_plan_destroy(self->plan);
    for (size_t i = 0; i < self->num_arrays; i++) {
        free(self->arrays[i].before);
        free(self->arrays[i].after);
        if (self->arrays[i].memory != NULL)
            ASSERT_CL(clReleaseMemObject(self->arrays[i].memory));
    }
    while (self->trial.num_memory > 0)
        free(self->trial.memory[--self->trial.num_memory]);
}

void contract_reset(const contract *self)
{
    for (size_t i = 0; i < self->num_arrays; i++)
        if (self->arrays[i].is_there)
            test_write(self->runtime, self->arrays[i].memory, self->arrays[i].before, self->arrays[i].bytes);
}

static void expect(const contract *self, const char *what, bool is_done)
{
    char text[320];
    for (size_t i = 0; i < self->num_arrays; i++) {
        const contract_array *array = &self->arrays[i];
        if (!array->is_there)
            continue;
        const size_t begin = array->offset * array->size;
        const size_t written = is_done && array->is_output ? array->written : 0;
        (void)snprintf(text, sizeof text, "%s: %s: %s", self->name, what, array->slot.member->name);
        test_read(self->runtime, array->after, array->memory, array->bytes);
        test_expect_kept(array->before, array->after, begin, begin + written * array->size, array->bytes, text);
        if (written > 0)
            test_expect_same(array->expected, array->after + begin, array->size, written, text);
    }
}

void contract_expect_right(const contract *self, const char *what)
{
    expect(self, what, true);
}

void contract_expect_untouched(const contract *self, const char *what)
{
    expect(self, what, false);
}

clprim_status contract_enqueue(const contract *self, const contract_struct *call)
{
    return self->face->enqueue(self->plan, NULL, call->bytes, 0, NULL, NULL);
}

clprim_status contract_run(const contract *self, const contract_struct *call)
{
    return self->face->run(self->runtime, self->desc, call->bytes);
}

void contract_for_all(contract_body body)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subjects[i]->sample_names[s] != NULL; s++)
            body(runtime, subjects[i], s);
    clprim_runtime_destroy(runtime);
}

void contract_for_variants(contract_variant_body body)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < count; i++) {
        size_t num_variants = 0;
        const clprim_variant_info *variants =
            subjects[i]->variants != NULL ? subjects[i]->variants(&num_variants) : NULL;
        for (size_t s = 0; s < CLPRIM__TRIAL_MAX_SAMPLES && subjects[i]->sample_names[s] != NULL; s++)
            body(runtime, subjects[i], s, 0);
        for (size_t v = 0; v < num_variants; v++)
            body(runtime, subjects[i], 0, variants[v].id);
    }
    clprim_runtime_destroy(runtime);
}
