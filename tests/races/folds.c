/* folds.c: reduce, scan, select, and what is built on them. */
#include <string.h>

#include "races.h"

enum { TWICE = 2 };

/* The operator: concatenation of runs, which does not commute. Of (key, id, sum) the key is the left one's, the id the
 * right one's. */
static const char item_combine[] = "join(a, b)";
static const char item_source[] =
    "typedef struct { uint key, id, sum; } record;\n"
    "static inline record join(record a, record b) { if (a.sum == 0u) return b; if (b.sum == 0u) return a;\n"
    "    record c; c.key = a.key; c.id = b.id; c.sum = a.sum + b.sum | 1u; return c; }";

static void item_join(void *accumulated, const void *element)
{
    races_item *a = accumulated;
    const races_item *b = element;
    if (a->sum == 0)
        *a = *b;
    else if (b->sum != 0)
        *a = (races_item){a->key, b->id, (a->sum + b->sum) | 1U};
}

static const clprim_custom_op item_op = {.type_name = "record",
                                         .type_size = sizeof(races_item),
                                         .source = item_source,
                                         .combine = item_combine,
                                         .identity = "(record){0u, 0u, 0u}",
                                         .non_commutative = true};
static const races_item item_identity = {0, 0, 0};

/* Sums of what is | 1 associate as long as sums are odd: let them all be so, and be few. */
static void *fold_elements(races_call *call, size_t count)
{
    races_item *data = races_elements(call, call->how->type, call->how->order, count, 1);
    for (size_t i = 0; call->how->order == RACES_STRUCT && i < count; i++)
        data[i].sum = 1;
    return data;
}

static size_t result_size(const races_case *how)
{
    if (how->order == RACES_STRUCT)
        return sizeof(races_item);
    if (how->op == CLPRIM_ARGMIN || how->op == CLPRIM_ARGMAX)
        return sizeof(clprim_indexed);
    return clprim_type_size(how->second != CLPRIM_TYPE_DEFAULT ? how->second : how->type);
}

static clprim_status run_reduce(races_call *call)
{
    const races_case *how = call->how;
    const bool is_custom = how->order == RACES_STRUCT;
    const clprim_reduce_desc desc = {.type = how->type,
                                     .op = how->op,
                                     .accumulator_type = how->second,
                                     .custom = is_custom ? &item_op : NULL,
                                     .variant = (clprim_reduce_variant)call->variant,
                                     .work_group_size = how->group,
                                     .items_per_work_item = how->items};
    clprim_plan *plan = NULL;
    const void *data = fold_elements(call, how->count);
    void *expected = races_memory(call, result_size(how));
    cl_mem in = races_buffer(call, data, races_size(call), how->count);
    cl_mem out = races_buffer(call, NULL, result_size(how), 1);
    clprim_status status = clprim_reduce_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status,
                  clprim_reduce_enqueue(
                      plan, NULL,
                      &(clprim_reduce_call){.in = {in, how->skip}, .count = how->count, .out = {out, how->skip}}, 0,
                      NULL, NULL));
    RACES_TRY(status, is_custom ? clprim_reference_reduce_custom(expected, sizeof(races_item), &item_identity,
                                                                 item_join, data, how->count)
                                : clprim_reference_reduce(expected, how->type, how->op, how->second, data, how->count));
    if (status == CLPRIM_SUCCESS)
        races_expect(call, out, expected, result_size(how), 1, NULL, 0);
    clprim_plan_destroy(plan);
    return status;
}

static const races_case reduce_cases[] = {
    {.name = "sums of i32", .type = CLPRIM_I32, .count = 3001, .group = 64, .items = 4},
    {.name = "u8 into u32, unaligned", .type = CLPRIM_U8, .second = CLPRIM_U32, .count = 2003, .skip = 1, .group = 32},
    {.name = "a struct, in order", .order = RACES_STRUCT, .count = 1500, .group = 32, .items = 2},
    {.name = "argmin of f32", .type = CLPRIM_F32, .op = CLPRIM_ARGMIN, .count = 1000, .group = 32},
    {.name = "without 64-bit atomics", .type = CLPRIM_I32, .count = 3001, .group = 64, .without = "int64_atomics"},
    {.name = "tuned", .type = CLPRIM_U64, .count = 20000, .op = CLPRIM_XOR, .is_full = true},
    {.name = "one", .type = CLPRIM_I16, .count = 1, .op = CLPRIM_MAX, .is_full = true},
    {.name = "none", .type = CLPRIM_I32, .count = 0, .is_full = true},
};

/* Kinds are those of clprim_scan_segments. */
static clprim_status run_scan(races_call *call)
{
    const races_case *how = call->how;
    const bool is_custom = how->order == RACES_STRUCT;
    const bool is_segmented = how->kind != CLPRIM_SEGMENTS_NONE;
    const clprim_scan_desc desc = {.type = how->type,
                                   .op = how->op,
                                   .accumulator_type = how->second,
                                   .custom = is_custom ? &item_op : NULL,
                                   .exclusive = how->extra,
                                   .segments = (clprim_scan_segments)how->kind,
                                   .segments_type = is_segmented ? CLPRIM_U8 : CLPRIM_TYPE_DEFAULT,
                                   .variant = (clprim_scan_variant)call->variant,
                                   .work_group_size = how->group,
                                   .items_per_work_item = how->items};
    clprim_plan *plan = NULL;
    const size_t size = result_size(how);
    const size_t n = how->count;
    const void *data = fold_elements(call, n);
    uint8_t *heads = races_memory(call, n);
    uint8_t *begins = races_memory(call, n);
    void *expected = races_memory(call, n * size);
    for (size_t i = 0; i < n; i++) {
        heads[i] = how->kind == CLPRIM_SEGMENTS_BY_FLAG ? i % 61 == 5 : (uint8_t)(i / 45);
        begins[i] = how->kind == CLPRIM_SEGMENTS_BY_FLAG ? heads[i] : is_segmented && i % 45 == 0;
    }
    const clprim_reference_scan_how reference = {.exclusive = how->extra, .begins = is_segmented ? begins : NULL};
    cl_mem in = races_buffer(call, data, races_size(call), n);
    cl_mem flags = races_buffer(call, heads, 1, n);
    cl_mem out = how->in_place ? in : races_buffer(call, NULL, size, n);
    clprim_status status = clprim_scan_create(&plan, call->runtime, &desc);
    for (int i = 0; i < (how->in_place ? 1 : TWICE); i++)
        RACES_TRY(
            status,
            is_segmented
                ? clprim_scan_enqueue(
                      plan, NULL,
                      &(clprim_scan_call){
                          .in = {in, how->skip}, .heads = {flags, how->skip}, .count = n, .out = {out, how->skip}},
                      0, NULL, NULL)
                : clprim_scan_enqueue(plan, NULL,
                                      &(clprim_scan_call){.in = {in, how->skip}, .count = n, .out = {out, how->skip}},
                                      0, NULL, NULL));
    RACES_TRY(status, is_custom
                          ? clprim_reference_scan_custom(expected, size, &item_identity, item_join, &reference, data, n)
                          : clprim_reference_scan(expected, how->type, how->op, how->second, &reference, data, n));
    if (status == CLPRIM_SUCCESS)
        races_expect(call, out, expected, size, n, NULL, 0);
    clprim_plan_destroy(plan);
    return status;
}

static const races_case scan_cases[] = {
    {.name = "sums of i32", .type = CLPRIM_I32, .count = 3001, .group = 32, .items = 4},
    {.name = "exclusive, in place",
     .type = CLPRIM_U64,
     .count = 1500,
     .group = 64,
     .extra = true,
     .in_place = true,
     .is_full = true},
    {.name = "a struct, in order", .order = RACES_STRUCT, .count = 700, .group = 32, .skip = 1, .items = 2},
    {.name = "by flags",
     .type = CLPRIM_U8,
     .second = CLPRIM_U32,
     .kind = CLPRIM_SEGMENTS_BY_FLAG,
     .count = 2001,
     .group = 32,
     .items = 4},
    {.name = "by key", .type = CLPRIM_I32, .kind = CLPRIM_SEGMENTS_BY_KEY, .count = 1200, .group = 32, .extra = true},
    {.name = "without 64-bit atomics",
     .type = CLPRIM_I32,
     .count = 3001,
     .group = 32,
     .items = 4,
     .without = "int64_atomics"},
    {.name = "by key, without 64-bit atomics",
     .type = CLPRIM_I64,
     .kind = CLPRIM_SEGMENTS_BY_KEY,
     .count = 2000,
     .group = 32,
     .items = 2,
     .without = "int64_atomics",
     .is_full = true},
    {.name = "argmax of f32", .type = CLPRIM_F32, .op = CLPRIM_ARGMAX, .count = 900, .group = 32, .is_full = true},
    {.name = "tuned", .type = CLPRIM_I32, .count = 20000, .is_full = true},
    {.name = "levels", .type = CLPRIM_U16, .count = 9001, .group = 32, .skip = 3, .is_full = true},
    {.name = "one", .type = CLPRIM_I32, .count = 1, .is_full = true},
};

/* Kinds of select: */
enum { PREDICATE = 0, FLAGGED, PARTITION };

static clprim_status run_select(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_select_desc desc = {.type = how->type,
                                     .predicate = how->kind == FLAGGED ? NULL
                                                  : is_struct          ? "x.key % 3 == 0"
                                                                       : "(i * 7) % 5 < 2",
                                     .source = is_struct ? races_item_source : NULL,
                                     .type_name = is_struct ? "record" : NULL,
                                     .type_size = is_struct ? sizeof(races_item) : 0,
                                     .partition = how->kind == PARTITION,
                                     .index_type = CLPRIM_U64,
                                     .variant = (clprim_select_variant)call->variant,
                                     .work_group_size = how->group,
                                     .items_per_work_item = how->items};
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    const size_t n = how->count;
    const races_item *data = races_elements(call, how->type, how->order, n, 1);
    uint8_t *keep = races_memory(call, n);
    uint8_t *expected = races_memory(call, n * size);
    size_t selected = 0;
    for (size_t i = 0; i < n; i++)
        keep[i] = is_struct ? data[i].key % 3 == 0 : i * 7 % 5 < 2;
    cl_mem in = races_buffer(call, data, size, n);
    const clprim_array flags = {.buffer = races_buffer(call, keep, 1, n), .offset = how->skip};
    const clprim_array none = {.buffer = NULL};
    cl_mem out = races_buffer(call, NULL, size, n);
    cl_mem number = races_buffer(call, NULL, sizeof(uint64_t), 1);
    clprim_status status = clprim_select_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status, clprim_select_enqueue(plan, NULL,
                                                &(clprim_select_call){.in = {in, how->skip},
                                                                      .flags = how->kind == FLAGGED ? flags : none,
                                                                      .count = n,
                                                                      .out = {out, how->skip},
                                                                      .out_count = {number, how->skip}},
                                                0, NULL, NULL));
    RACES_TRY(status, clprim_reference_select(expected, &selected, size, keep, how->kind == PARTITION, data, n));
    if (status == CLPRIM_SUCCESS) {
        const uint64_t wide = selected;
        const size_t written = how->kind == PARTITION ? n : selected;
        races_expect(call, out, expected, size, written, NULL, n - written);
        races_expect(call, number, &wide, sizeof wide, 1, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case select_cases[] = {
    {.name = "by a predicate", .type = CLPRIM_I32, .count = 2001, .group = 32, .items = 4},
    {.name = "by flags", .type = CLPRIM_U8, .kind = FLAGGED, .count = 1501, .group = 32, .skip = 1},
    {.name = "a partition", .type = CLPRIM_U64, .kind = PARTITION, .count = 1000, .group = 32, .items = 2},
    {.name = "a struct", .order = RACES_STRUCT, .count = 700, .group = 32},
    {.name = "without 64-bit atomics",
     .type = CLPRIM_I32,
     .count = 2001,
     .group = 32,
     .items = 4,
     .without = "int64_atomics"},
    {.name = "a struct by flags", .order = RACES_STRUCT, .kind = FLAGGED, .count = 900, .group = 64, .is_full = true},
    {.name = "tuned", .type = CLPRIM_I32, .count = 20000, .is_full = true},
    {.name = "one", .type = CLPRIM_U16, .kind = PARTITION, .count = 1, .is_full = true},
};

/* Runs of 1 to 40 elements. */
static void *runs(races_call *call, clprim_type type, races_order order, size_t count)
{
    const size_t size = order == RACES_STRUCT ? sizeof(races_item) : clprim_type_size(type);
    uint8_t *data = races_elements(call, type, order, count, 3);
    for (size_t i = 1; i < count; i++)
        if (i * i % 41 != 0)
            memcpy(data + i * size, data + (i - 1) * size, size);
    return data;
}

/* The variants are those of the selection. */
static clprim_status run_unique(races_call *call)
{
    const races_case *how = call->how;
    const bool is_struct = how->order == RACES_STRUCT;
    const clprim_unique_desc desc = {.type = how->type,
                                     .equal = is_struct ? "a.key == b.key && a.id == b.id && a.sum == b.sum" : NULL,
                                     .source = is_struct ? races_item_source : NULL,
                                     .type_name = is_struct ? "record" : NULL,
                                     .type_size = is_struct ? sizeof(races_item) : 0,
                                     .index_type = CLPRIM_U64,
                                     .variant = (clprim_select_variant)call->variant};
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    const size_t n = how->count;
    const void *data = runs(call, how->type, how->order, n);
    void *expected = races_memory(call, n * size);
    size_t selected = 0;
    cl_mem in = races_buffer(call, data, size, n);
    cl_mem out = races_buffer(call, NULL, size, n);
    cl_mem number = races_buffer(call, NULL, sizeof(uint64_t), 1);
    clprim_status status = clprim_unique_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status, clprim_unique_enqueue(plan, NULL,
                                                &(clprim_unique_call){.in = {in, how->skip},
                                                                      .count = n,
                                                                      .out = {out, how->skip},
                                                                      .out_count = {number, how->skip}},
                                                0, NULL, NULL));
    RACES_TRY(status, clprim_reference_unique(expected, &selected, size, NULL, data, n));
    if (status == CLPRIM_SUCCESS) {
        const uint64_t wide = selected;
        races_expect(call, out, expected, size, selected, NULL, n - selected);
        races_expect(call, number, &wide, sizeof wide, 1, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case unique_cases[] = {
    {.name = "i32", .type = CLPRIM_I32, .count = 3001},
    {.name = "u8, unaligned", .type = CLPRIM_U8, .count = 9001, .skip = 1, .is_full = true},
    {.name = "a struct", .order = RACES_STRUCT, .count = 3000, .is_full = true},
};

/* The variants of what follows are those of the scan. */
static clprim_status run_encode(races_call *call)
{
    const races_case *how = call->how;
    const clprim_run_length_encode_desc desc = {
        .type = how->type, .index_type = CLPRIM_U64, .variant = (clprim_scan_variant)call->variant};
    clprim_plan *plan = NULL;
    const size_t size = races_size(call);
    const size_t n = how->count;
    const void *data = runs(call, how->type, RACES_BUILT_IN, n);
    void *expected = races_memory(call, n * size);
    uint64_t *lengths = races_memory(call, n * sizeof *lengths);
    size_t num_runs = 0;
    cl_mem in = races_buffer(call, data, size, n);
    cl_mem out = races_buffer(call, NULL, size, n);
    cl_mem out_lengths = races_buffer(call, NULL, sizeof *lengths, n);
    cl_mem number = races_buffer(call, NULL, sizeof(uint64_t), 1);
    clprim_status status = clprim_run_length_encode_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status, clprim_run_length_encode_enqueue(
                              plan, NULL,
                              &(clprim_run_length_encode_call){.in = {in, how->skip},
                                                               .count = n,
                                                               .out = {out, how->skip},
                                                               .lengths_out = {out_lengths, how->skip},
                                                               .out_count = {number, how->skip}},
                              0, NULL, NULL));
    RACES_TRY(status, clprim_reference_run_length_encode(expected, lengths, &num_runs, size, data, n));
    if (status == CLPRIM_SUCCESS) {
        const uint64_t wide = num_runs;
        races_expect(call, out, expected, size, num_runs, NULL, n - num_runs);
        races_expect(call, out_lengths, lengths, sizeof *lengths, num_runs, NULL, n - num_runs);
        races_expect(call, number, &wide, sizeof wide, 1, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case encode_cases[] = {
    {.name = "i32", .type = CLPRIM_I32, .count = 3001},
    {.name = "u8, unaligned", .type = CLPRIM_U8, .count = 6001, .skip = 1, .is_full = true},
    {.name = "without 64-bit atomics", .type = CLPRIM_U64, .count = 6001, .without = "int64_atomics", .is_full = true},
};

static clprim_status run_reduce_by_key(races_call *call)
{
    const races_case *how = call->how;
    const bool is_custom = how->order == RACES_STRUCT;
    const clprim_reduce_by_key_desc desc = {.key_type = how->second,
                                            .type = how->type,
                                            .op = how->op,
                                            .custom = is_custom ? &item_op : NULL,
                                            .index_type = CLPRIM_U64,
                                            .variant = (clprim_scan_variant)call->variant};
    clprim_plan *plan = NULL;
    const size_t key_size = clprim_type_size(how->second);
    const size_t size = races_size(call);
    const size_t n = how->count;
    const void *keys = runs(call, how->second, RACES_BUILT_IN, n);
    const void *values = fold_elements(call, n);
    void *expected_keys = races_memory(call, n * key_size);
    void *expected = races_memory(call, n * size);
    size_t num_runs = 0;
    cl_mem keys_in = races_buffer(call, keys, key_size, n);
    cl_mem values_in = races_buffer(call, values, size, n);
    cl_mem keys_out = races_buffer(call, NULL, key_size, n);
    cl_mem values_out = races_buffer(call, NULL, size, n);
    cl_mem number = races_buffer(call, NULL, sizeof(uint64_t), 1);
    clprim_status status = clprim_reduce_by_key_create(&plan, call->runtime, &desc);
    for (int i = 0; i < TWICE; i++)
        RACES_TRY(status,
                  clprim_reduce_by_key_enqueue(plan, NULL,
                                               &(clprim_reduce_by_key_call){.keys_in = {keys_in, how->skip},
                                                                            .values_in = {values_in, how->skip},
                                                                            .count = n,
                                                                            .keys_out = {keys_out, how->skip},
                                                                            .values_out = {values_out, how->skip},
                                                                            .out_count = {number, how->skip}},
                                               0, NULL, NULL));
    RACES_TRY(status, is_custom
                          ? clprim_reference_reduce_by_key_custom(expected_keys, expected, &num_runs, key_size, size,
                                                                  item_join, keys, values, n)
                          : clprim_reference_reduce_by_key(expected_keys, expected, &num_runs, key_size, how->type,
                                                           how->op, CLPRIM_TYPE_DEFAULT, keys, values, n));
    if (status == CLPRIM_SUCCESS) {
        const uint64_t wide = num_runs;
        races_expect(call, keys_out, expected_keys, key_size, num_runs, NULL, n - num_runs);
        races_expect(call, values_out, expected, size, num_runs, NULL, n - num_runs);
        races_expect(call, number, &wide, sizeof wide, 1, NULL, 0);
    }
    clprim_plan_destroy(plan);
    return status;
}

static const races_case reduce_by_key_cases[] = {
    {.name = "sums of i32", .type = CLPRIM_I32, .second = CLPRIM_U16, .count = 3001},
    {.name = "a struct, in order", .order = RACES_STRUCT, .second = CLPRIM_U32, .count = 2001, .is_full = true},
    {.name = "maxima of u8",
     .type = CLPRIM_U8,
     .op = CLPRIM_MAX,
     .second = CLPRIM_U64,
     .count = 6001,
     .skip = 1,
     .without = "int64_atomics",
     .is_full = true},
};

#define STEM(name, of, run, cases, is_borrowed)                                                                        \
    {                                                                                                                  \
        name, of, run, cases, sizeof(cases) / sizeof(cases)[0], is_borrowed                                            \
    }

const races_stem races_folds[] = {
    STEM("reduce", &clprim_reduce_operation, run_reduce, reduce_cases, false),
    STEM("scan", &clprim_scan_operation, run_scan, scan_cases, false),
    STEM("select", &clprim_select_operation, run_select, select_cases, false),
    STEM("unique", &clprim_select_operation, run_unique, unique_cases, true),
    STEM("run_length_encode", &clprim_scan_operation, run_encode, encode_cases, true),
    STEM("reduce_by_key", &clprim_scan_operation, run_reduce_by_key, reduce_by_key_cases, true),
};
const size_t races_num_folds = sizeof races_folds / sizeof *races_folds;
