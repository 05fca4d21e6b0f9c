// SPDX-License-Identifier: MIT
/* test_reduce.input.c: elements that come from an expression. Every variant gives the reference's result for the same
 * elements in an array. */
#include "folds.h"

enum { MAX_COUNT = 40001 };

static const size_t counts[] = {0, 1, 2, 255, 256, 257, 1025, 4097, 16385, MAX_COUNT};

static uint64_t room[2][MAX_COUNT];

/* Each row is tested with some of the variants, with CLPRIM_TEST_FULL with all. Not all variants support the operator
 * of the last row; the test below covers them. */
TEST_BY_VARIANT(reduce_input, is_folded_as_an_array_of_it_is, clprim_reduce_operation)
{
    for (size_t row = 0; row + 1 < TEST_INPUTS; row++)
        if ((row + (size_t)variant) % 3 == 0 || test_is_full())
            test_fold_input(runtime, &clprim_reduce_operation,
                            &(clprim_reduce_desc){.variant = (clprim_reduce_variant)variant}, row);
}

/* A caller's struct, computed from two arrays: the count, sum and greatest difference of pairs that satisfy a
 * condition. */
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

/* count_if, as clprim/select.h describes it. It also works if comparisons with NaNs are false, and with 64 bits. */
TEST_BY_VARIANT(reduce_input, may_count_what_satisfies_a_condition, clprim_reduce_operation)
{
    const float *x = (const void *)room[0];
    for (int is_wide = 0; is_wide < 2; is_wide++) {
        const clprim_reduce_desc desc = {
            .type = CLPRIM_U32,
            .accumulator_type = is_wide ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT,
            .input = "x[i] > limit",
            .text.parameters = {{"x", CLPRIM_F32, .is_array = true}, {"limit", CLPRIM_F32}},
            .variant = (clprim_reduce_variant)variant,
        };
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                float limit = i % 3 == 0 ? -1e30F : (float)i;
                uint64_t expected = 0; /* little-endian */
                test_fill(room[0], CLPRIM_F32, CLPRIM_MAX, i % 2 == 0 ? TEST_SPECIALS : TEST_RANDOM, counts[i], i);
                for (size_t k = 0; k < counts[i]; k++)
                    expected += x[k] > limit;
                test_call_fill(&self,
                               &(clprim_reduce_call){.arguments = {{.host = room[0]}, {.host = &limit}},
                                                     .count = counts[i],
                                                     .out = {.host = &expected}},
                               TEST_SEED + i);
                test_call_check(&self, "%zu elements", counts[i]);
            }
    }
}

static uint64_t element_of(const void *array, clprim_type type, size_t i)
{
    uint64_t bits = 0; /* little-endian */
    memcpy(&bits, (const char *)array + i * clprim_type_size(type), clprim_type_size(type));
    return bits;
}

/* All numbers of packets in a tile, with arrays that are aligned or not, and with elements left over after the
 * packets. */
TEST_WITH_RUNTIME(reduce_input, arrays_in_packets)
{
    static const struct {
        clprim_type types[3];
        const char *input;
    } rows[] = {{{CLPRIM_U8, CLPRIM_U8, CLPRIM_U8}, "((ulong)x[i] * y[i] + z[i]) * (i + 1)"},
                {{CLPRIM_U32, CLPRIM_U8, CLPRIM_U16}, "((ulong)x[i] * y[i] + z[i]) * (i + 1)"},
                {{CLPRIM_U8, CLPRIM_U64, CLPRIM_U32}, "((ulong)x[i] * y[i] + z[i]) * (i + 1)"}};
    static uint64_t z[MAX_COUNT];
    uint64_t *const memory[] = {room[0], room[1], z};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        clprim_reduce_desc desc = {
            .type = CLPRIM_U64,
            .input = rows[row].input,
            .text.parameters = {{"x", .is_array = true}, {"y", .is_array = true}, {"z", .is_array = true}},
            .variant = CLPRIM_REDUCE_SINGLE_PASS,
            .work_group_size = 32};
        for (size_t k = 0; k < 3; k++) {
            desc.text.parameters[k].type = rows[row].types[k];
            test_fill(memory[k], rows[row].types[k], CLPRIM_MAX, TEST_RANDOM, MAX_COUNT, TEST_SEED + k);
        }
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_reduce_operation, &desc))
            for (uint64_t seed = 0; seed < 9; seed++) {
                const size_t count = MAX_COUNT - 7 * (size_t)seed;
                uint64_t sum = 0;
                for (size_t i = 0; i < count; i++)
                    sum +=
                        (element_of(memory[0], rows[row].types[0], i) * element_of(memory[1], rows[row].types[1], i) +
                         element_of(memory[2], rows[row].types[2], i)) *
                        (i + 1);
                self.is_tight = seed % 3 != 2; /* all begin at 0, all at 1; each elsewhere */
                test_call_fill(&self,
                               &(clprim_reduce_call){.arguments = {{.host = room[0]}, {.host = room[1]}, {.host = z}},
                                                     .count = count,
                                                     .out = {.host = &sum}},
                               self.is_tight ? seed % 3 : TEST_SEED + seed);
                test_call_check(&self, "%zu elements, seed %u", count, (unsigned)seed);
            }
    }
}

#define INVALID(culprit, ...) TEST_INVALID(reduce, culprit, false, __VA_ARGS__)

Test(reduce_input, refusals)
{
    TEST_REFUSE_EACH(reduce, INVALID("text without", .text.source = "int f(void);"),
                     INVALID("text without", .text.parameters = {{.name = "a"}}));
}

/* Operators may read arrays, which are empty if the call has no elements. In this case the operator must not be called:
 * a division by zero either crashes or gives something other than the identity. */
TEST_BY_VARIANT(reduce_input, no_elements_call_no_operator, clprim_reduce_operation)
{
    static const clprim_custom_op plus = {.combine = "(a + b) % zero[0]", .identity = "7"};
    static const uint32_t initial = 5;
    if (variant == CLPRIM_REDUCE_NATIVE) /* it has no texts */
        return;
    for (int has_initial = 0; has_initial < 2; has_initial++) {
        uint32_t zero = 0, out = 1;
        const clprim_reduce_desc desc = {.variant = (clprim_reduce_variant)variant,
                                         .type = CLPRIM_U32,
                                         .custom = &plus,
                                         .initial = has_initial ? &initial : NULL,
                                         .text.parameters = {{"zero", CLPRIM_U32, .is_array = true}}};
        ASSERT_OK(clprim_reduce_run(
            runtime, &desc, &(clprim_reduce_call){.arguments = {{.host = &zero, .length = 1}}, .out = {.host = &out}}));
        cr_assert_eq(out, has_initial ? 5 : 7);
    }
}
