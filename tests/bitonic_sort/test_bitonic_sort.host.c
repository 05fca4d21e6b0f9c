/* test_bitonic_sort.host.c: the reference's steps against all sequences of zeros and ones, against the stable
 * reference; and what the reference refuses. */
#include <stdio.h>

#include "orders.h"

enum { ALL_UP_TO = 13 };

static const char *const step_names[CLPRIM_REFERENCE_BITONIC_STEP_END] = {"recursive", "partner test", "two loops",
                                                                          "division", "shifts"};

/* A network that sorts all sequences of zeros and ones sorts every sequence (Knuth 1973). */
Test(bitonic_sort_host, reference_sorts_zeros_and_ones)
{
    for (int step = 0; step < CLPRIM_REFERENCE_BITONIC_STEP_END; step++)
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
    unsigned char *memory[4]; /* keys and values as expected, and as found, with a guard behind them */
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

Test(bitonic_sort_host, reference, .timeout = 120)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 33, 100, 511, 1000, 1024, 1025};
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16};
    size_t turn = 0;
    for (int step = 0; step < CLPRIM_REFERENCE_BITONIC_STEP_END; step++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++, turn++) {
                const test_order order = test_total_order((clprim_type)type);
                check_reference(&order, step, turn % 2 == 0 ? 0 : value_sizes[turn / 2 % 6], turn / 3 % 2 == 1,
                                turn % TEST_DATA_END, counts[c]);
            }
            for (size_t i = 0; i < TEST_ORDERS; i++, turn++)
                check_reference(&test_orders[i], step, value_sizes[turn % 6], turn / 3 % 2 == 1, turn % TEST_DATA_END,
                                counts[c]);
        }
}

Test(bitonic_sort_host, what_the_reference_refuses)
{
    static const struct {
        clprim_reference_bitonic_how how;
        bool has_data, has_values;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, true, false, "type"},
        {{.size = 12}, true, false, "before"},
        {{.step = CLPRIM_REFERENCE_BITONIC_STEP_END}, true, false, "step"},
        {{.step = (clprim_reference_bitonic_step)-1}, true, false, "step"},
        {{.descending = true}, false, false, "data"},
        {{.descending = true}, true, true, "values"},
        {{.value_size = 4}, true, false, "values"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t data[2] = {77, 7};
        uint32_t values[2] = {99, 98};
        ASSERT_STATUS(clprim_reference_bitonic_sort(rows[i].has_data ? data : NULL, rows[i].has_values ? values : NULL,
                                                    &rows[i].how, 2),
                      CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert(data[0] == 77 && data[1] == 7 && values[0] == 99);
    }
    ASSERT_OK(clprim_reference_bitonic_sort(NULL, NULL, NULL, 0));
}

/* Of offsets on the host, of either type, run sees what is wrong with them, and writes nothing. */
Test(bitonic_sort_segments, run_refuses_bad_offsets)
{
    enum { COUNT = 6, ROWS = 3 };
    static const uint64_t bad[ROWS][3] = {{2, 1, 3}, {0, 2, COUNT + 1}, {COUNT + 1, 2, 3}};
    static const uint32_t kept[COUNT] = {77, 77, 77, 77, 77, 77};
    const uint32_t in[COUNT] = {9, 3, 1, 2, 8, 7};
    uint32_t out[COUNT];
    memcpy(out, kept, sizeof out);
    for (int row = 0; row < 2 * ROWS; row++) {
        const bool is_wide = row >= ROWS;
        const clprim_bitonic_sort_desc desc = {.segmented = true, .offsets_type = is_wide ? CLPRIM_U64 : CLPRIM_U32};
        uint64_t wide[4] = {0};
        uint32_t narrow[4] = {0};
        memcpy(wide + 1, bad[row % ROWS], sizeof bad[0]);
        for (int i = 0; i < 4; i++)
            narrow[i] = (uint32_t)wide[i];
        const clprim_bitonic_sort_call call = {.keys_in = {.host = (void *)in},
                                               .offsets = {.host = is_wide ? (void *)wide : narrow, .offset = 1},
                                               .count = COUNT,
                                               .segment_count = 2,
                                               .keys_out = {.host = out}};
        ASSERT_STATUS(clprim_bitonic_sort_run(NULL, &desc, &call), CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), "offsets["), "%s", clprim_last_error());
        test_expect_same(kept, out, sizeof *out, COUNT, "after a refusal");
    }
}

/* More segments than kernels can count. */
Test(bitonic_sort_segments, too_many)
{
    clprim_runtime *runtime = test_runtime(NULL);
    clprim_plan *plan = NULL;
    cl_mem any = test_buffer(runtime, sizeof(uint32_t));
    const clprim_bitonic_sort_call call = {
        .keys_in = {any}, .offsets = {any}, .count = 1, .segment_count = SIZE_MAX, .keys_out = {any}};
    ASSERT_OK(clprim_bitonic_sort_create(&plan, runtime, &(clprim_bitonic_sort_desc){.segmented = true}));
    ASSERT_STATUS(clprim_bitonic_sort_enqueue(plan, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_RANGE);
    ASSERT_STATUS(clprim_bitonic_sort_run(runtime, &(clprim_bitonic_sort_desc){.segmented = true}, &call),
                  CLPRIM_INVALID_RANGE);
    cr_assert_not_null(strstr(clprim_last_error(), "segments are more"), "%s", clprim_last_error());
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(any));
    clprim_runtime_destroy(runtime);
}
