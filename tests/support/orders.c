/* orders.c: elements that are hard to sort, and orders of a caller's. */
#include "orders.h"

#include "kinds.h"

#include <stdlib.h>

const char *test_data_name(test_data data)
{
    static const char *const data_names[TEST_DATA_END] = {"random",     "equal",       "sorted",     "reversed",
                                                          "organ pipe", "few",         "specials",   "one byte",
                                                          "low bits",   "alternating", "one of many"};
    return data_names[data];
}

test_order test_total_order(clprim_type type)
{
    return (test_order){.name = clprim_type_name(type), .type = type, .size = clprim_type_size(type)};
}

clprim_reference_order test_reference_order(const test_order *order, bool descending, clprim_nan_order nan_order)
{
    return (clprim_reference_order){.type = order->type,
                                    .before = order->before,
                                    .size = order->size,
                                    .descending = descending,
                                    .nan_order = nan_order};
}

void test_sort_elements(void *data, void *values, size_t value_size, const clprim_reference_order *order, size_t count)
{
    const clprim_reference_comparison_how how = {.type = order->type,
                                                 .before = order->before,
                                                 .size = order->before != NULL ? order->size : 0,
                                                 .value_size = value_size,
                                                 .descending = order->descending,
                                                 .nan_order = order->nan_order};
    ASSERT_OK(clprim_reference_comparison_sort(data, value_size > 0 ? values : NULL, &how, count));
}

uint64_t test_element_at(clprim_type type, uint64_t place)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * clprim_type_size(type));
    const uint64_t sign = all ^ (all >> 1);
    if (test_is_float(type) && (place & sign) == 0)
        return place ^ all;
    return test_is_float(type) || clprim__is_signed(type) ? place ^ sign : place;
}

/* Where the i-th element is in the order, of `all` places. */
static uint64_t place_at(test_data kind, size_t i, size_t count, size_t size, uint64_t all, uint64_t seed,
                         uint64_t random)
{
    const uint64_t half = all >> 1;
    const uint64_t alternating[4][2] = {{0, all}, {half, half + 1}, {all, all - 1}, {1, half}};
    uint64_t state = seed;
    const uint64_t equal = test_random(&state);
    const size_t pipe = i < count / 2 ? 2 * i : 2 * (count - 1 - i);
    const size_t rank = kind == TEST_DATA_REVERSED ? count - 1 - i : kind == TEST_DATA_ORGAN_PIPE ? pipe : i;
    uint64_t few = seed + random % 5;
    switch (kind) {
    case TEST_DATA_EQUAL: return equal;
    case TEST_DATA_ONE_BYTE:
        return equal ^ (random & (equal >> 63 != 0 ? 255 : 15)) << 8 * (seed % (size < 8 ? size : 8));
    case TEST_DATA_LOW_BITS: return equal ^ (random & 15);
    case TEST_DATA_ALTERNATING: return alternating[seed % 4][i % 2];
    case TEST_DATA_ONE_OF_MANY: return random % 1000 == 0 ? random >> 10 : seed % 2 == 0 ? 0 : all;
    case TEST_DATA_FEW: return test_random(&few);
    case TEST_DATA_SORTED:   /* fall through */
    case TEST_DATA_REVERSED: /* fall through */
    case TEST_DATA_ORGAN_PIPE: return all < UINT64_MAX ? rank * all / count : rank * (all / count);
    default: return random;
    }
}

void test_fill_elements(void *data, clprim_type type, size_t size, test_data kind, size_t count, uint64_t seed)
{
    const bool is_built_in = type != CLPRIM_TYPE_DEFAULT;
    const uint64_t all = is_built_in ? UINT64_MAX >> (64 - 8 * size) : 1000;
    const bool has_specials = is_built_in && kind == TEST_DATA_SPECIALS;
    uint64_t random = seed;
    if (has_specials)
        test_fill(data, type, CLPRIM_MIN, TEST_SPECIALS, count, seed);
    for (size_t i = 0; i < count; i++) {
        unsigned char *element = (unsigned char *)data + i * size;
        const uint64_t r = test_random(&random);
        const uint64_t place = place_at(kind, i, count, size, all, seed, r);
        const uint64_t key = is_built_in ? test_element_at(type, place & all) : 0;
        if (is_built_in && !has_specials)
            memcpy(element, &key, size);              /* little-endian, as all the devices there are */
        const uint64_t nan = r | test_infinity(type); /* any sign and payload */
        if (has_specials && test_is_float(type) && i % 2 == 1)
            memcpy(element, &nan, size);
        for (size_t at = 0; !is_built_in && at < size; at += 4) { /* each word of a struct small, the last one unique */
            const uint32_t word = at + 4 == size ? (uint32_t)i : (uint32_t)((place + at) % 1000);
            memcpy(element + at, &word, 4);
        }
    }
}

void test_fill_values(void *values, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t random = i;
        uint64_t word = i;
        for (size_t at = 0; at < size; at += sizeof word) {
            memcpy((char *)values + i * size + at, &word, size - at < sizeof word ? size - at : sizeof word);
            word = test_random(&random);
        }
    }
}

void test_call_fill_data(test_call *self, const void *call, test_data data, uint64_t seed)
{
    test_struct filled;
    memcpy(filled.bytes, call, self->face->call_size);
    for (size_t i = 0; i < self->plan->num_slots; i++) {
        const clprim__slot *slot = &self->plan->slots[i];
        clprim_array *array = clprim__array_of(filled.bytes, slot);
        if (slot->member->kind != CLPRIM_MEMBER_INPUT || slot->element_size == 0 || array->host != NULL)
            continue;
        const clprim_element element = slot->member->element(self->plan->desc.bytes, slot->index);
        const size_t length = slot->member->length(self->plan->desc.bytes, call);
        char *data_of = test_memory(i, (length + slot->index) * element.size);
        if (element.type != CLPRIM_TYPE_DEFAULT)
            test_fill_elements(data_of, element.type, element.size, data, length, seed);
        else /* repeated members differ */
            test_fill_values(data_of, element.size, length + slot->index);
        array->host = data_of + slot->index * element.size;
    }
    test_call_fill(self, filled.bytes, seed);
}

void test_expect_by_heart(const clprim_operation *face, const void *desc, size_t value_size, const test_by_heart *known)
{
    uint64_t values[24], keys_out[12], values_out[24];
    const struct {
        const char *name;
        void *host;
    } arrays[] = {
        {"keys_in", (void *)known->keys}, {"values_in", values}, {"keys_out", keys_out}, {"values_out", values_out}};
    const size_t size = test_member(face->call_members, "keys_out")->element(desc, 0).size;
    test_struct call = {.bytes = {0}};
    test_fill_values(values, value_size, known->count);
    (void)test_set(&call, face->call_members, "count", &known->count);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (test_member(face->call_members, arrays[i].name)->element(desc, 0).size > 0)
            (void)test_set(&call, face->call_members, arrays[i].name, &(clprim_array){.host = arrays[i].host});
    ASSERT_OK(test_reference(face, desc, call.bytes));
    for (size_t i = 0; i < known->written; i++) {
        const size_t from = known->places[i];
        test_expect_same((const char *)known->keys + from * size, (char *)keys_out + i * size, size, 1, known->name);
        test_expect_same((char *)values + from * value_size, (char *)values_out + i * value_size, value_size,
                         value_size > 0, known->name);
    }
}

static size_t compared; /* bytes of what compare_bytes compares */

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, compared);
}

/* Keys and values side by side, in an order that has nothing to do with the keys'. */
static unsigned char *set_of(const void *keys, size_t size, const void *values, size_t value_size, size_t count)
{
    compared = size + value_size;
    unsigned char *set = test_allocate(count * compared);
    for (size_t i = 0; i < count; i++) {
        memcpy(set + i * compared, (const char *)keys + i * size, size);
        if (value_size > 0)
            memcpy(set + i * compared + size, (const char *)values + i * value_size, value_size);
    }
    qsort(set, count, compared, compare_bytes);
    return set;
}

void test_expect_as_good(clprim_reference_before before, const void *keys, size_t size, const void *values,
                         size_t value_size, const void *got_keys, const void *got_values, size_t count,
                         const char *what)
{
    if (before == NULL)
        test_expect_same(keys, got_keys, size, count, what);
    if (before == NULL && value_size == 0)
        return;
    for (size_t i = 0; before != NULL && i < count; i++) {
        const char *a = (const char *)keys + i * size;
        const char *b = (const char *)got_keys + i * size;
        cr_assert(!before(a, b) && !before(b, a), "%s: key %zu of %zu", what, i, count);
    }
    unsigned char *set = set_of(keys, size, values, value_size, count);
    unsigned char *got_set = set_of(got_keys, size, got_values, value_size, count);
    cr_assert(memcmp(set, got_set, count * compared) == 0, "%s: not the input's elements", what);
    free(set);
    free(got_set);
}

void test_judge_unstable(const test_call *self, size_t i, void *got, const char *what)
{
    const test_unstable *how = self->user;
    const test_array *array = &self->arrays[i];
    const test_array *keys = test_array_named(self, "keys_out");
    const test_array *values = test_array_named(self, "values_out");
    const size_t size = keys->size;
    const size_t value_size = values->is_there ? values->size : 0;
    const unsigned char *got_keys = keys->after + keys->offset * size;
    const uint64_t whole[2] = {0, array->length};
    const uint64_t *bounds = how->num_segments > 0 ? how->bounds : whole;
    const size_t segments = how->num_segments > 0 ? how->num_segments : 1;
    const size_t end = (size_t)bounds[segments];
    const size_t end_bytes = end * array->size;
    test_expect_same(array->expected, got, array->size, (size_t)bounds[0], what);
    test_expect_same((const char *)array->expected + end_bytes, (char *)got + end_bytes, array->size,
                     array->length - end, what);
    if (array == keys && value_size > 0)
        return; /* values are read next */
    for (size_t s = 0; s < segments; s++) {
        const size_t begin = (size_t)bounds[s];
        test_expect_as_good(how->before, (const char *)keys->expected + begin * size, size,
                            (const char *)values->expected + begin * value_size, value_size, got_keys + begin * size,
                            (char *)got + begin * value_size, (size_t)bounds[s + 1] - begin, what);
    }
}

/* Whether an element of `count` words, a, is before b. */
#define BEFORE(name, word, count, a_is_before_b)                                                                       \
    static bool name(const void *first, const void *second)                                                            \
    {                                                                                                                  \
        word a[count], b[count];                                                                                       \
        memcpy(a, first, sizeof a);                                                                                    \
        memcpy(b, second, sizeof b);                                                                                   \
        return a_is_before_b;                                                                                          \
    }

BEFORE(begins_before, uint32_t, 2, a[0] < b[0])
BEFORE(is_heavier, uint32_t, 3, a[1] > b[1] || (a[1] == b[1] && a[0] < b[0]))
BEFORE(is_smaller_sum, uint32_t, 10, a[0] + a[4] < b[0] + b[4])
BEFORE(is_nearer_to_zero, uint16_t, 1,
       (b[0] & 0x7fff) > 0x7c00 ? (a[0] & 0x7fff) <= 0x7c00 : (a[0] & 0x7fff) < (b[0] & 0x7fff))
BEFORE(has_less_digit, uint32_t, 1, a[0] % 10 < b[0] % 10)

/* By a part of a struct; of a struct of 12 bytes, downwards by one part and upwards by another; of a large one; by
 * magnitude, in which floats of either sign are alike, NaNs last; and of numbers by their last digit. */
const test_order test_orders[TEST_ORDERS] = {
    {"a struct's first part", CLPRIM_TYPE_DEFAULT, "span", "typedef struct { uint begin, end; } span;",
     "a.begin < b.begin", 8, begins_before},
    {"12 bytes", CLPRIM_TYPE_DEFAULT, "weight", "typedef struct { uint id, weight, other; } weight;",
     "a.weight > b.weight || (a.weight == b.weight && a.id < b.id)", 12, is_heavier},
    {"40 bytes", CLPRIM_TYPE_DEFAULT, "wide",
     "typedef struct { uint v[10]; } wide;\nstatic uint sum_of(wide x) { return x.v[0] + x.v[4]; }",
     "sum_of(a) < sum_of(b)", 40, is_smaller_sum},
    {"magnitude of halves", CLPRIM_F16, NULL, NULL, "isnan(b) ? !isnan(a) : fabs(a) < fabs(b)", 2, is_nearer_to_zero},
    {"the last digit", CLPRIM_I32, NULL, "#define DIGIT(x) ((uint)(x) % 10)", "DIGIT(a) < DIGIT(b)", 4, has_less_digit},
};
