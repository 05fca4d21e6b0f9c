// SPDX-License-Identifier: MIT
/* picked.c: selections with an expression for what is stored must give what it gives for the elements that the
 * reference selects, for all kinds of elements and outputs, with arguments that are numbers and arrays. */
#include "picked.h"

#include <clprim/reference.h>
#include <math.h>

enum { MAX_COUNT = 20011, WORDS = 3 /* of a span and a triple */, TABLE = 5 };

static uint64_t elements[MAX_COUNT * WORDS / 2 + 1], values[MAX_COUNT * WORDS / 2 + 1], made[MAX_COUNT * WORDS / 2 + 1];
static uint8_t keep[MAX_COUNT], rejected[MAX_COUNT];
static uint32_t indices[MAX_COUNT], picked[MAX_COUNT];
static uint32_t table[TABLE] = {7, UINT32_MAX, 0, 1000, 5};

#define ELEMENT(type) ((const type *)(const void *)elements)[i]

/* Output k is computed from element i. */
#define MADE(name, type, value)                                                                                        \
    static void name(void *to, size_t k, size_t i)                                                                     \
    {                                                                                                                  \
        ((type *)to)[k] = (type)(value);                                                                               \
    }
MADE(index_of, uint64_t, i)
MADE(rest, uint8_t, ELEMENT(uint64_t) % 251)
MADE(widened, int64_t, ELEMENT(int16_t) * 3 + (int64_t)i)
MADE(same_double, uint64_t, ELEMENT(uint64_t))
MADE(is_greater, int16_t, ELEMENT(float) > 3)
MADE(looked_up, uint32_t, table[ELEMENT(uint8_t) % TABLE])
MADE(nan_or_one, uint32_t, ELEMENT(uint32_t) & 1 ? 0x7fc00000 : 0x3f800000)
MADE(second, uint32_t, ((const uint32_t *)(const void *)elements)[WORDS * i + 1])

static void doubled(void *to, size_t k, size_t i)
{
    const float twice = clprim_half_to_float(ELEMENT(uint16_t)) * 2;
    ((uint16_t *)to)[k] = isnan(twice) ? 0x7e00 : clprim_half_from_float(twice);
}

static void triple_of(void *to, size_t k, size_t i)
{
    const uint32_t words[WORDS] = {(uint32_t)i, ELEMENT(uint8_t), 3};
    memcpy((uint32_t *)to + WORDS * k, words, sizeof words);
}

static const struct picked_row {
    const char *output;
    void (*made)(void *to, size_t k, size_t i);
    clprim_type type, output_type;
    const char *type_name, *output_type_name; /* types of WORDS words */
} rows[TEST_PICKED] = {
    {"i", index_of, CLPRIM_U8, .output_type = CLPRIM_U64},
    {"r + r", doubled, .type = CLPRIM_F16},
    {"r % 251", rest, CLPRIM_U64, .output_type = CLPRIM_U8},
    {"r * three + (long)i", widened, CLPRIM_I16, .output_type = CLPRIM_I64},
    {"r", same_double, .type = CLPRIM_F64},
    {"r > three", is_greater, CLPRIM_F32, .output_type = CLPRIM_I16},
    {"table[r % 5]", looked_up, CLPRIM_U8, .output_type = CLPRIM_U32},
    {"as_float(r & 1 ? 0x7fc00000 : 0x3f800000)", nan_or_one, CLPRIM_U32, .output_type = CLPRIM_F32},
    {"r.second", second, .output_type = CLPRIM_U32, .type_name = "triple"},
    {"(triple){(uint)i, r, three}", triple_of, .type = CLPRIM_U8, .output_type_name = "triple"},
};

static const struct picked_row *row;

static size_t element_size(void)
{
    return row->type_name != NULL ? WORDS * sizeof(uint32_t) : clprim_type_size(row->type);
}

bool test_picked_create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                        size_t number)
{
    static const char source[] = "typedef struct { uint first, second, third; } triple;";
    static const clprim_parameter parameters[] = {{.name = "three"}, {"table", .type = CLPRIM_U32, .is_array = true}};
    row = &rows[number];
    test_struct with = test_with(face, desc, "output", (uintptr_t)row->output);
    const clprim_member *members = face->desc_members;
    const bool is_by_flags = test_get(&with, members, "flags_type") != CLPRIM_TYPE_DEFAULT;
    (void)test_put(&with, members, "type", (uint64_t)row->type);
    (void)test_put(&with, members, "output_type", (uint64_t)row->output_type);
    (void)test_put(&with, members, "type_name", (uintptr_t)row->type_name);
    (void)test_put(&with, members, "type_size", row->type_name != NULL ? WORDS * sizeof(uint32_t) : 0);
    (void)test_put(&with, members, "output_type_name", (uintptr_t)row->output_type_name);
    (void)test_put(&with, members, "output_type_size", row->output_type_name != NULL ? WORDS * sizeof(uint32_t) : 0);
    (void)test_put(&with, members, "predicate", (uintptr_t)(is_by_flags ? NULL : TEST_PICKED_PREDICATE));
    (void)test_put(&with, members, "source", (uintptr_t)source);
    memcpy(with.bytes + test_member(members, "parameters")->place, parameters, sizeof parameters);
    return test_call_create(out, runtime, face, with.bytes);
}

/* Make elements in runs of some length, and find which of them are kept. */
static void fill(bool is_unique, size_t count, uint64_t seed)
{
    static const test_pattern patterns[] = {TEST_RANDOM, TEST_SPECIALS, TEST_FEW_DISTINCT};
    const size_t run = (const size_t[]){1, 3, 60}[seed % 3];
    const size_t size = element_size();
    test_fill(values, row->type_name != NULL ? CLPRIM_U32 : row->type, CLPRIM_MAX, patterns[seed % 3],
              row->type_name != NULL ? WORDS * count : count, seed);
    for (size_t i = 0; i < count; i++) {
        char *element = (char *)elements + i * size;
        memcpy(element, (const char *)values + i / run * size, size);
        keep[i] = is_unique ? i == 0 || memcmp(element - size, element, size) != 0 : (i * 7919 >> 3) % 3 == 1;
        indices[i] = (uint32_t)i;
    }
}

void test_picked_check(test_call *self, size_t count, uint64_t seed)
{
    static int32_t three = 3;
    const clprim_member *members = self->face->call_members;
    const bool is_partition = self->face == &clprim_partition_operation;
    const bool is_counted = test_get(&self->desc, self->face->desc_members, "count_at_type") != CLPRIM_TYPE_DEFAULT;
    uint64_t counted = is_counted ? count - count / 3 : count; /* little-endian: U32 or U64 */
    uint64_t number = 0;
    size_t numbers[2] = {0, 0}; /* numbers of elements that are picked, and that are not */
    test_struct call = {.bytes = {0}};
    fill(self->face == &clprim_unique_operation, count, seed);
    for (size_t i = 0; i < count; i++)
        rejected[i] = !keep[i];
    ASSERT_OK(clprim_reference_partition(picked, numbers, 2, sizeof *picked, rejected, indices, (size_t)counted));
    for (size_t k = 0; k < (is_partition ? counted : numbers[0]); k++)
        row->made(made, k, picked[k]);
    number = numbers[0];
    (void)test_put(&call, members, "count", count);
    test_array_at(&call, self->face, "in")->host = elements;
    if (test_member(members, "flags") != NULL)
        test_array_at(&call, self->face, "flags")->host = keep;
    test_array_at(&call, self->face, "arguments")[0].host = &three;
    test_array_at(&call, self->face, "arguments")[1] = (clprim_array){.host = table, .length = TABLE};
    test_array_at(&call, self->face, "count_at")->host = &counted;
    test_array_at(&call, self->face, "out")->host = made;
    test_array_at(&call, self->face, "out_count")->host = &number;
    test_call_fill(self, call.bytes, seed);
    test_call_check(self, "output %s", row->output);
}
