// SPDX-License-Identifier: MIT
/* test_sort_by_key.records.c: arrays sorted by several members of records: one that moves along with the keys, and several
 * that are gathered, in place and not. */
#include "cases.h"
#include "records.h"

enum { MAX_COUNT = 40001, WIDE = 24 };

static const size_t counts[] = {0, 1, 1023, 1025, MAX_COUNT};

static test_record records[MAX_COUNT], expected[MAX_COUNT];
static char wide[MAX_COUNT][WIDE], expected_wide[MAX_COUNT][WIDE];
static uint32_t order[MAX_COUNT];

static void check(test_call *self, const clprim_sort_by_key_desc *desc, const test_record_order *by, size_t count)
{
    clprim_sort_by_key_call call = {.arguments = {{.host = records}},
                                    .arrays_in = {{.host = records}, {.host = wide}},
                                    .count = count,
                                    .arrays_out = {{.host = expected}, {.host = expected_wide}}};
    if (desc->num_arrays == 1)
        call.arrays_in[1].host = call.arrays_out[1].host = NULL;
    test_fill_records(records, count, count);
    test_fill(wide, CLPRIM_U8, CLPRIM_MAX, TEST_RANDOM, count * WIDE, count);
    test_sort_records(order, records, 0, count, by);
    for (size_t i = 0; i < count; i++) {
        expected[i] = records[order[i]];
        memcpy(expected_wide[i], wide[order[i]], WIDE);
    }
    for (uint64_t in_place = 0; in_place < 2; in_place++) {
        self->replaced = in_place * UINT64_MAX;
        test_call_fill(self, &call, count);
        test_call_check(self, "%s, %zu records", by->name, count);
    }
    test_check_scratch(self, by->name);
}

TEST_WITH_RUNTIME(sort_by_key_records, are_sorted_by_several_members)
{
    for (size_t number = 0; number < 2; number++) {
        const test_record_order *by = &test_record_orders[number];
        const clprim_sort_by_key_desc desc = {.key_type = by->keys[0].type,
                                              .input = by->keys[0].text,
                                              .descending = by->keys[0].descending,
                                              .then = test_further_keys(by),
                                              .text = TEST_RECORD_TEXT,
                                              .num_arrays = 1 + number,
                                              .element_sizes = {sizeof(test_record), number * WIDE}};
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_sort_by_key_operation, &desc))
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                check(&self, &desc, by, counts[c]);
    }
}

Test(sort_by_key_records, refusals)
{
    TEST_REFUSE_EACH(sort_by_key, TEST_INVALID(sort_by_key, "then needs an input", false, .then.inputs = {"i"}),
                     TEST_UNSUPPORTED(sort_by_key, "96 bits", .input = "i", .then.inputs = {"i", "i"}));
}
