/* searches.c: merges, tests of order, searches; histograms. */
#include <string.h>

#include "races.h"

enum { TWICE = 2 };

static clprim_reference_order order_of(const races_case *how)
{
    return (clprim_reference_order){.type = how->type,
                                    .before = how->order == RACES_STRUCT ? races_item_before : NULL,
                                    .size = how->order == RACES_STRUCT ? sizeof(races_item) : 0,
                                    .descending = how->descending};
}

/* Elements in order. */
static void *ordered(races_call *call, size_t count, uint32_t seed)
{
    void *data = races_elements(call, call->how->type, call->how->order, count, seed);
    races_sort(call, data, count);
    return data;
}

/* `segments` are the elements of b. */
static clprim_status run_merge(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_merge_desc desc = {.key_type = how->type,
                                    .less = is_struct ? races_item_less : NULL,
                                    .source = is_struct ? races_item_source : NULL,
                                    .type_name = is_struct ? "record" : NULL,
                                    .type_size = is_struct ? sizeof(races_item) : 0,
                                    .descending = how->descending,
                                    .value_size = how->value_size,
                                    .variant = (clprim_merge_variant)call->variant,
                                    .work_group_size = how->group};
    const clprim_reference_order order = order_of(how);
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    const size_t counts[2] = {how->count, how->segments};
    const size_t n = counts[0] + counts[1];
    const void *data[2];
    uint8_t *values[2];
    cl_mem in[2];
    cl_mem values_in[2];
    for (int i = 0; i < 2; i++) {
        data[i] = ordered(call, counts[i], (uint32_t)i + 1);
        values[i] = races_memory(call, counts[i] * how->value_size);
        races_fill(values[i], counts[i] * how->value_size, (uint32_t)i + 8);
        in[i] = races_buffer(call, data[i], size, counts[i]);
        values_in[i] = races_buffer(call, values[i], how->value_size, counts[i]);
    }
    void *expected = races_memory(call, n * size);
    void *expected_values = races_memory(call, n * how->value_size);
    cl_mem out = races_buffer(call, NULL, size, n);
    cl_mem values_out = races_buffer(call, NULL, how->value_size, n);
    clprim_status status = clprim_merge_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status, how->value_size > 0
                              ? clprim_merge_enqueue(plan, NULL,
                                                     &(clprim_merge_call){.a_keys = {in[0], how->skip},
                                                                          .a_values = {values_in[0], how->skip},
                                                                          .b_keys = {in[1], how->skip},
                                                                          .b_values = {values_in[1], how->skip},
                                                                          .a_count = counts[0],
                                                                          .b_count = counts[1],
                                                                          .keys_out = {out, how->skip},
                                                                          .values_out = {values_out, how->skip}},
                                                     0, NULL, NULL)
                              : clprim_merge_enqueue(plan, NULL,
                                                     &(clprim_merge_call){.a_keys = {in[0], how->skip},
                                                                          .b_keys = {in[1], how->skip},
                                                                          .a_count = counts[0],
                                                                          .b_count = counts[1],
                                                                          .keys_out = {out, how->skip}},
                                                     0, NULL, NULL));
    RACES_TRY(status, clprim_reference_merge(expected, how->value_size > 0 ? expected_values : NULL, &order,
                                             how->value_size, data[0], how->value_size > 0 ? values[0] : NULL,
                                             counts[0], data[1], how->value_size > 0 ? values[1] : NULL, counts[1]));
    if (status == CLPRIM_SUCCESS) {
        races_expect(call, out, expected, size, n, NULL, 0);
        races_expect(call, values_out, expected_values, how->value_size, n, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case merge_cases[] = {
    {.name = "u32", .type = CLPRIM_U32, .count = 700, .segments = 400, .group = 32},
    {.name = "pairs of u8", .type = CLPRIM_U8, .value_size = 4, .count = 300, .segments = 501, .group = 32, .skip = 1},
    {.name = "structs", .order = RACES_STRUCT, .descending = true, .count = 200, .segments = 300, .group = 32},
    {.name = "one against many", .type = CLPRIM_F64, .count = 1, .segments = 900, .group = 64},
    {.name = "tuned", .type = CLPRIM_I16, .value_size = 16, .count = 5000, .segments = 5001, .is_full = true},
    {.name = "pairs of structs", .order = RACES_STRUCT, .value_size = 2, .count = 900, .segments = 1, .is_full = true},
};

/* `segments` is the element that is not in order; 0: all are. */
static clprim_status run_is_sorted(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_is_sorted_desc desc = {.type = how->type,
                                        .less = is_struct ? races_item_less : NULL,
                                        .source = is_struct ? races_item_source : NULL,
                                        .type_name = is_struct ? "record" : NULL,
                                        .type_size = is_struct ? sizeof(races_item) : 0,
                                        .descending = how->descending,
                                        .index_type = CLPRIM_U64,
                                        .variant = (clprim_is_sorted_variant)call->variant,
                                        .work_group_size = how->group};
    const clprim_reference_order order = order_of(how);
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    uint8_t *data = ordered(call, how->count, 1);
    size_t until = 0;
    if (how->segments > 0)
        memcpy(data + how->segments * size, data, size);
    cl_mem in = races_buffer(call, data, size, how->count);
    cl_mem out = races_buffer(call, NULL, sizeof(uint64_t), 1);
    clprim_status status = clprim_is_sorted_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status,
                  clprim_is_sorted_enqueue(
                      plan, NULL,
                      &(clprim_is_sorted_call){.in = {in, how->skip}, .count = how->count, .out = {out, how->skip}}, 0,
                      NULL, NULL));
    RACES_TRY(status, clprim_reference_is_sorted(&until, &order, data, how->count));
    if (status == CLPRIM_SUCCESS) {
        const uint64_t wide = until;
        races_expect(call, out, &wide, sizeof wide, 1, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case is_sorted_cases[] = {
    {.name = "u32, in order", .type = CLPRIM_U32, .count = 5001, .group = 32},
    {.name = "u8, not from 3000 on", .type = CLPRIM_U8, .segments = 3000, .count = 9000, .group = 32, .skip = 1},
    {.name = "structs", .order = RACES_STRUCT, .segments = 700, .descending = true, .count = 1500, .group = 64},
    {.name = "without 64-bit atomics",
     .type = CLPRIM_U32,
     .segments = 2001,
     .count = 5001,
     .group = 32,
     .without = "int64_atomics"},
    {.name = "tuned", .type = CLPRIM_F32, .segments = 19999, .count = 20000, .is_full = true},
    {.name = "one", .type = CLPRIM_U64, .count = 1, .is_full = true},
};

/* `segments` are the needles; `extra`: they are in order; kinds are those of clprim_search_bound. */
static clprim_status run_search(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_search_desc desc = {.type = how->type,
                                     .less = is_struct ? races_item_less : NULL,
                                     .source = is_struct ? races_item_source : NULL,
                                     .type_name = is_struct ? "record" : NULL,
                                     .type_size = is_struct ? sizeof(races_item) : 0,
                                     .descending = how->descending,
                                     .bound = (clprim_search_bound)how->kind,
                                     .index_type = CLPRIM_U64,
                                     .needles_are_sorted = how->extra,
                                     .variant = (clprim_search_variant)call->variant,
                                     .work_group_size = how->group};
    const clprim_reference_order order = order_of(how);
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    const size_t num_needles = how->segments;
    const void *data = ordered(call, how->count, 1);
    void *needles = races_elements(call, how->type, how->order, num_needles, 7);
    uint64_t *expected = races_memory(call, num_needles * sizeof *expected);
    if (how->extra)
        races_sort(call, needles, num_needles);
    cl_mem in = races_buffer(call, data, size, how->count);
    cl_mem sought = races_buffer(call, needles, size, num_needles);
    cl_mem out = races_buffer(call, NULL, sizeof *expected, num_needles);
    clprim_status status = clprim_search_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status, clprim_search_enqueue(plan, NULL,
                                                &(clprim_search_call){.in = {in, how->skip},
                                                                      .needles = {sought, how->skip},
                                                                      .count = how->count,
                                                                      .needle_count = num_needles,
                                                                      .out = {out, how->skip}},
                                                0, NULL, NULL));
    RACES_TRY(status, clprim_reference_search(expected, &order, how->kind == CLPRIM_BOUND_UPPER, data, how->count,
                                              needles, num_needles));
    if (status == CLPRIM_SUCCESS)
        races_expect(call, out, expected, sizeof *expected, num_needles, NULL, 0);
    clprim_plan_destroy(plan);
    return status;
}

static const races_case search_cases[] = {
    {.name = "u32", .type = CLPRIM_U32, .count = 900, .segments = 501, .group = 32, .extra = true},
    {.name = "u8, upper",
     .type = CLPRIM_U8,
     .kind = CLPRIM_BOUND_UPPER,
     .count = 700,
     .segments = 2001,
     .group = 32,
     .skip = 1,
     .extra = true},
    {.name = "structs",
     .order = RACES_STRUCT,
     .descending = true,
     .count = 900,
     .segments = 300,
     .group = 64,
     .extra = true},
    {.name = "needles in any order", .type = CLPRIM_F32, .count = 1000, .segments = 300, .group = 32},
    {.name = "no elements", .type = CLPRIM_U32, .count = 0, .segments = 500, .extra = true, .is_full = true},
    {.name = "tuned",
     .type = CLPRIM_I64,
     .kind = CLPRIM_BOUND_UPPER,
     .count = 20000,
     .segments = 9000,
     .extra = true,
     .is_full = true},
};

/* `segments` are the bins, `second` the weights' type, `items` the channels; kinds are the mappings. */
static clprim_status run_histogram(races_call *call)
{
    const races_case *how = call->how;
    const bool is_weighted = how->second != CLPRIM_TYPE_DEFAULT;
    const unsigned channels = how->items > 0 ? (unsigned)how->items : 1;
    const clprim_histogram_mapping mapping = (clprim_histogram_mapping)how->kind;
    const double high = mapping == CLPRIM_HISTOGRAM_EVEN ? 50000 : 0;
    const clprim_histogram_desc desc = {.type = how->type,
                                        .mapping = mapping,
                                        .bins = how->segments,
                                        .high = high,
                                        .channels = channels,
                                        .weights_type = how->second,
                                        .accumulate = how->extra,
                                        .variant = (clprim_histogram_variant)call->variant,
                                        .work_group_size = how->group};
    const clprim_reference_histogram_how reference = {.type = how->type,
                                                      .mapping = mapping,
                                                      .bins = how->segments,
                                                      .high = high,
                                                      .channels = channels,
                                                      .weights_type = how->second,
                                                      .accumulate = how->extra};
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    const size_t counter = is_weighted ? clprim_type_size(how->second) : sizeof(cl_uint);
    const size_t counters = how->segments * channels;
    const void *data = races_elements(call, how->type, RACES_BUILT_IN, how->count * channels, 1);
    void *weights = races_memory(call, how->count * counter);
    void *expected = races_memory(call, counters * counter);
    uint64_t *outside = races_memory(call, channels * sizeof *outside);
    races_fill(weights, how->count * counter, 4);
    cl_mem in = races_buffer(call, data, size, how->count * channels);
    const clprim_array weights_in = {.buffer = races_buffer(call, weights, counter, how->count), .offset = how->skip};
    const clprim_array none = {.buffer = NULL};
    cl_mem out = races_buffer(call, expected, counter, counters);
    cl_mem missed = races_buffer(call, outside, sizeof *outside, channels);
    clprim_status status = clprim_histogram_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++) {
        RACES_TRY(status, clprim_histogram_enqueue(plan, NULL,
                                                   &(clprim_histogram_call){.in = {in, how->skip},
                                                                            .weights = is_weighted ? weights_in : none,
                                                                            .count = how->count,
                                                                            .out = {out, how->skip},
                                                                            .outside_out = {missed, how->skip}},
                                                   0, NULL, NULL));
        RACES_TRY(status, clprim_reference_histogram(expected, outside, &reference, data, is_weighted ? weights : NULL,
                                                     how->count));
    }
    if (status == CLPRIM_SUCCESS) {
        races_expect(call, out, expected, counter, counters, NULL, 0);
        races_expect(call, missed, outside, sizeof *outside, channels, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case histogram_cases[] = {
    {.name = "50 bins of u8", .type = CLPRIM_U8, .segments = 50, .count = 900, .group = 64},
    {.name = "256 bins, accumulated",
     .type = CLPRIM_U8,
     .segments = 256,
     .count = 1001,
     .group = 32,
     .skip = 1,
     .extra = true},
    {.name = "even bins of u16",
     .type = CLPRIM_U16,
     .kind = CLPRIM_HISTOGRAM_EVEN,
     .segments = 60,
     .count = 1200,
     .group = 64,
     .items = 3},
    {.name = "many bins", .type = CLPRIM_U16, .segments = 3000, .count = 1000, .group = 32},
    {.name = "weights", .type = CLPRIM_U8, .second = CLPRIM_I32, .segments = 100, .count = 1000, .group = 32},
    {.name = "without 64-bit atomics",
     .type = CLPRIM_U8,
     .segments = 64,
     .count = 1500,
     .group = 64,
     .without = "int64_atomics",
     .is_full = true},
    {.name = "weights of 8 bytes",
     .type = CLPRIM_I32,
     .kind = CLPRIM_HISTOGRAM_EVEN,
     .second = CLPRIM_U64,
     .segments = 300,
     .count = 1000,
     .is_full = true},
    {.name = "tuned", .type = CLPRIM_U8, .segments = 256, .count = 20000, .is_full = true},
    {.name = "tuned, many bins", .type = CLPRIM_U16, .segments = 65536, .count = 9000, .is_full = true},
};

#define STEM(name, of, run, cases)                                                                                     \
    {                                                                                                                  \
        name, of, run, cases, sizeof(cases) / sizeof(cases)[0], false                                                  \
    }

const races_stem races_searches[] = {
    STEM("merge", &clprim_merge_operation, run_merge, merge_cases),
    STEM("is_sorted", &clprim_is_sorted_operation, run_is_sorted, is_sorted_cases),
    STEM("search", &clprim_search_operation, run_search, search_cases),
    STEM("histogram", &clprim_histogram_operation, run_histogram, histogram_cases),
};
const size_t races_num_searches = sizeof races_searches / sizeof *races_searches;
