// SPDX-License-Identifier: MIT
/* test_bitonic_sort.c: every variant sorts elements of all types, alone and with values of all sizes, in both
 * directions and in callers' orders, for sizes around all boundaries, offsets and kinds of elements, in place and not;
 * arrays and segments. The reference's steps are compared with the stable reference, and tested with all sequences of
 * zeros and ones. */
#include <stdio.h>

#include "ordered.h"

enum {
    SEGMENTED = 20011,
    SEGMENTED_LARGE = 150001,
    SINGLE_GROUP_COUNT = 1025 /* no power of two */
};
#define VARIANTS ((size_t)test_last_variant(&clprim_bitonic_sort_operation) + 1) /* with AUTO */

/* SHARED_PAIRS must know the maximal number of elements, and may have room for fewer. With 2^33 elements, everything
 * that counts elements needs 64 bits. */
static void check_arrays(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    clprim_bitonic_sort_desc *desc = changed;
    const bool is_single = desc->variant == CLPRIM_BITONIC_SORT_SHARED_PAIRS;
    const size_t local = clprim_runtime_info(runtime)->local_memory_size;
    const size_t most = !is_single ? TEST_SORT_VERY_LARGE : how->seed % 2 == 0 ? SINGLE_GROUP_COUNT : 256;
    const bool has_room = most <= local / (4 * (how->by.size + desc->value_size));
    desc->max_count = is_single ? most : how->seed % 4 == 3 ? (size_t)1 << 33 : 0;
    TEST_WITH_CALL(self, test_call_must(&self, runtime, &clprim_bitonic_sort_operation, desc, !is_single || has_room))
        test_check_sorts(&self, how, most);
}

/* AUTO gets the parameters of the variant that it is likely to pick, so that its programs are used twice. */
TEST_EACH(bitonic_sort, variant, VARIANTS, .timeout = 1700)
{
    const clprim_bitonic_sort_desc desc = {.variant = (clprim_bitonic_sort_variant)*number};
    const size_t way = *number > 0 ? *number : CLPRIM_BITONIC_SORT_CPU_CHUNK;
    test_ordered_plans(&clprim_bitonic_sort_operation, &desc, way, way % 2 == 0 ? 2 : 3,
                       way >= CLPRIM_BITONIC_SORT_REGISTER_BLOCK ? 2 : 1, check_arrays);
}

static void check_shape(test_call *self, const test_ordered *how, test_shape shape, size_t count, test_data data,
                        uint64_t replaced, uint64_t seed)
{
    const size_t longest = shape == TEST_SEGMENTS_MALFORMED ? 200 : SIZE_MAX; /* these segments overlap, and take
                                                                               * long */
    const test_segments segments = test_make_segments(shape, count, longest, seed);
    test_check_sort(self, how, &segments, count, data, replaced, seed);
}

static void check_segments(clprim_runtime *runtime, void *changed, const test_ordered *how)
{
    static const size_t counts[] = {0, 1, 2, 1000, SEGMENTED};
    clprim_bitonic_sort_desc *desc = changed;
    uint64_t turn = how->seed * 1000;
    test_call self;
    desc->max_count = how->seed % 4 == 3 ? (size_t)1 << 33 : 0;
    if (!test_call_must(&self, runtime, &clprim_bitonic_sort_operation, desc, true))
        return;
    for (test_shape shape = 0; shape < TEST_SEGMENTS_END; shape++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, turn++)
            check_shape(&self, how, shape, counts[i], turn % TEST_DATA_END, turn % 4, turn);
    for (int data = 0; data < TEST_DATA_END; data++, turn++)
        check_shape(&self, how, TEST_SEGMENTS_SHORT + data % 5, TEST_SORT_SOME, data, turn % 4, turn);
    for (int i = 0; i < 12; i++, turn++) /* nothing around the array is changed */
        check_shape(&self, how, TEST_SEGMENTS_MALFORMED, SEGMENTED, TEST_DATA_RANDOM, turn % 4, turn);
    check_shape(&self, how, TEST_SEGMENTS_GIANTS, SEGMENTED_LARGE, TEST_DATA_RANDOM, 0, turn);
    check_shape(&self, how, TEST_SEGMENTS_INSIDE, 1000, TEST_DATA_RANDOM, 0, turn);
    test_call_check_run(&self, "what is in no segment is not written");
    test_call_destroy(&self);
}

TEST_EACH(bitonic_sort, segments, 2, .timeout = 1700)
{
    const clprim_bitonic_sort_desc desc = {
        .segmented = true, .variant = *number == 0 ? CLPRIM_BITONIC_SORT_LOCAL_MERGE : CLPRIM_BITONIC_SORT_CPU_CHUNK};
    test_ordered_plans(&clprim_bitonic_sort_operation, &desc, desc.variant, 2, 1, check_segments);
}

/* A comparison that is no order still gives a permutation. */
Test(bitonic_sort, without_any_order, .timeout = 600)
{
    enum { COUNT = 3001 };
    static uint32_t before[COUNT], after[COUNT];
    const clprim_bitonic_sort_call call = {.keys_in = {.host = after}, .count = COUNT, .keys_out = {.host = after}};
    test_fill_elements(before, CLPRIM_U32, sizeof *before, TEST_DATA_RANDOM, COUNT, TEST_SEED);
    memcpy(after, before, sizeof after);
    ASSERT_OK(clprim_bitonic_sort_run(NULL, &(clprim_bitonic_sort_desc){.less = "(a ^ b) & 1"}, &call));
    ASSERT_OK(clprim_reference_sort(before, NULL, NULL, COUNT));
    ASSERT_OK(clprim_reference_sort(after, NULL, NULL, COUNT));
    test_expect_same(before, after, sizeof *before, COUNT, "without an order");
}

Test(bitonic_sort, refusals)
{
#define SHARED_PAIRS .variant = CLPRIM_BITONIC_SORT_SHARED_PAIRS
    TEST_REFUSE_EACH(
        bitonic_sort,
        TEST_UNSUPPORTED(bitonic_sort, "segments", .segmented = true, .variant = CLPRIM_BITONIC_SORT_NAIVE),
        TEST_UNSUPPORTED(bitonic_sort, "max_count", SHARED_PAIRS),
        TEST_UNSUPPORTED(bitonic_sort, "max_count", SHARED_PAIRS, .max_count = 1 << 24),
        TEST_UNSUPPORTED(bitonic_sort, "max_count", SHARED_PAIRS, .max_count = (size_t)1 << 33));
    test_refuse_segments(&clprim_bitonic_sort_operation, &(clprim_bitonic_sort_desc){.segmented = true}, 0);
}

/* A plan for whole arrays takes no segments; without segments no offsets are needed. */
Test(bitonic_sort, no_segments)
{
    uint32_t keys[] = {9, 3};
    clprim_bitonic_sort_call call = {.keys_in = {.host = keys}, .count = 2, .keys_out = {.host = keys}};
    ASSERT_OK(clprim_bitonic_sort_run(NULL, &(clprim_bitonic_sort_desc){.segmented = true}, &call));
    call.segment_count = 1;
    ASSERT_REFUSED(clprim_bitonic_sort_run(NULL, NULL, &call), CLPRIM_INVALID_ARGUMENT, "segment_count");
    ASSERT_REFUSED(clprim_bitonic_sort_run(NULL, &(clprim_bitonic_sort_desc){.segmented = true}, &call),
                   CLPRIM_INVALID_ARGUMENT, "offsets");
    cr_assert(keys[0] == 9 && keys[1] == 3);
}

enum { ALL_UP_TO = 13, STEPS = CLPRIM_REFERENCE_BITONIC_STEP_END };

static const char *const step_names[STEPS] = {"recursive", "partner test", "two loops", "division", "shifts"};

/* A network that sorts all sequences of zeros and ones sorts every sequence (Knuth 1973). */
Test(bitonic_sort_host, reference_sorts_zeros_and_ones)
{
    for (int step = 0; step < STEPS; step++)
        for (size_t count = 0; count <= ALL_UP_TO; count++)
            for (unsigned bits = 0; bits < 1U << count; bits++) {
                const clprim_reference_bitonic_how how = {.type = CLPRIM_U8,
                                                          .step = (clprim_reference_bitonic_step)step};
                uint8_t data[ALL_UP_TO + 1] = {0};
                size_t zeros = 0;
                for (size_t i = 0; i < count; i++) {
                    data[i] = bits >> i & 1;
                    zeros += data[i] == 0;
                }
                data[count] = 77;
                ASSERT_OK(clprim_reference_bitonic_sort(data, NULL, &how, count));
                for (size_t i = 0; i < count; i++)
                    cr_assert_eq(data[i], i >= zeros, "%s: sequence %x of %zu", step_names[step], bits, count);
                cr_assert_eq(data[count], 77, "%s: behind %zu elements", step_names[step], count);
            }
}

static void check_reference(const test_order *order, int step, size_t value_size, bool descending, test_data data,
                            size_t count)
{
    unsigned char *memory[4]; /* keys and values as expected, and as found, with a guard after them */
    const clprim_reference_order by = test_reference_order(order, descending, CLPRIM_NAN_TOTAL);
    const clprim_reference_bitonic_how how = {.type = order->type,
                                              .before = order->before,
                                              .size = order->before != NULL ? order->size : 0,
                                              .value_size = value_size,
                                              .descending = descending,
                                              .step = (clprim_reference_bitonic_step)step};
    char what[160];
    (void)snprintf(what, sizeof what, "%s, %s, values of %zu bytes, descending %d, %s, %zu elements", step_names[step],
                   order->name, value_size, descending, test_data_name(data), count);
    for (size_t i = 0; i < 4; i++) {
        const size_t size = i % 2 == 0 ? order->size : value_size;
        memory[i] = test_memory(i, count * size + 1);
        memory[i][count * size] = TEST_POISON;
        if (i % 2 == 0)
            test_fill_elements(memory[i], order->type, size, data, count, count);
        else
            test_fill_values(memory[i], size, count);
    }
    test_sort_elements(memory[0], memory[1], value_size, &by, count);
    ASSERT_OK(clprim_reference_bitonic_sort(memory[2], value_size > 0 ? memory[3] : NULL, &how, count));
    test_expect_as_good(order->before, memory[0], order->size, memory[1], value_size, memory[2], memory[3], count,
                        what);
    cr_assert(memory[2][count * order->size] == TEST_POISON && memory[3][count * value_size] == TEST_POISON, "%s",
              what);
}

/* In the total order of each type, and in the caller's orders. */
Test(bitonic_sort_host, reference, .timeout = 600)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 33, 100, 511, 1000, 1024, 1025};
    static const size_t value_sizes[] = {0, 0, 0, 1, 0, 2, 0, 4, 0, 8, 0, 16};
    size_t turn = 0;
    for (int step = 0; step < STEPS; step++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int i = CLPRIM_I8; i < CLPRIM_TYPE_END + TEST_ORDERS; i++, turn++) {
                const test_order order =
                    i < CLPRIM_TYPE_END ? test_total_order((clprim_type)i) : test_orders[i - CLPRIM_TYPE_END];
                check_reference(&order, step, value_sizes[turn % 12], turn / 3 % 2 == 1, turn % TEST_DATA_END,
                                counts[c]);
            }
}

Test(bitonic_sort_host, reference_refuses)
{
    uint32_t data[2] = {77, 7}, values[2] = {99, 98};
#define REFUSED(culprit, data, values, ...)                                                                            \
    ASSERT_REFUSED(clprim_reference_bitonic_sort(data, values, &(const clprim_reference_bitonic_how){__VA_ARGS__}, 2), \
                   CLPRIM_INVALID_ARGUMENT, culprit)
    REFUSED("type", data, NULL, .type = CLPRIM_TYPE_END);
    REFUSED("before", data, NULL, .size = 12);
    REFUSED("step", data, NULL, .step = CLPRIM_REFERENCE_BITONIC_STEP_END);
    REFUSED("step", data, NULL, .step = -1);
    REFUSED("data", NULL, NULL, .descending = true);
    REFUSED("values", data, values, .descending = true);
    REFUSED("values", data, NULL, .value_size = 4);
    cr_assert(data[0] == 77 && data[1] == 7 && values[0] == 99);
    ASSERT_OK(clprim_reference_bitonic_sort(NULL, NULL, NULL, 0));
}
