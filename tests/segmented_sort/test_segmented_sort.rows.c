// SPDX-License-Identifier: MIT
/* test_segmented_sort.rows.c: segments of equal length, without offsets: rows of a matrix with every variant,
 * separately and in place, and columns that an expression reads as rows. */
#include "ordered.h"

enum { MANY = 30011, LONG = 70001 };

#define BY(name) CLPRIM_SEGMENTED_SORT_##name

static const size_t lengths[] = {1, 2, 7, 24, 33, 100, 199, 1000, 4097, MANY, LONG, 300, 700};

static void check(clprim_runtime *runtime, const clprim_segmented_sort_desc *desc, uint64_t seed)
{
    const size_t length = desc->segment_length;
    const size_t rows[] = {0, 1, 2, length < MANY ? MANY / length : 3};
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_sort_operation, desc))
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            for (uint64_t replaced = 0; replaced < 4; replaced += 3, seed++) {
                const clprim_segmented_sort_call call = {.count = rows[i] * length, .segment_count = rows[i]};
                const test_data data = seed % TEST_DATA_END;
                self.replaced = replaced;
                test_call_fill_data(&self, &call, data, seed);
                test_call_check(&self, "%zu rows of %zu, %s", rows[i], length, test_data_name(data));
                if (i == 2)
                    test_call_check_run(&self, "on the host");
            }
}

TEST_BY_VARIANT(segmented_sort_rows, have_no_offsets, clprim_segmented_sort_operation)
{
    static const clprim_segmented_sort_desc keys[] = {
        {.key_type = CLPRIM_U32},
        {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
        {.key_type = CLPRIM_I64, .argsort = true},
        {.key_type = CLPRIM_U8, .value_size = 2, .bit_range = true, .begin_bit = 3, .end_bit = 7},
    };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        clprim_segmented_sort_desc desc = keys[(i + (size_t)variant) % (sizeof keys / sizeof *keys)];
        if ((variant == CLPRIM_SEGMENTED_SORT_LOCAL && lengths[i] > 200) ||
            ((i + (size_t)variant) % 3 != 0 && !test_is_full())) /* each length has its own program */
            continue;
        desc.segment_length = lengths[i];
        desc.variant = (clprim_segmented_sort_variant)variant;
        check(runtime, &desc, TEST_SEED + i);
    }
}

/* Rows that a group sorts by bins, or where bins have too many keys otherwise; of lengths that fill a group's tile and
 * that do not. */
TEST_WITH_RUNTIME(segmented_sort_rows, are_sorted_by_bins)
{
    static const clprim_segmented_sort_desc descs[] = {
        {.key_type = CLPRIM_U32, .segment_length = 2048},
        {.key_type = CLPRIM_F32, .value_size = 4, .descending = true, .segment_length = 1000},
        {.key_type = CLPRIM_I64, .segment_length = 1537},
        {.key_type = CLPRIM_I16,
         .argsort = true,
         .bit_range = true,
         .begin_bit = 3,
         .end_bit = 15,
         .segment_length = 513},
        {.key_type = CLPRIM_U32, .bit_range = true, .begin_bit = 9, .end_bit = 31, .segment_length = 3000},
        {.key_type = CLPRIM_U8, .segment_length = 900},
    };
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        clprim_segmented_sort_desc desc = descs[i];
        desc.variant = CLPRIM_SEGMENTED_SORT_MIXED;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_segmented_sort_operation, &desc))
            for (uint64_t seed = TEST_SEED; seed < TEST_SEED + TEST_DATA_END; seed++) {
                const clprim_segmented_sort_call call = {.count = 5 * desc.segment_length, .segment_count = 5};
                const test_data data = seed % TEST_DATA_END;
                self.replaced = seed % 2 * 3;
                test_call_fill_data(&self, &call, data, seed);
                test_call_check(&self, "5 rows of %zu, %s", desc.segment_length, test_data_name(data));
            }
    }
}

/* Columns, as in the header's example. */
TEST_WITH_RUNTIME(segmented_sort_rows, may_be_columns)
{
    enum { ROWS = 37, COLUMNS = 19 };
    static float in[ROWS * COLUMNS], turned[ROWS * COLUMNS], out[ROWS * COLUMNS];
    uint32_t rows = ROWS, columns = COLUMNS;
    test_fill(in, CLPRIM_F32, CLPRIM_MAX, TEST_RANDOM, ROWS * COLUMNS, TEST_SEED);
    const clprim_segmented_sort_desc by_columns = {
        .key_type = CLPRIM_F32,
        .input = "a[i % rows * columns + i / rows]",
        .text.parameters = {{"a", CLPRIM_F32, .is_array = true}, {"rows", CLPRIM_U32}, {"columns", CLPRIM_U32}},
        .segment_length = ROWS,
    };
    const clprim_transform_desc back = {
        .expressions = {"b[i % columns * rows + i / columns]"},
        .types = {CLPRIM_F32},
        .text.parameters = {{"b", CLPRIM_F32, .is_array = true}, {"rows", CLPRIM_U32}, {"columns", CLPRIM_U32}},
    };
    ASSERT_OK(clprim_segmented_sort_run(
        runtime, &by_columns,
        &(clprim_segmented_sort_call){.arguments = {{.host = in}, {.host = &rows}, {.host = &columns}},
                                      .count = ROWS * COLUMNS,
                                      .segment_count = COLUMNS,
                                      .keys_out = {.host = turned}}));
    ASSERT_OK(clprim_transform_run(
        runtime, &back,
        &(clprim_transform_call){.arguments = {{.host = turned}, {.host = &rows}, {.host = &columns}},
                                 .count = ROWS * COLUMNS,
                                 .out = {{.host = out}}}));
    for (size_t column = 0; column < COLUMNS; column++) {
        float expected[ROWS];
        for (size_t row = 0; row < ROWS; row++)
            expected[row] = in[row * COLUMNS + column];
        ASSERT_OK(clprim_reference_sort(expected, NULL, &(clprim_reference_sort_how){.key_type = CLPRIM_F32}, ROWS));
        for (size_t row = 0; row < ROWS; row++)
            test_expect_same(&expected[row], &out[row * COLUMNS + column], sizeof *out, 1, "a column");
    }
}

/* The count must be that of the segments. */
TEST_WITH_RUNTIME(segmented_sort_rows, refusals)
{
    const clprim_segmented_sort_desc desc = {.segment_length = 10, .max_segments = 5};
    uint32_t keys[60] = {0}, offsets[2] = {0};
    const clprim_segmented_sort_call right = {
        .keys_in = {.host = keys}, .count = 30, .segment_count = 3, .keys_out = {.host = keys}};
    clprim_segmented_sort_call wrong = right;
    ASSERT_OK(clprim_segmented_sort_run(runtime, &desc, &right));
    wrong.segment_count = 2;
    ASSERT_REFUSED(clprim_segmented_sort_run(runtime, &desc, &wrong), CLPRIM_INVALID_ARGUMENT, "count is 30");
    wrong = right;
    wrong.count = 31;
    ASSERT_REFUSED(clprim_segmented_sort_run(runtime, &desc, &wrong), CLPRIM_INVALID_ARGUMENT, "count is 31");
    wrong = right;
    wrong.count = 60;
    wrong.segment_count = 6;
    ASSERT_REFUSED(clprim_segmented_sort_run(runtime, &desc, &wrong), CLPRIM_INVALID_RANGE, "6 segments");
    wrong = right;
    wrong.offsets.host = offsets;
    ASSERT_REFUSED(clprim_segmented_sort_run(runtime, &desc, &wrong), CLPRIM_INVALID_ARGUMENT, "offsets is given");
}
