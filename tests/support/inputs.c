// SPDX-License-Identifier: MIT
/* inputs.c: folds of elements from an expression must give what the reference gives for the same elements in an array,
 * for all kinds of operators and types, with arguments that are numbers and arrays. */
#include "elements.h"
#include "folds.h"

enum { MAX_COUNT = 40001, WORDS = 3 /* of a span */ };

static const size_t counts[] = {0, 1, 2, 255, 256, 257, 1025, 4097, 16385, MAX_COUNT};

static uint64_t values[MAX_COUNT * WORDS / 2 + 1], elements[MAX_COUNT * WORDS / 2 + 1];
static uint8_t heads[MAX_COUNT]; /* flags, or keys with long runs */

TEST_ELEMENT(negated, int32_t, 3 - x % 1000)
TEST_ELEMENT(greater, int32_t, x > 3)
TEST_ELEMENT(index_of, uint64_t, i * 3)

static void same_words(void *to, size_t i, const void *from, size_t place)
{
    memcpy((uint32_t *)to + WORDS * i, (const uint32_t *)from + WORDS * place, WORDS * sizeof(uint32_t));
}

/* Element i is computed from 3 and values[i], which the text calls x[i]. */
static const struct input_row {
    const char *input;
    clprim_type type;
    test_element element;
    clprim_op op;
    clprim_type accumulator_type;
    clprim_nan_order nan_order;
    const test_operator *own; /* instead of .op */
} rows[TEST_INPUTS] = {
    {"three - x[i] % 1000", CLPRIM_I32, negated, .op = CLPRIM_SUM},
    {"three - x[i] % 1000", CLPRIM_I32, negated, .accumulator_type = CLPRIM_I64},
    {"three - x[i] % 1000", CLPRIM_I32, negated, .op = CLPRIM_ARGMIN},
    {"x[i] > three", CLPRIM_I32, greater, .op = CLPRIM_SUM},
    {"x[i] + three", CLPRIM_U8, test_plus_three, .op = CLPRIM_XOR},
    {"x[i] + three", CLPRIM_U8, test_plus_three, .accumulator_type = CLPRIM_U32},
    {"x[i]", CLPRIM_F32, test_same_4, .op = CLPRIM_MAX},
    {"x[i]", CLPRIM_F32, test_same_4, .op = CLPRIM_MIN, .nan_order = CLPRIM_NAN_LAST},
    {"vload_half(i, x)", CLPRIM_F16, test_same_half, .op = CLPRIM_ARGMAX},
    {"i * three", CLPRIM_U64, index_of, .op = CLPRIM_SUM},
    {"(span){x[three * i], x[three * i + 1], x[three * i + 2]}", CLPRIM_U32, same_words,
     .own = &test_operators[TEST_SPANS]},
};

/* The reference, for an array that contains the elements. */
static clprim_status (*reference)(const void *desc, const void *call);
static const clprim_operation *operation;

static clprim_status of_array(const void *desc, const void *call)
{
    const test_struct with = test_with(operation, desc, "input", 0);
    const bool has_keys = operation == &clprim_reduce_by_key_operation;
    test_struct given;
    memcpy(given.bytes, call, operation->call_size);
    test_array_at(&given, operation, has_keys ? "values_in" : "in")->host = elements;
    return reference != NULL ? reference(with.bytes, given.bytes) : test_reference(operation, with.bytes, given.bytes);
}

static bool create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc,
                   const struct input_row *row)
{
    const clprim_parameter parameters[] = {{"x", row->type, .is_array = true}, {"three", .type = CLPRIM_I32}};
    test_struct with = test_with(face, desc, "input", (uintptr_t)row->input);
    test_put(&with, face->desc_members, "type", (uint64_t)row->type);
    test_put(&with, face->desc_members, "op", (uint64_t)row->op);
    test_put(&with, face->desc_members, "accumulator_type", (uint64_t)row->accumulator_type);
    test_put(&with, face->desc_members, "nan_order", (uint64_t)row->nan_order);
    memcpy(with.bytes + test_member(face->desc_members, "parameters")->place, parameters, sizeof parameters);
    if (!test_fold_create(out, runtime, face, with.bytes, row->own))
        return false;
    operation = face;
    reference = out->reference;
    out->reference = of_array;
    return true;
}

static void fill(test_struct *call, const clprim_operation *face, const struct input_row *row, size_t count,
                 uint64_t seed)
{
    static const test_pattern patterns[] = {TEST_EXACT, TEST_RANDOM, TEST_EXTREMES};
    static int32_t three = 3;
    static uint64_t less; /* little-endian: U32 or U64 */
    uint64_t random = seed;
    clprim_array *arguments = test_array_at(call, face, "arguments");
    test_fill(values, row->type, CLPRIM_MAX, patterns[seed % 3], row->own != NULL ? WORDS * count : count, seed);
    for (size_t i = 0; i < count; i++) {
        row->element(elements, i, values, i);
        heads[i] = (uint8_t)(test_random_below(&random, 50) == 0);
    }
    less = count - count / 3;
    arguments[0] = (clprim_array){.host = values, .length = row->own != NULL ? WORDS * count : 0};
    arguments[1].host = &three;
    test_put(call, face->call_members, "count", count);
    test_array_at(call, face, "count_at")->host = &less;
    if (test_member(face->call_members, "heads") != NULL)
        test_array_at(call, face, "heads")->host = heads;
    if (test_member(face->call_members, "keys_in") != NULL)
        test_array_at(call, face, "keys_in")->host = heads;
}

void test_fold_input(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t row)
{
    TEST_WITH_CALL(self, create(&self, runtime, face, desc, &rows[row]))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            test_struct call = {.bytes = {0}};
            fill(&call, face, &rows[row], counts[i], TEST_SEED + i);
            test_call_fill(&self, call.bytes, TEST_SEED + i);
            test_call_check(&self, "element i is %s", rows[row].input);
        }
}
