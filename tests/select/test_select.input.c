// SPDX-License-Identifier: MIT
/* test_select.input.c: elements that come from an expression. Every variant selects what it selects from the same
 * elements in an array, by predicates over both and by flags, for types of all sizes; numbers come with each call. */
#include <clprim/reference.h>

#include "elements.h"
#include "test_select.h"

enum { MAX_COUNT = 40001, LIMIT = 3 };

static const size_t counts[] = {0, 1, 2, 127, 128, 129, 511, 512, 513, 1023, 1025, 4097, 8193, MAX_COUNT};

static uint64_t values[2 * MAX_COUNT], elements[2 * MAX_COUNT], selected[2 * MAX_COUNT];
static uint8_t keep[MAX_COUNT];
static uint16_t flags[MAX_COUNT]; /* or bytes */

typedef struct span {
    uint32_t begin, end;
    int32_t weight;
} span;

/* Element i is computed from values of the type and from LIMIT. by_flags: every third element is selected. */
typedef struct input_row {
    clprim_select_desc desc;
    clprim_type values_type;
    test_element element;
    bool (*keeps)(size_t i); /* NULL: by flags */
} input_row;

#define KEEPS(name, type, condition)                                                                                   \
    static bool name(size_t i)                                                                                         \
    {                                                                                                                  \
        const type x = ((const type *)elements)[i];                                                                    \
        (void)x;                                                                                                       \
        return condition;                                                                                              \
    }
TEST_ELEMENT(index_of, uint32_t, i)
TEST_ELEMENT(remainder_of, int32_t, x % 1000 - LIMIT)
TEST_ELEMENT(times, uint64_t, x *LIMIT)
KEEPS(is_odd, uint8_t, (x & 1) != 0)
KEEPS(is_above, uint16_t, clprim_half_to_float(x) > LIMIT)
KEEPS(is_value_odd, uint32_t, (((const uint32_t *)values)[x] & 1) != 0)
KEEPS(is_below_index, int32_t, x < (int32_t)(i % 2000) - 1000)
KEEPS(is_nan, uint32_t, (x & 0x7fffffff) > 0x7f800000)
KEEPS(is_multiple, uint64_t, x % 5 == 0)
KEEPS(is_heavy, span, x.weight > LIMIT && (i & 3) != 0)

static void span_of(void *to, size_t i, const void *words, size_t from)
{
    const uint32_t x = ((const uint32_t *)words)[from];
    ((span *)to)[i] = (span){x, (uint32_t)i, (int32_t)(x % 9)};
}

#define INPUT(expression, type_) .type = (type_), VALUES(expression, type_)
#define VALUES(expression, values_type)                                                                                \
    .input = (expression), .text.parameters = {{"values", (values_type), .is_array = true}, {"limit", CLPRIM_U16}}

static const input_row rows[] = {
    {{INPUT("values[i] + limit", CLPRIM_U8), .predicate = "x & 1"}, CLPRIM_U8, test_plus_three, is_odd},
    {{INPUT("vload_half(i, values)", CLPRIM_F16), .predicate = "x > limit"}, CLPRIM_F16, test_same_half, is_above},
    {{INPUT("i", CLPRIM_U32), .predicate = "values[x] & 1"}, CLPRIM_U32, index_of, is_value_odd},
    {{INPUT("values[i] % 1000 - limit", CLPRIM_I32), .predicate = "x < (int)(i % 2000) - 1000"},
     CLPRIM_I32,
     remainder_of,
     is_below_index},
    {{INPUT("values[i]", CLPRIM_F32), .predicate = "isnan(x)"}, CLPRIM_F32, test_same_4, is_nan},
    {{INPUT("values[i] * limit", CLPRIM_U64), .predicate = "x % 5 == 0"}, CLPRIM_U64, times, is_multiple},
    {{INPUT("values[i]", CLPRIM_F64), .flags_type = CLPRIM_U16}, CLPRIM_F64, test_same_8, NULL},
    {{INPUT("i", CLPRIM_U32)}, CLPRIM_U32, index_of, NULL},
    {{VALUES("(span){values[i], i, values[i] % 9}", CLPRIM_U32), .type_name = "span", .type_size = sizeof(span),
      .text.source = "typedef struct { uint begin, end; int weight; } span;", .predicate = "x.weight > limit && i & 3"},
     CLPRIM_U32,
     span_of,
     is_heavy},
};

/* If plans have counts on the device, every second call uses one, of about two thirds of the elements. */
static void check(test_call *self, const input_row *row, const clprim_select_desc *desc, size_t count, size_t number)
{
    const test_pattern pattern = (test_pattern[]){TEST_RANDOM, TEST_FEW_DISTINCT, TEST_SPECIALS}[number % 3];
    static uint16_t limit = LIMIT;
    uint64_t counted = desc->count_at_type == CLPRIM_TYPE_DEFAULT ? count : count - count / 3;
    size_t number_selected = 0;
    test_fill(values, row->values_type, CLPRIM_MAX, pattern, count, TEST_SEED + number);
    for (size_t i = 0; i < count; i++) {
        row->element(elements, i, values, i);
        keep[i] = row->keeps != NULL ? row->keeps(i) : (i * 7919 >> 3) % 3 == 1;
    }
    ASSERT_OK(clprim_reference_select(selected, &number_selected,
                                      self->plan->slots[self->plan->num_slots - 2].element_size, keep, elements,
                                      (size_t)counted));
    for (size_t i = 0; i < count && row->keeps == NULL; i++)
        if (desc->flags_type == CLPRIM_U16)
            ((uint16_t *)flags)[i] = (uint16_t)(keep[i] << 15);
        else
            ((uint8_t *)flags)[i] = keep[i];
    test_call_fill(self,
                   &(clprim_select_call){.flags = {.host = flags},
                                         .arguments = {{.host = values}, {.host = &limit}},
                                         .count_at = {.host = &counted},
                                         .count = count,
                                         .out = {.host = selected},
                                         .out_count = {.host = &number_selected}},
                   TEST_SEED + number);
    test_call_check_by(self, count == 1025, "row %d, %zu elements", (int)(row - rows), count);
}

/* Each row with two of the variants, or with CLPRIM_TEST_FULL with all. */
TEST_BY_VARIANT(select_input, is_selected_as_an_array_of_it_is, clprim_select_operation)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        clprim_select_desc desc = rows[r].desc;
        if ((r + (size_t)variant) % 3 == 0 && !test_is_full())
            continue;
        desc.variant = (clprim_select_variant)variant;
        desc.count_at_type = r % 3 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT;
        desc.work_group_size = r % 2 == 0 ? 0 : 32;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, &rows[r], &desc, counts[i], i);
    }
}

/* Indices of elements above a threshold that differs from call to call: nothing is compiled for it. */
TEST_BY_VARIANT(select_input, threshold_of_each_call, clprim_select_operation)
{
    enum { COUNT = 3000, TIMES = 3 };
    static const clprim_select_desc threshold = {
        .type = CLPRIM_U32,
        .input = "i",
        .predicate = "values[i] > limit",
        .text.parameters = {{"values", CLPRIM_I32, .is_array = true}, {"limit", CLPRIM_I32}}};
    clprim_select_desc desc = threshold;
    const int32_t limits[TIMES] = {0, INT32_MIN / 2, INT32_MAX};
    int32_t *x = (int32_t *)values;
    uint32_t *indices = (uint32_t *)selected;
    clprim_program_stats before = {.built = 0};
    desc.variant = (clprim_select_variant)variant;
    test_fill(values, CLPRIM_I32, CLPRIM_MAX, TEST_RANDOM, COUNT, TEST_SEED);
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_select_operation, &desc))
        for (size_t t = 0; t < TIMES; t++) {
            int32_t limit = limits[t];
            uint32_t number = 0;
            for (uint32_t i = 0; i < COUNT; i++)
                if (x[i] > limit)
                    indices[number++] = i;
            before = clprim_runtime_program_stats(runtime);
            test_call_fill(&self,
                           &(clprim_select_call){.arguments = {{.host = x}, {.host = &limit}},
                                                 .count = COUNT,
                                                 .out = {.host = indices},
                                                 .out_count = {.host = &number}},
                           TEST_SEED + t);
            test_call_check(&self, "above %d", (int)limit);
            cr_assert_eq(clprim_runtime_program_stats(runtime).built, before.built);
        }
}
