// SPDX-License-Identifier: MIT
/* test_radix_sort.host.c: the reference, compared with known results and with a comparison sort; and refused
 * arguments. */
#include <limits.h>

#include "ordered.h"

/* Keys, and their original places in sorted order. */
#define KNOWN(...) TEST_KNOWN(radix_sort, __VA_ARGS__)
static const test_known rows[] = {
    KNOWN(U8, uint8_t, (5, 255, 0, 5, 128), (2, 0, 3, 4, 1), .descending = false),
    KNOWN(I8, int8_t, (5, -1, 0, -128, 127, -1), (3, 1, 5, 2, 0, 4), .descending = false),
    KNOWN(I16, int16_t, (3, -300, 300, 3, -300, 256), (2, 5, 0, 3, 1, 4), .descending = true),
    KNOWN(TYPE_DEFAULT, uint32_t, (0x01000000, 0x00ffffff, 0x80000000, 0), (3, 1, 0, 2), .descending = false),
    /* by a nibble; by the sign alone; by the lower bits; by no bits; by more bits than there are */
    KNOWN(I32, int32_t, (0x12f, -1, 0x7f00, 0x21, 0x1d), (2, 4, 0, 3, 1), .bit_range = true, .begin_bit = 4,
          .end_bit = 8),
    KNOWN(I32, int32_t, (7, -1, 0, -7, INT32_MIN), (1, 3, 4, 0, 2), .bit_range = true, .begin_bit = 31, .end_bit = 32),
    KNOWN(U64, uint64_t, (UINT64_C(1) << 32, UINT64_MAX << 33, 7, UINT64_C(3) << 32), (0, 3, 2, 1), .bit_range = true,
          .end_bit = 33, .descending = true),
    KNOWN(U32, uint32_t, (3, 1, UINT32_MAX, 2), (0, 1, 2, 3), .bit_range = true, .descending = true),
    KNOWN(U8, uint8_t, (130, 127, 129, 3, 128), (1, 3, 0, 2, 4), .bit_range = true, .begin_bit = 7,
          .end_bit = UINT_MAX),
    KNOWN(F16, uint16_t, (0x7e00, 0xfe00, 0, 1), (0, 1, 2, 3), .bit_range = true, .begin_bit = 16, .end_bit = 20),
    KNOWN(I64, int64_t, (0, INT64_MAX, INT64_MIN, -1, 1), (2, 3, 0, 4, 1), .descending = false),
    /* NaN, -NaN, inf, -inf, 1, -0, 0, the least denormal and its negative, a NaN with a smaller payload */
    KNOWN(F16, uint16_t, (0x7e00, 0xfe00, 0x7c00, 0xfc00, 0x3c00, 0x8000, 0, 1, 0x8001, 0x7c01),
          (1, 3, 8, 5, 6, 7, 4, 2, 9, 0), .descending = false),
    KNOWN(F32, float, (-0.0f, 0.0f, 1e-45f, -1e-45f, 3.0f, -3.0f, 3.0f, 1e38f), (7, 4, 6, 2, 1, 0, 3, 5),
          .descending = true),
    /* by the bits above the lowest exponents */
    KNOWN(F64, double, (1.75, 1.0, 1.5, -1.0, -1.75, 0.9, 1e300), (3, 4, 5, 0, 1, 2, 6), .bit_range = true,
          .begin_bit = 52, .end_bit = 64),
};

Test(radix_sort_host, by_heart)
{
    uint32_t keys[] = {7, 0x80000000, 0, 7};
    test_expect_known(&clprim_radix_sort_operation, rows, sizeof rows / sizeof *rows);
    ASSERT_OK(clprim_reference_sort(keys, NULL, NULL, 4)); /* the default: U32, ascending */
    test_expect_same((const uint32_t[]){0, 7, 7, 0x80000000}, keys, sizeof *keys, 4, "by default");
    ASSERT_OK(clprim_radix_sort_run(NULL, NULL, &(clprim_radix_sort_call){0}));
    ASSERT_OK(clprim_reference_sort(NULL, NULL, NULL, 0));
    ASSERT_OK(clprim_reference_sort(NULL, NULL, &(const clprim_reference_sort_how){.value_size = 4}, 0));
}

/* Keys are computed from their places in the type's order, and a comparison sort sorts the bits of these. */
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
        places[i] = places[i] ^ places[i] >> 32 ^ places[i] >> 48; /* so that there are as many different low bits */
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

Test(radix_sort_host, refusals)
{
#define INVALID(named, by_reference, ...) TEST_INVALID(radix_sort, named, by_reference, __VA_ARGS__)
#define BITS(begin, end)                  .bit_range = true, .begin_bit = (begin), .end_bit = (end)
    TEST_REFUSE_EACH(
        radix_sort, INVALID("type", true, .key_type = CLPRIM_TYPE_END),
        INVALID("type", true, .key_type = (clprim_type)-1), INVALID("value_size", true, .value_size = 3),
        INVALID("value_size", true, .value_size = 5), INVALID("value_size", true, .value_size = 12),
        INVALID("value_size", true, .value_size = 32), INVALID("value_size", true, .value_size = SIZE_MAX),
        INVALID("bit_range", true, .end_bit = 8), INVALID("bit_range", true, .key_type = CLPRIM_U8, .begin_bit = 1),
        INVALID("bit_range", true, .begin_bit = 8, .end_bit = 8),
        INVALID("bit_range", true, .key_type = CLPRIM_F16, .end_bit = UINT_MAX), INVALID("begin_bit", true, BITS(9, 8)),
        INVALID("begin_bit", true, BITS(8, 0)), INVALID("begin_bit", true, BITS(65, 64)),
        INVALID("begin_bit", true, BITS(UINT_MAX, 33)), INVALID("value_size", false, .argsort = true, .value_size = 4),
        INVALID("value_size", false, .argsort = true, .value_size = 8),
        INVALID("index_type", false, .argsort = true, .max_count = (size_t)1 << 33));
}

/* Arrays that are missing, or too many; and sizes of values that indices cannot have. */
Test(radix_sort_host, reference_refuses)
{
    uint32_t keys[2] = {77, 7};
    uint32_t values[2] = {99, 98};
#define REFUSED(culprit, keys, values, ...)                                                                            \
    ASSERT_REFUSED(clprim_reference_sort(keys, values, &(const clprim_reference_sort_how){__VA_ARGS__}, 2),            \
                   CLPRIM_INVALID_ARGUMENT, culprit)
    REFUSED("keys", NULL, NULL, .key_type = CLPRIM_U32);
    REFUSED("values", keys, values, .key_type = CLPRIM_U32);
    REFUSED("keys", NULL, values, .value_size = 4);
    REFUSED("values", keys, NULL, .value_size = 4);
    REFUSED("keys", NULL, values, .argsort = true, .value_size = 4);
    REFUSED("values", keys, NULL, .argsort = true, .value_size = 4);
    REFUSED("", keys, values, .argsort = true, .value_size = 1);
    REFUSED("", keys, values, .argsort = true, .value_size = 2);
    REFUSED("", keys, values, .argsort = true, .value_size = 16);
    cr_assert(keys[0] == 77 && keys[1] == 7 && values[0] == 99 && values[1] == 98, "a refusal must not write");
}
