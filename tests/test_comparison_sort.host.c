/* test_comparison_sort.host.c: the reference against the radix sort's, and by what an order is; sorts of arrays on the
 * host; and what the reference refuses. */
#include "test_comparison_sort.h"

enum { MAX_COUNT = 1030 };

/* The total order as the radix sort's reference has it, which knows nothing of comparisons. */
Test(comparison_sort_host, reference_in_the_total_order)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 16, 33, 100, MAX_COUNT};
    static unsigned char keys[2][MAX_COUNT * 8];
    static uint32_t values[2][MAX_COUNT];
    for (int type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int data = 0; data < TEST_DATA_END; data++) {
                const bool descending = (type + data) % 2 == 1;
                const clprim_reference_sort_how radix = {
                    .key_type = (clprim_type)type, .value_size = 4, .descending = descending};
                const clprim_reference_comparison_how how = {
                    .type = (clprim_type)type, .value_size = 4, .descending = descending};
                const size_t size = clprim_type_size((clprim_type)type);
                for (int i = 0; i < 2; i++) {
                    test_fill_elements(keys[i], (clprim_type)type, size, (test_data)data, counts[c], c);
                    test_fill_values(values[i], 4, counts[c]);
                }
                ASSERT_OK(clprim_reference_sort(keys[0], values[0], &radix, counts[c]));
                ASSERT_OK(clprim_reference_comparison_sort(keys[1], values[1], &how, counts[c]));
                test_expect_same(keys[0], keys[1], size, counts[c], clprim_type_name((clprim_type)type));
                test_expect_same(values[0], values[1], 4, counts[c], clprim_type_name((clprim_type)type));
            }
}

/* In orders of the caller's nothing comes before what is before it, and what is equal is in the order of the values. */
Test(comparison_sort_host, reference_in_orders_of_the_callers)
{
    static unsigned char keys[MAX_COUNT * 40];
    static uint32_t values[MAX_COUNT];
    for (size_t o = 0; o < TEST_ORDERS; o++)
        for (int descending = 0; descending < 2; descending++) {
            const test_order *order = &test_orders[o];
            const clprim_reference_comparison_how how = {.type = order->type,
                                                         .before = order->before,
                                                         .size = order->size,
                                                         .value_size = 4,
                                                         .descending = descending};
            bool seen[MAX_COUNT] = {false};
            test_fill_elements(keys, order->type, order->size, TEST_DATA_RANDOM, MAX_COUNT, o);
            test_fill_values(values, 4, MAX_COUNT);
            ASSERT_OK(clprim_reference_comparison_sort(keys, values, &how, MAX_COUNT));
            for (size_t i = 0; i < MAX_COUNT; i++) {
                const unsigned char *b = keys + i * order->size;
                const unsigned char *a = i > 0 ? b - order->size : b;
                const bool follows = descending ? order->before(b, a) : order->before(a, b);
                const bool precedes = descending ? order->before(a, b) : order->before(b, a);
                cr_assert(i == 0 || (!precedes && (follows || values[i - 1] < values[i])), "%s: element %zu",
                          order->name, i);
                cr_assert(values[i] < MAX_COUNT && !seen[values[i]], "%s: value %u twice", order->name, values[i]);
                seen[values[i]] = true;
            }
        }
}

Test(comparison_sort_host, keys_and_pairs, .timeout = 120)
{
    static uint32_t keys[MAX_COUNT], keys_before[MAX_COUNT];
    static uint32_t values[MAX_COUNT], values_before[MAX_COUNT];
    static const size_t counts[] = {0, 1, 2, MAX_COUNT};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t value_size = 0; value_size <= 4; value_size += 4) {
            const clprim_comparison_sort_desc desc = {.value_size = value_size};
            test_fill_elements(keys, CLPRIM_U32, sizeof *keys, TEST_DATA_RANDOM, MAX_COUNT, TEST_SEED);
            test_fill_values(values, sizeof *values, MAX_COUNT);
            memcpy(keys_before, keys, sizeof keys);
            memcpy(values_before, values, sizeof values);
            void *given = value_size != 0 ? values : NULL;
            const clprim_comparison_sort_call call = {.keys_in = {.host = keys},
                                                      .values_in = {.host = given},
                                                      .count = counts[c],
                                                      .keys_out = {.host = keys},
                                                      .values_out = {.host = given}};
            ASSERT_OK(clprim_comparison_sort_run(c % 2 == 0 ? runtime : NULL, value_size != 0 ? &desc : NULL, &call));
            comparison_judge(&desc, NULL, keys_before, values_before, keys, values, counts[c], "on the host");
            test_expect_same(keys_before + counts[c], keys + counts[c], 4, MAX_COUNT - counts[c], "what is behind");
        }
    ASSERT_OK(clprim_comparison_sort_run(runtime, NULL, &(clprim_comparison_sort_call){0}));
    clprim_runtime_destroy(runtime);
}

Test(comparison_sort_host, what_the_reference_refuses)
{
    static const struct {
        clprim_reference_comparison_how how;
        bool has_data, has_values;
        const char *culprit;
    } rows[] = {
        {{.type = CLPRIM_TYPE_END}, true, false, "type"}, {{.size = 12}, true, false, "before"},
        {{.descending = true}, false, false, "data"},     {{.descending = true}, true, true, "values"},
        {{.value_size = 4}, true, false, "values"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t data[2] = {77, 7};
        uint32_t values[2] = {99, 98};
        ASSERT_STATUS(clprim_reference_comparison_sort(rows[i].has_data ? data : NULL,
                                                       rows[i].has_values ? values : NULL, &rows[i].how, 2),
                      CLPRIM_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(clprim_last_error(), rows[i].culprit), "row %zu: %s", i, clprim_last_error());
        cr_assert(data[0] == 77 && data[1] == 7 && values[0] == 99);
    }
    ASSERT_OK(clprim_reference_comparison_sort(NULL, NULL, NULL, 0));
}
