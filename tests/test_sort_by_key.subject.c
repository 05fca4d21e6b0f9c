/* test_sort_by_key.subject.c: a plan with all its arrays among guards. */
#include <stdio.h>
#include <stdlib.h>

#include "test_sort_by_key.h"

enum { IN, OUT, KEYS = 0, TAIL = 64 };

static const size_t offsets[] = {0, 1, 3, BY_KEY_MAX_OFFSET};

void by_key_fill(void *elements, size_t size, size_t array, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t random = i * BY_KEY_ARRAYS + array;
        uint64_t word = i;
        for (size_t at = 0; at < size; at += sizeof word) {
            memcpy((char *)elements + i * size + at, &word, size - at < sizeof word ? size - at : sizeof word);
            word = test_random(&random);
        }
    }
}

clprim_reference_sort_by_key_how by_key_how(const clprim_sort_by_key_desc *desc)
{
    clprim_reference_sort_by_key_how how = {.key_type = desc->key_type,
                                            .descending = desc->descending,
                                            .bit_range = desc->bit_range,
                                            .nan_order = desc->nan_order,
                                            .begin_bit = desc->begin_bit,
                                            .end_bit = desc->end_bit,
                                            .values_only = desc->values_only,
                                            .num_arrays = desc->num_arrays};
    memcpy(how.element_sizes, desc->element_sizes, sizeof how.element_sizes);
    return how;
}

size_t by_key_num_arrays(const clprim_sort_by_key_desc *desc)
{
    return desc->num_arrays != 0 ? desc->num_arrays : 1;
}

size_t by_key_element_size(const clprim_sort_by_key_desc *desc, size_t a)
{
    return desc->element_sizes[a] != 0 ? desc->element_sizes[a] : 4;
}

size_t by_key_key_size(const clprim_sort_by_key_desc *desc)
{
    return clprim_type_size(desc->key_type != CLPRIM_TYPE_DEFAULT ? desc->key_type : CLPRIM_U32);
}

by_key_call by_key_call_of_turn(uint64_t turn, size_t count)
{
    uint64_t random = turn;
    uint64_t r = test_random(&random);
    by_key_call c = {.count = count, .seed = turn, .pattern = (test_pattern)(r % TEST_PATTERN_END)};
    c.repeat = count < 5000 ? 1 + (unsigned)(r >> 24) % 3 : 1;
    for (size_t a = 0; a < BY_KEY_ARRAYS; a++) {
        r = test_random(&random);
        c.offsets[a][IN] = offsets[r % 4];
        c.offsets[a][OUT] = offsets[r / 4 % 4];
        c.in_place[a] = (r >> 16) % 2 == 1;
    }
    return c;
}

static void describe(char *out, size_t room, const clprim_sort_by_key_desc *desc)
{
    int at = snprintf(out, room, "by %s%s%s, bits %u to %u, variant %d, groups of %zu, up to %zu, arrays of",
                      clprim_type_name(desc->key_type), desc->descending ? ", descending" : "",
                      desc->values_only ? ", values only" : "", desc->begin_bit, desc->end_bit, (int)desc->variant,
                      desc->work_group_size, desc->max_count);
    for (size_t a = 0; a < by_key_num_arrays(desc) && (size_t)at < room; a++)
        at += snprintf(out + at, room - (size_t)at, " %zu", by_key_element_size(desc, a));
}

bool by_key_create(by_key_subject *out, clprim_runtime *runtime, clprim_sort_by_key_desc desc, size_t max_count)
{
    by_key_subject self = {.runtime = runtime, .desc = desc, .how = by_key_how(&desc), .max_count = max_count};
    size_t largest = 0;
    describe(self.name, sizeof self.name, &desc);
    const clprim_status status = clprim_sort_by_key_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED && desc.variant != CLPRIM_RADIX_SORT_AUTO) {
        cr_assert_gt(strlen(clprim_last_error()), 0, "%s: refused without a sentence", self.name);
        cr_assert_null(self.plan);
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self.name, clprim_status_string(status),
                 clprim_last_error());
    const clprim_radix_sort_variant used = (clprim_radix_sort_variant)clprim_plan_variant(self.plan)->id;
    cr_assert(used != CLPRIM_RADIX_SORT_AUTO && (desc.variant == CLPRIM_RADIX_SORT_AUTO || used == desc.variant));
    self.num_arrays = 1 + by_key_num_arrays(&desc);
    for (size_t a = 0; a < self.num_arrays; a++) {
        const size_t size = a == KEYS ? by_key_key_size(&desc) : by_key_element_size(&desc, a - 1);
        const size_t bytes = (BY_KEY_MAX_OFFSET + max_count + TAIL) * size;
        self.arrays[a].size = size;
        for (int side = IN; side <= OUT; side++) {
            self.arrays[a].memory[side] = test_buffer(runtime, bytes);
            self.arrays[a].expected[side] = test_allocate(bytes);
        }
        largest = bytes > largest ? bytes : largest;
    }
    self.found = test_allocate(largest);
    *out = self;
    return true;
}

void by_key_destroy(by_key_subject *self)
{
    clprim_plan_destroy(self->plan);
    for (size_t a = 0; a < self->num_arrays; a++)
        for (int side = IN; side <= OUT; side++) {
            ASSERT_CL(clReleaseMemObject(self->arrays[a].memory[side]));
            free(self->arrays[a].expected[side]);
        }
    free(self->found);
}

/* On which side the result of an array is: keys that are not wanted stay what they are. */
static int target_of(const by_key_subject *self, const by_key_call *c, size_t a)
{
    return c->in_place[a] || (a == KEYS && self->desc.values_only) ? IN : OUT;
}

/* The bytes of an array that a check looks at; those beyond are far from everything that the call may touch. */
static size_t bytes_of(const by_key_subject *self, const by_key_call *c, size_t a, int side)
{
    return (c->offsets[a][side] + c->count + TAIL) * self->arrays[a].size;
}

static unsigned char *elements_of(const by_key_subject *self, const by_key_call *c, size_t a, int side)
{
    return self->arrays[a].expected[side] + c->offsets[a][side] * self->arrays[a].size;
}

void by_key_prepare(const by_key_subject *self, const by_key_call *c)
{
    const clprim_type type = self->desc.key_type != CLPRIM_TYPE_DEFAULT ? self->desc.key_type : CLPRIM_U32;
    for (size_t a = 0; a < self->num_arrays; a++) {
        const by_key_array *array = &self->arrays[a];
        test_fill_margin(array->expected[IN], bytes_of(self, c, a, IN));
        memset(array->expected[OUT], BY_KEY_POISON, bytes_of(self, c, a, OUT));
        if (a == KEYS)
            test_fill(elements_of(self, c, a, IN), type, CLPRIM_MIN, c->pattern, c->count, c->seed);
        else
            by_key_fill(elements_of(self, c, a, IN), array->size, a, c->count);
        for (int side = IN; side <= OUT; side++)
            test_write(self->runtime, array->memory[side], array->expected[side], bytes_of(self, c, a, side));
    }
    for (unsigned i = 0; i < (c->repeat > 0 ? c->repeat : 1); i++) {
        void *sorted[BY_KEY_ARRAYS];
        for (size_t a = 0; a < self->num_arrays; a++) {
            sorted[a] = elements_of(self, c, a, target_of(self, c, a));
            memmove(sorted[a], elements_of(self, c, a, IN), c->count * self->arrays[a].size);
        }
        ASSERT_OK(clprim_reference_sort_by_key(sorted[KEYS], sorted + 1, &self->how, c->count));
    }
}

clprim_status by_key_enqueue(const by_key_subject *self, const by_key_call *c, cl_command_queue queue,
                             cl_uint num_waits, const cl_event *waits, cl_event *done)
{
    clprim_sort_by_key_call call = {.count = c->count};
    for (size_t a = 0; a < self->num_arrays; a++) {
        const int side = target_of(self, c, a);
        const clprim_array in = {.buffer = self->arrays[a].memory[IN], .offset = c->offsets[a][IN]};
        const clprim_array out = {.buffer = self->arrays[a].memory[side], .offset = c->offsets[a][side]};
        if (a == KEYS)
            call.keys_in = in;
        else
            call.arrays_in[a - 1] = in;
        if (a > KEYS)
            call.arrays_out[a - 1] = out;
        else if (!self->desc.values_only)
            call.keys_out = out;
    }
    return clprim_sort_by_key_enqueue(self->plan, queue, &call, num_waits, waits, done);
}

void by_key_expect(const by_key_subject *self, const by_key_call *c)
{
    for (size_t a = 0; a < self->num_arrays; a++)
        for (int side = IN; side <= OUT; side++) {
            const by_key_array *array = &self->arrays[a];
            const size_t bytes = bytes_of(self, c, a, side);
            char what[384];
            (void)snprintf(
                what, sizeof what, "%s: %zu elements (%s, seed %llx), %u times: array %zu%s from %zu to %zu: %s",
                self->name, c->count, test_pattern_name(c->pattern), (unsigned long long)c->seed, c->repeat, a,
                c->in_place[a] ? " in place" : "", c->offsets[a][IN], c->offsets[a][OUT], side == IN ? "in" : "out");
            test_read(self->runtime, self->found, array->memory[side], bytes);
            test_expect_same(array->expected[side], self->found, array->size, bytes / array->size, what);
        }
}

void by_key_check(const by_key_subject *self, const by_key_call *c)
{
    const unsigned repeat = c->repeat > 0 ? c->repeat : 1;
    cl_event done = NULL;
    by_key_prepare(self, c);
    for (unsigned i = 0; i < repeat; i++)
        ASSERT_OK(by_key_enqueue(self, c, NULL, 0, NULL, i + 1 == repeat ? &done : NULL));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    by_key_expect(self, c);
}
