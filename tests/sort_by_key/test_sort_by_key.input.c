// SPDX-License-Identifier: MIT
/* test_sort_by_key.input.c: an array of structs is sorted by keys that an expression computes from them, without an
 * array of keys: structs that move along with their keys and structs that are gathered, in place and not, together with
 * other arrays, and with counts on the device. */
#include "ordered.h"

enum { MAX_COUNT = 40001 };

static const size_t counts[] = {0, 1, 2, 257, 4097, MAX_COUNT};

enum { NUM_COUNTS = sizeof counts / sizeof *counts };

/* The larger struct; the smaller one consists of its first 8 bytes. */
typedef struct record {
    int32_t price;
    uint32_t id;
    uint32_t rest[3];
} record;

static record records[MAX_COUNT], sorted[MAX_COUNT], found[MAX_COUNT];
static uint16_t others[MAX_COUNT], sorted_others[MAX_COUNT], found_others[MAX_COUNT];
static int32_t keys[MAX_COUNT];

typedef struct input_row {
    clprim_sort_by_key_desc desc;
    size_t size; /* of a record */
} input_row;

#define SMALLER "typedef struct { int price; uint id; } record;"
#define LARGER  "typedef struct { int price; uint id; uint rest[3]; } record;"
#define BY_PRICE(source_, size_)                                                                                       \
    .key_type = CLPRIM_I32, .input = "records[i].price % 1000 * factor",                                               \
    .text = {.source = (source_),                                                                                      \
             .parameters = {{"records", .type_name = "record", .type_size = (size_), .is_array = true}, {"factor"}}}

static const input_row rows[] = {
    {{BY_PRICE(SMALLER, 8), .values_only = true, .element_sizes = {8}}, 8},
    {{BY_PRICE(SMALLER, 8), .element_sizes = {8}, .descending = true, .variant = CLPRIM_RADIX_SORT_LOCAL}, 8},
    {{BY_PRICE(LARGER, 20), .values_only = true, .num_arrays = 2, .element_sizes = {20, 2}}, 20},
    {{BY_PRICE(LARGER, 20), .num_arrays = 2, .element_sizes = {20, 2}, .work_group_size = 64,
      .count_at_type = CLPRIM_U64},
     20},
    {{BY_PRICE(LARGER, 20), .num_arrays = 2, .element_sizes = {20, 2}, .count_at_type = CLPRIM_U32}, 20},
};

/* Sort the first `count` elements of the arrays, and leave the rest unchanged. */
static void sort_on_host(const clprim_sort_by_key_desc *desc, size_t size, size_t count, int32_t factor)
{
    void *const arrays[] = {sorted, sorted_others};
    clprim_reference_sort_by_key_how how = {
        .key_type = CLPRIM_I32, .descending = desc->descending, .num_arrays = desc->num_arrays};
    memcpy(how.element_sizes, desc->element_sizes, sizeof how.element_sizes);
    memcpy(sorted, records, sizeof sorted);
    memcpy(sorted_others, others, sizeof sorted_others);
    for (size_t i = 0; i < count; i++) {
        int32_t price = 0;
        memcpy(&price, (const char *)records + i * size, sizeof price);
        keys[i] = price % 1000 * factor;
    }
    ASSERT_OK(clprim_reference_sort_by_key(keys, arrays, &how, count));
}

static void check(clprim_runtime *runtime, clprim_plan *plan, const input_row *row, size_t count, bool in_place)
{
    const cl_ulong at_most = count - count / 3;
    const size_t there = row->desc.count_at_type != CLPRIM_TYPE_DEFAULT ? (size_t)at_most : count;
    int32_t factor = -3;
    test_fill(records, CLPRIM_U32, CLPRIM_MAX, TEST_RANDOM, sizeof records / (sizeof(uint32_t)), count);
    test_fill(others, CLPRIM_U16, CLPRIM_MAX, TEST_RANDOM, MAX_COUNT, count);
    sort_on_host(&row->desc, row->size, there, factor);
    cl_mem in = test_upload(runtime, records, sizeof records);
    cl_mem out = in_place ? in : test_upload(runtime, records, sizeof records);
    cl_mem others_at = test_upload(runtime, others, sizeof others);
    cl_mem count_at = test_upload(runtime, &at_most, sizeof at_most);
    cl_mem keys_at = test_buffer(runtime, sizeof keys);
    clprim_sort_by_key_call call = {
        .arguments = {{in}, {.host = &factor}}, .arrays_in = {{in}}, .count = count, .arrays_out = {{out}}};
    if (!row->desc.values_only)
        call.keys_out.buffer = keys_at;
    if (row->desc.num_arrays > 1)
        call.arrays_in[1].buffer = call.arrays_out[1].buffer = others_at;
    if (row->desc.count_at_type != CLPRIM_TYPE_DEFAULT)
        call.count_at.buffer = count_at;
    ASSERT_OK(clprim_sort_by_key_enqueue(plan, NULL, &call, 0, NULL, NULL));
    test_read(runtime, found, out, sizeof found);
    test_expect_same(sorted, found, 1, sizeof found, in_place ? "records, in place" : "records");
    test_read(runtime, found_others, others_at, sizeof found_others);
    test_expect_same(row->desc.num_arrays > 1 ? sorted_others : others, found_others, sizeof *others, MAX_COUNT,
                     "the other array");
    if (!row->desc.values_only && there > 0) {
        test_read(runtime, found, keys_at, there * sizeof *keys);
        test_expect_same(keys, found, sizeof *keys, there, "keys");
    }
    cl_mem all[] = {in, others_at, count_at, keys_at, in_place ? NULL : out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != NULL)
            ASSERT_CL(clReleaseMemObject(all[i]));
}

TEST_EACH_WITH_RUNTIME(sort_by_key_input, structs_by_a_member, sizeof rows / sizeof *rows)
{
    clprim_plan *plan = NULL;
    ASSERT_OK(clprim_sort_by_key_create(&plan, runtime, &rows[number].desc));
    for (size_t c = 0; c < NUM_COUNTS; c++)
        for (int in_place = 0; in_place < 2; in_place++)
            check(runtime, plan, &rows[number], counts[c], in_place != 0);
    clprim_plan_destroy(plan);
}

/* Arrays that are gathered by tiles and by chunks, in place and not, are unchanged after the actual number of
 * elements. */
TEST_EACH_WITH_RUNTIME(sort_by_key_counts, on_the_device, 2)
{
    const clprim_sort_by_key_desc desc = {.num_arrays = 3,
                                          .element_sizes = {4, 12, 64},
                                          .work_group_size = number == 0 ? 0 : 256,
                                          .count_at_type = CLPRIM_U32};
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_sort_by_key_operation, &desc))
        for (size_t c = 0; c < 4 * NUM_COUNTS; c++) {
            const size_t count = counts[c / 4];
            uint32_t count_at = (uint32_t)(c % 4 < 2 ? count / 3 : count + 1);
            self.replaced = c % 2 == 0 ? 0 : UINT64_MAX;
            test_call_fill_data(&self, &(clprim_sort_by_key_call){.count_at = {.host = &count_at}, .count = count},
                                TEST_DATA_RANDOM, c);
            test_call_check(&self, "%u of %zu elements", count_at, count);
        }
}
