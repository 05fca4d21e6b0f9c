// SPDX-License-Identifier: MIT
/* orders.c: elements and segments that are hard to sort, and custom orders. */
#include "ordered.h"

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

/* The place of the i-th element in the order, among `all` places. */
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
            memcpy(element, &key, size);              /* little-endian, like all supported devices */
        const uint64_t nan = r | test_infinity(type); /* any sign and payload */
        if (has_specials && test_is_float(type) && i % 2 == 1)
            memcpy(element, &nan, size);
        for (size_t at = 0; !is_built_in && at < size; at += 4) { /* words of a struct are small, the last one unique */
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
        else /* make repeated members differ */
            test_fill_values(data_of, element.size, length + slot->index);
        array->host = data_of + slot->index * element.size;
    }
    test_call_fill(self, filled.bytes, seed);
}

static size_t compared; /* number of bytes that compare_bytes compares */

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, compared);
}

/* Copy keys with their values into one array, and sort it in some fixed order, so that sets can be compared. */
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

/* Define whether element a, which has `count` words, comes before b. */
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

/* Orders by a part of a struct; by two parts of a 12-byte struct, one descending and the other ascending; by a part of
 * a large struct; by magnitude, in which floats of both signs are equal and NaNs are last; of numbers by their last
 * digit. */
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

enum { BOUNDS = 60, PACKED }; /* places in memory */

/* The length of the next segment, which begins at `begin`, after `segments` other segments. */
static size_t length_of(test_shape shape, size_t segments, size_t begin, size_t length, uint64_t *random)
{
    static const size_t edges[] = {0,   1,   31,  32,  33,  0,    95,   96,   97,  127,  128,  129,  191,  192,  193,
                                   255, 256, 257, 511, 512, 513,  767,  768,  769, 1023, 1024, 1025, 0,    0,    2047,
                                   2,   3,   5,   7,   8,   9,    4,    2048, 63,  64,   65,   6,    3072, 4095, 4096,
                                   15,  16,  17,  1,   1,   4097, 2049, 6144, 1,   8191, 8192, 8193};
    const size_t r = test_random_below(random, 1000);
    switch (shape) {
    case TEST_SEGMENTS_ONE: return length;
    case TEST_SEGMENTS_ALL_EMPTY: return 0;
    case TEST_SEGMENTS_SINGLES: return 1;
    case TEST_SEGMENTS_SHORT: return r % 21;
    case TEST_SEGMENTS_EDGES: return edges[r % (sizeof edges / sizeof *edges)];
    case TEST_SEGMENTS_GIANT: return begin >= length / 8 && begin < length / 4 ? length / 4 * 3 : r % 12;
    case TEST_SEGMENTS_GIANTS: return r % 3 == 0 ? 0 : 1000 + r * 9;
    case TEST_SEGMENTS_INSIDE: return r < 300 ? 0 : r < 900 ? r % 90 : r * 2;
    case TEST_SEGMENTS_LAST: return segments < 4000 ? 0 : length;
    default: return r < 700 ? 0 : r % 3;
    }
}

static void fill_malformed(test_segments *out, size_t length, size_t most, uint64_t seed)
{
    const uint64_t limits[] = {length, 2 * length + 1, UINT32_MAX, UINT64_MAX, length / 2 + 1};
    const uint64_t limit = limits[seed % 5];
    const bool descends = seed / 5 % 3 == 0;
    out->count = 1 + test_random_below(&seed, most < length / 2 + 2 ? most : length / 2 + 2);
    for (size_t s = 0; s <= out->count; s++)
        out->bounds[s] = descends ? (uint64_t)(out->count - s) * 100 : test_random(&seed) % limit;
}

test_segments test_make_segments(test_shape shape, size_t length, size_t longest, uint64_t seed)
{
    const size_t room = 2 * length + 4100;
    const bool is_inside = shape == TEST_SEGMENTS_INSIDE || shape == TEST_SEGMENTS_ALL_EMPTY;
    const size_t end = is_inside ? length - length / 16 : length;
    size_t begin = is_inside ? length / 32 : 0;
    test_segments self = {.shape = shape, .bounds = test_memory(BOUNDS, (room + 1) * sizeof *self.bounds)};
    self.bounds[0] = begin;
    if (shape == TEST_SEGMENTS_MALFORMED)
        fill_malformed(&self, length, longest, seed);
    while (shape != TEST_SEGMENTS_NONE && shape != TEST_SEGMENTS_MALFORMED && self.count < room &&
           (begin < end || self.count == 0) && (shape != TEST_SEGMENTS_ONE || self.count == 0)) {
        size_t next = length_of(shape, self.count, begin, length, &seed);
        next = next < longest ? next : longest;
        begin += next < end - begin ? next : end - begin;
        self.bounds[++self.count] = begin;
    }
    return self;
}

void *test_pack_bounds(const test_segments *segments, clprim_type type)
{
    const size_t size = type == CLPRIM_U64 ? sizeof(uint64_t) : sizeof(uint32_t);
    char *packed = test_memory(PACKED, (segments->count + 1) * size);
    for (size_t i = 0; i <= segments->count; i++)
        memcpy(packed + i * size, &segments->bounds[i], size); /* little-endian, like all supported devices */
    return packed;
}
