/* test_names.calls.c: a small call of each operation that takes a caller's text. */
#include <stdlib.h>

#include "test_names.h"

enum { COUNT = 1000, BINS = 64, SEGMENTS = 5 };

/* Small numbers, so that there are equal ones, and the same sorted. */
static void fill(uint32_t *out, bool sorted)
{
    uint64_t state = TEST_SEED;
    for (size_t i = 0; i < COUNT; i++)
        out[i] = (uint32_t)test_random_below(&state, 100);
    if (sorted)
        ASSERT_OK(
            clprim_reference_comparison_sort(out, NULL, &(const clprim_reference_comparison_how){.size = 0}, COUNT));
}

static clprim_custom_op operator_of(const names_text *text)
{
    return (clprim_custom_op){.type_name = text->type_name,
                              .type_size = text->type_size,
                              .source = text->source,
                              .combine = text->combine,
                              .identity = text->identity};
}

static clprim_status call_reduce(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t in[COUNT];
    uint32_t sum = 0;
    uint32_t expected = 0;
    const clprim_custom_op op = operator_of(text);
    const clprim_reduce_desc desc = {.type = CLPRIM_U32, .custom = &op, .variant = (clprim_reduce_variant)variant};
    fill(in, false);
    const clprim_status status = clprim_reduce_run(
        runtime, &desc, &(clprim_reduce_call){.in = {.host = in}, .count = COUNT, .out = {.host = &sum}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_reduce(&expected, TEST_FOLD(CLPRIM_U32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT), in, COUNT));
    cr_assert_eq(sum, expected);
    return status;
}

static clprim_status scan(clprim_runtime *runtime, int variant, const names_text *text, clprim_scan_segments segments)
{
    uint32_t in[COUNT];
    uint32_t out[COUNT];
    uint32_t expected[COUNT];
    uint8_t begins[COUNT];
    const clprim_custom_op op = operator_of(text);
    const clprim_scan_desc desc = {.type = CLPRIM_U32,
                                   .custom = &op,
                                   .segments = segments,
                                   .segments_type = segments == CLPRIM_SEGMENTS_NONE ? CLPRIM_TYPE_DEFAULT : CLPRIM_U8,
                                   .variant = (clprim_scan_variant)variant};
    clprim_reference_scan_how how = {.begins = segments == CLPRIM_SEGMENTS_NONE ? NULL : begins};
    fill(in, false);
    for (size_t i = 0; i < COUNT; i++)
        begins[i] = i % 7 == 3;
    const clprim_status status =
        clprim_scan_run(runtime, &desc,
                        &(clprim_scan_call){.in = {.host = in},
                                            .heads = {.host = segments == CLPRIM_SEGMENTS_NONE ? NULL : begins},
                                            .count = COUNT,
                                            .out = {.host = out}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_scan(expected, TEST_FOLD(CLPRIM_U32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT), &how, in, COUNT));
    test_expect_same(expected, out, sizeof *out, COUNT, "scan");
    return status;
}

static clprim_status call_scan(clprim_runtime *runtime, int variant, const names_text *text)
{
    return scan(runtime, variant, text, CLPRIM_SEGMENTS_NONE);
}

static clprim_status call_segmented_scan(clprim_runtime *runtime, int variant, const names_text *text)
{
    return scan(runtime, variant, text, CLPRIM_SEGMENTS_BY_FLAG);
}

static clprim_status call_reduce_by_key(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t keys[COUNT];
    uint32_t values[COUNT];
    uint32_t keys_out[COUNT];
    uint32_t values_out[COUNT];
    uint32_t expected_keys[COUNT];
    uint32_t expected[COUNT];
    size_t runs = 0;
    size_t expected_runs = 0;
    const clprim_custom_op op = operator_of(text);
    const clprim_reduce_by_key_desc desc = {
        .key_type = CLPRIM_U32, .type = CLPRIM_U32, .custom = &op, .variant = (clprim_scan_variant)variant};
    fill(keys, true);
    fill(values, false);
    const clprim_status status =
        clprim_reduce_by_key_run(runtime, &desc,
                                 &(clprim_reduce_by_key_call){.keys_in = {.host = keys},
                                                              .values_in = {.host = values},
                                                              .count = COUNT,
                                                              .keys_out = {.host = keys_out},
                                                              .values_out = {.host = values_out},
                                                              .out_count = {.host = &runs}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_reduce_by_key(expected_keys, expected, &expected_runs, sizeof *keys,
                                             TEST_FOLD(CLPRIM_U32, CLPRIM_SUM, CLPRIM_TYPE_DEFAULT), keys, values,
                                             COUNT));
    cr_assert_eq(runs, expected_runs);
    test_expect_same(expected_keys, keys_out, sizeof *keys, runs, "keys");
    test_expect_same(expected, values_out, sizeof *values, runs, "values");
    return status;
}

static clprim_status call_select(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t in[COUNT];
    uint32_t out[COUNT];
    uint32_t expected[COUNT];
    uint8_t keep[COUNT];
    uint32_t selected = 0;
    size_t expected_selected = 0;
    const clprim_select_desc desc = {.type = CLPRIM_U32,
                                     .predicate = text->predicate,
                                     .source = text->source,
                                     .type_name = text->type_name,
                                     .type_size = text->type_size,
                                     .variant = (clprim_select_variant)variant};
    fill(in, false);
    for (size_t i = 0; i < COUNT; i++)
        keep[i] = in[i] % 3 == 1;
    const clprim_status status = clprim_select_run(
        runtime, &desc,
        &(clprim_select_call){
            .in = {.host = in}, .count = COUNT, .out = {.host = out}, .out_count = {.host = &selected}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_select(expected, &expected_selected, sizeof *in, keep, false, in, COUNT));
    cr_assert_eq(selected, expected_selected);
    test_expect_same(expected, out, sizeof *out, selected, "select");
    return status;
}

static bool is_equal(const void *a, const void *b)
{
    return *(const uint32_t *)a % 8 == *(const uint32_t *)b % 8;
}

static clprim_status call_unique(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t in[COUNT];
    uint32_t out[COUNT];
    uint32_t expected[COUNT];
    uint32_t selected = 0;
    size_t expected_selected = 0;
    const clprim_unique_desc desc = {.type = CLPRIM_U32,
                                     .equal = text->equal,
                                     .source = text->source,
                                     .type_name = text->type_name,
                                     .type_size = text->type_size,
                                     .variant = (clprim_select_variant)variant};
    fill(in, false);
    const clprim_status status = clprim_unique_run(
        runtime, &desc,
        &(clprim_unique_call){
            .in = {.host = in}, .count = COUNT, .out = {.host = out}, .out_count = {.host = &selected}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_unique(expected, &expected_selected, sizeof *in, is_equal, in, COUNT));
    cr_assert_eq(selected, expected_selected);
    test_expect_same(expected, out, sizeof *out, selected, "unique");
    return status;
}

static int64_t bin_of(const void *element)
{
    return *(const uint32_t *)element % BINS;
}

static clprim_status histogram(clprim_runtime *runtime, int variant, const names_text *text, clprim_type weights_type)
{
    uint32_t in[COUNT];
    uint32_t counts[BINS];
    uint32_t expected[BINS];
    float weights[COUNT];
    const bool is_weighted = weights_type != CLPRIM_TYPE_DEFAULT;
    const clprim_histogram_desc desc = {.type = CLPRIM_U32,
                                        .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                        .bins = BINS,
                                        .bin_of = text->bin_of,
                                        .source = text->source,
                                        .weights_type = weights_type,
                                        .variant = (clprim_histogram_variant)variant};
    const clprim_reference_histogram_how how = {.type = CLPRIM_U32,
                                                .mapping = CLPRIM_HISTOGRAM_CUSTOM,
                                                .bins = BINS,
                                                .bin_of = bin_of,
                                                .weights_type = weights_type};
    fill(in, false);
    for (size_t i = 0; i < COUNT; i++)
        weights[i] = (float)(i % 5);
    const clprim_status status =
        clprim_histogram_run(runtime, &desc,
                             &(clprim_histogram_call){.in = {.host = in},
                                                      .weights = {.host = is_weighted ? weights : NULL},
                                                      .count = COUNT,
                                                      .out = {.host = counts}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_histogram(expected, NULL, &how, in, is_weighted ? weights : NULL, COUNT));
    test_expect_same(expected, counts, sizeof *counts, BINS, "histogram");
    return status;
}

static clprim_status call_histogram(clprim_runtime *runtime, int variant, const names_text *text)
{
    return histogram(runtime, variant, text, CLPRIM_TYPE_DEFAULT);
}

static clprim_status call_weighted_histogram(clprim_runtime *runtime, int variant, const names_text *text)
{
    return histogram(runtime, variant, text, CLPRIM_F32);
}

/* What descriptions say of an order. */
#define ORDER(text)     .type = CLPRIM_U32, ORDER_TEXT(text)
#define KEY_ORDER(text) .key_type = CLPRIM_U32, ORDER_TEXT(text)
#define ORDER_TEXT(text)                                                                                               \
    .less = (text)->less, .source = (text)->source, .type_name = (text)->type_name, .type_size = (text)->type_size

/* Values are the keys once more. */
static void expect_sorted(const uint32_t *keys, const uint32_t *values)
{
    uint32_t expected[COUNT];
    fill(expected, true);
    test_expect_same(expected, keys, sizeof *keys, COUNT, "keys");
    test_expect_same(expected, values, sizeof *values, COUNT, "values");
}

static clprim_status call_comparison_sort(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t keys[COUNT];
    uint32_t values[COUNT];
    const clprim_comparison_sort_desc desc = {KEY_ORDER(text), .value_size = sizeof *values,
                                              .variant = (clprim_comparison_sort_variant)variant};
    fill(keys, false);
    fill(values, false);
    const clprim_status status =
        clprim_comparison_sort_run(runtime, &desc,
                                   &(clprim_comparison_sort_call){.keys_in = {.host = keys},
                                                                  .values_in = {.host = values},
                                                                  .count = COUNT,
                                                                  .keys_out = {.host = keys},
                                                                  .values_out = {.host = values}});
    if (status == CLPRIM_SUCCESS)
        expect_sorted(keys, values);
    return status;
}

static clprim_status call_bitonic_sort(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t keys[COUNT];
    uint32_t values[COUNT];
    const clprim_bitonic_sort_desc desc = {KEY_ORDER(text), .value_size = sizeof *values,
                                           .max_count = variant == CLPRIM_BITONIC_SORT_SHARED_PAIRS ? COUNT : 0,
                                           .variant = (clprim_bitonic_sort_variant)variant};
    fill(keys, false);
    fill(values, false);
    const clprim_status status = clprim_bitonic_sort_run(runtime, &desc,
                                                         &(clprim_bitonic_sort_call){.keys_in = {.host = keys},
                                                                                     .values_in = {.host = values},
                                                                                     .count = COUNT,
                                                                                     .keys_out = {.host = keys},
                                                                                     .values_out = {.host = values}});
    if (status == CLPRIM_SUCCESS)
        expect_sorted(keys, values);
    return status;
}

static clprim_status call_bitonic_sort_of_segments(clprim_runtime *runtime, int variant, const names_text *text)
{
    static const uint32_t offsets[SEGMENTS + 1] = {0, 1, 300, 300, 317, COUNT};
    uint32_t keys[COUNT];
    uint32_t expected[COUNT];
    clprim_plan *plan = NULL;
    const clprim_bitonic_sort_desc desc = {KEY_ORDER(text), .segmented = true,
                                           .variant = (clprim_bitonic_sort_variant)variant};
    const clprim_status status = clprim_bitonic_sort_create(&plan, runtime, &desc);
    if (status != CLPRIM_SUCCESS)
        return status;
    fill(expected, false);
    const cl_mem data = test_upload(runtime, expected, sizeof expected);
    const cl_mem places = test_upload(runtime, offsets, sizeof offsets);
    for (size_t s = 0; s < SEGMENTS; s++)
        ASSERT_OK(clprim_reference_comparison_sort(expected + offsets[s], NULL,
                                                   &(const clprim_reference_comparison_how){.size = 0},
                                                   offsets[s + 1] - offsets[s]));
    ASSERT_OK(clprim_bitonic_sort_enqueue(
        plan, clprim_runtime_queue(runtime),
        &(clprim_bitonic_sort_call){
            .keys_in = {data}, .offsets = {places}, .count = COUNT, .segment_count = SEGMENTS, .keys_out = {data}},
        0, NULL, NULL));
    test_read(runtime, keys, data, sizeof keys);
    test_expect_same(expected, keys, sizeof *keys, COUNT, "segments");
    ASSERT_CL(clReleaseMemObject(data));
    ASSERT_CL(clReleaseMemObject(places));
    clprim_plan_destroy(plan);
    return status;
}

static clprim_status call_merge(clprim_runtime *runtime, int variant, const names_text *text)
{
    enum { HALF = COUNT / 2 };
    uint32_t in[COUNT];
    uint32_t keys[COUNT];
    uint32_t values[COUNT];
    const clprim_merge_desc desc = {KEY_ORDER(text), .value_size = sizeof *values,
                                    .variant = (clprim_merge_variant)variant};
    fill(in, false);
    for (size_t i = 0; i < COUNT; i += HALF)
        ASSERT_OK(
            clprim_reference_comparison_sort(in + i, NULL, &(const clprim_reference_comparison_how){.size = 0}, HALF));
    const clprim_status status = clprim_merge_run(runtime, &desc,
                                                  &(clprim_merge_call){.a_keys = {.host = in},
                                                                       .a_values = {.host = in},
                                                                       .b_keys = {.host = in + HALF},
                                                                       .b_values = {.host = in + HALF},
                                                                       .a_count = HALF,
                                                                       .b_count = HALF,
                                                                       .keys_out = {.host = keys},
                                                                       .values_out = {.host = values}});
    if (status == CLPRIM_SUCCESS)
        expect_sorted(keys, values);
    return status;
}

static clprim_status call_is_sorted(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t in[COUNT];
    uint32_t until = 0;
    const clprim_is_sorted_desc desc = {ORDER(text), .variant = (clprim_is_sorted_variant)variant};
    fill(in, true);
    in[777] = 0;
    const clprim_status status = clprim_is_sorted_run(
        runtime, &desc, &(clprim_is_sorted_call){.in = {.host = in}, .count = COUNT, .out = {.host = &until}});
    if (status == CLPRIM_SUCCESS)
        cr_assert_eq(until, 777);
    return status;
}

static clprim_status call_search(clprim_runtime *runtime, int variant, const names_text *text)
{
    uint32_t in[COUNT];
    uint32_t needles[COUNT];
    uint32_t found[COUNT];
    uint64_t expected[COUNT];
    const bool sorted = variant != CLPRIM_SEARCH_BINARY;
    const clprim_search_desc desc = {ORDER(text), .needles_are_sorted = sorted,
                                     .variant = (clprim_search_variant)variant};
    fill(in, true);
    fill(needles, sorted);
    const clprim_status status = clprim_search_run(runtime, &desc,
                                                   &(clprim_search_call){.in = {.host = in},
                                                                         .needles = {.host = needles},
                                                                         .count = COUNT,
                                                                         .needle_count = COUNT,
                                                                         .out = {.host = found}});
    if (status != CLPRIM_SUCCESS)
        return status;
    ASSERT_OK(clprim_reference_search(expected, NULL, false, in, COUNT, needles, COUNT));
    for (size_t i = 0; i < COUNT; i++)
        cr_assert_eq(found[i], expected[i], "needle %zu", i);
    return status;
}

const names_operation names_operations[] = {
    {"reduce", &clprim_reduce_operation, call_reduce, true, false},
    {"scan", &clprim_scan_operation, call_scan, true, false},
    {"scan of segments", &clprim_scan_operation, call_segmented_scan, true, true},
    {"reduce_by_key", &clprim_reduce_by_key_operation, call_reduce_by_key, true, true},
    {"select", &clprim_select_operation, call_select, true, false},
    {"unique", &clprim_unique_operation, call_unique, true, true},
    {"histogram", &clprim_histogram_operation, call_histogram, false, false},
    {"histogram with weights", &clprim_histogram_operation, call_weighted_histogram, false, true},
    {"comparison_sort", &clprim_comparison_sort_operation, call_comparison_sort, true, false},
    {"bitonic_sort", &clprim_bitonic_sort_operation, call_bitonic_sort, true, false},
    {"bitonic_sort of segments", &clprim_bitonic_sort_operation, call_bitonic_sort_of_segments, true, false},
    {"merge", &clprim_merge_operation, call_merge, true, false},
    {"is_sorted", &clprim_is_sorted_operation, call_is_sorted, true, false},
    {"search", &clprim_search_operation, call_search, true, false},
};
const size_t num_names_operations = sizeof names_operations / sizeof *names_operations;
