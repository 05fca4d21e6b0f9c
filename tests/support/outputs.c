// SPDX-License-Identifier: MIT
/* outputs.c: folds with an .output expression must give what the expression gives for the reference's results, for all
 * kinds of results and outputs, with a number as an argument. */
#include "folds.h"

#include <math.h>

enum { MAX_COUNT = 20011, WORDS = 3 /* of a triple, a span and a range */ };

static const size_t counts[] = {0, 1, 255, 257, 1025, 4097, MAX_COUNT};

static uint64_t x[MAX_COUNT * WORDS / 2 + 1], results[MAX_COUNT * 2];
static uint8_t heads[MAX_COUNT]; /* flags, or keys with long runs */

#define RESULT(type) ((const type *)(const void *)results)[i]

static void scaled(void *to, size_t i)
{
    ((uint32_t *)to)[i] = RESULT(uint32_t) * 3 + (uint32_t)i;
}

static void halved(void *to, size_t i)
{
    ((float *)to)[i] = (float)RESULT(int16_t) * 0.5F;
}

static void doubled(void *to, size_t i)
{
    const float twice = clprim_half_to_float(RESULT(uint16_t)) * 2;
    ((uint16_t *)to)[i] = isnan(twice) ? 0x7e00 : clprim_half_from_float(twice); /* the identity becomes a NaN */
}

static void rest(void *to, size_t i)
{
    ((uint8_t *)to)[i] = (uint8_t)(RESULT(uint64_t) % 251);
}

static void is_odd(void *to, size_t i)
{
    ((int8_t *)to)[i] = (int8_t)(RESULT(uint32_t) & 1 ? -1 : 1);
}

static void widened(void *to, size_t i)
{
    ((int64_t *)to)[i] = (int64_t)RESULT(int32_t) * 3;
}

static void magnitude(void *to, size_t i)
{
    ((float *)to)[i] = fabsf(RESULT(float)) * 0.5F;
}

static void is_greater(void *to, size_t i)
{
    ((uint16_t *)to)[i] = RESULT(double) > 3;
}

static void nan_or_one(void *to, size_t i)
{
    ((uint32_t *)to)[i] = RESULT(uint32_t) & 1 ? 0x7fc00000 : 0x3f800000;
}

static void triple(void *to, size_t i)
{
    const uint32_t words[WORDS] = {(uint32_t)i, RESULT(uint8_t), 3};
    memcpy((uint32_t *)to + WORDS * i, words, sizeof words);
}

static void difference(void *to, size_t i)
{
    const int32_t *range = (const int32_t *)(const void *)results + WORDS * i; /* least, greatest */
    ((int64_t *)to)[i] = (int64_t)range[1] - range[0];
}

static void last(void *to, size_t i)
{
    ((uint32_t *)to)[i] = ((const uint32_t *)(const void *)results)[WORDS * i + 2] + 3;
}

static void same_span(void *to, size_t i)
{
    memcpy((uint32_t *)to + WORDS * i, (const uint32_t *)(const void *)results + WORDS * i, WORDS * sizeof(uint32_t));
}

/* Output i is computed from results[i] and 3. */
static const struct output_row {
    const char *output;
    void (*made)(void *to, size_t i);
    clprim_type type;
    clprim_op op;
    clprim_type accumulator_type, output_type;
    const char *source, *type_name;
    const test_operator *own; /* instead of .op */
} rows[TEST_OUTPUTS] = {
    {"r * three + (uint)i", scaled, CLPRIM_U32, .op = CLPRIM_SUM},
    {"r * 0.5f", halved, CLPRIM_I16, .op = CLPRIM_MAX, .output_type = CLPRIM_F32},
    {"r + r", doubled, CLPRIM_F16, .op = CLPRIM_MIN},
    {"r % 251", rest, CLPRIM_U8, .accumulator_type = CLPRIM_U64, .output_type = CLPRIM_U8},
    {"r & 1 ? -1 : 1", is_odd, CLPRIM_U32, .op = CLPRIM_XOR, .output_type = CLPRIM_I8},
    {"(long)r * three", widened, CLPRIM_I32, .op = CLPRIM_MIN, .output_type = CLPRIM_I64},
    {"fabs(r) * 0.5f", magnitude, CLPRIM_F32, .op = CLPRIM_SUM},
    {"r > three", is_greater, CLPRIM_F64, .output_type = CLPRIM_U16},
    {"as_float(r & 1 ? 0x7fc00000 : 0x3f800000)", nan_or_one, CLPRIM_I32, .op = CLPRIM_XOR, .output_type = CLPRIM_F32},
    {"(triple){(uint)i, r, three}", triple, CLPRIM_U8, .op = CLPRIM_OR,
     .source = "typedef struct { uint i, r, n; } triple;", .type_name = "triple"},
    {"(long)r.greatest - r.least", difference, .output_type = CLPRIM_I64, .own = &test_operators[TEST_RANGES]},
    {"r.last + three", last, .output_type = CLPRIM_U32, .own = &test_operators[TEST_SPANS]},
    {"r", same_span, .own = &test_operators[TEST_SPANS]},
};

/* The reference, for the results. */
static clprim_status (*reference)(const void *desc, const void *call);
static const clprim_operation *operation;
static const struct output_row *row;

static size_t number_of_results(const test_struct *desc, test_struct *call)
{
    if (operation == &clprim_reduce_operation)
        return 1;
    if (operation == &clprim_scan_operation)
        return (size_t)test_get(call, operation->call_members, "count");
    const void *runs = test_array_at(call, operation, "out_count")->host;
    return test_get(desc, operation->desc_members, "index_type") == CLPRIM_U64 ? (size_t) * (const uint64_t *)runs
                                                                               : *(const uint32_t *)runs;
}

static clprim_status of_results(const void *desc, const void *call)
{
    test_struct plain = test_with(operation, desc, "output", 0);
    test_struct given;
    memcpy(given.bytes, call, operation->call_size);
    (void)test_put(&plain, operation->desc_members, "output_type", 0);
    (void)test_put(&plain, operation->desc_members, "output_type_name", 0);
    (void)test_put(&plain, operation->desc_members, "output_type_size", 0);
    clprim_array *out =
        test_array_at(&given, operation, operation == &clprim_reduce_by_key_operation ? "values_out" : "out");
    void *to = out->host;
    out->host = results;
    const clprim_status status =
        reference != NULL ? reference(plain.bytes, given.bytes) : test_reference(operation, plain.bytes, given.bytes);
    for (size_t i = 0; status == CLPRIM_SUCCESS && i < number_of_results(&plain, &given); i++)
        row->made(to, i);
    return status;
}

static bool create(test_call *out, clprim_runtime *runtime, const clprim_operation *face, const void *desc)
{
    static const clprim_parameter parameters[] = {{.name = "three"}};
    test_struct with = test_with(face, desc, "output", (uintptr_t)row->output);
    (void)test_put(&with, face->desc_members, "type", (uint64_t)row->type);
    (void)test_put(&with, face->desc_members, "op", (uint64_t)row->op);
    (void)test_put(&with, face->desc_members, "accumulator_type", (uint64_t)row->accumulator_type);
    (void)test_put(&with, face->desc_members, "source", (uintptr_t)row->source);
    (void)test_put(&with, face->desc_members, "output_type", (uint64_t)row->output_type);
    (void)test_put(&with, face->desc_members, "output_type_name", (uintptr_t)row->type_name);
    (void)test_put(&with, face->desc_members, "output_type_size", row->type_name ? WORDS * sizeof(uint32_t) : 0);
    memcpy(with.bytes + test_member(face->desc_members, "parameters")->place, parameters, sizeof parameters);
    if (!test_fold_create(out, runtime, face, with.bytes, row->own))
        return false;
    operation = face;
    reference = out->reference;
    out->reference = of_results;
    out->judge = NULL; /* sums are exact */
    return true;
}

static void fill(test_struct *call, size_t count, uint64_t seed)
{
    static int32_t three = 3;
    static uint64_t less; /* little-endian: U32 or U64 */
    static const char *const arrays[] = {"in", "values_in", "initial_at", "heads", "keys_in", "count_at"};
    uint64_t random = seed;
    const clprim_member *members = operation->call_members;
    test_fill(x, row->own != NULL ? CLPRIM_U32 : row->type, row->own != NULL ? CLPRIM_SUM : row->op, TEST_EXACT,
              row->own != NULL ? WORDS * count : count, seed);
    for (size_t i = 0; i < count; i++)
        heads[i] = (uint8_t)(test_random_below(&random, 50) == 0);
    less = count - count / 3;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (test_member(members, arrays[i]) != NULL)
            test_array_at(call, operation, arrays[i])->host = i < 3 ? (void *)x : i < 5 ? (void *)heads : &less;
    test_array_at(call, operation, "arguments")->host = &three;
    (void)test_put(call, members, "count", count);
}

void test_fold_output(clprim_runtime *runtime, const clprim_operation *face, const void *desc, size_t number)
{
    row = &rows[number];
    TEST_WITH_CALL(self, create(&self, runtime, face, desc))
        for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++) {
            test_struct call = {.bytes = {0}};
            fill(&call, counts[i / 2], TEST_SEED + i);
            self.replaced = i % 2 == 0 ? 0 : UINT64_MAX; /* in place, if outputs have the input's size */
            test_call_fill(&self, call.bytes, TEST_SEED + i);
            test_call_check(&self, "output %s", row->output);
        }
}

bool test_output_is_computed(clprim_runtime *runtime, const clprim_operation *face, const void *desc, const void *call,
                             const char *output, const uint32_t *times, uint32_t count)
{
    static const clprim_parameter parameters[] = {{"marks", .type = CLPRIM_U32, .is_array = true},
                                                  {"count", .type = CLPRIM_U32}};
    static const char source[] = "uint mark(const __global uint *marks, ulong k, uint count)\n"
                                 "{ atomic_inc((volatile __global uint *)marks + min(k, (ulong)count)); return k; }";
    const size_t bytes = (count + 1) * sizeof(uint32_t);
    uint32_t *marks = test_allocate(bytes);
    memset(marks, 0, bytes);
    cl_mem memory = test_upload(runtime, marks, bytes);
    test_struct with = test_with(face, desc, "output", (uintptr_t)output);
    test_struct given = {.bytes = {0}};
    (void)test_put(&with, face->desc_members, "source", (uintptr_t)source);
    memcpy(with.bytes + test_member(face->desc_members, "parameters")->place, parameters, sizeof parameters);
    memcpy(given.bytes, call, face->call_size);
    clprim_array *arguments = test_array_at(&given, face, "arguments");
    arguments[0] = (clprim_array){memory, .length = count + 1};
    arguments[1].host = &count;
    const clprim_status status = face->run(runtime, with.bytes, given.bytes);
    if (status != CLPRIM_UNSUPPORTED) {
        ASSERT_OK(status);
        test_read(runtime, marks, memory, bytes);
        for (size_t k = 0; k <= count; k++)
            cr_assert_eq(marks[k], k < count ? times[k] : 0, "%s: %s computed %u times for %zu of %u", face->name,
                         output, (unsigned)marks[k], k, (unsigned)count);
    }
    ASSERT_CL(clReleaseMemObject(memory));
    free(marks);
    return status != CLPRIM_UNSUPPORTED;
}
