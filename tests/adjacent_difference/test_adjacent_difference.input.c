// SPDX-License-Identifier: MIT
/* test_adjacent_difference.input.c: elements that come from an expression: both elements of each pair are computed by
 * it, and every variant gives the reference's results for the same elements in an array. */
#include "cases.h"
#include "elements.h"

enum { MAX_COUNT = 20001 };

typedef clprim_adjacent_difference_desc description;

static const size_t counts[] = {0, 1, 2, 3, 127, 128, 129, 255, 257, 1023, 1024, 1025, 2049, 4097, 16385, MAX_COUNT};
static uint64_t values[MAX_COUNT], elements[MAX_COUNT], expected[2 * MAX_COUNT];

/* Element i is computed from values[i] and 3. */
typedef struct input_row {
    description desc;
    clprim_type values_type;
    test_element element;
} input_row;

TEST_ELEMENT(times_three, uint32_t, x * 3)

#define INPUT(expression, type_)                                                                                       \
    .type = (type_), .input = (expression),                                                                            \
    .text.parameters = {{"values", (type_), .is_array = true}, {"three", CLPRIM_U8}}

static const input_row rows[] = {
    {{INPUT("values[i] + three", CLPRIM_U8)}, CLPRIM_U8, test_plus_three},
    {{INPUT("values[i] + three", CLPRIM_U8), .out_type = CLPRIM_I64, .right_neighbour = true},
     CLPRIM_U8,
     test_plus_three},
    {{INPUT("vload_half(i, values)", CLPRIM_F16), .pairs_only = true}, CLPRIM_F16, test_same_half},
    {{INPUT("values[i] * three", CLPRIM_U32), .pairs_only = true, .right_neighbour = true, .work_group_size = 32},
     CLPRIM_U32,
     times_three},
    {{INPUT("values[i]", CLPRIM_F64), .out_type = CLPRIM_F64}, CLPRIM_F64, test_same_8},
};

static void check(test_call *self, const input_row *row, const description *desc, size_t count, size_t number)
{
    uint8_t three = 3;
    uint32_t counted = (uint32_t[]){(uint32_t)(count - count / 3), 0, (uint32_t)count + 7}[number % 3];
    const description plain = {.type = desc->type,
                               .out_type = desc->out_type,
                               .right_neighbour = desc->right_neighbour,
                               .pairs_only = desc->pairs_only};
    test_fill(values, row->values_type, CLPRIM_SUM, (test_pattern)(number % TEST_PATTERN_END), count,
              TEST_SEED + number);
    for (size_t i = 0; i < count; i++)
        row->element(elements, i, values, i);
    ASSERT_OK(self->operation->reference(
        &plain,
        &(clprim_adjacent_difference_call){.in = {.host = elements},
                                           .count = self->plan->counts.number > 0 && counted < count ? counted : count,
                                           .out = {.host = expected}}));
    test_call_fill(self,
                   &(clprim_adjacent_difference_call){.arguments = {{.host = values}, {.host = &three}},
                                                      .count_at = {.host = &counted},
                                                      .count = count,
                                                      .out = {.host = expected}},
                   TEST_SEED + number);
    test_call_check(self, "row %d, %zu elements", (int)(row - rows), count);
}

TEST_BY_VARIANT(adjacent_difference_input, has_the_differences_of_an_array_of_it, clprim_adjacent_difference_operation)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        description desc = rows[r].desc;
        if ((r + (size_t)variant) % 3 == 0 && !test_is_full()) /* each row with one variant at least */
            continue;
        desc.variant = (clprim_adjacent_difference_variant)variant;
        desc.count_at_type = (r + (size_t)variant) % 2 == 0 ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_adjacent_difference_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, &rows[r], &desc, counts[i], i);
    }
}

/* Points that are computed from two arrays and their index. */
TEST_BY_VARIANT(adjacent_difference_input, may_be_of_a_type_of_the_callers, clprim_adjacent_difference_operation)
{
    enum { COUNT = 5000 };
    const description desc = {
        .type_name = "point",
        .type_size = 12,
        .input = "(point){x[i], y[i], i}",
        .text = {.source = "typedef struct { int x, y; uint place; } point;",
                 .parameters = {{"x", CLPRIM_I32, .is_array = true}, {"y", CLPRIM_I32, .is_array = true}}},
        .combine = "(a.x ^ b.y) + 1000 * (int)(a.place - b.place)",
        .out_type = CLPRIM_I32,
        .pairs_only = true,
        .right_neighbour = variant % 2 == 0,
        .variant = (clprim_adjacent_difference_variant)variant,
    };
    int32_t *x = (int32_t *)values;
    int32_t *y = (int32_t *)elements;
    int32_t *out = (int32_t *)expected;
    test_fill(x, CLPRIM_I32, CLPRIM_MAX, TEST_RANDOM, COUNT, TEST_SEED);
    test_fill(y, CLPRIM_I32, CLPRIM_MAX, TEST_RANDOM, COUNT, TEST_SEED + 1);
    for (size_t i = 0; i + 1 < COUNT; i++)
        out[i] = desc.right_neighbour ? (int32_t)((uint32_t)(x[i] ^ y[i + 1]) - 1000)
                                      : (int32_t)((uint32_t)(x[i + 1] ^ y[i]) + 1000);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_adjacent_difference_operation, &desc)) {
        test_call_fill(&self,
                       &(clprim_adjacent_difference_call){
                           .arguments = {{.host = x}, {.host = y}}, .count = COUNT, .out = {.host = out}},
                       TEST_SEED);
        test_call_check(&self, "points");
    }
}

/* With an expression no scratch memory is needed, and no result may overlap the expression's arrays. */
TEST_WITH_RUNTIME(adjacent_difference_input, refuses_to_overwrite_an_argument)
{
    const description desc = {.input = "x[i]", .text.parameters = {{"x", CLPRIM_I32, .is_array = true}}};
    cl_mem x = test_upload(runtime, values, 4096);
    clprim_plan *plan = NULL;
    size_t scratch = 1;
    ASSERT_OK(clprim_adjacent_difference_create(&plan, runtime, &desc));
    const clprim_adjacent_difference_call call = {.arguments = {{x}}, .count = 1024, .out = {x}};
    ASSERT_REFUSED(clprim_adjacent_difference_enqueue(plan, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_OVERLAP, "out");
    ASSERT_OK(clprim_plan_scratch_size(&scratch, plan, &call));
    cr_assert_eq(scratch, 0);
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(x));
}

#define INVALID(culprit, ...) TEST_INVALID(adjacent_difference, culprit, false, __VA_ARGS__)

Test(adjacent_difference_input, refusals)
{
    TEST_REFUSE_EACH(adjacent_difference, INVALID("source is given without", .text.source = "int f(void);"),
                     INVALID("type_name is given without", .type_name = "int", .type_size = 4, .input = "1"));
}
