// SPDX-License-Identifier: MIT
/* test_search.input.c: needles that come from an expression: needles of the caller's type and halves, computed from
 * arrays and numbers that come with each call. Every variant finds what the reference finds for the same needles in an
 * array. */
#include "ordered.h"

enum { MAX_COUNT = 20011, MAX_NEEDLES = 9001 };

static const size_t counts[][2] = {{0, 3}, {1, 1}, {5, 0}, {300, 257}, {64, MAX_NEEDLES}, {MAX_COUNT, MAX_NEEDLES}};

/* x and y, from which an expression computes needles; the elements; the needles; the places. */
enum { X, Y, ELEMENTS, NEEDLES, PLACES, EXPECTED };

typedef struct span {
    uint32_t begin, length;
} span;

static bool ends_first(const void *a, const void *b)
{
    const span *x = a;
    const span *y = b;
    return x->begin + x->length < y->begin + y->length;
}

static void check(test_call *self, const clprim_reference_order *by, size_t count, size_t num_needles,
                  const clprim_search_call *arguments, const char *what)
{
    uint64_t *places = test_memory(PLACES, MAX_NEEDLES * sizeof *places);
    uint32_t *expected = test_memory(EXPECTED, MAX_NEEDLES * sizeof *expected);
    void *elements = test_memory(ELEMENTS, MAX_COUNT * sizeof(span));
    clprim_search_call call = *arguments;
    test_sort_elements(elements, NULL, 0, by, count);
    ASSERT_OK(clprim_reference_search(places, by, true, elements, count, test_memory(NEEDLES, 1), num_needles));
    for (size_t i = 0; i < num_needles; i++)
        expected[i] = (uint32_t)places[i];
    call.in.host = elements;
    call.count = count;
    call.needle_count = num_needles;
    call.out.host = expected;
    test_call_fill(self, &call, count + num_needles);
    test_call_check(self, "%s: %zu elements, %zu needles", what, count, num_needles);
}

/* The ends of spans, which are sums of two arrays. The needles are in order, so that all variants support them. */
TEST_BY_VARIANT(search_input, may_be_of_the_callers_own_type, clprim_search_operation)
{
    const clprim_search_desc desc = {
        .type_name = "span",
        .type_size = sizeof(span),
        .text.source = "typedef struct { uint begin, length; } span;",
        .text.parameters = {{"x", CLPRIM_U32, .is_array = true},
                            {"limit", CLPRIM_U32},
                            {"y", CLPRIM_U8, .is_array = true}},
        .less = "a.begin + a.length < b.begin + b.length",
        .input = "(span){min(x[i], limit), y[i]}",
        .needles_are_sorted = true,
        .bound = CLPRIM_BOUND_UPPER,
        .variant = (clprim_search_variant)variant,
    };
    const clprim_reference_order by = {.size = sizeof(span), .before = ends_first};
    uint32_t *x = test_memory(X, MAX_NEEDLES * sizeof *x);
    uint8_t *y = test_memory(Y, MAX_NEEDLES);
    span *elements = test_memory(ELEMENTS, MAX_COUNT * sizeof *elements);
    span *needles = test_memory(NEEDLES, MAX_NEEDLES * sizeof *needles);
    uint32_t limit = 2 * MAX_NEEDLES;
    uint64_t random = TEST_SEED;
    for (size_t i = 0; i < MAX_COUNT; i++)
        elements[i] = (span){(uint32_t)test_random_below(&random, 3 * MAX_NEEDLES), i % 100};
    for (size_t i = 0; i < MAX_NEEDLES; i++) {
        x[i] = (uint32_t)(3 * i);
        y[i] = (uint8_t)(x[i] < limit ? i % 3 : 2);
        needles[i] = (span){x[i] < limit ? x[i] : limit, y[i]};
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_search_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check(&self, &by, counts[i][0], counts[i][1],
                  &(clprim_search_call){.arguments = {{.host = x}, {.host = &limit}, {.host = y}}}, "spans");
}

/* The expression yields floats, which become halves; needles are not in order. */
TEST_WITH_RUNTIME(search_input, may_be_halves)
{
    const clprim_search_desc desc = {
        .type = CLPRIM_F16,
        .text.parameters = {{"x", CLPRIM_F16, .is_array = true}, {"sign", CLPRIM_F16}},
        .input = "sign * vload_half(i, x)",
        .bound = CLPRIM_BOUND_UPPER,
    };
    const clprim_reference_order by = {.type = CLPRIM_F16, .size = sizeof(uint16_t)};
    uint16_t *x = test_memory(X, MAX_NEEDLES * sizeof *x);
    uint16_t *elements = test_memory(ELEMENTS, MAX_COUNT * sizeof(span));
    uint16_t *needles = test_memory(NEEDLES, MAX_NEEDLES * sizeof *needles);
    uint16_t minus_one = 0xbc00;
    test_fill_elements(elements, CLPRIM_F16, sizeof *elements, TEST_DATA_RANDOM, MAX_COUNT, TEST_SEED);
    test_fill_elements(x, CLPRIM_F16, sizeof *x, TEST_DATA_RANDOM, MAX_NEEDLES, TEST_SEED + 1);
    for (size_t i = 0; i < MAX_NEEDLES; i++) {
        x[i] = (x[i] & 0xbfff) | 0x0400; /* no NaN, no denormal */
        needles[i] = x[i] ^ 0x8000;
    }
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_search_operation, &desc))
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            check(&self, &by, counts[i][0], counts[i][1],
                  &(clprim_search_call){.arguments = {{.host = x}, {.host = &minus_one}}}, "halves");
}

/* Groups that look for others among sorted needles read them while their own results are written. */
TEST_WITH_RUNTIME(search_input, no_output_may_be_an_argument)
{
    static uint32_t in[] = {1, 3}, x[] = {0, 2, 4};
    const clprim_search_desc desc = {
        .input = "x[i]", .text.parameters = {{"x", CLPRIM_U32, .is_array = true}}, .needles_are_sorted = true};
    clprim_plan *plan = NULL;
    cl_mem elements = test_upload(runtime, in, sizeof in), both = test_upload(runtime, x, sizeof x);
    ASSERT_OK(clprim_search_create(&plan, runtime, &desc));
    ASSERT_REFUSED(clprim_search_enqueue(
                       plan, NULL,
                       &(clprim_search_call){
                           .in = {elements}, .arguments = {{both}}, .count = 2, .needle_count = 3, .out = {both}},
                       0, NULL, NULL),
                   CLPRIM_INVALID_OVERLAP, "argument");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(elements));
    ASSERT_CL(clReleaseMemObject(both));
}
