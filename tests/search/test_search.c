// SPDX-License-Identifier: MIT
/* test_search.c: every variant finds the places where needles belong, as the reference does: lower and upper bounds,
 * all types, callers' orders, directions, from no elements and needles to many, needles in order and not. */
#include "ordered.h"

#define VARIANTS ((size_t)test_last_variant(&clprim_search_operation) + 1) /* with AUTO */
enum { MAX_COUNT = 100003 };

static const size_t counts[] = {0, 1, 2, 3, 5, 64, 255, 257, 1025, 5003, MAX_COUNT};
enum { COUNTS = sizeof counts / sizeof *counts };

/* If neither elements nor needles are in order, results are only known to be between 0 and the number of elements. */
static void judge_range(const test_call *self, size_t i, void *got, const char *what)
{
    const size_t count = ((const clprim_search_call *)(const void *)self->call.bytes)->count;
    for (size_t k = 0; k < self->arrays[i].length; k++) {
        uint64_t index = 0;
        memcpy(&index, (char *)got + k * self->arrays[i].size, self->arrays[i].size);
        cr_assert_leq(index, count, "%s: needle %zu", what, k);
    }
}

/* breaks: neither is in order, although the plan was promised that. */
static void check(test_call *self, const test_ordered *how, size_t n, size_t m, test_data data, uint64_t seed,
                  bool breaks)
{
    const clprim_search_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order by = how->by;
    clprim_search_call *call = (void *)self->call.bytes;
    unsigned char *elements = test_memory(0, n * by.size);
    unsigned char *needles = test_memory(1, m * by.size);
    uint64_t *places = test_memory(2, m * sizeof *places);
    unsigned char *expected = test_memory(3, m * sizeof *places);
    test_fill_elements(elements, by.type, by.size, data, n, seed);
    test_fill_elements(needles, by.type, by.size, data, m, seed + 1);
    for (size_t i = 0; i < m && i < n; i += 2) /* half of the needles are in the array */
        memcpy(needles + i * by.size, elements + i * by.size, by.size);
    if (!breaks)
        test_sort_elements(elements, NULL, 0, &by, n);
    if (desc->needles_are_sorted && !breaks)
        test_sort_elements(needles, NULL, 0, &by, m);
    ASSERT_OK(clprim_reference_search(places, &by, desc->bound == CLPRIM_BOUND_UPPER, elements, n, needles, m));
    for (size_t i = 0; i < m; i++) /* little-endian */
        memcpy(expected + i * clprim_type_size(desc->index_type), &places[i], clprim_type_size(desc->index_type));
    if (desc->found_only) { /* the other bound is equal if the array has no such element */
        uint64_t *others = test_memory(4, m * sizeof *others);
        const size_t size = clprim_type_size(desc->index_type);
        ASSERT_OK(clprim_reference_search(others, &by, desc->bound != CLPRIM_BOUND_UPPER, elements, n, needles, m));
        for (size_t i = 0; i < m; i++)
            if (places[i] == others[i])
                memset(expected + i * size, TEST_POISON, size);
    }
    self->judge = breaks ? judge_range : NULL;
    test_call_fill(self,
                   &(clprim_search_call){.in = {.host = elements},
                                         .needles = {.host = needles},
                                         .count = n,
                                         .needle_count = m,
                                         .out = {.host = expected}},
                   seed);
    if (n == 0 && seed % 2 == 1)
        call->in.buffer = NULL;
    test_call_check(self, "%s, %s", how->name, test_data_name(data));
}

/* With the other order of NaNs, only special elements are tested. */
static void check_plan(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    clprim_search_desc *desc = changed;
    const bool is_special = how->by.nan_order == CLPRIM_NAN_LAST;
    uint64_t turn = how->seed * 100;
    test_call self;
    desc->needles_are_sorted = desc->variant > CLPRIM_SEARCH_BINARY || how->seed % 3 == 0;
    if (!test_call_must(&self, runtime, &clprim_search_operation, desc, true))
        return;
    for (size_t i = 0; i < COUNTS && !is_special; i++)
        for (size_t k = 0; k < COUNTS; k++, turn++)
            if (i < 9 || k < 9)
                check(&self, how, counts[i], counts[k], turn % TEST_DATA_END, turn, false);
    for (int data = 0; data < TEST_DATA_END; data++, turn++) {
        if (is_special && data != TEST_DATA_SPECIALS)
            continue;
        check(&self, how, 20011, 9001, data, turn, false);
        check(&self, how, 3001, 2003, data, turn, true);
    }
    test_call_destroy(&self);
}

TEST_EACH(search, variant, VARIANTS, .timeout = 1700)
{
    const clprim_search_desc desc = {.variant = (clprim_search_variant)*number};
    test_ordered_plans(&clprim_search_operation, &desc, *number, *number == 0 ? 1 : 2, 1, check_plan);
}

/* Only needles that are found get an index; the other outputs are unchanged. */
TEST_BY_VARIANT(search, found_only, clprim_search_operation)
{
    static const clprim_type types[] = {CLPRIM_U32, CLPRIM_U8, CLPRIM_F64, CLPRIM_F16, CLPRIM_I64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const test_ordered how = {
            clprim_type_name(types[t]), {.type = types[t], .size = clprim_type_size(types[t])}, t};
        const clprim_search_desc desc = {.type = types[t],
                                         .bound =
                                             (t + (size_t)variant) % 2 == 0 ? CLPRIM_BOUND_LOWER : CLPRIM_BOUND_UPPER,
                                         .found_only = true,
                                         .needles_are_sorted = true,
                                         .index_type = t % 2 == 0 ? CLPRIM_U32 : CLPRIM_U64,
                                         .variant = (clprim_search_variant)variant};
        uint64_t turn = t;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_search_operation, &desc))
            for (size_t i = 0; i < COUNTS; i++)
                for (size_t k = 0; k < COUNTS; k++, turn++)
                    if ((i + k) % 3 == 0 && (i < 9 || k < 9)) {
                        check(&self, &how, counts[i], counts[k], turn % TEST_DATA_END, turn, false);
                        if (turn % 2 == 0)
                            test_call_check_run(&self, "on the host");
                    }
    }
}

/* The caller chooses the index for absent needles. Such a call is not divided into pieces. */
TEST_WITH_RUNTIME(search, look_up)
{
    static uint32_t in[5] = {1, 3, 3, 3, 9}, needles[5] = {3, 0, 10, 9, 4};
    static const uint32_t lower[5] = {1, 77, 77, 4, 77}, upper[5] = {4, 77, 77, 5, 77};
    for (int is_upper = 0; is_upper < 2; is_upper++) {
        uint32_t found[5] = {77, 77, 77, 77, 77};
        const clprim_search_desc desc = {.found_only = true,
                                         .bound = is_upper ? CLPRIM_BOUND_UPPER : CLPRIM_BOUND_LOWER};
        const clprim_search_call call = {
            .in = {.host = in}, .needles = {.host = needles}, .count = 5, .needle_count = 5, .out = {.host = found}};
        ASSERT_OK(clprim_search_run(runtime, &desc, &call));
        test_expect_same(is_upper ? upper : lower, found, sizeof *found, 5, "a look-up");
        ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = 50}));
        ASSERT_REFUSED(clprim_search_run(runtime, &desc, &call), CLPRIM_UNSUPPORTED, "found_only");
        ASSERT_OK(clprim_runtime_set_run_limits(runtime, NULL));
    }
}

/* Variants that need sorted needles are refused without the promise that needles are sorted. */
Test(search, refusals)
{
    const test_refusal rows[] = {
        TEST_INVALID(search, "needles_are_sorted", false, .variant = CLPRIM_SEARCH_SORTED_NEEDLES),
        TEST_INVALID(search, "needles_are_sorted", false, .variant = CLPRIM_SEARCH_CPU_CHUNK),
    };
    test_refuse_each(&clprim_search_operation, rows, sizeof rows / sizeof *rows);
}

/* Results known in advance, also for no elements and no needles; and more needles than allowed. */
TEST_WITH_RUNTIME(search, known_results)
{
    static uint32_t in[5] = {1, 3, 3, 3, 9}, needles[4] = {3, 0, 10, 4}, lower_bounds[4] = {1, 0, 5, 4};
    uint32_t found[4] = {77, 77, 77, 77};
    clprim_search_call call = {
        .in = {.host = in}, .needles = {.host = needles}, .count = 5, .needle_count = 4, .out = {.host = lower_bounds}};
    test_check_known(runtime, &clprim_search_operation, NULL, &call);
    call.out.host = found;
    call.needle_count = SIZE_MAX;
    ASSERT_STATUS(clprim_search_run(NULL, NULL, &call), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_reference_search(NULL, NULL, false, in, 5, needles, 4), CLPRIM_INVALID_ARGUMENT);
    cr_assert_eq(found[0], 77, "a refusal must not write");
    ASSERT_OK(clprim_search_run(
        NULL, NULL, &(clprim_search_call){.needles = {.host = needles}, .needle_count = 4, .out = {.host = found}}));
    test_expect_same((const uint32_t[4]){0}, found, sizeof *found, 4, "in no elements all belong at 0");
    ASSERT_OK(clprim_search_run(NULL, NULL, &(clprim_search_call){.in = {.host = in}, .count = 5}));
}
