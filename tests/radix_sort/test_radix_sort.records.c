// SPDX-License-Identifier: MIT
/* test_radix_sort.records.c: records sorted by several members, with every variant; with indices, without, and in
 * place; and by one member, without an array for the keys. */
#include "cases.h"
#include "records.h"

enum { SMALL = 1025, MAX_COUNT = 100003 };

static const size_t counts[] = {0, 1, 1023, 1024, SMALL, MAX_COUNT};

static test_record records[MAX_COUNT], expected[MAX_COUNT];
static uint32_t order[MAX_COUNT];

static clprim_radix_sort_desc describe(size_t number, int variant)
{
    const test_record_order *by = &test_record_orders[number];
    return (clprim_radix_sort_desc){.key_type = by->keys[0].type,
                                    .input = by->keys[0].text,
                                    .descending = by->keys[0].descending,
                                    .then = test_further_keys(by),
                                    .nan_order = by->nan_order,
                                    .text = TEST_RECORD_TEXT,
                                    .value_size = number % 2 == 0 ? sizeof(test_record) : 0,
                                    .argsort = number % 2 != 0,
                                    .max_count = variant == CLPRIM_RADIX_SORT_SINGLE_GROUP ? SMALL : 0,
                                    .variant = (clprim_radix_sort_variant)variant};
}

static void check(test_call *self, const clprim_radix_sort_desc *desc, const test_record_order *by, size_t count)
{
    clprim_radix_sort_call call = {.arguments = {{.host = records}}, .count = count, .values_out = {.host = order}};
    test_fill_records(records, count, count);
    test_sort_records(order, records, 0, count, by);
    for (size_t i = 0; i < count && !desc->argsort; i++)
        expected[i] = records[order[i]];
    if (!desc->argsort) {
        call.values_in.host = records;
        call.values_out.host = expected;
    }
    self->without = "keys_out";
    test_call_fill(self, &call, count);
    test_call_check(self, "%s, %zu records", by->name, count);
    if (count == SMALL) {
        test_check_scratch(self, by->name);
        test_call_check_run(self, "%s, on the host", by->name);
    }
}

/* Each variant with two of the orders; the first order with a variant that all devices support. */
TEST_BY_VARIANT(radix_sort_records, are_sorted_by_several_members, clprim_radix_sort_operation)
{
    for (size_t number = 0; number < TEST_RECORD_ORDERS; number++) {
        const clprim_radix_sort_desc desc = describe(number, variant);
        if (!test_is_full() && number > 0 && variant != CLPRIM_RADIX_SORT_CPU_BUCKETS &&
            number != 1 + (size_t)variant % (TEST_RECORD_ORDERS - 1))
            continue;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_radix_sort_operation, &desc))
            for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= self.plan->max_count; c++)
                check(&self, &desc, &test_record_orders[number], counts[c]);
    }
}

/* One buffer holds the keys' argument, the values, and the output. */
TEST_BY_VARIANT(radix_sort_records, may_be_sorted_in_place, clprim_radix_sort_operation)
{
    static test_record found[SMALL + 1];
    for (size_t number = 0; number < TEST_RECORD_ORDERS; number += 2) {
        clprim_radix_sort_desc desc = describe(number, variant);
        clprim_plan *plan = NULL;
        if (clprim_radix_sort_create(&plan, runtime, &desc) == CLPRIM_UNSUPPORTED)
            continue;
        test_fill_records(records, SMALL + 1, number);
        test_sort_records(order, records, 0, SMALL, &test_record_orders[number]);
        cl_mem all = test_upload(runtime, records, sizeof found);
        const clprim_radix_sort_call call = {
            .arguments = {{all}}, .values_in = {all}, .count = SMALL, .values_out = {all}};
        ASSERT_OK(clprim_radix_sort_enqueue(plan, NULL, &call, 0, NULL, NULL));
        test_read(runtime, found, all, sizeof found);
        for (size_t i = 0; i < SMALL; i++)
            expected[i] = records[order[i]];
        expected[SMALL] = records[SMALL];
        test_expect_same(expected, found, sizeof *found, SMALL + 1, test_record_orders[number].name);
        clprim_plan_destroy(plan);
        ASSERT_CL(clReleaseMemObject(all));
    }
}

/* With a single key, the keys may be written, too; if there is no other output, they must be. */
TEST_WITH_RUNTIME(radix_sort_records, keys_are_needed_where_there_is_nothing_else)
{
    clprim_radix_sort_desc desc = describe(TEST_RECORD_ORDERS - 1, CLPRIM_RADIX_SORT_AUTO);
    clprim_radix_sort_call call = {.count = SMALL};
    clprim_plan *plan = NULL;
    cl_mem all = test_upload(runtime, records, sizeof records);
    cl_mem out = test_buffer(runtime, sizeof order);
    call.arguments[0].buffer = all;
    for (int alone = 0; alone < 2; alone++) {
        desc.argsort = !alone;
        call.values_out.buffer = alone ? NULL : out;
        call.keys_out.buffer = NULL;
        ASSERT_OK(clprim_radix_sort_create(&plan, runtime, &desc));
        ASSERT_STATUS(clprim_radix_sort_enqueue(plan, NULL, &call, 0, NULL, NULL),
                      alone ? CLPRIM_INVALID_ARGUMENT : CLPRIM_SUCCESS);
        clprim_plan_destroy(plan);
    }
    desc = describe(1, CLPRIM_RADIX_SORT_AUTO);
    call = (clprim_radix_sort_call){.arguments = {{all}}, .count = SMALL, .keys_out = {all}, .values_out = {out}};
    ASSERT_OK(clprim_radix_sort_create(&plan, runtime, &desc));
    ASSERT_REFUSED(clprim_radix_sort_enqueue(plan, NULL, &call, 0, NULL, NULL), CLPRIM_INVALID_ARGUMENT, "keys_out");
    clprim_plan_destroy(plan);
    ASSERT_CL(clReleaseMemObject(all));
    ASSERT_CL(clReleaseMemObject(out));
}

#define INVALID(culprit, ...) TEST_INVALID(radix_sort, culprit, false, __VA_ARGS__)

Test(radix_sort_records, refusals)
{
    TEST_REFUSE_EACH(
        radix_sort, INVALID("then needs an input", .argsort = true, .then.inputs = {"i"}),
        INVALID("then[1] is missing", .argsort = true, .input = "i", .then.inputs = {"i", NULL, "i"}),
        INVALID("then[0] is missing", .argsort = true, .input = "i", .then.types = {CLPRIM_U8}),
        INVALID("then[1] is missing", .input = "i", .then.inputs = {"i"}, .then.descending = {false, true}),
        INVALID("then_types[0]", .argsort = true, .input = "i", .then = {{"i"}, {CLPRIM_TYPE_END}}),
        INVALID("bit_range", .argsort = true, .input = "i", .then.inputs = {"i"}, .bit_range = true, .end_bit = 3),
        INVALID("no sorted keys", .input = "i", .then.inputs = {"i"}),
        TEST_UNSUPPORTED(radix_sort, "comparison_sort", .argsort = true, .input = "i",
                         .then = {{"i", "i"}, {CLPRIM_U32, CLPRIM_U8}}));
    TEST_REFUSE_EACH(top_k,
                     TEST_INVALID(top_k, "then needs an input", false, .k = 1, .indices = true, .then.inputs = {"i"}),
                     TEST_INVALID(top_k, "no sorted keys", false, .k = 1, .input = "i", .then.inputs = {"i"}),
                     TEST_UNSUPPORTED(top_k, "72 bits", .k = 1, .indices = true, .key_type = CLPRIM_F64, .input = "i",
                                      .then = {{"i"}, {CLPRIM_I8}}));
    TEST_REFUSE_EACH(
        segmented_sort,
        TEST_INVALID(segmented_sort, "then needs an input", false, .argsort = true, .then.inputs = {"i"}),
        TEST_UNSUPPORTED(segmented_sort, "96 bits", .argsort = true, .input = "i", .then.inputs = {"i", "i"}));
}

/* A mistake in a further key is reported in that key's text. */
TEST_WITH_RUNTIME(radix_sort_records, mistakes)
{
    const test_refusal rows[] = {TEST_MISTAKE(radix_sort, "then_1:1", .argsort = true, .key_type = CLPRIM_U8,
                                              .input = "i", .then = {{"i", "nothing[i]"}, {CLPRIM_U8, CLPRIM_U8}})};
    test_refuse_texts(runtime, &clprim_radix_sort_operation, rows, 1);
}
