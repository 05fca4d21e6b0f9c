/* call.c: one call of any operation, made from the operation's table. */
#include "call.h"

#include <stdio.h>
#include <stdlib.h>

const char *test_variant_name(const clprim_operation *face, int variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = face->variants != NULL ? face->variants(&count) : NULL;
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == variant)
            return variants[i].name;
    return "auto";
}

clprim_array *test_array_of(const test_call *self, test_struct *call, size_t i)
{
    return clprim__array_of(call->bytes, &self->arrays[i].slot);
}

const test_array *test_array_named(const test_call *self, const char *name)
{
    for (size_t i = 0; i < self->num_arrays; i++)
        if (strcmp(self->arrays[i].slot.member->name, name) == 0)
            return &self->arrays[i];
    cr_assert_fail("%s has no %s", self->name, name);
    return NULL;
}

static const clprim__trial_subject *subject_of(const clprim_operation *face)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    for (size_t i = 0; i < count; i++)
        if (subjects[i]->operation->face == face)
            return subjects[i];
    cr_assert_fail("%s is not in the list of operations", face->name);
    return NULL;
}

/* What of the description is not its default, for messages. */
static void describe(test_call *self, int variant)
{
    int length = snprintf(self->name, sizeof self->name, "%s", self->face->name);
    for (const clprim_member *m = self->face->desc_members; m->name != NULL; m++) {
        const char *at = self->desc.bytes + m->place;
        const size_t left = sizeof self->name - (size_t)length;
        size_t number = 0;
        memcpy(&number, at, m->size < sizeof number ? m->size : sizeof number); /* little-endian */
        if (number == 0 || strcmp(m->name, "variant") == 0)
            continue;
        const int more = m->kind == CLPRIM_MEMBER_TYPE
                             ? snprintf(self->name + length, left, ", %s %s", m->name, clprim_type_name((int)number))
                         : m->kind >= CLPRIM_MEMBER_TEXT || m->kind == CLPRIM_MEMBER_BOOL
                             ? snprintf(self->name + length, left, ", %s", m->name)
                             : snprintf(self->name + length, left, ", %s %zu", m->name, number);
        if (more < 0 || (size_t)more >= left)
            return;
        length += more;
    }
    (void)snprintf(self->name + length, sizeof self->name - (size_t)length, ", by %s",
                   test_variant_name(self->face, variant));
}

clprim_status test_call_try(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc)
{
    const clprim__trial_subject *subject = subject_of(face);
    int variant = 0;
    memset(out, 0, sizeof *out);
    if (desc != NULL)
        memcpy(out->desc.bytes, desc, face->desc_size);
    memcpy(&variant, out->desc.bytes + subject->variant_at, sizeof variant);
    out->runtime = runtime;
    out->operation = subject->operation;
    out->face = face;
    describe(out, variant);
    const clprim_status status = face->create(&out->plan, runtime, out->desc.bytes);
    if (status != CLPRIM_SUCCESS)
        return status;
    if (face->variants != NULL)
        cr_assert(clprim_plan_variant(out->plan)->id == variant || (variant == 0 && clprim_plan_variant(out->plan)->id),
                  "%s: it is by %s", out->name, clprim_plan_variant(out->plan)->name);
    out->num_arrays = out->plan->num_slots;
    return CLPRIM_SUCCESS;
}

bool test_call_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc)
{
    const clprim_status status = test_call_try(out, runtime, face, desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("%s is left out: %s", out->name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", out->name, clprim_last_error());
    return true;
}

static void give_up(test_array *array)
{
    free(array->before);
    free(array->after);
    free(array->own);
    if (array->memory != NULL)
        ASSERT_CL(clReleaseMemObject(array->memory));
}

void test_call_destroy(test_call *self)
{
    clprim_plan_destroy(self->plan);
    for (size_t i = 0; i < self->num_arrays; i++)
        give_up(&self->arrays[i]);
}

/* As many elements as another output says, or all. */
static size_t written_elements(test_call *self, const test_array *array)
{
    if (array->slot.counted_by < 0)
        return array->length;
    const test_array *counter = &self->arrays[array->slot.counted_by];
    uint64_t count = 0;
    memcpy(&count, counter->expected, counter->size);
    return count < array->length ? (size_t)count : array->length;
}

static void make_room(test_call *self, test_array *array)
{
    if (array->bytes <= array->room)
        return;
    give_up(array);
    array->room = array->bytes;
    array->memory = test_buffer(self->runtime, array->room);
    array->before = test_allocate(array->room);
    array->after = test_allocate(array->room);
    array->own = array->is_output ? test_allocate(array->room) : NULL;
}

static void lay_out(test_call *self, size_t i, uint64_t *random)
{
    test_array *array = &self->arrays[i];
    const clprim__slot *slot = &self->plan->slots[i];
    array->slot = *slot;
    array->is_there =
        slot->element_size > 0 && (self->without == NULL || strcmp(slot->member->name, self->without) != 0);
    array->is_output = slot->member->kind == CLPRIM_MEMBER_OUTPUT;
    array->in_place_of = -1;
    if (!array->is_there)
        return;
    if (self->in_place && slot->in_place_of >= 0 &&
        self->plan->slots[slot->in_place_of].element_size == slot->element_size)
        array->in_place_of = slot->in_place_of;
    array->size = slot->element_size;
    array->length = slot->member->length(self->plan->desc.bytes, self->on_host.bytes);
    array->offset =
        array->in_place_of >= 0 ? self->arrays[array->in_place_of].offset : test_random_below(random, TEST_OFFSETS);
    array->bytes = (array->offset + array->length + (array->is_output ? TEST_OUT_TAIL : TEST_TAIL)) * array->size;
    make_room(self, array);
    *test_array_of(self, &self->call, i) = (clprim_array){.buffer = array->memory, .offset = array->offset};
}

/* What is there before the call. Outputs hold poison, or what they are in place of. */
static void fill_before(test_call *self, size_t i)
{
    const test_array *array = &self->arrays[i];
    const void *data = test_array_of(self, &self->on_host, i)->host;
    const size_t begin = array->offset * array->size;
    const size_t bytes = array->length * array->size;
    if (array->is_output) {
        memset(array->before, TEST_POISON, array->bytes);
        return;
    }
    test_fill_margin(array->before, begin);
    if (bytes > 0)
        memcpy(array->before + begin, data, bytes);
    test_fill_margin(array->before + begin + bytes, array->bytes - begin - bytes);
}

/* The output is expected to be what the test says, or what the reference writes over what was there. */
static bool expect_from(test_call *self, size_t i)
{
    test_array *array = &self->arrays[i];
    clprim_array *on_host = test_array_of(self, &self->on_host, i);
    array->expected = on_host->host;
    if (on_host->host != NULL)
        return false;
    memcpy(array->own, array->before + array->offset * array->size, array->length * array->size);
    array->expected = array->own;
    on_host->host = array->own;
    return true;
}

/* The output lies where its input lies. */
static void put_in_place(test_call *self, size_t i)
{
    test_array *array = &self->arrays[i];
    const test_array *input = &self->arrays[array->in_place_of];
    const size_t bytes = input->bytes < array->bytes ? input->bytes : array->bytes;
    memcpy(array->before, input->before, bytes);
    *test_array_of(self, &self->call, (size_t)array->in_place_of) = *test_array_of(self, &self->call, i);
}

void test_call_fill(test_call *self, const void *call, uint64_t seed)
{
    bool by_reference = false;
    uint64_t random = seed;
    memcpy(self->on_host.bytes, call, self->face->call_size);
    memcpy(self->call.bytes, call, self->face->call_size);
    for (size_t i = 0; i < self->num_arrays; i++)
        lay_out(self, i, &random);
    for (size_t i = 0; i < self->num_arrays; i++) {
        if (!self->arrays[i].is_there)
            continue;
        fill_before(self, i);
        if (self->arrays[i].is_output && self->arrays[i].in_place_of >= 0)
            put_in_place(self, i);
        if (self->arrays[i].is_output && !self->is_unspecified)
            by_reference = expect_from(self, i) || by_reference;
    }
    if (by_reference)
        ASSERT_OK(self->operation->reference(self->desc.bytes, self->on_host.bytes));
    for (size_t i = 0; i < self->num_arrays; i++) {
        test_array *array = &self->arrays[i];
        if (array->is_there && array->is_output)
            array->written = self->is_unspecified ? array->length : written_elements(self, array);
    }
    test_call_reset(self);
}

/* The array in whose memory array i lies. */
static const test_array *place_of(const test_call *self, size_t i)
{
    for (size_t k = 0; k < self->num_arrays; k++)
        if (self->arrays[k].is_there && self->arrays[k].in_place_of == (int)i)
            return &self->arrays[k];
    return &self->arrays[i];
}

/* There is nothing to look at in its own buffer. */
static bool is_replaced(const test_call *self, size_t i)
{
    return !self->arrays[i].is_there || place_of(self, i) != &self->arrays[i];
}

void test_call_reset(const test_call *self)
{
    for (size_t i = 0; i < self->num_arrays; i++)
        if (!is_replaced(self, i))
            test_write(self->runtime, self->arrays[i].memory, self->arrays[i].before, self->arrays[i].bytes);
}

static void expect(const test_call *self, const char *what, bool is_done)
{
    char text[512];
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        if (is_replaced(self, i))
            continue;
        const size_t begin = array->offset * array->size;
        const size_t written = is_done && array->is_output ? array->written : 0;
        (void)snprintf(text, sizeof text, "%s: %s: %s", self->name, what, array->slot.member->name);
        test_read(self->runtime, array->after, array->memory, array->bytes);
        test_expect_kept(array->before, array->after, begin, begin + written * array->size, array->bytes, text);
        if (written == 0 || self->is_unspecified)
            continue;
        if (self->judge != NULL)
            self->judge(self, i, array->after + begin, text);
        else
            test_expect_same(array->expected, array->after + begin, array->size, written, text);
    }
}

void test_call_expect_right(const test_call *self, const char *what)
{
    expect(self, what, true);
}

void test_call_expect_untouched(const test_call *self, const char *what)
{
    expect(self, what, false);
}

clprim_status test_call_enqueue(const test_call *self, const test_struct *call)
{
    return self->face->enqueue(self->plan, NULL, call->bytes, 0, NULL, NULL);
}

clprim_status test_call_run(const test_call *self, const test_struct *call)
{
    return self->face->run(self->runtime, self->desc.bytes, call->bytes);
}

void test_call_check(const test_call *self, const char *what)
{
    const clprim_status status = test_call_enqueue(self, &self->call);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self->name, what, clprim_last_error());
    ASSERT_CL(clFinish(clprim_runtime_queue(self->runtime)));
    test_call_expect_right(self, what);
}

void test_call_check_run(const test_call *self, const char *what)
{
    test_struct call = self->call;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *place = place_of(self, i);
        if (!self->arrays[i].is_there)
            continue;
        memcpy(place->after, place->before, place->bytes);
        *test_array_of(self, &call, i) = (clprim_array){.host = place->after, .offset = place->offset};
    }
    const clprim_status status = test_call_run(self, &call);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self->name, what, clprim_last_error());
    for (size_t i = 0; i < self->num_arrays; i++)
        if (!is_replaced(self, i))
            test_write(self->runtime, self->arrays[i].memory, self->arrays[i].after, self->arrays[i].bytes);
    test_call_expect_right(self, what);
}
