// SPDX-License-Identifier: MIT
/* test_comparison_sort.input.c: keys that come from an expression, with values, in the total order and in a caller's:
 * every variant sorts them like the same keys in an array. No two keys are equal, so that only one result is right. */
#include "ordered.h"

enum { MAX_COUNT = 40001 };

static const size_t counts[] = {0, 1, 257, 5003, 8191, MAX_COUNT};

typedef struct span {
    uint32_t begin, end;
} span;

static bool is_shorter(const void *a, const void *b)
{
    const span *x = a;
    const span *y = b;
    return x->end - x->begin < y->end - y->begin;
}

static const uint32_t odd = 2654435761u;

/* Keys are computed from the numbers x[i], which are multiples of an odd number and therefore distinct. */
enum { X, KEYS, VALUES, SORTED, MOVED };

static void check(test_call *self, const clprim_reference_order *by, size_t count, bool in_place)
{
    uint32_t *x = test_memory(X, MAX_COUNT * sizeof *x);
    uint32_t *values = test_memory(VALUES, MAX_COUNT * sizeof *values);
    uint32_t *moved = test_memory(MOVED, MAX_COUNT * sizeof *moved);
    void *sorted = test_memory(SORTED, MAX_COUNT * by->size);
    uint32_t factor = odd;
    memcpy(sorted, test_memory(KEYS, 1), count * by->size);
    memcpy(moved, values, count * sizeof *moved);
    test_sort_elements(sorted, moved, sizeof *moved, by, count);
    self->replaced = in_place ? 1 << 1 : 0; /* values_in is the second array */
    test_call_fill(self,
                   &(clprim_comparison_sort_call){.values_in = {.host = values},
                                                  .arguments = {{.host = x}, {.host = &factor}},
                                                  .count = count,
                                                  .keys_out = {.host = sorted},
                                                  .values_out = {.host = moved}},
                   count);
    test_call_check(self, "%zu elements", count);
}

static void check_all(clprim_runtime *runtime, const clprim_comparison_sort_desc *desc,
                      const clprim_reference_order *by)
{
    uint32_t *x = test_memory(X, MAX_COUNT * sizeof *x);
    uint32_t *values = test_memory(VALUES, MAX_COUNT * sizeof *values);
    uint32_t *numbers = test_memory(KEYS, MAX_COUNT * by->size);
    span *spans = (void *)numbers;
    for (uint32_t i = 0; i < MAX_COUNT; i++) {
        x[i] = i;
        values[i] = ~i;
        if (by->before != NULL)
            spans[i] = (span){i, i + i * odd};
        else
            numbers[i] = i * odd;
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_comparison_sort_operation, desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check(&self, by, counts[i], i % 2 != 0);
}

#define PARAMETERS .text.parameters = {{"x", CLPRIM_U32, .is_array = true}, {"factor", CLPRIM_U32}}

TEST_BY_VARIANT(comparison_sort_input, is_sorted_with_values, clprim_comparison_sort_operation)
{
    check_all(runtime,
              &(clprim_comparison_sort_desc){.key_type = CLPRIM_I32,
                                             .input = "x[i] * factor",
                                             PARAMETERS,
                                             .descending = true,
                                             .value_size = sizeof(uint32_t),
                                             .variant = (clprim_comparison_sort_variant)variant},
              &(clprim_reference_order){.type = CLPRIM_I32, .size = sizeof(int32_t), .descending = true});
}

/* Not with RADIX, which supports only the total order. */
TEST_BY_VARIANT(comparison_sort_input, is_sorted_in_the_callers_order, clprim_comparison_sort_operation)
{
    check_all(runtime,
              &(clprim_comparison_sort_desc){.type_name = "span",
                                             .type_size = sizeof(span),
                                             .input = "(span){x[i], x[i] + x[i] * factor}",
                                             .text.source = "typedef struct { uint begin, end; } span;",
                                             PARAMETERS,
                                             .less = "a.end - a.begin < b.end - b.begin",
                                             .value_size = sizeof(uint32_t),
                                             .variant = (clprim_comparison_sort_variant)variant},
              &(clprim_reference_order){.size = sizeof(span), .before = is_shorter});
}
