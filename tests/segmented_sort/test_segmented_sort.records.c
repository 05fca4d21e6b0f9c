// SPDX-License-Identifier: MIT
/* test_segmented_sort.records.c: records sorted by several members within their segments, with every variant: short
 * segments, and segments longer than a work-group sorts; and by one member, without an array for the keys. */
#include "cases.h"
#include "records.h"

enum { COUNT = 140000, SHORT = 100, SEGMENTS = 4 };

static test_record records[COUNT], expected[COUNT];
static uint32_t order[COUNT];

static void check(test_call *self, const clprim_segmented_sort_desc *desc, const test_record_order *by,
                  const uint32_t *lengths)
{
    uint32_t offsets[SEGMENTS + 1] = {0};
    clprim_segmented_sort_call call = {.arguments = {{.host = records}},
                                       .offsets = {.host = offsets},
                                       .segment_count = SEGMENTS,
                                       .values_out = {.host = order}};
    for (size_t s = 0; s < SEGMENTS; s++)
        offsets[s + 1] = offsets[s] + lengths[s];
    call.count = offsets[SEGMENTS];
    test_fill_records(records, call.count, call.count);
    for (size_t s = 0; s < SEGMENTS; s++)
        test_sort_records(order + offsets[s], records, offsets[s], lengths[s], by);
    for (size_t i = 0; i < call.count; i++)
        expected[i] = records[order[i]];
    if (!desc->argsort) {
        call.values_in.host = records;
        call.values_out.host = expected;
    }
    self->without = "keys_out";
    for (uint64_t replaced = 0; replaced < (desc->argsort ? 1 : 2); replaced++) {
        self->replaced = replaced * UINT64_MAX; /* the records are sorted in place */
        test_call_fill(self, &call, call.count);
        test_call_check(self, "%s, %zu records", by->name, call.count);
        if (replaced == 0 && call.count > 0)
            test_check_scratch(self, by->name);
    }
}

TEST_BY_VARIANT(segmented_sort_records, are_sorted_by_several_members, clprim_segmented_sort_operation)
{
    static const uint32_t lengths[][SEGMENTS] = {
        {0, 0, 0, 0}, {0, SHORT, 3, 1}, {7, SHORT, 20, 50}, {70000, 5, 66001, 3001}};
    const bool are_short = variant == CLPRIM_SEGMENTED_SORT_LOCAL;
    for (size_t number = 0; number < TEST_RECORD_ORDERS; number++) {
        const test_record_order *by = &test_record_orders[number];
        const clprim_segmented_sort_desc desc = {.key_type = by->keys[0].type,
                                                 .input = by->keys[0].text,
                                                 .descending = by->keys[0].descending,
                                                 .then = test_further_keys(by),
                                                 .nan_order = by->nan_order,
                                                 .text = TEST_RECORD_TEXT,
                                                 .value_size = number % 2 == 0 ? sizeof(test_record) : 0,
                                                 .argsort = number % 2 != 0,
                                                 .max_segment_size = are_short ? SHORT : 0,
                                                 .variant = (clprim_segmented_sort_variant)variant};
        if (!test_is_full() && number > 0 && number + 1 < TEST_RECORD_ORDERS &&
            number != 1 + (size_t)(variant + 3) % (TEST_RECORD_ORDERS - 1))
            continue;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_sort_operation, &desc))
            for (size_t r = 0; r < (are_short ? 3 : 4); r++)
                check(&self, &desc, by, lengths[r]);
    }
}
