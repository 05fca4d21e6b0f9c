/* test_reduce.input.c: elements that come from an expression: every variant gives what the reference gives of the same
 * elements in an array, for operators and types of all kinds, with numbers and arrays that come with each call. */
#include "ordered.h"

enum { MAX_COUNT = 40001, PATTERNS = 3 };

static const size_t counts[] = {0, 1, 2, 255, 256, 257, 1025, 4097, 16385, MAX_COUNT};

static uint64_t room[2][MAX_COUNT]; /* x, and the elements as they would be in an array */

/* element i is made of x[i], of the type, and of 3. */
typedef struct input_row {
    clprim_reduce_desc desc;
    void (*element)(void *to, const void *x, size_t i);
} input_row;

static void negated(void *to, const void *x, size_t i)
{
    ((int32_t *)to)[i] = 3 - ((const int32_t *)x)[i] % 1000;
}

static void shifted(void *to, const void *x, size_t i)
{
    ((uint8_t *)to)[i] = (uint8_t)(((const uint8_t *)x)[i] + 3);
}

static void same_float(void *to, const void *x, size_t i)
{
    ((uint32_t *)to)[i] = ((const uint32_t *)x)[i];
}

static void same_half(void *to, const void *x, size_t i)
{
    ((uint16_t *)to)[i] = ((const uint16_t *)x)[i];
}

static void index_of(void *to, const void *x, size_t i)
{
    (void)x;
    ((uint64_t *)to)[i] = i * 3;
}

#define INPUT(expression, type_)                                                                                       \
    .type = (type_), .input = (expression), .text.parameters = {{"x", (type_), .is_array = true}, {"three", CLPRIM_I32}}

static const input_row rows[] = {
    {{INPUT("three - x[i] % 1000", CLPRIM_I32)}, negated},
    {{INPUT("three - x[i] % 1000", CLPRIM_I32), .accumulator_type = CLPRIM_I64}, negated},
    {{INPUT("three - x[i] % 1000", CLPRIM_I32), .op = CLPRIM_ARGMIN}, negated},
    {{INPUT("x[i] + three", CLPRIM_U8), .op = CLPRIM_XOR}, shifted},
    {{INPUT("x[i] + three", CLPRIM_U8), .accumulator_type = CLPRIM_U32}, shifted},
    {{INPUT("x[i]", CLPRIM_F32), .op = CLPRIM_MAX}, same_float},
    {{INPUT("x[i]", CLPRIM_F32), .op = CLPRIM_MIN, .nan_order = CLPRIM_NAN_LAST}, same_float},
    {{INPUT("vload_half(i, x)", CLPRIM_F16), .op = CLPRIM_ARGMAX}, same_half},
    {{INPUT("i * three", CLPRIM_U64)}, index_of},
};

TEST_BY_VARIANT(reduce_input, is_folded_as_an_array_of_it_is, clprim_reduce_operation)
{
    int32_t three = 3;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        clprim_reduce_desc desc = rows[r].desc;
        desc.variant = (clprim_reduce_variant)variant;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                clprim_indexed expected = {.index = 0};
                const test_pattern pattern = (test_pattern[PATTERNS]){TEST_EXACT, TEST_RANDOM, TEST_EXTREMES}[i % 3];
                test_fill(room[0], desc.type, CLPRIM_MAX, pattern, counts[i], TEST_SEED + i);
                for (size_t k = 0; k < counts[i]; k++)
                    rows[r].element(room[1], room[0], k);
                ASSERT_OK(
                    clprim_reference_reduce(&expected,
                                            &(clprim_reference_operator){.type = desc.type,
                                                                         .op = desc.op,
                                                                         .accumulator_type = desc.accumulator_type,
                                                                         .nan_order = desc.nan_order},
                                            room[1], counts[i]));
                test_call_fill(&self,
                               &(clprim_reduce_call){.arguments = {{.host = room[0]}, {.host = &three}},
                                                     .count = counts[i],
                                                     .out = {.host = &expected}},
                               TEST_SEED + i);
                test_call_check(&self, "row %zu, %zu elements", r, counts[i]);
            }
    }
}

/* A caller's struct, made of two arrays: the count, sum and greatest difference of pairs that satisfy a condition. */
TEST_BY_VARIANT(reduce_input, may_be_of_the_operators_own_type, clprim_reduce_operation)
{
    typedef struct summary {
        uint32_t count, sum, greatest;
    } summary;
    static const clprim_custom_op op = {.type_name = "summary",
                                        .type_size = sizeof(summary),
                                        .source = "typedef struct { uint count, sum, greatest; } summary;",
                                        .combine = "(summary){a.count + b.count, a.sum + b.sum, "
                                                   "a.greatest > b.greatest ? a.greatest : b.greatest}",
                                        .identity = "(summary){0, 0, 0}"};
    const clprim_reduce_desc desc = {
        .custom = &op,
        .variant = (clprim_reduce_variant)variant,
        .text.source = "static summary made(uint x, uint y, uint limit)\n"
                       "{ return x > limit ? (summary){1, x, abs_diff(x, y)} : (summary){0, 0, 0}; }",
        .input = "made(x[i], y[i], limit)",
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true},
                            {"limit", CLPRIM_U32},
                            {"y", CLPRIM_U32, .is_array = true}},
    };
    const uint32_t *x = (const void *)room[0];
    const uint32_t *y = (const void *)room[1];
    test_fill(room[0], CLPRIM_U32, CLPRIM_MAX, TEST_RANDOM, MAX_COUNT, TEST_SEED);
    test_fill(room[1], CLPRIM_U32, CLPRIM_MAX, TEST_RANDOM, MAX_COUNT, TEST_SEED + 1);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            uint32_t limit = (uint32_t)i << 28;
            summary expected = {0, 0, 0};
            for (size_t k = 0; k < counts[i]; k++) {
                const uint32_t difference = x[k] > y[k] ? x[k] - y[k] : y[k] - x[k];
                expected.count += x[k] > limit;
                expected.sum += x[k] > limit ? x[k] : 0;
                expected.greatest = x[k] > limit && difference > expected.greatest ? difference : expected.greatest;
            }
            test_call_fill(&self,
                           &(clprim_reduce_call){.arguments = {{.host = room[0]}, {.host = &limit}, {.host = room[1]}},
                                                 .count = counts[i],
                                                 .out = {.host = &expected}},
                           TEST_SEED + i);
            test_call_check(&self, "%zu elements", counts[i]);
        }
}

#define INVALID(culprit, ...) TEST_INVALID(reduce, culprit, false, __VA_ARGS__)

Test(reduce_input, refusals)
{
    TEST_REFUSE_EACH(reduce, INVALID("text without", .text.source = "int f(void);"),
                     INVALID("text without", .text.parameters = {{.name = "a"}}),
                     INVALID("'i'", .input = "i", .text.parameters = {{.name = "i"}}),
                     TEST_MISTAKE(reduce, "input:1", .input = "nothing[i]"));
}
