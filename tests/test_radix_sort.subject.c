/* test_radix_sort.subject.c: keys that are hard to sort, and a plan with all its arrays among guards. */
#include <stdio.h>
#include <stdlib.h>

#include "test_radix_sort.h"

enum { TAIL = 64 };

static const char *const data_names[SORT_DATA_END] = {"random",   "equal",       "one byte", "sorted",
                                                      "reversed", "alternating", "few",      "specials"};

const char *sort_variant_name(clprim_radix_sort_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_radix_sort_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

clprim_reference_sort_how sort_how(const clprim_radix_sort_desc *desc)
{
    return (clprim_reference_sort_how){.key_type = desc->key_type,
                                       .value_size = sort_value_size(desc),
                                       .argsort = desc->argsort,
                                       .descending = desc->descending,
                                       .bit_range = desc->bit_range,
                                       .nan_order = desc->nan_order,
                                       .begin_bit = desc->begin_bit,
                                       .end_bit = desc->end_bit};
}

size_t sort_value_size(const clprim_radix_sort_desc *desc)
{
    return !desc->argsort ? desc->value_size : desc->index_type == CLPRIM_U64 ? sizeof(cl_ulong) : sizeof(cl_uint);
}

/* The key at a place in the order. */
static uint64_t key_at(clprim_type type, uint64_t place)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    const uint64_t sign = all ^ (all >> 1);
    switch (type) {
    case CLPRIM_U8:  /* fall through */
    case CLPRIM_U16: /* fall through */
    case CLPRIM_U32: /* fall through */
    case CLPRIM_U64: return place;
    case CLPRIM_F16: /* fall through */
    case CLPRIM_F32: /* fall through */
    case CLPRIM_F64: return (place & sign) != 0 ? place ^ sign : place ^ all;
    default: return place ^ sign;
    }
}

static uint64_t infinity_of(clprim_type type)
{
    return type == CLPRIM_F16   ? UINT64_C(0x7c00)
           : type == CLPRIM_F32 ? UINT64_C(0x7f800000)
                                : UINT64_C(0x7ff0000000000000);
}

void sort_fill(void *keys, clprim_type type, sort_data data, size_t count, uint64_t seed)
{
    const size_t size = clprim_type_size(type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * size);
    const uint64_t half = all >> 1;
    const uint64_t alternating[4][2] = {{0, all}, {half, half + 1}, {all, all - 1}, {1, half}};
    uint64_t random = seed;
    const uint64_t equal = test_random(&random);
    if (data == SORT_SPECIALS)
        test_fill(keys, type, CLPRIM_MIN, TEST_SPECIALS, count, seed);
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = test_random(&random);
        const size_t rank = data == SORT_REVERSED ? count - 1 - i : i;
        uint64_t few = seed + r % 5;
        uint64_t place = r;
        switch (data) {
        case SORT_EQUAL: place = equal; break;
        case SORT_ONE_BYTE: place = equal ^ (r & (equal >> 63 != 0 ? 255 : 15)) << 8 * (seed % size); break;
        case SORT_SORTED: /* fall through */
        case SORT_REVERSED: place = size < 8 ? rank * all / count : rank * (all / count); break;
        case SORT_ALTERNATING: place = alternating[seed % 4][i % 2]; break;
        case SORT_FEW: place = test_random(&few); break;
        default: break;
        }
        uint64_t key = key_at(type, place & all);
        if (data == SORT_SPECIALS && !(test_is_float(type) && i % 2 == 1))
            continue;
        if (data == SORT_SPECIALS) /* any sign and payload */
            key = r | infinity_of(type);
        memcpy((char *)keys + i * size, &key, size); /* little-endian, as all the devices there are */
    }
}

void sort_fill_values(void *values, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t words[2] = {i, ~(uint64_t)i};
        memcpy((char *)values + i * size, words, size);
    }
}

static bool must_work(const clprim_radix_sort_desc *desc, const clprim_device_info *info)
{
    const size_t size = clprim_type_size(desc->key_type) + sort_value_size(desc);
    const bool is_long = desc->max_count > UINT32_MAX;
    switch (desc->variant) {
    case CLPRIM_RADIX_SORT_ONESWEEP:
        return info->has_int64_atomics && info->has_device_fence && info->has_forward_progress && !is_long;
    case CLPRIM_RADIX_SORT_SINGLE_GROUP:
        return desc->max_count != 0 && desc->max_count <= info->local_memory_size / (4 * size) &&
               desc->max_count <= 16 * info->max_work_group_size;
    case CLPRIM_RADIX_SORT_AUTO: return true;
    default: return !is_long;
    }
}

static void describe(char *out, size_t room, const clprim_radix_sort_desc *desc)
{
    (void)snprintf(out, room, "%s of %s, %s of %zu bytes%s, bits %u to %u, groups of %zu, up to %zu, by %s",
                   desc->argsort ? "argsort" : "sort", clprim_type_name(desc->key_type),
                   desc->argsort ? "indices" : "values", sort_value_size(desc), desc->descending ? ", descending" : "",
                   desc->begin_bit, desc->end_bit, desc->work_group_size, desc->max_count,
                   sort_variant_name(desc->variant));
}

bool sort_create(sort_subject *out, clprim_runtime *runtime, clprim_radix_sort_desc desc, size_t max_count)
{
    sort_subject self = {.runtime = runtime, .desc = desc, .how = sort_how(&desc), .max_count = max_count};
    size_t largest = 0;
    describe(self.name, sizeof self.name, &desc);
    const clprim_status status = clprim_radix_sort_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED && !must_work(&desc, clprim_runtime_info(runtime))) {
        cr_assert_gt(strlen(clprim_last_error()), 0, "%s: refused without a sentence", self.name);
        cr_assert_null(self.plan);
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self.name, clprim_status_string(status),
                 clprim_last_error());
    const clprim_radix_sort_variant used = (clprim_radix_sort_variant)clprim_plan_variant(self.plan)->id;
    cr_assert(used != CLPRIM_RADIX_SORT_AUTO && (desc.variant == CLPRIM_RADIX_SORT_AUTO || used == desc.variant),
              "%s: %s", self.name, sort_variant_name(used));
    for (int a = 0; a < SORT_ARRAYS; a++) {
        const bool is_keys = a == SORT_KEYS_IN || a == SORT_KEYS_OUT;
        const size_t size = is_keys ? clprim_type_size(desc.key_type) : sort_value_size(&desc);
        const size_t bytes = (SORT_MAX_OFFSET + max_count + TAIL) * size;
        self.arrays[a] = (sort_array){size, test_buffer(runtime, bytes), test_allocate(bytes + 1)};
        largest = bytes > largest ? bytes : largest;
    }
    self.found = test_allocate(largest);
    *out = self;
    return true;
}

void sort_destroy(sort_subject *self)
{
    clprim_plan_destroy(self->plan);
    for (int a = 0; a < SORT_ARRAYS; a++) {
        ASSERT_CL(clReleaseMemObject(self->arrays[a].memory));
        free(self->arrays[a].expected);
    }
    free(self->found);
}

/* Where the result of an input goes. */
static int target_of(const sort_call *c, int input)
{
    return c->in_place[input] ? input : input + SORT_KEYS_OUT;
}

/* The bytes of an array that a check looks at; those beyond are far from everything that the call may touch. */
static size_t bytes_of(const sort_subject *self, const sort_call *c, int array)
{
    return (c->offsets[array] + c->count + TAIL) * self->arrays[array].size;
}

static unsigned char *elements_of(const sort_subject *self, const sort_call *c, int array)
{
    return self->arrays[array].expected + c->offsets[array] * self->arrays[array].size;
}

/* Write all arrays, and make of what is on the host what the calls are to make of them. */
static void prepare(const sort_subject *self, const sort_call *c)
{
    const bool has_values = self->arrays[SORT_VALUES_IN].size != 0;
    for (int a = 0; a < SORT_ARRAYS; a++) {
        const sort_array *array = &self->arrays[a];
        const size_t bytes = bytes_of(self, c, a);
        memset(array->expected, SORT_POISON, bytes);
        if (a == SORT_KEYS_IN || a == SORT_VALUES_IN)
            test_fill_margin(array->expected, bytes);
        if (a == SORT_KEYS_IN)
            sort_fill(elements_of(self, c, a), self->desc.key_type, c->data, c->count, c->seed);
        if (a == SORT_VALUES_IN)
            sort_fill_values(elements_of(self, c, a), array->size, c->count);
        test_write(self->runtime, array->memory, array->expected, bytes);
    }
    for (unsigned i = 0; i < (c->repeat > 0 ? c->repeat : 1); i++) {
        unsigned char *sorted[2];
        for (int input = SORT_KEYS_IN; input <= SORT_VALUES_IN; input++) {
            sorted[input] = elements_of(self, c, target_of(c, input));
            memmove(sorted[input], elements_of(self, c, input), c->count * self->arrays[input].size);
        }
        ASSERT_OK(clprim_reference_sort(sorted[0], has_values ? sorted[1] : NULL, &self->how, c->count));
    }
}

static void enqueue(const sort_subject *self, const sort_call *c, cl_event *done)
{
    const int keys_to = target_of(c, SORT_KEYS_IN);
    const int values_to = target_of(c, SORT_VALUES_IN);
    const cl_mem keys = self->arrays[SORT_KEYS_IN].memory;
    const cl_mem keys_out = self->arrays[keys_to].memory;
    clprim_radix_sort_call call = {
        .keys_in = {keys, c->offsets[SORT_KEYS_IN]}, .count = c->count, .keys_out = {keys_out, c->offsets[keys_to]}};
    if (self->arrays[SORT_VALUES_OUT].size > 0)
        call.values_out = (clprim_array){.buffer = self->arrays[values_to].memory, .offset = c->offsets[values_to]};
    if (self->arrays[SORT_VALUES_OUT].size > 0 && !self->desc.argsort)
        call.values_in =
            (clprim_array){.buffer = self->arrays[SORT_VALUES_IN].memory, .offset = c->offsets[SORT_VALUES_IN]};
    ASSERT_OK(clprim_radix_sort_enqueue(self->plan, NULL, &call, 0, NULL, done));
}

void sort_check(sort_subject *self, const sort_call *wanted)
{
    static const char *const names[SORT_ARRAYS] = {"keys_in", "values_in", "keys_out", "values_out"};
    sort_call c = *wanted;
    cl_event done = NULL;
    c.in_place[SORT_VALUES_IN] = c.in_place[SORT_VALUES_IN] && !self->desc.argsort;
    c.repeat = c.repeat > 0 ? c.repeat : 1;
    prepare(self, &c);
    for (unsigned i = 0; i < c.repeat; i++)
        enqueue(self, &c, i + 1 == c.repeat ? &done : NULL);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    for (int a = 0; a < SORT_ARRAYS; a++) {
        const sort_array *array = &self->arrays[a];
        char what[384];
        (void)snprintf(what, sizeof what,
                       "%s: %zu elements (%s, seed %llx), keys%s from %zu to %zu, values%s from %zu "
                       "to %zu, %u times: %s",
                       self->name, c.count, data_names[c.data], (unsigned long long)c.seed,
                       c.in_place[0] ? " in place" : "", c.offsets[SORT_KEYS_IN], c.offsets[SORT_KEYS_OUT],
                       c.in_place[1] ? " in place" : "", c.offsets[SORT_VALUES_IN], c.offsets[SORT_VALUES_OUT],
                       c.repeat, names[a]);
        test_read(self->runtime, self->found, array->memory, bytes_of(self, &c, a));
        if (array->size > 0)
            test_expect_same(array->expected, self->found, array->size, bytes_of(self, &c, a) / array->size, what);
    }
}
