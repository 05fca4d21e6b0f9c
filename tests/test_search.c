/* test_search.c: every variant finds where needles belong, as the reference does: lower and upper bounds, all types,
 * orders of the caller's, directions, from no elements and needles to many, needles in order and not. */
#include <clprim/reference.h>
#include <clprim/search.h>
#include <stdio.h>
#include <stdlib.h>

#include "orders.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

enum { VARIANTS = CLPRIM_SEARCH_CPU_CHUNK + 1, MAX_COUNT = 100003, MARGIN = 8, POISON = 0xa5 };

static const size_t counts[] = {0, 1, 2, 3, 5, 64, 255, 257, 1025, 5003, MAX_COUNT};
enum { COUNTS = sizeof counts / sizeof *counts };

typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_search_desc desc;
    clprim_reference_order order;
    size_t index_size;
    unsigned char *elements, *needles, *got;
    uint64_t *expected;
    cl_mem in, needles_in, out;
    char name[160];
} subject;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    cr_assert_not_null(memory);
    return memory;
}

static subject subject_create(clprim_runtime *runtime, clprim_search_desc desc, const test_order *order)
{
    subject self = {.runtime = runtime, .desc = desc};
    if (order != NULL) {
        self.desc.type = order->type;
        self.desc.less = order->less;
        self.desc.source = order->source;
        self.desc.type_name = order->type_name;
        self.desc.type_size = order->type_name != NULL ? order->size : 0;
    }
    self.order = (clprim_reference_order){.type = self.desc.type,
                                          .before = order != NULL ? order->before : NULL,
                                          .size = order != NULL ? order->size : clprim_type_size(desc.type),
                                          .descending = desc.descending,
                                          .nan_order = desc.nan_order};
    self.index_size = desc.index_type == CLPRIM_U64 ? 8 : 4;
    (void)snprintf(self.name, sizeof self.name, "%s%s, %s bound, variant %d%s, groups of %zu",
                   order != NULL ? order->name : clprim_type_name(desc.type), desc.descending ? ", descending" : "",
                   desc.bound == CLPRIM_BOUND_UPPER ? "upper" : "lower", (int)desc.variant,
                   desc.needles_are_sorted ? ", needles in order" : "", desc.work_group_size);
    const clprim_status status = clprim_search_create(&self.plan, runtime, &self.desc);
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    const size_t room = MAX_COUNT + 2 * MARGIN;
    self.elements = allocate(room * self.order.size);
    self.needles = allocate(room * self.order.size);
    self.got = allocate(room * self.index_size);
    self.expected = allocate(room * sizeof *self.expected);
    self.in = test_buffer(runtime, room * self.order.size);
    self.needles_in = test_buffer(runtime, room * self.order.size);
    self.out = test_buffer(runtime, room * self.index_size);
    return self;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in));
    ASSERT_CL(clReleaseMemObject(self->needles_in));
    ASSERT_CL(clReleaseMemObject(self->out));
    free(self->elements);
    free(self->needles);
    free(self->got);
    free(self->expected);
}

/* breaks: neither is in order, though it was promised; then indices are anything from 0 to n. */
static void check(subject *self, size_t n, size_t m, test_data data, uint64_t seed, bool breaks)
{
    const size_t size = self->order.size;
    const clprim_type type = self->desc.type_name != NULL ? CLPRIM_TYPE_DEFAULT : self->desc.type;
    const size_t offsets[3] = {seed % MARGIN, seed / 2 % MARGIN, seed / 3 % MARGIN};
    unsigned char *elements = self->elements + offsets[0] * size;
    unsigned char *needles = self->needles + offsets[1] * size;
    char what[256];
    (void)snprintf(what, sizeof what, "%s: %zu needles in %zu elements (%s, seed %llx)", self->name, m, n,
                   test_data_name(data), (unsigned long long)seed);
    test_fill_margin(self->elements, (n + 2 * MARGIN) * size);
    test_fill_margin(self->needles, (m + 2 * MARGIN) * size);
    test_fill_elements(elements, type, size, data, n, seed);
    test_fill_elements(needles, type, size, data, m, seed + 1);
    for (size_t i = 0; i < m && i < n; i += 2) /* half of the needles are there */
        memcpy(needles + i * size, elements + i * size, size);
    if (!breaks)
        test_sort_elements(elements, &self->order, n);
    if (self->desc.needles_are_sorted && !breaks)
        test_sort_elements(needles, &self->order, m);
    memset(self->got, POISON, (m + 2 * MARGIN) * self->index_size);
    test_write(self->runtime, self->in, self->elements, (n + 2 * MARGIN) * size);
    test_write(self->runtime, self->needles_in, self->needles, (m + 2 * MARGIN) * size);
    test_write(self->runtime, self->out, self->got, (m + 2 * MARGIN) * self->index_size);
    ASSERT_OK(clprim_search_enqueue(self->plan, NULL,
                                    &(clprim_search_call){.in = {n > 0 || seed % 2 == 0 ? self->in : NULL, offsets[0]},
                                                          .needles = {self->needles_in, offsets[1]},
                                                          .count = n,
                                                          .needle_count = m,
                                                          .out = {self->out, offsets[2]}},
                                    0, NULL, NULL));
    test_read(self->runtime, self->got, self->out, (m + 2 * MARGIN) * self->index_size);
    ASSERT_OK(clprim_reference_search(self->expected, &self->order, self->desc.bound == CLPRIM_BOUND_UPPER, elements, n,
                                      needles, m));
    for (size_t i = 0; i < m + 2 * MARGIN; i++) {
        uint64_t index = 0;
        memcpy(&index, self->got + i * self->index_size, self->index_size);
        if (i < offsets[2] || i >= offsets[2] + m)
            cr_assert_eq(index, self->index_size == 8 ? UINT64_C(0xa5a5a5a5a5a5a5a5) : 0xa5a5a5a5, "%s: slot %zu", what,
                         i);
        else if (breaks)
            cr_assert_leq(index, n, "%s: needle %zu", what, i - offsets[2]);
        else
            cr_assert_eq(index, self->expected[i - offsets[2]], "%s: needle %zu is at %zu, not %zu", what,
                         i - offsets[2], (size_t)index, (size_t)self->expected[i - offsets[2]]);
    }
}

static void check_all(subject *self, uint64_t seed)
{
    uint64_t turn = seed * 100;
    for (size_t i = 0; i < COUNTS; i++)
        for (size_t k = 0; k < COUNTS; k++, turn++)
            if (i < 9 || k < 9)
                check(self, counts[i], counts[k], (test_data)(turn % TEST_DATA_END), turn, false);
    for (int data = 0; data < TEST_DATA_END; data++, turn++) {
        check(self, 20011, 9001, (test_data)data, turn, false);
        check(self, 3001, 2003, (test_data)data, turn, true);
    }
}

ParameterizedTestParameters(search, variant)
{
    static size_t variants[VARIANTS];
    for (size_t i = 0; i < VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, VARIANTS);
}

ParameterizedTest(size_t *place, search, variant, .timeout = 1700)
{
    static const size_t group_sizes[] = {0, 32, 1, 128};
    const bool for_sorted = *place > CLPRIM_SEARCH_BINARY;
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t turn = 0; turn < 2 * (CLPRIM_TYPE_END - 1); turn++) {
        const size_t type = turn / 2 + 1;
        const clprim_search_desc desc = {.type = (clprim_type)type,
                                         .bound = turn % 2 == 0 ? CLPRIM_BOUND_LOWER : CLPRIM_BOUND_UPPER,
                                         .descending = type % 2 == 0,
                                         .index_type = type % 3 == 0 ? CLPRIM_U64 : CLPRIM_U32,
                                         .needles_are_sorted = for_sorted || turn % 3 == 0,
                                         .variant = (clprim_search_variant)*place,
                                         .work_group_size = group_sizes[(type + *place) % 4]};
        if (!test_is_full() && (turn + 5 * *place) % 13 != 0)
            continue;
        subject self = subject_create(runtime, desc, NULL);
        check_all(&self, turn);
        subject_destroy(&self);
    }
    for (size_t i = 0; i < TEST_ORDERS; i++) {
        const clprim_search_desc desc = {.bound = i % 2 == 0 ? CLPRIM_BOUND_UPPER : CLPRIM_BOUND_LOWER,
                                         .descending = i % 3 == 1,
                                         .needles_are_sorted = for_sorted,
                                         .variant = (clprim_search_variant)*place};
        if (!test_is_full() && i != *place)
            continue;
        subject self = subject_create(runtime, desc, &test_orders[i]);
        check_all(&self, i);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

/* NaNs behind all numbers, or descending before them: F32 by each variant, F16 and F64 by AUTO. */
Test(search, nans_last, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 1; i < VARIANTS + 2; i++) {
        const bool is_auto = i >= VARIANTS;
        const clprim_search_desc desc = {.type = !is_auto        ? CLPRIM_F32
                                                 : i == VARIANTS ? CLPRIM_F16
                                                                 : CLPRIM_F64,
                                         .nan_order = CLPRIM_NAN_LAST,
                                         .bound = i % 3 == 0 ? CLPRIM_BOUND_LOWER : CLPRIM_BOUND_UPPER,
                                         .descending = i % 2 == 0,
                                         .needles_are_sorted = i > CLPRIM_SEARCH_BINARY,
                                         .variant = is_auto ? CLPRIM_SEARCH_AUTO : (clprim_search_variant)i};
        subject self = subject_create(runtime, desc, NULL);
        check(&self, 257, 1025, TEST_DATA_SPECIALS, i, false);
        check(&self, 20011, 5003, TEST_DATA_SPECIALS, i, false);
        subject_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}
