// SPDX-License-Identifier: MIT
/* call.c: a call of any operation, made from the operation's table. */
#include "call.h"

#include "platform.h"
#include "unoptimized.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

clprim_status test_reference(const clprim_operation *face, const void *desc, const void *call)
{
    size_t count = 0;
    const clprim__trial_subject *const *subjects = clprim__operation_subjects(&count);
    while ((*subjects)->operation->face != face) /* the list contains it */
        subjects++;
    return (*subjects)->operation->reference(desc, call);
}

_Thread_local bool test_builds_unoptimized;
void (*test_before_build)(cl_program program);

bool test_is_unoptimized(const clprim_runtime *runtime, const clprim_operation *face, int variant)
{
    static const struct {
        const char *operation;
        const char *variant;
    } rows[] = {{"top_k", "radix_select"}, {"nth_element", "radix_select"}, {"segmented_top_k", "select"}};
    const clprim_device_info *info = clprim_runtime_info(runtime);
    bool is_found = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_found |= strcmp(rows[i].operation, face->name) == 0 &&
                    strcmp(rows[i].variant, test_variant_name(face, variant)) == 0;
    return is_found && info->vendor == CLPRIM_VENDOR_POCL && info->kind == CLPRIM_DEVICE_CPU && !test_is_full();
}

clprim_status test_call_try(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc)
{
    memset(out, 0, sizeof *out);
    if (desc != NULL)
        memcpy(out->desc.bytes, desc, face->desc_size);
    out->runtime = runtime;
    out->face = face;
    test_describe(out->name, face, &out->desc);
    const uint64_t variant = test_get(&out->desc, face->desc_members, "variant");
    test_builds_unoptimized = runtime != NULL && test_is_unoptimized(runtime, face, (int)variant);
    const clprim_status status = desc != NULL ? test_create_fleeting(&out->plan, runtime, face, &out->desc)
                                              : face->create(&out->plan, runtime, NULL);
    test_builds_unoptimized = false;
    if (status != CLPRIM_SUCCESS)
        return status;
    const clprim_variant_info *own = clprim_plan_variant(out->plan);
    if (face->variants != NULL)
        cr_assert(variant == 0 ? own->id != 0 : (uint64_t)own->id == variant, "%s: it is by %s", out->name, own->name);
    cr_assert(variant != 0 || own == NULL || !test_is_unoptimized(runtime, face, own->id), "%s: AUTO takes %s",
              out->name, own->name);
    out->operation = out->plan->operation;
    out->num_arrays = out->plan->num_slots;
    return CLPRIM_SUCCESS;
}

void test_refuse(clprim_runtime *runtime, const clprim_operation *face, const void *desc, clprim_status status,
                 const char *culprit)
{
    test_call self;
    const test_struct nothing = {.bytes = {0}};
    test_expect_status(test_call_try(&self, runtime, face, desc), status, culprit, self.name);
    cr_assert_null(self.plan);
    if (status != CLPRIM_BUILD_FAILED) /* run creates its plan in the same way, so once is enough */
        test_expect_status(face->run(runtime, desc, nothing.bytes), status, culprit, self.name);
}

bool test_call_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc)
{
    return test_call_must(out, runtime, face, desc, false);
}

/* With CLPRIM_TEST_NATIVE tests leave out what names a variant of kernels. */
static bool is_left_out(const clprim_operation *face, const test_struct *desc)
{
    const uint64_t variant = test_get(desc, face->desc_members, "variant");
    return getenv("CLPRIM_TEST_NATIVE") != NULL && variant != 0 &&
           strcmp(test_variant_name(face, (int)variant), "native") != 0;
}

bool test_call_must(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc, bool must)
{
    char name[TEST_NAME_SIZE] = {0};
    test_struct given = {.bytes = {0}};
    if (desc != NULL)
        memcpy(given.bytes, desc, face->desc_size);
    test_describe(name, face, &given);
    if (!test_is_sampled(name) || is_left_out(face, &given)) {
        memset(out, 0, sizeof *out);
        return false;
    }
    const clprim_status status = test_call_try(out, runtime, face, desc);
    if (status == CLPRIM_UNSUPPORTED && !must) {
        cr_log_info("%s is left out: %s", out->name, clprim_last_error());
        return false;
    }
    test_expect_status(status, CLPRIM_SUCCESS, "", out->name);
    return true;
}

void test_call_make(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc)
{
    test_expect_status(test_call_try(out, runtime, face, desc), CLPRIM_SUCCESS, "", out->name);
}

static void give_up(const test_array *array)
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

/* The number of elements that another output gives, or all. */
static size_t written_elements(test_call *self, const test_array *array, const void *limited)
{
    if (array->slot.counted_by < 0)
        return clprim__length_of(&array->slot, self->plan->desc.bytes, limited);
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
    array->after = test_allocate(array->room + sizeof(uint64_t));
    array->own = array->is_output ? test_allocate(array->room) : NULL;
}

static void lay_out(test_call *self, size_t i, uint64_t *random)
{
    test_array *array = &self->arrays[i];
    const clprim__slot *slot = &self->plan->slots[i];
    array->slot = *slot;
    array->is_there = slot->element_size > 0 && !slot->is_value &&
                      (self->without == NULL || strcmp(slot->member->name, self->without) != 0);
    array->is_output = slot->member->kind == CLPRIM_MEMBER_OUTPUT;
    array->in_place_of = -1;
    if (slot->is_value)
        return; /* it stays on the host */
    if (!array->is_there) {
        *test_array_of(self, &self->call, i) = *test_array_of(self, &self->on_host, i) = (clprim_array){.buffer = NULL};
        return;
    }
    if (slot->in_place_of >= 0 && (self->replaced >> slot->in_place_of & 1) != 0 &&
        self->plan->slots[slot->in_place_of].element_size == slot->element_size)
        array->in_place_of = slot->in_place_of;
    array->size = slot->element_size;
    array->length = clprim__length_of(slot, self->plan->desc.bytes, self->on_host.bytes);
    array->offset = array->in_place_of >= 0 ? self->arrays[array->in_place_of].offset
                    : self->is_tight        ? (size_t)*random
                                            : test_random_below(random, TEST_OFFSETS);
    const size_t tail = self->is_tight ? 0 : array->is_output ? TEST_OUT_TAIL : TEST_TAIL;
    array->bytes = (array->offset + array->length + tail) * array->size;
    if (array->in_place_of >= 0 && array->bytes < self->arrays[array->in_place_of].bytes)
        array->bytes = self->arrays[array->in_place_of].bytes;
    array->bytes += array->bytes == 0;
    make_room(self, array);
    *test_array_of(self, &self->call, i) =
        (clprim_array){.buffer = array->memory,
                       .offset = array->offset,
                       .length = slot->member->is_value != NULL || array->offset % 2 != 0 ? array->length : 0};
}

/* Fill with bytes that contain the smallest and the largest values of every type, and NaNs: the surroundings of an
 * input must not affect a result. */
static void fill_margin(void *out, size_t bytes)
{
    /* Little-endian: NaNs of both signs and, shifted by whole elements, the least and greatest integers. */
    static const unsigned char extremes[32] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x80, 0x7f, 0xff, 0x7f, 0x00, 0x80, 0x00, 0x00,
    };
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)out)[i] = extremes[i % sizeof extremes];
}

/* Fill an input, as it is before the call. */
static void fill_input(const test_call *self, size_t i)
{
    const test_array *array = &self->arrays[i];
    const size_t begin = array->offset * array->size;
    const size_t bytes = array->length * array->size;
    fill_margin(array->before, begin);
    fill_margin(array->before + begin + bytes, array->bytes - begin - bytes);
    if (bytes == 0)
        return;
    memcpy(array->before + begin, clprim__array_in(self->on_host.bytes, &array->slot)->host, bytes);
    for (size_t at = begin; self->goes_on && at > 0; at -= array->size)
        memcpy(array->before + at - array->size, array->before + at, array->size);
    for (size_t at = begin + bytes; self->goes_on && at < array->bytes; at += array->size)
        memcpy(array->before + at, array->before + at - array->size, array->size);
}

/* Fill an output, and find the expected result: what the test says, or what the reference writes over the old contents.
 * Returns true if the reference gives it. */
static bool fill_output(test_call *self, size_t i)
{
    test_array *array = &self->arrays[i];
    clprim_array *on_host = test_array_of(self, &self->on_host, i);
    const size_t begin = array->offset * array->size;
    const clprim_type type = array->slot.member->element(self->plan->desc.bytes, array->slot.index).type;
    memset(array->before, TEST_POISON, array->bytes);
    if (array->slot.is_read && test_is_float(type))
        test_fill(array->before + begin, type, CLPRIM_SUM, TEST_EXACT, array->length, begin);
    if (array->in_place_of >= 0) { /* it overwrites its input in place */
        const test_array *input = &self->arrays[array->in_place_of];
        memcpy(array->before, input->before, input->bytes < array->bytes ? input->bytes : array->bytes);
        test_array_of(self, &self->call, (size_t)array->in_place_of)->buffer = array->memory;
    }
    array->expected = on_host->host != NULL ? on_host->host : array->own;
    if (on_host->host != NULL || self->is_unspecified)
        return false;
    on_host->host = memcpy(array->own, array->before + begin, array->length * array->size);
    return true;
}

void test_call_fill(test_call *self, const void *call, uint64_t seed)
{
    bool by_reference = false;
    uint64_t random = seed;
    clprim__given limited;
    memcpy(self->on_host.bytes, call, self->face->call_size);
    memcpy(self->call.bytes, call, self->face->call_size);
    (void)snprintf(self->call_name, sizeof self->call_name, "seed %llu, in place of %llx", (unsigned long long)seed,
                   (unsigned long long)self->replaced);
    test_describe_members(self->call_name, sizeof self->call_name, self->face->call_members, &self->call);
    for (size_t i = 0; i < self->num_arrays; i++)
        lay_out(self, i, &random);
    for (size_t i = 0; i < self->num_arrays; i++) {
        if (!self->arrays[i].is_there)
            continue;
        if (self->arrays[i].is_output)
            by_reference = fill_output(self, i) || by_reference;
        else
            fill_input(self, i);
    }
    clprim__plan_limit(&limited, self->operation, self->plan->desc.bytes, self->on_host.bytes);
    if (by_reference)
        ASSERT_OK(self->reference != NULL
                      ? self->reference(self->desc.bytes, limited.bytes)
                      : clprim__plan_reference(self->operation, self->desc.bytes, self->on_host.bytes));
    for (size_t i = 0; i < self->num_arrays; i++) {
        test_array *array = &self->arrays[i];
        if (array->is_there && array->is_output)
            array->written = self->is_unspecified ? array->length : written_elements(self, array, limited.bytes);
    }
    test_call_reset(self);
}

/* The array whose memory array i uses. */
static const test_array *place_of(const test_call *self, size_t i)
{
    for (size_t k = 0; k < self->num_arrays; k++)
        if (self->arrays[k].is_there && self->arrays[k].in_place_of == (int)i)
            return &self->arrays[k];
    return &self->arrays[i];
}

/* Whether array i is replaced by another one, so that its own buffer is not checked. */
static bool is_replaced(const test_call *self, size_t i)
{
    return !self->arrays[i].is_there || place_of(self, i) != &self->arrays[i];
}

/* Write the contents before the call to all buffers, or read those after it. It waits only once, because waiting takes
 * longer than copying. */
static void copy_arrays(const test_call *self, bool write)
{
    cl_command_queue queue = clprim_runtime_queue(self->runtime);
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *a = &self->arrays[i];
        if (!is_replaced(self, i) && write)
            ASSERT_CL(clEnqueueWriteBuffer(queue, a->memory, CL_FALSE, 0, a->bytes, a->before, 0, NULL, NULL));
        else if (!is_replaced(self, i))
            ASSERT_CL(clEnqueueReadBuffer(queue, a->memory, CL_FALSE, 0, a->bytes, a->after, 0, NULL, NULL));
    }
    ASSERT_CL(clFinish(queue));
}

void test_call_reset(const test_call *self)
{
    copy_arrays(self, true);
}

static void expect(const test_call *self, const char *what, bool is_done, bool on_host)
{
    char text[1024];
    if (!on_host)
        copy_arrays(self, false);
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        if (is_replaced(self, i))
            continue;
        const size_t begin = array->offset * array->size;
        const size_t written = is_done && array->is_output ? array->written : 0;
        (void)snprintf(text, sizeof text, "%s: %s: %s: %s", self->name, self->call_name, what,
                       array->slot.member->name);
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
    expect(self, what, true, false);
}

void test_call_expect_untouched(const test_call *self, const char *what)
{
    expect(self, what, false, false);
}

clprim_status test_call_enqueue(const test_call *self, const test_struct *call)
{
    return self->face->enqueue(self->plan, NULL, call->bytes, 0, NULL, NULL);
}

clprim_status test_call_run(const test_call *self, const test_struct *call)
{
    return self->face->run(self->runtime, self->desc.bytes, call->bytes);
}

/* How often to make the call: twice, unless the first call has overwritten the data, or counted in them. */
static unsigned repeats_of(const test_call *self)
{
    enum { SHORT = 1 << 16 };
    size_t bytes = 0;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        if (!array->is_there)
            continue;
        if (array->in_place_of >= 0 || (array->is_output && array->slot.is_read))
            return 1;
        bytes += array->length * array->size;
    }
    return bytes <= SHORT ? 2 : 1;
}

/* The offset where arrays of such elements begin for run: they are aligned only as much as necessary. */
static size_t shift_of(size_t size)
{
    return size <= 8 ? 0 : size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 0;
}

test_struct test_call_on_host(const test_call *self)
{
    test_struct call = self->call;
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *place = place_of(self, i);
        if (!self->arrays[i].is_there)
            continue;
        memcpy(place->after + shift_of(place->size), place->before, place->bytes);
        clprim_array *array = test_array_of(self, &call, i);
        array->buffer = NULL;
        array->host = place->after + shift_of(place->size);
    }
    return call;
}

void test_call_expect_on_host(const test_call *self, const char *what, bool is_done)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        const test_array *array = &self->arrays[i];
        if (!is_replaced(self, i))
            memmove(array->after, array->after + shift_of(array->size), array->bytes);
    }
    expect(self, what, is_done, true);
}

void test_call_check_by(const test_call *self, bool by_run, const char *format, ...)
{
    char what[256];
    char text[768];
    cl_event done = NULL;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(text, sizeof text, "%s: %s: %s", self->name, self->call_name, what);
    if (by_run) {
        const test_struct call = test_call_on_host(self);
        test_expect_status(test_call_run(self, &call), CLPRIM_SUCCESS, "", text);
        test_call_expect_on_host(self, what, true);
    }
    for (unsigned left = by_run ? 0 : repeats_of(self); left > 0; left--)
        test_expect_status(self->face->enqueue(self->plan, NULL, self->call.bytes, 0, NULL, left == 1 ? &done : NULL),
                           CLPRIM_SUCCESS, "", text);
    if (!by_run) {
        test_wait(done);
        test_call_expect_right(self, what);
    }
    if (!self->is_short)
        test_call_check_short(self, by_run, what);
}

size_t test_num_shares(size_t count)
{
    const long cores = clprim__processors();
    /* a quick run has few plans to share */
    return cores < 1 || test_is_quick() ? 1 : (size_t)cores < count ? (size_t)cores : count;
}

struct criterion_test_params test_shares(size_t count)
{
    enum { MOST = 256 };
    static size_t shares[MOST];
    const size_t num_shares = test_num_shares(count);
    cr_assert_leq(num_shares, MOST);
    for (size_t i = 0; i < num_shares; i++)
        shares[i] = i;
    return cr_make_param_array(size_t, shares, num_shares);
}
