/* model_rows.c: few plans, of kernels that other tests compile, too, and are quick to compile. */
#include "model_rows.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 16, FIRST_BIT = 4, END_BIT = 12 };

/* The functions of a row, for the static description NAME of a plan clprim_STEM; see test_faults.subjects.c. `c` is the
 * call, `a` the arrays. */
#define FUNCTIONS(name, stem, function, from, host_from)                                                               \
    static clprim_status name##_create(void **out, clprim_runtime *runtime)                                            \
    {                                                                                                                  \
        clprim_##stem *plan = *out;                                                                                    \
        const clprim_status status = clprim_##stem##_create(&plan, runtime, &name);                                    \
        *out = plan;                                                                                                   \
        return status;                                                                                                 \
    }                                                                                                                  \
    static void name##_destroy(void *plan)                                                                             \
    {                                                                                                                  \
        clprim_##stem##_destroy(plan);                                                                                 \
    }                                                                                                                  \
    static clprim_status name##_enqueue(void *plan, const model_call *c)                                               \
    {                                                                                                                  \
        return clprim_##stem##_##function(plan, c->queue, UNWRAP from, c->num_waits, c->waits, c->done);               \
    }                                                                                                                  \
    static clprim_status name##_scratch_size(size_t *out, const void *plan, size_t n)                                  \
    {                                                                                                                  \
        return clprim_##stem##_scratch_size(out, plan, n);                                                             \
    }                                                                                                                  \
    static clprim_status name##_set_scratch(void *plan, cl_mem scratch)                                                \
    {                                                                                                                  \
        return clprim_##stem##_set_scratch(plan, scratch);                                                             \
    }                                                                                                                  \
    static clprim_status name##_host(clprim_runtime *runtime, void *const a[MODEL_ARRAYS], size_t n)                   \
    {                                                                                                                  \
        return clprim_##stem##_host host_from;                                                                         \
    }

/* The same for operations whose calls are a struct: what the call is on buffers, and on the host. */
#define FUNCTIONS_BY_CALL(name, stem, on_device, on_host)                                                              \
    static clprim_status name##_create(void **out, clprim_runtime *runtime)                                            \
    {                                                                                                                  \
        clprim_plan *plan = *out;                                                                                      \
        const clprim_status status = clprim_##stem##_create(&plan, runtime, &name);                                    \
        *out = plan;                                                                                                   \
        return status;                                                                                                 \
    }                                                                                                                  \
    static void name##_destroy(void *plan)                                                                             \
    {                                                                                                                  \
        clprim_plan_destroy(plan);                                                                                     \
    }                                                                                                                  \
    static clprim_status name##_enqueue(void *plan, const model_call *c)                                               \
    {                                                                                                                  \
        const clprim_##stem##_call call = UNWRAP on_device;                                                            \
        return clprim_##stem##_enqueue(plan, c->queue, &call, c->num_waits, c->waits, c->done);                        \
    }                                                                                                                  \
    static clprim_status name##_scratch_size(size_t *out, const void *plan, size_t n)                                  \
    {                                                                                                                  \
        return clprim_plan_scratch_size(out, plan, &(clprim_##stem##_call){.count = n});                               \
    }                                                                                                                  \
    static clprim_status name##_set_scratch(void *plan, cl_mem scratch)                                                \
    {                                                                                                                  \
        return clprim_plan_set_scratch(plan, scratch);                                                                 \
    }                                                                                                                  \
    static clprim_status name##_host(clprim_runtime *runtime, void *const a[MODEL_ARRAYS], size_t n)                   \
    {                                                                                                                  \
        const clprim_##stem##_call call = UNWRAP on_host;                                                              \
        return clprim_##stem##_run(runtime, &name, &call);                                                             \
    }

#define UNWRAP(...) __VA_ARGS__
#define IN          c->memory[MODEL_IN], c->offset[MODEL_IN]
#define AUX_IN      c->memory[MODEL_AUX_IN], c->offset[MODEL_AUX_IN]
#define OUT         c->memory[MODEL_OUT], c->offset[MODEL_OUT]
#define AUX_OUT     c->memory[MODEL_AUX_OUT], c->offset[MODEL_AUX_OUT]

static const clprim_reduce_desc sum = {.variant = CLPRIM_REDUCE_SEQUENTIAL};
FUNCTIONS_BY_CALL(sum, reduce, ({.in = {IN}, .count = c->n, .out = {OUT}}),
                  ({.in = {.host = a[MODEL_IN]}, .count = n, .out = {.host = a[MODEL_OUT]}}))

static void sum_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    (void)clprim_reference_reduce(a[MODEL_OUT], CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, a[MODEL_IN], n);
}

static const clprim_reduce_desc least = {.type = CLPRIM_F32, .op = CLPRIM_MIN, .variant = CLPRIM_REDUCE_CPU_CHUNK};
FUNCTIONS_BY_CALL(least, reduce, ({.in = {IN}, .count = c->n, .out = {OUT}}),
                  ({.in = {.host = a[MODEL_IN]}, .count = n, .out = {.host = a[MODEL_OUT]}}))

static void least_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    (void)clprim_reference_reduce(a[MODEL_OUT], CLPRIM_F32, CLPRIM_MIN, CLPRIM_F32, a[MODEL_IN], n);
}

static const clprim_scan_desc prefixes = {.variant = CLPRIM_SCAN_CPU_CHUNK};
FUNCTIONS_BY_CALL(prefixes, scan, ({.in = {IN}, .count = c->n, .out = {OUT}}),
                  ({.in = {.host = a[MODEL_IN]}, .count = n, .out = {.host = a[MODEL_OUT]}}))

static void prefixes_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    static const clprim_reference_scan_how how = {0};
    (void)clprim_reference_scan(a[MODEL_OUT], CLPRIM_I32, CLPRIM_SUM, CLPRIM_I32, &how, a[MODEL_IN], n);
}

static const clprim_select_desc flagged = {
    .variant = CLPRIM_SELECT_CPU_CHUNK, .partition = true, .index_type = CLPRIM_U64};
FUNCTIONS_BY_CALL(flagged, select,
                  ({.in = {IN}, .flags = {AUX_IN}, .count = c->n, .out = {OUT}, .out_count = {AUX_OUT}}),
                  ({.in = {.host = a[MODEL_IN]},
                    .flags = {.host = a[MODEL_AUX_IN]},
                    .count = n,
                    .out = {.host = a[MODEL_OUT]},
                    .out_count = {.host = a[MODEL_AUX_OUT]}}))

static void flagged_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    size_t selected = 0;
    if (n > 0)
        (void)clprim_reference_select(a[MODEL_OUT], &selected, 4, a[MODEL_AUX_IN], true, a[MODEL_IN], n);
    memcpy(a[MODEL_AUX_OUT], &(uint64_t){selected}, sizeof(uint64_t));
}

static const clprim_unique_desc distinct = {.variant = CLPRIM_SELECT_CPU_CHUNK, .index_type = CLPRIM_U64};
FUNCTIONS_BY_CALL(
    distinct, unique, ({.in = {IN}, .count = c->n, .out = {OUT}, .out_count = {AUX_OUT}}),
    ({.in = {.host = a[MODEL_IN]}, .count = n, .out = {.host = a[MODEL_OUT]}, .out_count = {.host = a[MODEL_AUX_OUT]}}))

static void distinct_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    size_t selected = 0;
    if (n > 0)
        (void)clprim_reference_unique(a[MODEL_OUT], &selected, 4, NULL, a[MODEL_IN], n);
    memcpy(a[MODEL_AUX_OUT], &(uint64_t){selected}, sizeof(uint64_t));
}

static void sort_expect(void *const a[MODEL_ARRAYS], size_t n, const clprim_reference_sort_how *how)
{
    const size_t key_size = clprim_type_size(how->key_type);
    if (n == 0)
        return;
    memmove(a[MODEL_OUT], a[MODEL_IN], n * key_size);
    if (a[MODEL_AUX_IN] != NULL)
        memmove(a[MODEL_AUX_OUT], a[MODEL_AUX_IN], n * how->value_size);
    (void)clprim_reference_sort(a[MODEL_OUT], a[MODEL_AUX_OUT], how, n);
}

static const clprim_radix_sort_desc keys = {.variant = CLPRIM_RADIX_SORT_CPU_CHUNK};
FUNCTIONS_BY_CALL(keys, radix_sort, ({.keys_in = {IN}, .count = c->n, .keys_out = {OUT}}),
                  ({.keys_in = {.host = a[MODEL_OUT]}, .count = n, .keys_out = {.host = a[MODEL_OUT]}}))

static void keys_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    sort_expect(a, n, &(const clprim_reference_sort_how){.key_type = CLPRIM_U32});
}

static const clprim_radix_sort_desc pairs = {.variant = CLPRIM_RADIX_SORT_CPU_CHUNK,
                                             .key_type = CLPRIM_U16,
                                             .value_size = 4,
                                             .descending = true,
                                             .bit_range = true,
                                             .begin_bit = FIRST_BIT,
                                             .end_bit = END_BIT};
FUNCTIONS_BY_CALL(pairs, radix_sort,
                  ({.keys_in = {IN}, .values_in = {AUX_IN}, .count = c->n, .keys_out = {OUT}, .values_out = {AUX_OUT}}),
                  ({.keys_in = {.host = a[MODEL_OUT]},
                    .values_in = {.host = a[MODEL_AUX_OUT]},
                    .count = n,
                    .keys_out = {.host = a[MODEL_OUT]},
                    .values_out = {.host = a[MODEL_AUX_OUT]}}))

static void pairs_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    sort_expect(a, n,
                &(const clprim_reference_sort_how){.key_type = CLPRIM_U16,
                                                   .value_size = 4,
                                                   .descending = true,
                                                   .bit_range = true,
                                                   .begin_bit = FIRST_BIT,
                                                   .end_bit = END_BIT});
}

static const clprim_radix_sort_desc places = {
    .variant = CLPRIM_RADIX_SORT_CPU_CHUNK, .key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST, .argsort = true};
FUNCTIONS_BY_CALL(places, radix_sort, ({.keys_in = {IN}, .count = c->n, .keys_out = {OUT}, .values_out = {AUX_OUT}}),
                  ({.keys_in = {.host = a[MODEL_OUT]},
                    .count = n,
                    .keys_out = {.host = a[MODEL_OUT]},
                    .values_out = {.host = a[MODEL_AUX_OUT]}}))

static void places_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    sort_expect(a, n,
                &(const clprim_reference_sort_how){
                    .key_type = CLPRIM_F32, .nan_order = CLPRIM_NAN_LAST, .value_size = 4, .argsort = true});
}

static const clprim_histogram_desc bins = {.variant = CLPRIM_HISTOGRAM_CPU_CHUNK, .bins = BINS};
FUNCTIONS_BY_CALL(bins, histogram, ({.in = {IN}, .count = c->n, .out = {OUT}, .outside_out = {AUX_OUT}}),
                  ({.in = {.host = a[MODEL_IN]},
                    .count = n,
                    .out = {.host = a[MODEL_OUT]},
                    .outside_out = {.host = a[MODEL_AUX_OUT]}}))

static void bins_expect(void *const a[MODEL_ARRAYS], size_t n)
{
    static const clprim_reference_histogram_how how = {.type = CLPRIM_U8, .bins = BINS};
    (void)clprim_reference_histogram(a[MODEL_OUT], a[MODEL_AUX_OUT], &how, a[MODEL_IN], NULL, n);
}

#define ROW(named, ...)                                                                                                \
    {                                                                                                                  \
        .name = #named, .create = named##_create, .destroy = named##_destroy, .enqueue = named##_enqueue,              \
        .scratch_size = named##_scratch_size, .set_scratch = named##_set_scratch, .host = named##_host,                \
        .expect = named##_expect, __VA_ARGS__                                                                          \
    }

const model_row model_rows[] = {
    ROW(sum, .sizes = {4, 0, 4, 0}, .counts = {0, 0, 1, 0}),
    ROW(least, .sizes = {4, 0, 4, 0}, .counts = {0, 0, 1, 0}),
    ROW(prefixes, .sizes = {4, 0, 4, 0}, .in_place = true),
    ROW(flagged, .sizes = {4, 1, 4, 8}, .counts = {0, 0, 0, 1}),
    ROW(distinct, .sizes = {4, 0, 4, 8}, .counts = {0, 0, 0, 1}),
    ROW(keys, .sizes = {4, 0, 4, 0}, .in_place = true),
    ROW(pairs, .sizes = {2, 4, 2, 4}, .in_place = true),
    ROW(places, .sizes = {4, 0, 4, 4}, .in_place = true),
    ROW(bins, .sizes = {1, 0, 4, 8}, .counts = {0, 0, BINS, 1}, .may_lack_last = true),
};

const size_t model_num_rows = sizeof model_rows / sizeof *model_rows;

static const size_t hostile_sizes[] = {3, 5, 6, 7, 1000, SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 40 | 1};

static size_t hostile_size(model_source *source)
{
    return hostile_sizes[model_below(source, sizeof hostile_sizes / sizeof *hostile_sizes)];
}

static int hostile_enum(model_source *source, int end)
{
    const int values[] = {-1, end, end + 1, 1000, -1000000, INT32_MAX, INT32_MIN};
    return values[model_below(source, sizeof values / sizeof *values)];
}

static clprim_type any_type(model_source *source)
{
    return (clprim_type)model_below(source, CLPRIM_TYPE_END);
}

static const clprim_custom_op *hostile_operator(model_source *source)
{
    static const clprim_custom_op operators[] = {{.combine = "a + b"},
                                                 {.identity = "0"},
                                                 {0},
                                                 {.combine = "a", .identity = "0", .type_size = 4},
                                                 {.combine = "a", .identity = "0", .type_name = "int"}};
    return &operators[model_below(source, sizeof operators / sizeof *operators)];
}

/* Of each primitive: fields are random, and one, chosen last, is wrong. */
static clprim_status bad_reduce(void **out, clprim_runtime *runtime, model_source *s)
{
    clprim_reduce_desc desc = {.type = any_type(s),
                               .op = (clprim_op)model_below(s, CLPRIM_OP_END),
                               .variant = (clprim_reduce_variant)model_below(s, CLPRIM_REDUCE_FIXED_TREE + 1),
                               .reproducible = model_below(s, 2) != 0,
                               .work_group_size = (size_t)1 << model_below(s, 64)};
    switch (model_below(s, 7)) {
    case 0: desc.type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 1: desc.op = (clprim_op)hostile_enum(s, CLPRIM_OP_END); break;
    case 2: desc.accumulator_type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 3: desc.variant = (clprim_reduce_variant)hostile_enum(s, CLPRIM_REDUCE_FIXED_TREE + 1); break;
    case 4: desc.work_group_size = hostile_size(s); break;
    case 5: desc.items_per_work_item = 1025 + model_below(s, SIZE_MAX - 1025); break;
    default: desc.custom = hostile_operator(s); break;
    }
    return clprim_reduce_create((clprim_plan **)out, runtime, &desc);
}

static clprim_status bad_scan(void **out, clprim_runtime *runtime, model_source *s)
{
    clprim_scan_desc desc = {.type = any_type(s),
                             .op = (clprim_op)model_below(s, CLPRIM_OP_END),
                             .exclusive = model_below(s, 2) != 0,
                             .variant = (clprim_scan_variant)model_below(s, CLPRIM_SCAN_FIXED_TREE + 1),
                             .segments = (clprim_scan_segments)model_below(s, 3)};
    switch (model_below(s, 9)) {
    case 0: desc.type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 1: desc.op = (clprim_op)hostile_enum(s, CLPRIM_OP_END); break;
    case 2: desc.accumulator_type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 3: desc.variant = (clprim_scan_variant)hostile_enum(s, CLPRIM_SCAN_FIXED_TREE + 1); break;
    case 4: desc.work_group_size = hostile_size(s); break;
    case 5: desc.segments = (clprim_scan_segments)hostile_enum(s, CLPRIM_SEGMENTS_BY_KEY + 1); break;
    case 6: desc.banks = hostile_size(s); break;
    case 7:
        desc.segments = CLPRIM_SEGMENTS_BY_FLAG;
        desc.segments_type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END);
        break;
    default: desc.custom = hostile_operator(s); break;
    }
    return clprim_scan_create((clprim_plan **)out, runtime, &desc);
}

static clprim_status bad_select(void **out, clprim_runtime *runtime, model_source *s)
{
    clprim_select_desc desc = {.type = any_type(s),
                               .predicate = model_below(s, 2) != 0 ? "x > 0" : NULL,
                               .partition = model_below(s, 2) != 0,
                               .variant = (clprim_select_variant)model_below(s, CLPRIM_SELECT_LOOK_BACK + 1)};
    switch (model_below(s, 6)) {
    case 0: desc.type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 1: desc.variant = (clprim_select_variant)hostile_enum(s, CLPRIM_SELECT_LOOK_BACK + 1); break;
    case 2: desc.work_group_size = hostile_size(s); break;
    case 3: desc.type_size = 1 + model_below(s, 100); break;
    case 4: desc.type_name = "int"; break;
    default:
        desc.predicate = NULL;
        desc.flags_type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END);
        break;
    }
    return clprim_select_create((clprim_plan **)out, runtime, &desc);
}

static clprim_status bad_radix_sort(void **out, clprim_runtime *runtime, model_source *s)
{
    static const size_t sizes[] = {3, 5, 17, 32, 1000, SIZE_MAX};
    clprim_radix_sort_desc desc = {.key_type = any_type(s),
                                   .value_size = (size_t)1 << model_below(s, 5),
                                   .descending = model_below(s, 2) != 0,
                                   .variant = (clprim_radix_sort_variant)model_below(s, 7),
                                   .max_count = model_below(s, SIZE_MAX)};
    switch (model_below(s, 8)) {
    case 0: desc.key_type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 1: desc.variant = (clprim_radix_sort_variant)hostile_enum(s, CLPRIM_RADIX_SORT_CPU_BUCKETS + 1); break;
    case 2: desc.work_group_size = hostile_size(s); break;
    case 3: desc.value_size = sizes[model_below(s, sizeof sizes / sizeof *sizes)]; break;
    case 4: desc.begin_bit = desc.end_bit = 1 + (unsigned)model_below(s, UINT32_MAX); break;
    case 5:
        desc.bit_range = true;
        desc.begin_bit = 1 + (unsigned)model_below(s, UINT32_MAX);
        desc.end_bit = (unsigned)model_below(s, desc.begin_bit);
        break;
    case 6: desc.nan_order = (clprim_nan_order)hostile_enum(s, CLPRIM_NAN_LAST + 1); break;
    default:
        desc.argsort = true;
        desc.index_type = model_below(s, 2) != 0 ? CLPRIM_U16 : CLPRIM_F64;
        break;
    }
    return clprim_radix_sort_create((clprim_plan **)out, runtime, &desc);
}

static clprim_status bad_histogram(void **out, clprim_runtime *runtime, model_source *s)
{
    static const double ends[] = {0, -1, 1e300, -0.0, (double)INT64_MIN};
    clprim_histogram_desc desc = {.type = any_type(s),
                                  .bins = model_below(s, 1000),
                                  .accumulate = model_below(s, 2) != 0,
                                  .variant = (clprim_histogram_variant)model_below(s, 10)};
    switch (model_below(s, 9)) {
    case 0: desc.type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 1: desc.variant = (clprim_histogram_variant)hostile_enum(s, CLPRIM_HISTOGRAM_CPU_CHUNK + 1); break;
    case 2: desc.work_group_size = hostile_size(s); break;
    case 3: desc.bins = ((size_t)1 << 24) + 1 + model_below(s, SIZE_MAX / 2); break;
    case 4: desc.mapping = (clprim_histogram_mapping)hostile_enum(s, CLPRIM_HISTOGRAM_CUSTOM + 1); break;
    case 5: desc.mapping = model_below(s, 2) != 0 ? CLPRIM_HISTOGRAM_BOUNDARIES : CLPRIM_HISTOGRAM_CUSTOM; break;
    case 6:
        desc.mapping = CLPRIM_HISTOGRAM_EVEN;
        desc.high = ends[model_below(s, sizeof ends / sizeof *ends)];
        desc.low = desc.high;
        break;
    case 7: desc.channels = 5 + (unsigned)model_below(s, UINT32_MAX - 5); break;
    default: desc.active_channels = 2 + (unsigned)model_below(s, UINT32_MAX - 2); break;
    }
    return clprim_histogram_create((clprim_plan **)out, runtime, &desc);
}

static clprim_status bad_unique(void **out, clprim_runtime *runtime, model_source *s)
{
    clprim_unique_desc desc = {.type = any_type(s), .equal = model_below(s, 2) != 0 ? "a == b" : NULL};
    switch (model_below(s, 4)) {
    case 0: desc.type = (clprim_type)hostile_enum(s, CLPRIM_TYPE_END); break;
    case 1: desc.variant = (clprim_select_variant)hostile_enum(s, CLPRIM_SELECT_LOOK_BACK + 1); break;
    case 2: desc.type_size = 1 + model_below(s, 100); break;
    default: desc.type_name = "int"; break;
    }
    return clprim_unique_create((clprim_plan **)out, runtime, &desc);
}

/* Arguments that are NULL. */
static clprim_status without_arguments(void **out, clprim_runtime *runtime, model_source *s)
{
    switch (model_below(s, 6)) {
    case 0: return clprim_reduce_create(NULL, runtime, NULL);
    case 1: return clprim_scan_create((clprim_plan **)out, NULL, NULL);
    case 2: return clprim_select_enqueue(NULL, NULL, NULL, 0, NULL, NULL);
    case 3: return clprim_plan_scratch_size(NULL, NULL, &(clprim_radix_sort_call){.count = SIZE_MAX});
    case 4: return clprim_plan_set_scratch(NULL, NULL);
    default: return clprim_unique_run(runtime, NULL, NULL);
    }
}

const char *model_try_bad_desc(clprim_runtime *runtime, model_source *source)
{
    static clprim_status (*const tries[])(void **, clprim_runtime *, model_source *) = {
        bad_reduce, bad_scan, bad_select, bad_radix_sort, bad_histogram, bad_unique, without_arguments};
    static char untouched;
    void *plan = &untouched;
    const clprim_status status = tries[model_below(source, sizeof tries / sizeof *tries)](&plan, runtime, source);
    if (plan != &untouched)
        return "a bad description makes a plan, or writes *out";
    if (status != CLPRIM_INVALID_ARGUMENT && status != CLPRIM_INVALID_OPERATOR && status != CLPRIM_UNSUPPORTED)
        return "a bad description gives another status";
    return clprim_last_error()[0] != '\0' ? NULL : "a bad description is refused without a sentence";
}
