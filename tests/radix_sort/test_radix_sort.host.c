/* test_radix_sort.host.c: the reference against what is known by heart and against a sort by comparisons; defaults; and
 * what is refused. */
#include <limits.h>

#include "orders.h"

enum { VARIANTS = CLPRIM_RADIX_SORT_CPU_BUCKETS + 1 };

/* Keys, and the places at which they were when they are in order. */
static const struct row {
    clprim_radix_sort_desc desc;
    test_by_heart known;
} rows[] = {
    {{.key_type = CLPRIM_U8}, {"u8", (const uint8_t[]){5, 255, 0, 5, 128}, 5, 5, {2, 0, 3, 4, 1}}},
    {{.key_type = CLPRIM_I8}, {"i8", (const int8_t[]){5, -1, 0, -128, 127, -1}, 6, 6, {3, 1, 5, 2, 0, 4}}},
    {{.key_type = CLPRIM_I16, .descending = true},
     {"i16, descending", (const int16_t[]){3, -300, 300, 3, -300, 256}, 6, 6, {2, 5, 0, 3, 1, 4}}},
    {{0}, {"default", (const uint32_t[]){0x01000000, 0x00ffffff, 0x80000000, 0}, 4, 4, {3, 1, 0, 2}}},
    {{.key_type = CLPRIM_I32, .bit_range = true, .begin_bit = 4, .end_bit = 8},
     {"i32, bits of a nibble", (const int32_t[]){0x12f, -1, 0x7f00, 0x21, 0x1d}, 5, 5, {2, 4, 0, 3, 1}}},
    {{.key_type = CLPRIM_I32, .bit_range = true, .begin_bit = 31, .end_bit = 32},
     {"i32, signs alone", (const int32_t[]){7, -1, 0, -7, INT32_MIN}, 5, 5, {1, 3, 4, 0, 2}}},
    {{.key_type = CLPRIM_U64, .bit_range = true, .end_bit = 33, .descending = true},
     {"u64, low bits, descending",
      (const uint64_t[]){UINT64_C(1) << 32, UINT64_MAX << 33, 7, UINT64_C(3) << 32},
      4,
      4,
      {0, 3, 2, 1}}},
    {{.key_type = CLPRIM_U32, .bit_range = true, .descending = true},
     {"u32, no bits", (const uint32_t[]){3, 1, UINT32_MAX, 2}, 4, 4, {0, 1, 2, 3}}},
    {{.key_type = CLPRIM_U8, .bit_range = true, .begin_bit = 7, .end_bit = UINT_MAX},
     {"u8, more bits than there are", (const uint8_t[]){130, 127, 129, 3, 128}, 5, 5, {1, 3, 0, 2, 4}}},
    {{.key_type = CLPRIM_F16, .argsort = true, .bit_range = true, .begin_bit = 16, .end_bit = 20},
     {"f16, none of these bits, indices", (const uint16_t[]){0x7e00, 0xfe00, 0, 1}, 4, 4, {0, 1, 2, 3}}},
    {{.key_type = CLPRIM_I64}, {"i64", (const int64_t[]){0, INT64_MAX, INT64_MIN, -1, 1}, 5, 5, {2, 3, 0, 4, 1}}},
    {{.key_type = CLPRIM_F16},
     {"f16", /* NaN, -NaN, inf, -inf, 1, -0, 0, least denormal, its negative, a NaN of less payload */
      (const uint16_t[]){0x7e00, 0xfe00, 0x7c00, 0xfc00, 0x3c00, 0x8000, 0, 1, 0x8001, 0x7c01},
      10,
      10,
      {1, 3, 8, 5, 6, 7, 4, 2, 9, 0}}},
    {{.key_type = CLPRIM_F32, .descending = true},
     {"f32, descending",
      (const float[]){-0.0f, 0.0f, 1e-45f, -1e-45f, 3.0f, -3.0f, 3.0f, 1e38f},
      8,
      8,
      {7, 4, 6, 2, 1, 0, 3, 5}}},
    {{.key_type = CLPRIM_F64, .bit_range = true, .begin_bit = 52, .end_bit = 64},
     {"f64, the bits above the lowest exponents",
      (const double[]){1.75, 1.0, 1.5, -1.0, -1.75, 0.9, 1e300},
      7,
      7,
      {3, 4, 5, 0, 1, 2, 6}}},
};

/* With indices, and with values of every size that go with the keys. */
Test(radix_sort_host, by_heart)
{
    static const size_t value_sizes[] = {4, 8, 0, 1, 2, 4, 8, 16};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++) {
            clprim_radix_sort_desc desc = rows[i].desc;
            desc.argsort = v < 2;
            desc.index_type = v == 1 ? CLPRIM_U64 : CLPRIM_U32;
            desc.value_size = desc.argsort ? 0 : value_sizes[v];
            test_expect_by_heart(&clprim_radix_sort_operation, &desc, value_sizes[v], &rows[i].known);
        }
}

/* Keys are made of their places in the type's order, whose bits are sorted by comparisons. */
static void check_reference(const clprim_reference_sort_how *how, test_data data, size_t count, uint64_t seed)
{
    enum { MAX_COUNT = 3000 };
    static uint64_t places[MAX_COUNT], parts[MAX_COUNT], keys[MAX_COUNT], from[2][MAX_COUNT];
    const clprim_reference_order by = {.type = CLPRIM_U64, .size = sizeof *parts, .descending = how->descending};
    const size_t size = clprim_type_size(how->key_type);
    const unsigned end = how->bit_range && how->end_bit < 8 * size ? how->end_bit : 8 * (unsigned)size;
    const unsigned begin = how->begin_bit;
    test_fill_elements(places, CLPRIM_U64, sizeof *places, data, count, seed);
    for (size_t i = 0; i < count; i++) {
        places[i] = places[i] ^ places[i] >> 32 ^ places[i] >> 48; /* so that low bits are as many */
        places[i] &= UINT64_MAX >> (64 - 8 * size);
        const uint64_t key = test_element_at(how->key_type, places[i]);
        memcpy((char *)keys + i * size, &key, size);
        parts[i] = begin >= end ? 0 : places[i] << (64 - end) >> (64 - end + begin);
        from[0][i] = i;
    }
    test_sort_elements(parts, from[0], sizeof *parts, &by, count);
    ASSERT_OK(clprim_reference_sort(keys, from[1], how, count));
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = test_element_at(how->key_type, places[from[0][i]]);
        cr_assert(from[0][i] == from[1][i] && memcmp((char *)keys + i * size, &key, size) == 0,
                  "%s%s, bits %u to %u, %s, %zu elements: at %zu is what was at %zu, not at %zu",
                  clprim_type_name(how->key_type), how->descending ? ", descending" : "", begin, end,
                  test_data_name(data), count, i, (size_t)from[1][i], (size_t)from[0][i]);
    }
}

Test(radix_sort_host, reference_against_comparisons)
{
    static const size_t counts[] = {0, 1, 2, 257, 3000};
    for (int type = 1; type < CLPRIM_TYPE_END; type++) {
        const unsigned bits = 8 * (unsigned)clprim_type_size((clprim_type)type);
        const unsigned ranges[][2] = {{0, 0},           {0, bits},      {0, 3}, {2, bits - 1},
                                      {bits - 1, bits}, {bits / 2, 99}, {0, 0}, {bits / 3, bits / 3},
                                      {bits, 99}};
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (int data = 0; data < TEST_DATA_END; data++)
                for (uint64_t i = 0; i < 5; i++) {
                    const clprim_reference_sort_how how = {.key_type = (clprim_type)type,
                                                           .value_size = sizeof(uint64_t),
                                                           .argsort = true,
                                                           .descending = (i + (uint64_t)data) % 2 == 1,
                                                           .bit_range = r > 0,
                                                           .begin_bit = ranges[r][0],
                                                           .end_bit = ranges[r][1]};
                    check_reference(&how, data, counts[i], TEST_SEED + i);
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
    {{.variant = (clprim_radix_sort_variant)VARIANTS}, "variant"},
    {{.work_group_size = 3}, "work_group_size"},
    {{.work_group_size = SIZE_MAX}, "work_group_size"},
    {{.argsort = true, .value_size = 4}, "value_size"},
    {{.argsort = true, .value_size = 8}, "value_size"},
    {{.argsort = true, .index_type = CLPRIM_U16}, "index_type"},
    {{.argsort = true, .index_type = CLPRIM_TYPE_END}, "index_type"},
    {{.argsort = true, .max_count = (size_t)1 << 33}, "index_type"},
};

enum { NUM_SENSELESS = sizeof senseless / sizeof *senseless, ONLY_A_PLAN_KNOWS = 9 };

Test(radix_sort_host, descriptions_that_make_no_sense)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < NUM_SENSELESS; i++)
        test_expect_refused(runtime, &clprim_radix_sort_operation, &senseless[i].desc,
                            i < NUM_SENSELESS - ONLY_A_PLAN_KNOWS, senseless[i].culprit);
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
