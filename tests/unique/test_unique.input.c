// SPDX-License-Identifier: MIT
/* test_unique.input.c: elements from an expression: every variant finds the same runs as in an array of these elements,
 * for types of all sizes, in portions, and with counts on the device. */
#include <clprim/reference.h>

#include "cases.h"
#include "elements.h"
#include "select_internal.h"

enum { MAX_COUNT = 20001 };

typedef struct span {
    uint32_t begin, end;
    int32_t weight;
} span;

static const size_t counts[] = {0, 1, 2, 511, 512, 513, 999, 1000, 1001, 2047, 2049, MAX_COUNT};
static uint64_t values[2 * MAX_COUNT], elements[2 * MAX_COUNT], kept[2 * MAX_COUNT];

/* Element i is computed from values[i / run]. */
typedef struct input_row {
    clprim_unique_desc desc;
    clprim_type values_type;
    test_element element;
    clprim_reference_equal equal; /* NULL: by bits */
} input_row;

TEST_ELEMENT(lowest_bit, uint8_t, x & 1)
TEST_ELEMENT(tenth, int32_t, x / 10)

static void span_of(void *to, size_t i, const void *words, size_t from)
{
    const uint32_t x = ((const uint32_t *)words)[from];
    ((span *)to)[i] = (span){x % 3, 7, (int32_t)(x % 2)};
}

static bool is_same_half(const void *a, const void *b)
{
    return clprim_half_to_float(*(const uint16_t *)a) == clprim_half_to_float(*(const uint16_t *)b);
}

#define INPUT(expression, type)                                                                                        \
    .input = (expression), .text.parameters = {{"values", (type), .is_array = true}, {"run", CLPRIM_U32}}

static const input_row rows[] = {
    {{.type = CLPRIM_U8, INPUT("values[i / run] & 1", CLPRIM_U8)}, CLPRIM_U8, lowest_bit, NULL},
    {{.type = CLPRIM_F16, INPUT("vload_half(i / run, values)", CLPRIM_F16), .equal = "a == b"},
     CLPRIM_F16,
     test_same_half,
     is_same_half},
    {{.type = CLPRIM_I32, INPUT("values[i / run] / 10", CLPRIM_I32)}, CLPRIM_I32, tenth, NULL},
    {{.type = CLPRIM_F64, INPUT("values[i / run]", CLPRIM_F64)}, CLPRIM_F64, test_same_8, NULL},
    {{.type_name = "span",
      .type_size = sizeof(span),
      .text.source = "typedef struct { uint begin, end; int weight; } span;\n"
                     "span span_of(uint x) { return (span){x % 3, 7, x % 2}; }",
      INPUT("span_of(values[i / run])", CLPRIM_U32)},
     CLPRIM_U32,
     span_of,
     NULL},
};

/* Some calls have counts on the device, of about two thirds of the elements, of none, or of more than there are. */
static void check(test_call *self, const input_row *row, size_t count, size_t number)
{
    const size_t size = self->plan->slots[clprim__slot_named(self->plan, "out", 0)].element_size;
    uint32_t run = (uint32_t[]){1, 3, 700}[number % 3];
    uint64_t counted = (uint64_t[]){count - count / 3, count - count / 3, 0, count + 7}[number % 4];
    const bool is_counted = self->plan->counts.number > 0;
    size_t runs = 0;
    test_fill(values, row->values_type, CLPRIM_MAX, number % 2 == 0 ? TEST_FEW_DISTINCT : TEST_SPECIALS, count,
              TEST_SEED + number);
    for (size_t i = 0; i < count; i++)
        row->element(elements, i, values, i / run);
    ASSERT_OK(clprim_reference_unique(kept, &runs, size, row->equal, elements,
                                      is_counted && counted < count ? (size_t)counted : count));
    test_call_fill(self,
                   &(clprim_unique_call){.arguments = {{.host = values}, {.host = &run}},
                                         .count_at = {.host = &counted},
                                         .count = count,
                                         .out = {.host = kept},
                                         .out_count = {.host = &runs}},
                   TEST_SEED + number);
    test_call_check(self, "row %d, %zu elements, runs of %u", (int)(row - rows), count, (unsigned)run);
}

/* Each row with two of the variants, or with CLPRIM_TEST_FULL with all. LOOK_BACK counts 1000 elements at a time: some
 * calls take several launches. */
TEST_BY_VARIANT(unique_input, has_the_runs_of_an_array_of_it, clprim_unique_operation)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        clprim_unique_desc desc = rows[r].desc;
        if ((r + (size_t)variant) % 3 == 0 && !test_is_full())
            continue;
        desc.variant = (clprim_select_variant)variant;
        desc.count_at_type = r % 2 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_unique_operation, &desc)) {
            ((clprim__select_plan *)(void *)self.plan)->portion = r == 0 ? (size_t)1 << 31 : 1000;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check(&self, &rows[r], counts[i], i);
        }
    }
}
