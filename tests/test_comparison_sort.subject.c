/* test_comparison_sort.subject.c: a plan with all its arrays among guards. */
#include <stdio.h>
#include <stdlib.h>

#include "test_comparison_sort.h"

enum { TAIL = 64, MAX_PAIR = 80 };

const char *comparison_variant_name(clprim_comparison_sort_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_comparison_sort_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

clprim_comparison_sort_desc comparison_desc_of(const test_order *order)
{
    return (clprim_comparison_sort_desc){.key_type = order->type,
                                         .less = order->less,
                                         .source = order->source,
                                         .type_name = order->type_name,
                                         .type_size = order->type_name != NULL ? order->size : 0};
}

static size_t key_size(const clprim_comparison_sort_desc *desc)
{
    return desc->type_name != NULL                 ? desc->type_size
           : desc->key_type == CLPRIM_TYPE_DEFAULT ? sizeof(cl_uint)
                                                   : clprim_type_size(desc->key_type);
}

static clprim_type key_type(const clprim_comparison_sort_desc *desc)
{
    return desc->type_name == NULL && desc->key_type == CLPRIM_TYPE_DEFAULT ? CLPRIM_U32 : desc->key_type;
}

static void describe(char *out, size_t room, const clprim_comparison_sort_desc *desc, const test_order *order)
{
    (void)snprintf(out, room, "%s, values of %zu bytes%s%s, groups of %zu, up to %zu, by %s",
                   order != NULL ? order->name : clprim_type_name(key_type(desc)), desc->value_size,
                   desc->descending ? ", descending" : "", desc->stable ? ", stable" : "", desc->work_group_size,
                   desc->max_count, comparison_variant_name(desc->variant));
}

void comparison_create(comparison_subject *out, clprim_runtime *runtime, clprim_comparison_sort_desc desc,
                       const test_order *order, size_t max_count)
{
    comparison_subject self = {
        .runtime = runtime, .desc = desc, .before = order != NULL ? order->before : NULL, .max_count = max_count};
    describe(self.name, sizeof self.name, &desc, order);
    const clprim_status status = clprim_comparison_sort_create(&self.plan, runtime, &desc);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self.name, clprim_status_string(status),
                 clprim_last_error());
    const int used = clprim_plan_variant(self.plan)->id;
    cr_assert(used != CLPRIM_COMPARISON_SORT_AUTO &&
                  (desc.variant == CLPRIM_COMPARISON_SORT_AUTO || used == (int)desc.variant),
              "%s: %s", self.name, clprim_plan_variant(self.plan)->name);
    for (int a = 0; a < COMPARISON_ARRAYS; a++) {
        const size_t size = a == COMPARISON_KEYS_IN || a == COMPARISON_KEYS_OUT ? key_size(&desc) : desc.value_size;
        const size_t bytes = (COMPARISON_MAX_OFFSET + max_count + TAIL) * size;
        self.arrays[a] =
            (comparison_array){size, test_buffer(runtime, bytes), test_allocate(bytes + 1), test_allocate(bytes + 1)};
    }
    *out = self;
}

void comparison_destroy(comparison_subject *self)
{
    clprim_plan_destroy(self->plan);
    for (int a = 0; a < COMPARISON_ARRAYS; a++) {
        ASSERT_CL(clReleaseMemObject(self->arrays[a].memory));
        free(self->arrays[a].before);
        free(self->arrays[a].after);
    }
}

static size_t compared; /* bytes of what compare_bytes compares */

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, compared);
}

/* Elements side by side with their values, in an order that has nothing to do with the elements'. */
static unsigned char *as_set(const void *keys, size_t size, const void *values, size_t value_size, size_t count)
{
    unsigned char *pairs = test_allocate(count * (size + value_size) + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(pairs + i * (size + value_size), (const char *)keys + i * size, size);
        if (value_size > 0)
            memcpy(pairs + i * (size + value_size) + size, (const char *)values + i * value_size, value_size);
    }
    compared = size + value_size;
    qsort(pairs, count, compared, compare_bytes);
    return pairs;
}

void comparison_judge(const clprim_comparison_sort_desc *desc, clprim_reference_before before, const void *wanted,
                      const void *wanted_values, const void *got, const void *got_values, size_t count,
                      const char *what)
{
    const size_t size = key_size(desc);
    const size_t value_size = desc->value_size;
    const clprim_reference_comparison_how how = {.type = key_type(desc),
                                                 .before = before,
                                                 .size = before != NULL ? size : 0,
                                                 .value_size = value_size,
                                                 .descending = desc->descending,
                                                 .nan_order = desc->nan_order};
    unsigned char *keys = test_allocate(count * size + 1);
    unsigned char *values = test_allocate(count * value_size + 1);
    memcpy(keys, wanted, count * size);
    if (value_size > 0)
        memcpy(values, wanted_values, count * value_size);
    ASSERT_OK(clprim_reference_comparison_sort(keys, value_size > 0 ? values : NULL, &how, count));
    if (before == NULL || desc->stable)
        test_expect_same(keys, got, size, count, what);
    if (desc->stable && value_size > 0)
        test_expect_same(values, got_values, value_size, count, what);
    for (size_t i = 0; before != NULL && i < count; i++) { /* as good at each place as the reference's */
        const unsigned char *a = keys + i * size;
        const unsigned char *b = (const unsigned char *)got + i * size;
        cr_assert(!before(a, b) && !before(b, a), "%s: element %zu of %zu", what, i, count);
    }
    unsigned char *set = as_set(keys, size, values, value_size, count);
    unsigned char *got_set = as_set(got, size, got_values, value_size, count);
    cr_assert(memcmp(set, got_set, count * (size + value_size)) == 0, "%s: not the input's elements", what);
    free(set);
    free(got_set);
    free(keys);
    free(values);
}

/* Where the result of an input goes. */
static int target_of(const comparison_call *c, int input)
{
    return c->in_place[input] ? input : input + COMPARISON_KEYS_OUT;
}

static size_t bytes_of(const comparison_subject *self, const comparison_call *c, int array)
{
    return (c->offsets[array] + c->count + TAIL) * self->arrays[array].size;
}

static void prepare(const comparison_subject *self, const comparison_call *c)
{
    for (int a = 0; a < COMPARISON_ARRAYS; a++) {
        const comparison_array *array = &self->arrays[a];
        const size_t bytes = bytes_of(self, c, a);
        unsigned char *first = array->before + c->offsets[a] * array->size;
        memset(array->before, COMPARISON_POISON, bytes);
        if (a == COMPARISON_KEYS_IN || a == COMPARISON_VALUES_IN)
            test_fill_margin(array->before, bytes);
        if (a == COMPARISON_KEYS_IN)
            test_fill_elements(first, key_type(&self->desc), array->size, c->data, c->count, c->seed);
        if (a == COMPARISON_VALUES_IN)
            test_fill_values(first, array->size, c->count);
        test_write(self->runtime, array->memory, array->before, bytes);
    }
}

static clprim_array array_of(const comparison_subject *self, const comparison_call *c, int array)
{
    return (clprim_array){self->arrays[array].memory, c->offsets[array], NULL};
}

static void enqueue(const comparison_subject *self, const comparison_call *c, cl_event *done)
{
    clprim_comparison_sort_call call = {.keys_in = array_of(self, c, COMPARISON_KEYS_IN),
                                        .count = c->count,
                                        .keys_out = array_of(self, c, target_of(c, COMPARISON_KEYS_IN))};
    if (self->desc.value_size > 0) {
        call.values_in = array_of(self, c, COMPARISON_VALUES_IN);
        call.values_out = array_of(self, c, target_of(c, COMPARISON_VALUES_IN));
    }
    ASSERT_OK(clprim_comparison_sort_enqueue(self->plan, NULL, &call, 0, NULL, done));
}

static unsigned char *elements_of(unsigned char *bytes, const comparison_subject *self, const comparison_call *c,
                                  int array)
{
    return bytes + c->offsets[array] * self->arrays[array].size;
}

void comparison_check(comparison_subject *self, const comparison_call *wanted)
{
    const comparison_array *arrays = self->arrays;
    comparison_call c = *wanted;
    cl_event done = NULL;
    char what[384];
    /* of keys in order and values as they came nothing could be said */
    c.repeat = c.repeat > 0 && (c.in_place[0] == c.in_place[1] || self->desc.value_size == 0) ? c.repeat : 1;
    (void)snprintf(what, sizeof what,
                   "%s: %zu elements (%s, seed %llx), keys%s from %zu to %zu, values%s from %zu to %zu", self->name,
                   c.count, test_data_name(c.data), (unsigned long long)c.seed, c.in_place[0] ? " in place" : "",
                   c.offsets[COMPARISON_KEYS_IN], c.offsets[COMPARISON_KEYS_OUT], c.in_place[1] ? " in place" : "",
                   c.offsets[COMPARISON_VALUES_IN], c.offsets[COMPARISON_VALUES_OUT]);
    prepare(self, &c);
    for (unsigned i = 0; i < c.repeat; i++)
        enqueue(self, &c, i + 1 == c.repeat ? &done : NULL);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    for (int a = 0; a < COMPARISON_ARRAYS; a++) {
        const size_t begin = c.offsets[a] * arrays[a].size;
        const size_t bytes = bytes_of(self, &c, a);
        const bool is_written = a == target_of(&c, COMPARISON_KEYS_IN) || a == target_of(&c, COMPARISON_VALUES_IN);
        test_read(self->runtime, arrays[a].after, arrays[a].memory, bytes);
        test_expect_kept(arrays[a].before, arrays[a].after, begin,
                         is_written ? begin + c.count * arrays[a].size : begin, bytes, what);
    }
    const int keys_to = target_of(&c, COMPARISON_KEYS_IN);
    const int values_to = target_of(&c, COMPARISON_VALUES_IN);
    comparison_judge(&self->desc, self->before,
                     elements_of(arrays[COMPARISON_KEYS_IN].before, self, &c, COMPARISON_KEYS_IN),
                     elements_of(arrays[COMPARISON_VALUES_IN].before, self, &c, COMPARISON_VALUES_IN),
                     elements_of(arrays[keys_to].after, self, &c, keys_to),
                     elements_of(arrays[values_to].after, self, &c, values_to), c.count, what);
}
