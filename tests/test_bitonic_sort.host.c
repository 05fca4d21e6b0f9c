/* test_bitonic_sort.host.c: the reference's steps against all sequences of zeros and ones, against the radix sort's
 * reference and qsort; sorts of arrays on the host; and what the reference refuses. */
#include <stdio.h>
#include <stdlib.h>

#include "test_bitonic_sort.h"

enum { MAX_COUNT = 1030, ALL_UP_TO = 13 };

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

static clprim_reference_bitonic_how how_of(const clprim_bitonic_sort_desc *desc, const test_order *order, int step)
{
    return (clprim_reference_bitonic_how){.type = desc->key_type,
                                          .before = order != NULL ? order->before : NULL,
                                          .size = order != NULL ? order->size : 0,
                                          .value_size = desc->value_size,
                                          .descending = desc->descending,
                                          .step = (clprim_reference_bitonic_step)step};
}

static void check_reference(const clprim_bitonic_sort_desc *desc, const test_order *order, int step, test_data data,
                            size_t count)
{
    static unsigned char before[MAX_COUNT * 40], after[MAX_COUNT * 40];
    static unsigned char values_before[MAX_COUNT * 16], values_after[MAX_COUNT * 16];
    const clprim_reference_bitonic_how how = how_of(desc, order, step);
    const size_t size = order != NULL ? order->size : clprim_type_size(desc->key_type);
    char what[160];
    (void)snprintf(what, sizeof what, "%s, %s, values of %zu bytes, descending %d, data %d, %zu elements",
                   step_names[step], order != NULL ? order->name : clprim_type_name(desc->key_type), desc->value_size,
                   desc->descending, data, count);
    memset(after, BITONIC_POISON, sizeof after);
    memset(values_after, BITONIC_POISON, sizeof values_after);
    test_fill_elements(before, desc->key_type, size, data, count, count);
    test_fill_values(values_before, desc->value_size, count);
    memcpy(after, before, count * size);
    memcpy(values_after, values_before, count * desc->value_size);
    ASSERT_OK(clprim_reference_bitonic_sort(after, desc->value_size != 0 ? values_after : NULL, &how, count));
    bitonic_judge(desc, how.before, before, values_before, after, values_after, count, what);
    cr_assert(after[count * size] == BITONIC_POISON && values_after[count * desc->value_size] == BITONIC_POISON, "%s",
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
                const clprim_bitonic_sort_desc desc = {.key_type = (clprim_type)type,
                                                       .value_size = turn % 2 == 0 ? 0 : value_sizes[turn / 2 % 6],
                                                       .descending = turn / 3 % 2 == 1};
                check_reference(&desc, NULL, step, (test_data)(turn % TEST_DATA_END), counts[c]);
            }
            for (size_t i = 0; i < TEST_ORDERS; i++, turn++) {
                clprim_bitonic_sort_desc desc = bitonic_desc_of(&test_orders[i]);
                desc.value_size = value_sizes[turn % 6];
                desc.descending = turn / 3 % 2 == 1;
                check_reference(&desc, &test_orders[i], step, (test_data)(turn % TEST_DATA_END), counts[c]);
            }
        }
}

Test(bitonic_sort_host, keys_and_pairs, .timeout = 120)
{
    static uint32_t keys[MAX_COUNT], keys_before[MAX_COUNT];
    static uint32_t values[MAX_COUNT], values_before[MAX_COUNT];
    static const size_t counts[] = {0, 1, 2, MAX_COUNT};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t value_size = 0; value_size <= 4; value_size += 4) {
            const clprim_bitonic_sort_desc desc = {.value_size = value_size};
            test_fill_elements(keys, CLPRIM_U32, sizeof *keys, TEST_DATA_RANDOM, MAX_COUNT, TEST_SEED);
            test_fill_values(values, sizeof *values, MAX_COUNT);
            memcpy(keys_before, keys, sizeof keys);
            memcpy(values_before, values, sizeof values);
            void *given = value_size != 0 ? values : NULL;
            const clprim_bitonic_sort_call call = {.keys_in = {.host = keys},
                                                   .values_in = {.host = given},
                                                   .count = counts[c],
                                                   .keys_out = {.host = keys},
                                                   .values_out = {.host = given}};
            ASSERT_OK(clprim_bitonic_sort_run(c % 2 == 0 ? runtime : NULL, value_size != 0 ? &desc : NULL, &call));
            bitonic_judge(&desc, NULL, keys_before, values_before, keys, values, counts[c], "on the host");
            test_expect_same(keys_before + counts[c], keys + counts[c], 4, MAX_COUNT - counts[c], "what is behind");
        }
    ASSERT_OK(clprim_bitonic_sort_run(runtime, NULL, &(clprim_bitonic_sort_call){0}));
    clprim_runtime_destroy(runtime);
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
