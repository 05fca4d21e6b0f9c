/* sorts.c: all sorts, and the first k. */
#include <string.h>

#include "races.h"

/* What a call of a sort needs on the host and on the device. */
typedef struct sort_data {
    size_t n, size, value_size;
    uint8_t *keys, *values;                   /* as they are before */
    uint8_t *expected, *expected_values;      /* to be sorted by the reference */
    cl_mem in, values_in, out, values_out;    /* in place the same */
    void *values_or_null;                     /* expected_values, where there are values */
    size_t skip, values_skip, in_values_skip; /* offsets of calls */
} sort_data;

static void *copy(races_call *call, const void *data, size_t bytes)
{
    return memcpy(races_memory(call, bytes), data, bytes);
}

static sort_data prepare(races_call *call)
{
    const races_case *how = call->how;
    sort_data d = {.n = how->count, .size = races_size(call), .value_size = how->value_size, .skip = how->skip};
    d.keys = races_elements(call, how->type, how->order, d.n, 1);
    d.values = races_memory(call, d.n * d.value_size);
    races_fill(d.values, d.n * d.value_size, 9);
    d.expected = copy(call, d.keys, d.n * d.size);
    d.expected_values = copy(call, d.values, d.n * d.value_size);
    d.in = races_buffer(call, d.keys, d.size, d.n);
    d.out = how->in_place ? d.in : races_buffer(call, NULL, d.size, d.n);
    if (d.value_size > 0) {
        d.values_in = how->argsort ? NULL : races_buffer(call, d.values, d.value_size, d.n);
        d.values_out = how->in_place && !how->argsort ? d.values_in : races_buffer(call, NULL, d.value_size, d.n);
        d.values_or_null = d.expected_values;
        d.values_skip = how->skip;
        d.in_values_skip = how->argsort ? 0 : how->skip;
    }
    return d;
}

static void expect(races_call *call, const sort_data *d)
{
    races_expect(call, d->out, d->expected, d->size, d->n, NULL, 0);
    if (d->value_size > 0)
        races_expect(call, d->values_out, d->expected_values, d->value_size, d->n, NULL, 0);
}

/* How often a plan is enqueued: what is sorted in place is in order after the first time, which is not the same. */
static int times(const races_call *call)
{
    return call->how->in_place ? 1 : 2;
}

static clprim_status run_radix_sort(races_call *call)
{
    const races_case *how = call->how;
    const clprim_radix_sort_desc desc = {.key_type = how->type,
                                         .value_size = how->argsort ? 0 : how->value_size,
                                         .argsort = how->argsort,
                                         .descending = how->descending,
                                         .bit_range = how->end_bit != 0,
                                         .begin_bit = how->begin_bit,
                                         .end_bit = how->end_bit,
                                         .variant = (clprim_radix_sort_variant)call->variant,
                                         .work_group_size = how->group,
                                         .max_count = how->count};
    const clprim_reference_sort_how reference = {.key_type = how->type,
                                                 .value_size = how->value_size,
                                                 .argsort = how->argsort,
                                                 .descending = how->descending,
                                                 .bit_range = how->end_bit != 0,
                                                 .begin_bit = how->begin_bit,
                                                 .end_bit = how->end_bit};
    clprim_plan *plan = NULL;
    const sort_data d = prepare(call);
    const clprim_radix_sort_call sort = {.keys_in = {d.in, d.skip},
                                         .values_in = {d.values_in, d.in_values_skip},
                                         .count = d.n,
                                         .keys_out = {d.out, d.skip},
                                         .values_out = {d.values_out, d.values_skip}};
    clprim_status status = clprim_radix_sort_create(&plan, call->runtime, &desc);
    for (int i = 0; i < times(call); i++)
        RACES_TRY(status, clprim_radix_sort_enqueue(plan, NULL, &sort, 0, NULL, NULL));
    RACES_TRY(status, clprim_reference_sort(d.expected, d.values_or_null, &reference, d.n));
    if (status == CLPRIM_SUCCESS)
        expect(call, &d);
    clprim_plan_destroy(plan);
    return status;
}

static const races_case radix_sort_cases[] = {
    {.name = "u32", .type = CLPRIM_U32, .count = 600, .group = 32},
    {.name = "pairs in place", .type = CLPRIM_U16, .value_size = 1, .count = 601, .group = 32, .in_place = true},
    {.name = "some bits, unaligned",
     .type = CLPRIM_U16,
     .value_size = 4,
     .begin_bit = 4,
     .end_bit = 12,
     .count = 500,
     .group = 32,
     .skip = 1},
    {.name = "indices, downwards",
     .type = CLPRIM_F32,
     .value_size = 4,
     .argsort = true,
     .descending = true,
     .begin_bit = 16,
     .end_bit = 32,
     .count = 450,
     .group = 64},
    {.name = "u8", .type = CLPRIM_U8, .count = 3001, .group = 32, .is_full = true},
    {.name = "f64 in place", .type = CLPRIM_F64, .count = 1100, .group = 32, .in_place = true, .is_full = true},
    {.name = "large values", .type = CLPRIM_I32, .value_size = 16, .count = 700, .group = 64, .is_full = true},
    {.name = "tuned", .type = CLPRIM_U32, .count = 20000, .is_full = true},
    {.name = "without 64-bit atomics",
     .type = CLPRIM_U32,
     .count = 1300,
     .group = 32,
     .without = "int64_atomics",
     .is_full = true},
    {.name = "one", .type = CLPRIM_U32, .value_size = 4, .count = 1, .is_full = true},
};

/* Segments of 0 to 2 * mean - 1 elements, and one long one where `mean` has room for it; some elements are in none. */
static cl_uint *segments(races_call *call, size_t count, size_t mean, size_t *number)
{
    cl_uint *offsets = races_memory(call, (count + 2) * sizeof *offsets);
    size_t end = 3;
    size_t s = 0;
    for (; end < count - 2; s++) {
        offsets[s] = (cl_uint)end;
        end += s == 4 && call->how->extra ? count / 3 : s * 7 % (2 * mean);
    }
    offsets[s] = (cl_uint)(count - 2);
    *number = s;
    return offsets;
}

/* `segments` is their mean size; 0: the array is one. */
static clprim_status run_bitonic_sort(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_bitonic_sort_desc desc = {.key_type = how->type,
                                           .less = is_struct ? races_item_less : NULL,
                                           .source = is_struct ? races_item_source : NULL,
                                           .type_name = is_struct ? "record" : NULL,
                                           .type_size = is_struct ? sizeof(races_item) : 0,
                                           .descending = how->descending,
                                           .value_size = how->value_size,
                                           .max_count = how->count,
                                           .segmented = how->segments > 0,
                                           .variant = (clprim_bitonic_sort_variant)call->variant,
                                           .work_group_size = how->group};
    const clprim_reference_comparison_how reference = {.type = how->type,
                                                       .before = is_struct ? races_item_before : NULL,
                                                       .size = is_struct ? sizeof(races_item) : 0,
                                                       .value_size = how->value_size,
                                                       .descending = how->descending};
    clprim_plan *plan = NULL;
    sort_data d = prepare(call);
    clprim_bitonic_sort_call sort = {.keys_in = {d.in, d.skip}, .count = d.n, .keys_out = {d.out, d.skip}};
    if (d.value_size > 0) {
        sort.values_in = (clprim_array){d.values_in, d.in_values_skip, NULL};
        sort.values_out = (clprim_array){d.values_out, d.values_skip, NULL};
    }
    clprim_status status = clprim_bitonic_sort_create(&plan, call->runtime, &desc);
    if (how->segments == 0) {
        for (int i = 0; i < times(call); i++)
            RACES_TRY(status, clprim_bitonic_sort_enqueue(plan, NULL, &sort, 0, NULL, NULL));
        RACES_TRY(status, clprim_reference_comparison_sort(d.expected, d.values_or_null, &reference, d.n));
    } else {
        const cl_uint *offsets = segments(call, d.n, how->segments, &sort.segment_count);
        const size_t number = sort.segment_count;
        sort.offsets = (clprim_array){races_buffer(call, offsets, sizeof *offsets, number + 1), d.skip, NULL};
        for (int i = 0; i < times(call); i++)
            RACES_TRY(status, clprim_bitonic_sort_enqueue(plan, NULL, &sort, 0, NULL, NULL));
        for (size_t s = 0; s < number; s++)
            RACES_TRY(status, clprim_reference_comparison_sort(
                                  d.expected + offsets[s] * d.size,
                                  d.value_size > 0 ? d.expected_values + offsets[s] * d.value_size : NULL, &reference,
                                  offsets[s + 1] - offsets[s]));
        if (!how->in_place) { /* what is in no segment is not written */
            memset(d.expected, 0xa5, offsets[0] * d.size);
            memset(d.expected + offsets[number] * d.size, 0xa5, (d.n - offsets[number]) * d.size);
            memset(d.expected_values, 0xa5, offsets[0] * d.value_size);
            memset(d.expected_values + offsets[number] * d.value_size, 0xa5, (d.n - offsets[number]) * d.value_size);
        }
    }
    if (status == CLPRIM_SUCCESS)
        expect(call, &d);
    clprim_plan_destroy(plan);
    return status;
}

/* Without device_fence: as for comparison_sort below. */
static const races_case bitonic_sort_cases[] = {
    {.name = "u32", .type = CLPRIM_U32, .count = 600, .group = 32, .without = "device_fence"},
    {.name = "pairs in place",
     .type = CLPRIM_U16,
     .value_size = 1,
     .count = 515,
     .group = 32,
     .in_place = true,
     .without = "device_fence"},
    {.name = "structs",
     .order = RACES_STRUCT,
     .count = 300,
     .group = 32,
     .skip = 1,
     .descending = true,
     .without = "device_fence"},
    {.name = "segments", .type = CLPRIM_U32, .segments = 20, .count = 700, .group = 32, .extra = true},
    {.name = "segments of structs",
     .order = RACES_STRUCT,
     .value_size = 4,
     .segments = 30,
     .count = 500,
     .group = 64,
     .in_place = true},
    {.name = "large", .type = CLPRIM_U16, .count = 30001, .group = 32, .is_full = true, .without = "device_fence"},
    {.name = "f64, large values",
     .type = CLPRIM_F64,
     .value_size = 16,
     .count = 900,
     .group = 64,
     .is_full = true,
     .without = "device_fence"},
    {.name = "segments of pairs",
     .type = CLPRIM_I64,
     .value_size = 2,
     .segments = 50,
     .count = 2500,
     .skip = 3,
     .extra = true,
     .is_full = true},
    {.name = "tuned", .type = CLPRIM_U32, .count = 8000, .is_full = true, .without = "device_fence"},
    {.name = "two", .type = CLPRIM_I8, .count = 2, .is_full = true},
};

static clprim_status run_comparison_sort(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_comparison_sort_desc desc = {.key_type = how->type,
                                              .less = is_struct ? races_item_less : NULL,
                                              .source = is_struct ? races_item_source : NULL,
                                              .type_name = is_struct ? "record" : NULL,
                                              .type_size = is_struct ? sizeof(races_item) : 0,
                                              .descending = how->descending,
                                              .stable = how->extra,
                                              .value_size = how->value_size,
                                              .max_count = how->count,
                                              .variant = (clprim_comparison_sort_variant)call->variant,
                                              .work_group_size = how->group};
    const clprim_reference_comparison_how reference = {.type = how->type,
                                                       .before = is_struct ? races_item_before : NULL,
                                                       .size = is_struct ? sizeof(races_item) : 0,
                                                       .value_size = how->value_size,
                                                       .descending = how->descending};
    clprim_plan *plan = NULL;
    const sort_data d = prepare(call);
    clprim_comparison_sort_call sort = {.keys_in = {d.in, d.skip}, .count = d.n, .keys_out = {d.out, d.skip}};
    if (d.value_size > 0) {
        sort.values_in = (clprim_array){d.values_in, d.in_values_skip, NULL};
        sort.values_out = (clprim_array){d.values_out, d.values_skip, NULL};
    }
    clprim_status status = clprim_comparison_sort_create(&plan, call->runtime, &desc);
    for (int i = 0; i < times(call); i++)
        RACES_TRY(status, clprim_comparison_sort_enqueue(plan, NULL, &sort, 0, NULL, NULL));
    RACES_TRY(status, clprim_reference_comparison_sort(d.expected, d.values_or_null, &reference, d.n));
    if (status == CLPRIM_SUCCESS)
        expect(call, &d);
    clprim_plan_destroy(plan);
    return status;
}

/* Where device_fence is there all merges are one launch, whose groups wait for each other by atomics: Oclgrind sees no
 * order in that, so these rows have one pass. */
static const races_case comparison_sort_cases[] = {
    {.name = "u32", .type = CLPRIM_U32, .count = 700, .group = 32, .without = "device_fence"},
    {.name = "pairs in place, stable",
     .type = CLPRIM_U16,
     .value_size = 1,
     .count = 701,
     .group = 32,
     .in_place = true,
     .extra = true,
     .without = "device_fence"},
    {.name = "structs",
     .order = RACES_STRUCT,
     .count = 500,
     .group = 32,
     .skip = 1,
     .descending = true,
     .without = "device_fence"},
    {.name = "u32 at once", .type = CLPRIM_U32, .count = 250, .group = 32},
    {.name = "pairs at once, stable", .type = CLPRIM_U16, .value_size = 1, .count = 201, .group = 32, .extra = true},
    {.name = "structs at once", .order = RACES_STRUCT, .count = 101, .group = 32, .skip = 1, .in_place = true},
    {.name = "pairs",
     .type = CLPRIM_U64,
     .value_size = 8,
     .count = 600,
     .group = 64,
     .is_full = true,
     .without = "device_fence"},
    {.name = "many", .type = CLPRIM_U16, .count = 40000, .group = 32, .is_full = true, .without = "device_fence"},
    {.name = "many pairs of structs",
     .order = RACES_STRUCT,
     .value_size = 4,
     .count = 20000,
     .is_full = true,
     .without = "device_fence"},
    {.name = "tuned", .type = CLPRIM_U32, .count = 30000, .in_place = true, .is_full = true, .without = "device_fence"},
    {.name = "f32, stable",
     .type = CLPRIM_F32,
     .value_size = 4,
     .count = 3000,
     .extra = true,
     .is_full = true,
     .without = "device_fence"},
    {.name = "two", .type = CLPRIM_I8, .count = 2, .is_full = true},
};

/* Two arrays: one of value_size bytes an element, one of 3. The variants are those of the radix sort. */
static clprim_status run_sort_by_key(races_call *call)
{
    const races_case *how = call->how;
    const clprim_sort_by_key_desc desc = {.key_type = how->type,
                                          .descending = how->descending,
                                          .bit_range = how->end_bit != 0,
                                          .begin_bit = how->begin_bit,
                                          .end_bit = how->end_bit,
                                          .values_only = how->extra,
                                          .num_arrays = how->segments,
                                          .element_sizes = {how->value_size, how->segments > 1 ? 3 : 0},
                                          .variant = (clprim_radix_sort_variant)call->variant,
                                          .work_group_size = how->group,
                                          .max_count = how->count};
    const clprim_reference_sort_by_key_how reference = {.key_type = how->type,
                                                        .descending = how->descending,
                                                        .bit_range = how->end_bit != 0,
                                                        .begin_bit = how->begin_bit,
                                                        .end_bit = how->end_bit,
                                                        .values_only = how->extra,
                                                        .num_arrays = how->segments,
                                                        .element_sizes = {how->value_size, how->segments > 1 ? 3 : 0}};
    clprim_plan *plan = NULL;
    const sort_data d = prepare(call);
    uint8_t *second = races_memory(call, d.n * 3);
    races_fill(second, d.n * 3, 5);
    cl_mem second_in = races_buffer(call, second, 3, d.n);
    cl_mem second_out = races_buffer(call, NULL, 3, d.n);
    clprim_sort_by_key_call sort = {.keys_in = {d.in, d.skip},
                                    .arrays_in = {{d.values_in, d.skip}},
                                    .count = d.n,
                                    .arrays_out = {{d.values_out, d.skip}}};
    if (!how->extra)
        sort.keys_out = (clprim_array){.buffer = d.out, .offset = d.skip};
    if (how->segments > 1) {
        sort.arrays_in[1] = (clprim_array){.buffer = second_in, .offset = d.skip};
        sort.arrays_out[1] = (clprim_array){.buffer = second_out, .offset = d.skip};
    }
    void *host[2] = {d.expected_values, second};
    clprim_status status = clprim_sort_by_key_create(&plan, call->runtime, &desc);
    for (int i = 0; i < times(call); i++)
        RACES_TRY(status, clprim_sort_by_key_enqueue(plan, NULL, &sort, 0, NULL, NULL));
    RACES_TRY(status, clprim_reference_sort_by_key(d.expected, host, &reference, d.n));
    if (status == CLPRIM_SUCCESS) {
        races_expect(call, d.values_out, d.expected_values, d.value_size, d.n, NULL, 0);
        if (!how->extra)
            races_expect(call, d.out, d.expected, d.size, d.n, NULL, 0);
        if (how->segments > 1)
            races_expect(call, second_out, second, 3, d.n, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case sort_by_key_cases[] = {
    {.name = "one array, in place",
     .type = CLPRIM_U16,
     .segments = 1,
     .value_size = 4,
     .count = 900,
     .group = 32,
     .in_place = true},
    {.name = "two arrays", .type = CLPRIM_U8, .segments = 2, .value_size = 12, .count = 1100, .group = 32, .skip = 1},
    {.name = "values only",
     .type = CLPRIM_U16,
     .segments = 1,
     .value_size = 24,
     .extra = true,
     .count = 1100,
     .group = 64,
     .begin_bit = 8,
     .end_bit = 16},
    {.name = "two arrays, in place",
     .type = CLPRIM_I32,
     .segments = 2,
     .value_size = 20,
     .count = 900,
     .group = 32,
     .in_place = true,
     .descending = true,
     .is_full = true},
    {.name = "tuned", .type = CLPRIM_U32, .segments = 2, .value_size = 16, .count = 9000, .is_full = true},
};

/* `segments` is their mean size; `extra`: one of them is long. */
static clprim_status run_segmented_sort(races_call *call)
{
    const races_case *how = call->how;
    clprim_segmented_sort_desc desc = {.key_type = how->type,
                                       .value_size = how->argsort ? 0 : how->value_size,
                                       .argsort = how->argsort,
                                       .descending = how->descending,
                                       .offsets_type = CLPRIM_U32,
                                       .max_count = how->count,
                                       .max_segment_size = how->extra ? 0 : 2 * how->segments,
                                       .variant = (clprim_segmented_sort_variant)call->variant,
                                       .work_group_size = how->group};
    const clprim_reference_sort_how reference = {
        .key_type = how->type, .value_size = how->value_size, .argsort = how->argsort, .descending = how->descending};
    clprim_plan *plan = NULL;
    const sort_data d = prepare(call);
    size_t number = 0;
    const cl_uint *offsets = segments(call, d.n, how->segments, &number);
    cl_mem given = races_buffer(call, offsets, sizeof *offsets, number + 1);
    const clprim_segmented_sort_call sort = {.keys_in = {d.in, d.skip},
                                             .values_in = {d.values_in, d.in_values_skip},
                                             .offsets = {given, d.skip},
                                             .count = d.n,
                                             .segment_count = number,
                                             .keys_out = {d.out, d.skip},
                                             .values_out = {d.values_out, d.values_skip}};
    desc.max_segments = number;
    clprim_status status = clprim_segmented_sort_create(&plan, call->runtime, &desc);
    for (int i = 0; i < times(call); i++)
        RACES_TRY(status, clprim_segmented_sort_enqueue(plan, NULL, &sort, 0, NULL, NULL));
    RACES_TRY(status, clprim_reference_segmented_sort(d.expected, d.values_or_null, &reference, d.n, CLPRIM_U32,
                                                      offsets, number));
    const size_t ends[2][2] = {{0, offsets[0]}, {offsets[number], d.n}}; /* what is in no segment is not written */
    for (int e = 0; e < 2; e++) {
        if (!how->in_place)
            memset(d.expected + ends[e][0] * d.size, 0xa5, (ends[e][1] - ends[e][0]) * d.size);
        if (!how->in_place || how->argsort)
            memset(d.expected_values + ends[e][0] * d.value_size, 0xa5, (ends[e][1] - ends[e][0]) * d.value_size);
    }
    if (status == CLPRIM_SUCCESS)
        expect(call, &d);
    clprim_plan_destroy(plan);
    return status;
}

static const races_case segmented_sort_cases[] = {
    {.name = "short ones", .type = CLPRIM_U32, .segments = 20, .count = 700, .group = 32},
    {.name = "one is long",
     .type = CLPRIM_U16,
     .value_size = 4,
     .segments = 20,
     .count = 1200,
     .group = 32,
     .extra = true,
     .skip = 1},
    {.name = "pairs in place",
     .type = CLPRIM_F32,
     .value_size = 8,
     .segments = 30,
     .count = 500,
     .group = 64,
     .in_place = true,
     .descending = true},
    {.name = "indices",
     .type = CLPRIM_U64,
     .value_size = 4,
     .argsort = true,
     .segments = 40,
     .count = 1800,
     .extra = true,
     .is_full = true},
    {.name = "long ones in place",
     .type = CLPRIM_I32,
     .segments = 400,
     .count = 6000,
     .group = 32,
     .in_place = true,
     .extra = true,
     .is_full = true},
    {.name = "tuned", .type = CLPRIM_U32, .segments = 60, .count = 5000, .extra = true, .is_full = true},
};

/* `segments` is k. */
static clprim_status run_top_k(races_call *call)
{
    const races_case *how = call->how;
    const clprim_top_k_desc desc = {.key_type = how->type,
                                    .k = how->segments,
                                    .smallest = !how->descending,
                                    .value_size = how->argsort ? 0 : how->value_size,
                                    .indices = how->argsort,
                                    .unsorted = how->extra,
                                    .variant = (clprim_top_k_variant)call->variant,
                                    .work_group_size = how->group,
                                    .max_count = how->count};
    const clprim_reference_top_k_how reference = {.key_type = how->type,
                                                  .k = how->segments,
                                                  .smallest = !how->descending,
                                                  .value_size = how->value_size,
                                                  .indices = how->argsort,
                                                  .unsorted = how->extra};
    clprim_plan *plan = NULL;
    sort_data d = prepare(call);
    const clprim_top_k_call first = {.keys_in = {d.in, d.skip},
                                     .values_in = {d.values_in, d.in_values_skip},
                                     .count = d.n,
                                     .keys_out = {d.out, d.skip},
                                     .values_out = {d.values_out, d.values_skip}};
    const size_t k = how->segments < d.n ? how->segments : d.n;
    clprim_status status = clprim_top_k_create(&plan, call->runtime, &desc);
    for (int i = 0; i < 2; i++)
        RACES_TRY(status, clprim_top_k_enqueue(plan, NULL, &first, 0, NULL, NULL));
    RACES_TRY(status, clprim_reference_top_k(d.expected, d.values_or_null, &reference, d.keys,
                                             how->argsort || d.value_size == 0 ? NULL : d.values, d.n));
    if (status == CLPRIM_SUCCESS) {
        races_expect(call, d.out, d.expected, d.size, k, NULL, d.n - k);
        if (d.value_size > 0)
            races_expect(call, d.values_out, d.expected_values, d.value_size, k, NULL, d.n - k);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case top_k_cases[] = {
    {.name = "u32", .type = CLPRIM_U32, .segments = 100, .count = 1001, .group = 32},
    {.name = "pairs, the largest",
     .type = CLPRIM_U8,
     .value_size = 4,
     .segments = 300,
     .count = 900,
     .group = 32,
     .descending = true,
     .skip = 1},
    {.name = "indices, unsorted",
     .type = CLPRIM_F32,
     .value_size = 4,
     .argsort = true,
     .extra = true,
     .segments = 70,
     .count = 800,
     .group = 64,
     .is_full = true},
    {.name = "all", .type = CLPRIM_I64, .segments = 4000, .count = 1000, .is_full = true},
    {.name = "tuned", .type = CLPRIM_U32, .segments = 2000, .count = 20000, .is_full = true},
};

#define STEM(name, of, run, cases, is_borrowed)                                                                        \
    {                                                                                                                  \
        name, of, run, cases, sizeof(cases) / sizeof(cases)[0], is_borrowed                                            \
    }

const races_stem races_sorts[] = {
    STEM("radix_sort", &clprim_radix_sort_operation, run_radix_sort, radix_sort_cases, false),
    STEM("bitonic_sort", &clprim_bitonic_sort_operation, run_bitonic_sort, bitonic_sort_cases, false),
    STEM("comparison_sort", &clprim_comparison_sort_operation, run_comparison_sort, comparison_sort_cases, false),
    STEM("sort_by_key", &clprim_radix_sort_operation, run_sort_by_key, sort_by_key_cases, true),
    STEM("segmented_sort", &clprim_segmented_sort_operation, run_segmented_sort, segmented_sort_cases, false),
    STEM("top_k", &clprim_top_k_operation, run_top_k, top_k_cases, false),
};
const size_t races_num_sorts = sizeof races_sorts / sizeof *races_sorts;
