/* test_search.c: every variant finds where needles belong, as the reference does: lower and upper bounds, all types,
 * orders of the caller's, directions, from no elements and needles to many, needles in order and not. */
#include "orders.h"

enum { VARIANTS = CLPRIM_SEARCH_CPU_CHUNK + 1, MAX_COUNT = 100003 };

static const size_t counts[] = {0, 1, 2, 3, 5, 64, 255, 257, 1025, 5003, MAX_COUNT};
enum { COUNTS = sizeof counts / sizeof *counts };

/* Where neither elements nor needles are in order: from 0 to as many as there are elements. */
static void judge_range(const test_call *self, size_t i, void *got, const char *what)
{
    const size_t count = ((const clprim_search_call *)(const void *)self->call.bytes)->count;
    for (size_t k = 0; k < self->arrays[i].length; k++) {
        uint64_t index = 0;
        memcpy(&index, (char *)got + k * self->arrays[i].size, self->arrays[i].size);
        cr_assert_leq(index, count, "%s: needle %zu", what, k);
    }
}

/* breaks: neither is in order, though it was promised. */
static void check(test_call *self, const test_order *order, size_t n, size_t m, test_data data, uint64_t seed,
                  bool breaks)
{
    const clprim_search_desc *desc = (const void *)self->desc.bytes;
    const clprim_reference_order by = test_reference_order(order, desc->descending, desc->nan_order);
    clprim_search_call *call = (void *)self->call.bytes;
    unsigned char *elements = test_memory(0, n * by.size);
    unsigned char *needles = test_memory(1, m * by.size);
    uint64_t *places = test_memory(2, m * sizeof *places);
    unsigned char *expected = test_memory(3, m * sizeof *places);
    test_fill_elements(elements, order->type, by.size, data, n, seed);
    test_fill_elements(needles, order->type, by.size, data, m, seed + 1);
    for (size_t i = 0; i < m && i < n; i += 2) /* half of the needles are there */
        memcpy(needles + i * by.size, elements + i * by.size, by.size);
    if (!breaks)
        test_sort_elements(elements, NULL, 0, &by, n);
    if (desc->needles_are_sorted && !breaks)
        test_sort_elements(needles, NULL, 0, &by, m);
    ASSERT_OK(clprim_reference_search(places, &by, desc->bound == CLPRIM_BOUND_UPPER, elements, n, needles, m));
    for (size_t i = 0; i < m; i++) {
        const uint32_t narrow = (uint32_t)places[i];
        if (desc->index_type == CLPRIM_U64)
            memcpy(expected + i * sizeof places[i], &places[i], sizeof places[i]);
        else
            memcpy(expected + i * sizeof narrow, &narrow, sizeof narrow);
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
    test_call_check(self, "%s, %s", order->name, test_data_name(data));
}

/* Of the other order of NaNs special elements alone. */
static void check_plan(clprim_runtime *runtime, const clprim_search_desc *desc, const test_order *order, uint64_t seed)
{
    const bool is_special = desc->nan_order == CLPRIM_NAN_LAST;
    uint64_t turn = seed * 100;
    test_call self;
    cr_assert(test_call_create(&self, runtime, &clprim_search_operation, desc));
    for (size_t i = 0; i < COUNTS && !is_special; i++)
        for (size_t k = 0; k < COUNTS; k++, turn++)
            if (i < 9 || k < 9)
                check(&self, order, counts[i], counts[k], turn % TEST_DATA_END, turn, false);
    for (int data = is_special ? TEST_DATA_SPECIALS : 0; data < TEST_DATA_END; data++, turn++) {
        check(&self, order, 20011, 9001, data, turn, false);
        check(&self, order, 3001, 2003, data, turn, true);
        if (is_special)
            break;
    }
    test_call_destroy(&self);
}

/* NaNs are behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
TEST_EACH(search, variant, VARIANTS, .timeout = 1700)
{
    static const size_t group_sizes[] = {0, 32, 1, 128};
    const bool for_sorted = *number > CLPRIM_SEARCH_BINARY;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t turn = 0; turn < 2 * (CLPRIM_TYPE_END - 1); turn++) {
        const size_t type = turn / 2 + 1;
        const clprim_search_desc desc = {.type = (clprim_type)type,
                                         .bound = turn % 2 == 0 ? CLPRIM_BOUND_LOWER : CLPRIM_BOUND_UPPER,
                                         .descending = type % 2 == 0,
                                         .index_type = type % 3 == 0 ? CLPRIM_U64 : CLPRIM_U32,
                                         .needles_are_sorted = for_sorted || turn % 3 == 0,
                                         .variant = (clprim_search_variant)*number,
                                         .work_group_size = group_sizes[(type + *number) % 4]};
        if (!test_is_full() && (turn + 5 * *number) % 13 != 0)
            continue;
        const test_order order = test_total_order(desc.type);
        check_plan(runtime, &desc, &order, turn);
    }
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_search_desc desc = {.type = test_orders[i].type,
                                         TEST_ORDER_MEMBERS(&test_orders[i]),
                                         .bound = i % 2 == 0 ? CLPRIM_BOUND_UPPER : CLPRIM_BOUND_LOWER,
                                         .descending = i % 3 == 1,
                                         .needles_are_sorted = for_sorted,
                                         .variant = (clprim_search_variant)*number};
        if (!test_is_full() && i != *number)
            continue;
        check_plan(runtime, &desc, &test_orders[i], i);
    }
    for (size_t i = 0; i < (*number == 0 ? 2 : 1); i++) {
        const test_order order = test_total_order(*number > 0 ? CLPRIM_F32 : i == 0 ? CLPRIM_F16 : CLPRIM_F64);
        const clprim_search_desc desc = {.type = order.type,
                                         .nan_order = CLPRIM_NAN_LAST,
                                         .bound = *number % 3 == 0 ? CLPRIM_BOUND_LOWER : CLPRIM_BOUND_UPPER,
                                         .descending = (i + *number) % 2 == 0,
                                         .needles_are_sorted = for_sorted,
                                         .variant = (clprim_search_variant)*number};
        check_plan(runtime, &desc, &order, i);
    }
    clprim_runtime_destroy(runtime);
}
