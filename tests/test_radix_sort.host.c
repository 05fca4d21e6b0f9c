/* test_radix_sort.host.c: the reference against what is known by heart and against qsort, sorts of arrays on the host,
 * and what both refuse. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_radix_sort.h"

enum { MAX_CELLS = 12 };

/* Keys, and the places at which they were when they are in order. */
static const struct row {
    const char *name;
    clprim_radix_sort_desc desc;
    const void *keys;
    size_t count;
    uint32_t places[MAX_CELLS];
} rows[] = {
    {"u8", {.key_type = CLPRIM_U8}, (const uint8_t[]){5, 255, 0, 5, 128}, 5, {2, 0, 3, 4, 1}},
    {"i8", {.key_type = CLPRIM_I8}, (const int8_t[]){5, -1, 0, -128, 127, -1}, 6, {3, 1, 5, 2, 0, 4}},
    {"i16, descending",
     {.key_type = CLPRIM_I16, .descending = true},
     (const int16_t[]){3, -300, 300, 3, -300, 256},
     6,
     {2, 5, 0, 3, 1, 4}},
    {"default", {0}, (const uint32_t[]){0x01000000, 0x00ffffff, 0x80000000, 0}, 4, {3, 1, 0, 2}},
    {"i32, bits of a nibble",
     {.key_type = CLPRIM_I32, .bit_range = true, .begin_bit = 4, .end_bit = 8},
     (const int32_t[]){0x12f, -1, 0x7f00, 0x21, 0x1d},
     5,
     {2, 4, 0, 3, 1}},
    {"i32, signs alone",
     {.key_type = CLPRIM_I32, .bit_range = true, .begin_bit = 31, .end_bit = 32},
     (const int32_t[]){7, -1, 0, -7, INT32_MIN},
     5,
     {1, 3, 4, 0, 2}},
    {"u64, low bits, descending",
     {.key_type = CLPRIM_U64, .bit_range = true, .end_bit = 33, .descending = true},
     (const uint64_t[]){UINT64_C(1) << 32, UINT64_MAX << 33, 7, UINT64_C(3) << 32},
     4,
     {0, 3, 2, 1}},
    {"u32, no bits",
     {.key_type = CLPRIM_U32, .bit_range = true, .descending = true},
     (const uint32_t[]){3, 1, UINT32_MAX, 2},
     4,
     {0, 1, 2, 3}},
    {"u8, more bits than there are",
     {.key_type = CLPRIM_U8, .bit_range = true, .begin_bit = 7, .end_bit = UINT_MAX},
     (const uint8_t[]){130, 127, 129, 3, 128},
     5,
     {1, 3, 0, 2, 4}},
    {"f16, none of these bits, indices",
     {.key_type = CLPRIM_F16, .argsort = true, .bit_range = true, .begin_bit = 16, .end_bit = 20},
     (const uint16_t[]){0x7e00, 0xfe00, 0, 1},
     4,
     {0, 1, 2, 3}},
    {"i64", {.key_type = CLPRIM_I64}, (const int64_t[]){0, INT64_MAX, INT64_MIN, -1, 1}, 5, {2, 3, 0, 4, 1}},
    {"f16", /* NaN, -NaN, inf, -inf, 1, -0, 0, least denormal, its negative, a NaN of less payload */
     {.key_type = CLPRIM_F16},
     (const uint16_t[]){0x7e00, 0xfe00, 0x7c00, 0xfc00, 0x3c00, 0x8000, 0, 1, 0x8001, 0x7c01},
     10,
     {1, 3, 8, 5, 6, 7, 4, 2, 9, 0}},
    {"f32, descending",
     {.key_type = CLPRIM_F32, .descending = true},
     (const float[]){-0.0f, 0.0f, 1e-45f, -1e-45f, 3.0f, -3.0f, 3.0f, 1e38f},
     8,
     {7, 4, 6, 2, 1, 0, 3, 5}},
    {"f64, the bits above the lowest exponents",
     {.key_type = CLPRIM_F64, .bit_range = true, .begin_bit = 52, .end_bit = 64},
     (const double[]){1.75, 1.0, 1.5, -1.0, -1.75, 0.9, 1e300},
     7,
     {3, 4, 5, 0, 1, 2, 6}},
};

/* By the reference, or by a device: with values of every size that move with the keys, and with indices. */
static void check_row(const struct row *row, clprim_runtime *runtime)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16, 0, 0};
    const size_t size = clprim_type_size(row->desc.key_type != CLPRIM_TYPE_DEFAULT ? row->desc.key_type : CLPRIM_U32);
    for (size_t v = 0; v < (runtime == NULL ? 8 : 1); v++) {
        unsigned char keys[MAX_CELLS * 8], expected_keys[MAX_CELLS * 8];
        unsigned char values[MAX_CELLS * 16], source[MAX_CELLS * 16], expected[MAX_CELLS * 16];
        clprim_radix_sort_desc desc = row->desc;
        desc.argsort = v >= 6 || runtime != NULL;
        desc.value_size = value_sizes[v];
        desc.index_type = v == 7 ? CLPRIM_U64 : CLPRIM_U32;
        const size_t value_size = sort_value_size(&desc);
        const clprim_reference_sort_how how = sort_how(&desc);
        char what[96];
        (void)snprintf(what, sizeof what, "%s, values of %zu bytes, argsort %d", row->name, value_size, desc.argsort);
        memset(expected, SORT_POISON, sizeof expected);
        memset(values, SORT_POISON, sizeof values);
        memset(source, 0, sizeof source);
        sort_fill_values(source, value_size, row->count);
        for (size_t i = 0; i < row->count; i++) {
            const size_t from = row->places[i];
            memcpy(expected_keys + i * size, (const char *)row->keys + from * size, size);
            memcpy(expected + i * value_size, source + from * value_size, value_size);
        }
        memcpy(keys, row->keys, row->count * size);
        if (!desc.argsort)
            memcpy(values, source, row->count * value_size);
        if (runtime == NULL)
            ASSERT_OK(clprim_reference_sort(keys, value_size > 0 ? values : NULL, &how, row->count));
        else
            ASSERT_OK(clprim_radix_sort_run(runtime, &desc,
                                            &(clprim_radix_sort_call){.keys_in = {.host = keys},
                                                                      .count = row->count,
                                                                      .keys_out = {.host = keys},
                                                                      .values_out = {.host = values}}));
        test_expect_same(expected_keys, keys, size, row->count, what);
        test_expect_same(expected, values, 1, sizeof values, what);
    }
}

Test(radix_sort_host, reference)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i], NULL);
}

Test(radix_sort_host, the_same_by_a_device, .timeout = 120)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += test_is_full() ? 1 : 3) /* each compiles */
        check_row(&rows[i], runtime);
    clprim_runtime_destroy(runtime);
}

/* A key for qsort. */
typedef struct known {
    const clprim_reference_sort_how *how;
    uint64_t bits;
    uint64_t from;
} known;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static unsigned bits_in(const known *k)
{
    return 8 * (unsigned)clprim_type_size(k->how->key_type);
}

static bool is_negative(const known *k)
{
    return (k->bits >> (bits_in(k) - 1) & 1) != 0;
}

static int64_t integer_of(const known *k)
{
    const unsigned unused = 64 - bits_in(k);
    return (int64_t)(k->bits << unused) / ((int64_t)1 << unused);
}

static bool is_signed(const known *k)
{
    const clprim_type type = k->how->key_type;
    return type == CLPRIM_I8 || type == CLPRIM_I16 || type == CLPRIM_I32 || type == CLPRIM_I64;
}

static double float_of(const known *k)
{
    const float half = clprim_half_to_float((uint16_t)k->bits);
    double wide = 0;
    float narrow = 0;
    memcpy(&wide, &k->bits, sizeof wide);
    memcpy(&narrow, &k->bits, sizeof narrow);
    return bits_in(k) == 64 ? wide : (double)(bits_in(k) == 32 ? narrow : half);
}

/* By what they are worth; what compares as equal, or not at all, by its sign, and NaNs by their payloads. */
static int compare_floats(const known *a, const known *b)
{
    const double x = float_of(a);
    const double y = float_of(b);
    const bool has_nan = isnan(x) || isnan(y);
    if (!has_nan && x != y)
        return x < y ? -1 : 1;
    if (is_negative(a) != is_negative(b))
        return is_negative(a) ? -1 : 1;
    if (!has_nan)
        return 0;
    return is_negative(a) ? compare_numbers(b->bits, a->bits) : compare_numbers(a->bits, b->bits);
}

/* How many there are before it in the type's order. */
static uint64_t rank_of(const known *k)
{
    const uint64_t half = UINT64_C(1) << (bits_in(k) - 1);
    if (test_is_float(k->how->key_type))
        return is_negative(k) ? half - 1 - (k->bits - half) : half + k->bits;
    return is_signed(k) ? half + (uint64_t)integer_of(k) : k->bits;
}

static int compare(const void *left, const void *right)
{
    const known *a = left;
    const known *b = right;
    const unsigned begin = a->how->begin_bit;
    const unsigned end = a->how->end_bit < bits_in(a) ? a->how->end_bit : bits_in(a);
    int order = 0;
    if (a->how->bit_range)
        order = begin >= end ? 0
                             : compare_numbers(rank_of(a) << (64 - end) >> (64 - end + begin),
                                               rank_of(b) << (64 - end) >> (64 - end + begin));
    else if (test_is_float(a->how->key_type))
        order = compare_floats(a, b);
    else if (is_signed(a))
        order = integer_of(a) < integer_of(b) ? -1 : integer_of(a) > integer_of(b);
    else
        order = compare_numbers(a->bits, b->bits);
    order = a->how->descending ? -order : order;
    return order != 0 ? order : compare_numbers(a->from, b->from);
}

static void check_against_qsort(const clprim_reference_sort_how *how, sort_data data, size_t count, uint64_t seed)
{
    enum { MAX_COUNT = 3000 };
    static known order[MAX_COUNT];
    static unsigned char keys[MAX_COUNT * 8];
    static uint64_t places[MAX_COUNT];
    const size_t size = clprim_type_size(how->key_type);
    sort_fill(keys, how->key_type, data, count, seed);
    for (size_t i = 0; i < count; i++) {
        order[i] = (known){.how = how, .from = i};
        memcpy(&order[i].bits, keys + i * size, size);
    }
    qsort(order, count, sizeof *order, compare);
    ASSERT_OK(clprim_reference_sort(keys, places, how, count));
    for (size_t i = 0; i < count; i++)
        cr_assert(places[i] == order[i].from && memcmp(keys + i * size, &order[i].bits, size) == 0,
                  "%s%s, bits %u to %u, keys %d, %zu elements: at %zu is what was at %llu, not at %llu",
                  clprim_type_name(how->key_type), how->descending ? ", descending" : "", how->begin_bit, how->end_bit,
                  (int)data, count, i, (unsigned long long)places[i], (unsigned long long)order[i].from);
}

Test(radix_sort_host, reference_against_qsort)
{
    static const size_t counts[] = {0, 1, 2, 257, 3000};
    for (int type = 1; type < CLPRIM_TYPE_END; type++) {
        const unsigned bits = 8 * (unsigned)clprim_type_size((clprim_type)type);
        const unsigned ranges[][2] = {{0, 0},           {0, bits},      {0, 3}, {2, bits - 1},
                                      {bits - 1, bits}, {bits / 2, 99}, {0, 0}, {bits / 3, bits / 3},
                                      {bits, 99}};
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (int data = 0; data < SORT_DATA_END; data++)
                for (uint64_t i = 0; i < 10; i++) {
                    const clprim_reference_sort_how how = {.key_type = (clprim_type)type,
                                                           .value_size = sizeof(uint64_t),
                                                           .argsort = true,
                                                           .descending = i % 2 == 1,
                                                           .bit_range = r > 0,
                                                           .begin_bit = ranges[r][0],
                                                           .end_bit = ranges[r][1]};
                    check_against_qsort(&how, (sort_data)data, counts[i / 2], TEST_SEED + i);
                }
    }
}

/* No runtime: the default one. No description: U32, upwards. No elements: no arrays. */
Test(radix_sort_host, defaults)
{
    static const uint32_t expected[] = {0, 7, 7, 0x80000000};
    uint32_t keys[2][4] = {{7, 0x80000000, 0, 7}, {7, 0x80000000, 0, 7}};
    ASSERT_OK(clprim_radix_sort_run(
        NULL, NULL,
        &(clprim_radix_sort_call){.keys_in = {.host = keys[0]}, .count = 4, .keys_out = {.host = keys[0]}}));
    ASSERT_OK(clprim_reference_sort(keys[1], NULL, NULL, 4));
    for (int i = 0; i < 2; i++)
        test_expect_same(expected, keys[i], sizeof *expected, 4, i == 0 ? "by a device" : "by the reference");
    ASSERT_OK(clprim_radix_sort_run(NULL, NULL, &(clprim_radix_sort_call){0}));
    ASSERT_OK(clprim_reference_sort(NULL, NULL, NULL, 0));
    ASSERT_OK(clprim_reference_sort(NULL, NULL, &(const clprim_reference_sort_how){.value_size = 4}, 0));
}

/* What the reference refuses, too; and then what only a plan knows. The sentence names what is wrong. */
static const struct {
    clprim_radix_sort_desc desc;
    const char *culprit;
} senseless[] = {
    {{.key_type = CLPRIM_TYPE_END}, "type"},
    {{.key_type = (clprim_type)-1}, "type"},
    {{.value_size = 3}, "value_size"},
    {{.value_size = 5}, "value_size"},
    {{.value_size = 12}, "value_size"},
    {{.value_size = 32}, "value_size"},
    {{.value_size = SIZE_MAX}, "value_size"},
    {{.end_bit = 8}, "bit_range"},
    {{.key_type = CLPRIM_U8, .begin_bit = 1}, "bit_range"},
    {{.begin_bit = 8, .end_bit = 8}, "bit_range"},
    {{.key_type = CLPRIM_F16, .end_bit = UINT_MAX}, "bit_range"},
    {{.bit_range = true, .begin_bit = 9, .end_bit = 8}, "begin_bit"},
    {{.bit_range = true, .begin_bit = 8}, "begin_bit"},
    {{.bit_range = true, .begin_bit = 65, .end_bit = 64}, "begin_bit"},
    {{.bit_range = true, .begin_bit = UINT_MAX, .end_bit = 33}, "begin_bit"},
    {{.variant = (clprim_radix_sort_variant)-1}, "variant"},
    {{.variant = (clprim_radix_sort_variant)SORT_VARIANTS}, "variant"},
    {{.work_group_size = 3}, "work_group_size"},
    {{.work_group_size = SIZE_MAX}, "work_group_size"},
    {{.argsort = true, .value_size = 4}, "value_size"},
    {{.argsort = true, .value_size = 8}, "value_size"},
    {{.argsort = true, .index_type = CLPRIM_U16}, "index_type"},
    {{.argsort = true, .index_type = CLPRIM_TYPE_END}, "index_type"},
    {{.argsort = true, .max_count = (size_t)1 << 33}, "index_type"},
};

enum { NUM_SENSELESS = sizeof senseless / sizeof *senseless, ONLY_A_PLAN_KNOWS = 9 };

static void expect_refusal(clprim_status status, size_t row, const char *by)
{
    cr_assert_eq((int)status, (int)CLPRIM_INVALID_ARGUMENT, "row %zu, %s: %s (%s)", row, by,
                 clprim_status_string(status), clprim_last_error());
    cr_assert_not_null(strstr(clprim_last_error(), senseless[row].culprit), "row %zu, %s: %s is not named in: %s", row,
                       by, senseless[row].culprit, clprim_last_error());
}

Test(radix_sort_host, descriptions_that_make_no_sense)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < NUM_SENSELESS; i++) {
        const clprim_radix_sort_desc *desc = &senseless[i].desc;
        const clprim_reference_sort_how how = sort_how(desc);
        clprim_plan *plan = NULL;
        uint64_t keys[2] = {77, 7};
        uint64_t values[4] = {99, 99, 99, 99};
        void *given = desc->value_size != 0 ? values : NULL;
        const clprim_radix_sort_call call = {.keys_in = {.host = keys},
                                             .values_in = {.host = given},
                                             .count = 2,
                                             .keys_out = {.host = keys},
                                             .values_out = {.host = given}};
        expect_refusal(clprim_radix_sort_create(&plan, runtime, desc), i, "create");
        cr_assert_null(plan);
        expect_refusal(clprim_radix_sort_run(runtime, desc, &call), i, "run");
        if (i < NUM_SENSELESS - ONLY_A_PLAN_KNOWS)
            expect_refusal(clprim_reference_sort(keys, given, &how, 2), i, "the reference");
        cr_assert(keys[0] == 77 && keys[1] == 7 && values[0] == 99 && values[3] == 99,
                  "row %zu: a refusal must not write", i);
    }
    clprim_runtime_destroy(runtime);
}

/* Arrays that are missing, or too many; and sizes of values that indices do not have. */
Test(radix_sort_host, what_the_reference_refuses)
{
    static const clprim_reference_sort_how alone = {.key_type = CLPRIM_U32};
    static const clprim_reference_sort_how pairs = {.value_size = 4};
    static const clprim_reference_sort_how indices = {.argsort = true, .value_size = 4};
    uint32_t keys[2] = {77, 7};
    uint32_t values[2] = {99, 98};
    const struct {
        const clprim_reference_sort_how *how;
        void *keys, *values;
        const char *culprit;
    } calls[] = {
        {&alone, NULL, NULL, "keys"},   {&alone, keys, values, "values"}, {&pairs, NULL, values, "keys"},
        {&pairs, keys, NULL, "values"}, {&indices, NULL, values, "keys"}, {&indices, keys, NULL, "values"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ASSERT_STATUS(clprim_reference_sort(calls[i].keys, calls[i].values, calls[i].how, 2), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), calls[i].culprit), "call %zu: %s", i, clprim_last_error());
    }
    for (size_t size = 1; size <= 16; size *= 2) {
        const clprim_reference_sort_how how = {.argsort = true, .value_size = size};
        if (size != 4 && size != 8)
            ASSERT_STATUS(clprim_reference_sort(keys, values, &how, 2), CLPRIM_INVALID_ARGUMENT);
    }
    cr_assert(keys[0] == 77 && keys[1] == 7 && values[0] == 99 && values[1] == 98, "a refusal must not write");
}
