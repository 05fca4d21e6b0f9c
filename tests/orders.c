/* orders.c: elements that are hard to sort, and orders of a caller's. */
#include "orders.h"

#include <stdlib.h>

const char *test_data_name(test_data data)
{
    static const char *const data_names[TEST_DATA_END] = {"random",     "equal", "sorted",  "reversed",
                                                          "organ pipe", "few",   "specials"};
    return data_names[data];
}

/* By merging runs of 1, 2, 4, ... elements. */
void test_sort_elements(void *data, const clprim_reference_order *order, size_t count)
{
    unsigned char *from = data;
    unsigned char *other = malloc(count * order->size + 1);
    cr_assert_not_null(other);
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run) {
            const size_t a = count - i < run ? count - i : run;
            const size_t b = count - i - a < run ? count - i - a : run;
            ASSERT_OK(clprim_reference_merge(other + i * order->size, NULL, order, 0, from + i * order->size, NULL, a,
                                             from + (i + a) * order->size, NULL, b));
        }
        memcpy(data, other, count * order->size);
    }
    free(other);
}

/* The element at a place in the order. */
static uint64_t element_at(clprim_type type, uint64_t place)
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

/* Where the i-th element is in the order, of `all` places. */
static uint64_t place_at(test_data kind, size_t i, size_t count, uint64_t all, uint64_t seed, uint64_t random)
{
    const size_t pipe = i < count / 2 ? 2 * i : 2 * (count - 1 - i);
    const size_t rank = kind == TEST_DATA_REVERSED ? count - 1 - i : kind == TEST_DATA_ORGAN_PIPE ? pipe : i;
    uint64_t few = seed + random % 5;
    switch (kind) {
    case TEST_DATA_EQUAL: return test_random(&seed);
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
        const uint64_t place = place_at(kind, i, count, all, seed, r);
        const uint64_t key = is_built_in ? element_at(type, place & all) : 0;
        if (is_built_in && !has_specials)
            memcpy(element, &key, size); /* little-endian, as all the devices there are */
        const uint64_t nan = r | (is_built_in ? infinity_of(type) : 0); /* any sign and payload */
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
        const uint64_t words[2] = {i, ~(uint64_t)i};
        memcpy((char *)values + i * size, words, size);
    }
}

/* Orders: by a part of a struct; of a struct of 12 bytes, downwards by one part and upwards by another; of a large one;
 * by magnitude, in which floats of either sign are alike; and of numbers by their last digit. */
static bool begins_before(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y;
}

static bool is_heavier(const void *a, const void *b)
{
    uint32_t x[3], y[3];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return x[1] > y[1] || (x[1] == y[1] && x[0] < y[0]);
}

static bool is_smaller_sum(const void *a, const void *b)
{
    uint32_t x[10], y[10];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return x[0] + x[4] < y[0] + y[4];
}

static bool is_nearer_to_zero(const void *a, const void *b)
{
    uint16_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x &= 0x7fff;
    y &= 0x7fff;
    return y > 0x7c00 ? x <= 0x7c00 : x < y;
}

static bool has_less_digit(const void *a, const void *b)
{
    int32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (uint32_t)x % 10 < (uint32_t)y % 10;
}

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
