// SPDX-License-Identifier: MIT
/* test_top_k.records.c: the first k records by several members, with every variant, for fewer records than k, for as
 * many and for more; records or their indices, sorted or in the order of the input; and by one member, without an array
 * for the keys. */
#include "cases.h"
#include "records.h"

#include <stdlib.h>

enum { K = 300, MAX_COUNT = 100003 };

static const size_t counts[] = {0, 1, K, 1023, 1024, 1025, MAX_COUNT};

static test_record records[MAX_COUNT], expected[K];
static uint32_t order[MAX_COUNT];

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void check(test_call *self, const clprim_top_k_desc *desc, const test_record_order *by, size_t count)
{
    const size_t found = count < K ? count : K;
    clprim_top_k_call call = {.arguments = {{.host = records}}, .count = count, .values_out = {.host = order}};
    test_fill_records(records, count, count);
    test_sort_records(order, records, 0, count, by);
    if (desc->unsorted)
        qsort(order, found, sizeof *order, compare);
    for (size_t i = 0; i < found && !desc->indices; i++)
        expected[i] = records[order[i]];
    if (!desc->indices) {
        call.values_in.host = records;
        call.values_out.host = expected;
    }
    self->without = "keys_out";
    test_call_fill(self, &call, count);
    test_call_check(self, "%s, %zu records", by->name, count);
    if (count == K || count == 1025)
        test_check_scratch(self, by->name);
    if (count == K)
        test_call_check_run(self, "%s, on the host", by->name);
}

TEST_BY_VARIANT(top_k_records, are_the_first_by_several_members, clprim_top_k_operation)
{
    for (size_t number = 0; number < TEST_RECORD_ORDERS; number++) {
        const test_record_order *by = &test_record_orders[number];
        const clprim_top_k_desc desc = {.key_type = by->keys[0].type,
                                        .input = by->keys[0].text,
                                        .smallest = !by->keys[0].descending,
                                        .then = test_further_keys(by),
                                        .nan_order = by->nan_order,
                                        .text = TEST_RECORD_TEXT,
                                        .k = K,
                                        .value_size = number % 2 == 0 ? sizeof(test_record) : 0,
                                        .indices = number % 2 != 0,
                                        .unsorted = number % 3 == 1 && variant != CLPRIM_TOP_K_SORT,
                                        .variant = (clprim_top_k_variant)variant};
        if (!test_is_full() && number > 0 && number + 1 < TEST_RECORD_ORDERS && number != 1 + (size_t)variant)
            continue;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_top_k_operation, &desc))
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                check(&self, &desc, by, counts[c]);
    }
}
