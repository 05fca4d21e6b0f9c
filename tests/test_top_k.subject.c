/* test_top_k.subject.c: keys that are hard to choose among, and plans with all their arrays among guards. */
#include <stdio.h>
#include <stdlib.h>

#include "test_top_k.h"

enum { TAIL = 64 };

static const char *const data_names[TOP_K_DATA_END] = {"random", "equal",    "few",         "low bits",
                                                       "sorted", "reversed", "one of many", "specials"};

const char *top_k_variant_name(clprim_top_k_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_top_k_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

clprim_reference_top_k_how top_k_how(const clprim_top_k_desc *desc)
{
    return (clprim_reference_top_k_how){.key_type = desc->key_type,
                                        .nan_order = desc->nan_order,
                                        .k = desc->k,
                                        .smallest = desc->smallest,
                                        .value_size = top_k_value_size(desc),
                                        .indices = desc->indices,
                                        .unsorted = desc->unsorted};
}

size_t top_k_value_size(const clprim_top_k_desc *desc)
{
    return !desc->indices ? desc->value_size : desc->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
}

/* The key at a place in the order. */
static uint64_t key_at(clprim_type type, uint64_t place)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    const uint64_t sign = all ^ (all >> 1);
    const bool is_unsigned = type == CLPRIM_U8 || type == CLPRIM_U16 || type == CLPRIM_U32 || type == CLPRIM_U64;
    if (test_is_float(type))
        return (place & sign) != 0 ? place ^ sign : place ^ all;
    return is_unsigned ? place : place ^ sign;
}

static uint64_t infinity_of(clprim_type type)
{
    return type == CLPRIM_F16   ? UINT64_C(0x7c00)
           : type == CLPRIM_F32 ? UINT64_C(0x7f800000)
                                : UINT64_C(0x7ff0000000000000);
}

void top_k_fill(void *keys, clprim_type type, top_k_data data, size_t count, uint64_t seed)
{
    const size_t size = clprim_type_size(type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * size);
    uint64_t random = seed;
    const uint64_t equal = test_random(&random);
    if (data == TOP_K_SPECIALS)
        test_fill(keys, type, CLPRIM_MIN, TEST_SPECIALS, count, seed);
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = test_random(&random);
        const size_t rank = data == TOP_K_REVERSED ? count - 1 - i : i;
        uint64_t few = seed + r % 5;
        uint64_t place = r;
        switch (data) {
        case TOP_K_EQUAL: place = equal; break;
        case TOP_K_FEW: place = test_random(&few); break;
        case TOP_K_LOW_BITS: place = equal ^ (r & 15); break;
        case TOP_K_SORTED: /* fall through */
        case TOP_K_REVERSED: place = size < 8 ? rank * all / count : rank * (all / count); break;
        case TOP_K_ONE_OF_MANY: place = r % 1000 == 0 ? r >> 10 : seed % 2 == 0 ? 0 : all; break;
        default: break;
        }
        uint64_t key = key_at(type, place & all);
        if (data == TOP_K_SPECIALS && !(test_is_float(type) && i % 2 == 1))
            continue;
        if (data == TOP_K_SPECIALS) /* any sign and payload */
            key = r | infinity_of(type);
        memcpy((char *)keys + i * size, &key, size); /* little-endian, as all the devices there are */
    }
}

void top_k_fill_values(void *values, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t words[2] = {i, ~(uint64_t)i};
        memcpy((char *)values + i * size, words, size);
    }
}

static void describe(top_k_subject *self)
{
    const clprim_top_k_desc *desc = &self->desc;
    (void)snprintf(self->name, sizeof self->name,
                   "the %zu %s of %s%s, %s of %zu bytes, groups of %zu, up to %zu, by %s", desc->k,
                   desc->smallest ? "smallest" : "largest", clprim_type_name(desc->key_type),
                   desc->unsorted ? ", unsorted" : "", desc->indices ? "indices" : "values", top_k_value_size(desc),
                   desc->work_group_size, desc->max_count, top_k_variant_name(desc->variant));
}

void top_k_set(top_k_subject *self, size_t k)
{
    clprim_plan_destroy(self->plan);
    self->plan = NULL;
    self->desc.k = k;
    describe(self);
    const clprim_status status = clprim_top_k_create(&self->plan, self->runtime, &self->desc);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self->name, clprim_last_error());
    if (self->desc.variant != CLPRIM_TOP_K_AUTO)
        cr_assert_eq((int)clprim_plan_variant(self->plan)->id, (int)self->desc.variant);
    cr_assert_neq((int)clprim_plan_variant(self->plan)->id, (int)CLPRIM_TOP_K_AUTO);
}

top_k_subject top_k_create(clprim_runtime *runtime, clprim_top_k_desc desc, size_t max_count)
{
    top_k_subject self = {.runtime = runtime, .desc = desc, .max_count = max_count};
    size_t largest = 0;
    top_k_set(&self, desc.k);
    self.arrays[TOP_K_KEYS_IN].size = self.arrays[TOP_K_KEYS_OUT].size = clprim_type_size(desc.key_type);
    self.arrays[TOP_K_VALUES_OUT].size = top_k_value_size(&desc);
    self.arrays[TOP_K_VALUES_IN].size = desc.indices ? 0 : desc.value_size;
    for (int a = 0; a < TOP_K_ARRAYS; a++) {
        const size_t bytes = (TOP_K_MAX_OFFSET + max_count + TAIL) * self.arrays[a].size;
        self.arrays[a].memory = test_buffer(runtime, bytes);
        self.arrays[a].expected = test_allocate(bytes + 1);
        largest = bytes > largest ? bytes : largest;
    }
    self.found = test_allocate(largest);
    return self;
}

void top_k_destroy(top_k_subject *self)
{
    clprim_plan_destroy(self->plan);
    for (int a = 0; a < TOP_K_ARRAYS; a++) {
        ASSERT_CL(clReleaseMemObject(self->arrays[a].memory));
        free(self->arrays[a].expected);
    }
    free(self->found);
}

/* The bytes of an array that a check looks at; those beyond are far from everything that the call may touch. */
static size_t bytes_of(const top_k_subject *self, const top_k_call *c, int array)
{
    return (c->offsets[array] + c->count + TAIL) * self->arrays[array].size;
}

static unsigned char *elements_of(const top_k_subject *self, const top_k_call *c, int array)
{
    return self->arrays[array].expected + c->offsets[array] * self->arrays[array].size;
}

/* Write all arrays, and make of what is on the host what the calls are to make of them. */
static void prepare(const top_k_subject *self, const top_k_call *c)
{
    const clprim_reference_top_k_how how = top_k_how(&self->desc);
    const bool reads = self->arrays[TOP_K_VALUES_IN].size != 0;
    const bool writes = self->arrays[TOP_K_VALUES_OUT].size != 0;
    for (int a = 0; a < TOP_K_ARRAYS; a++) {
        const top_k_array *array = &self->arrays[a];
        const size_t bytes = bytes_of(self, c, a);
        memset(array->expected, TOP_K_POISON, bytes);
        if (a == TOP_K_KEYS_IN || a == TOP_K_VALUES_IN)
            test_fill_margin(array->expected, bytes);
        if (a == TOP_K_KEYS_IN)
            top_k_fill(elements_of(self, c, a), self->desc.key_type, c->data, c->count, c->seed);
        if (a == TOP_K_VALUES_IN)
            top_k_fill_values(elements_of(self, c, a), array->size, c->count);
        test_write(self->runtime, array->memory, array->expected, bytes);
    }
    ASSERT_OK(clprim_reference_top_k(
        elements_of(self, c, TOP_K_KEYS_OUT), writes ? elements_of(self, c, TOP_K_VALUES_OUT) : NULL, &how,
        elements_of(self, c, TOP_K_KEYS_IN), reads ? elements_of(self, c, TOP_K_VALUES_IN) : NULL, c->count));
}

static void enqueue(const top_k_subject *self, const top_k_call *c, cl_event *done)
{
    const top_k_array *a = self->arrays;
    clprim_top_k_call call = {.keys_in = {a[TOP_K_KEYS_IN].memory, c->offsets[TOP_K_KEYS_IN]},
                              .count = c->count,
                              .keys_out = {a[TOP_K_KEYS_OUT].memory, c->offsets[TOP_K_KEYS_OUT]}};
    if (a[TOP_K_VALUES_IN].size > 0)
        call.values_in = (clprim_array){.buffer = a[TOP_K_VALUES_IN].memory, .offset = c->offsets[TOP_K_VALUES_IN]};
    if (a[TOP_K_VALUES_OUT].size > 0)
        call.values_out = (clprim_array){.buffer = a[TOP_K_VALUES_OUT].memory, .offset = c->offsets[TOP_K_VALUES_OUT]};
    ASSERT_OK(clprim_top_k_enqueue(self->plan, NULL, &call, 0, NULL, done));
}

void top_k_check(top_k_subject *self, const top_k_call *c)
{
    static const char *const names[TOP_K_ARRAYS] = {"keys_in", "values_in", "keys_out", "values_out"};
    const unsigned repeat = c->repeat > 0 ? c->repeat : 1;
    cl_event done = NULL;
    prepare(self, c);
    for (unsigned i = 0; i < repeat; i++)
        enqueue(self, c, i + 1 == repeat ? &done : NULL);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    for (int a = 0; a < TOP_K_ARRAYS; a++) {
        const top_k_array *array = &self->arrays[a];
        char what[384];
        (void)snprintf(what, sizeof what,
                       "%s: %zu elements (%s, seed %llx), keys from %zu to %zu, values from %zu to %zu, "
                       "%u times: %s",
                       self->name, c->count, data_names[c->data], (unsigned long long)c->seed,
                       c->offsets[TOP_K_KEYS_IN], c->offsets[TOP_K_KEYS_OUT], c->offsets[TOP_K_VALUES_IN],
                       c->offsets[TOP_K_VALUES_OUT], repeat, names[a]);
        if (array->size == 0)
            continue;
        test_read(self->runtime, self->found, array->memory, bytes_of(self, c, a));
        test_expect_same(array->expected, self->found, array->size, bytes_of(self, c, a) / array->size, what);
    }
}
