/* test_faults.subjects.c: the table of operations. One row stands for a path through the library, not for a type; a new
 * primitive takes a description, a SUBJECT and a row. */
#include "test_faults.h"

/* VERY_MANY: more than one bucket of a radix sort, and more than one chunk of is_sorted. */
enum { FEW = 600, MANY = 5000, VERY_MANY = 40000, K = 100 };

#define AT FAULTS_AT

/* NAME_create and so on, for the static description NAME of a plan clprim_STEM. FUNCTION is enqueue, enqueue_pairs...;
 * `from` are its arguments behind the queue and before the wait list, with `d` the buffers and `n`; `host` all of
 * clprim_STEM_host's, with `h` the arrays, `n` and `runtime`. */
#define SUBJECT_WITHOUT_SCRATCH(name, stem, function, from, host)                                                      \
    static const char name##_stem[] = #stem;                                                                           \
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
    static clprim_status name##_enqueue(void *plan, cl_command_queue queue, const faults_arrays *a, cl_uint num_waits, \
                                        const cl_event *waits, cl_event *done)                                         \
    {                                                                                                                  \
        const size_t n = a->n;                                                                                         \
        return clprim_##stem##_##function(plan, queue, UNWRAP from, num_waits, waits, done);                           \
    }                                                                                                                  \
    static clprim_status name##_host(clprim_runtime *runtime, const faults_arrays *a)                                  \
    {                                                                                                                  \
        const size_t n = a->n;                                                                                         \
        return clprim_##stem##_host host;                                                                              \
    }

#define SUBJECT(name, stem, function, from, host)                                                                      \
    SUBJECT_WITHOUT_SCRATCH(name, stem, function, from, host)                                                          \
    static clprim_status name##_scratch_size(size_t *out, const void *plan, size_t n)                                  \
    {                                                                                                                  \
        return clprim_##stem##_scratch_size(out, plan, n);                                                             \
    }                                                                                                                  \
    static clprim_status name##_set_scratch(void *plan, cl_mem scratch)                                                \
    {                                                                                                                  \
        return clprim_##stem##_set_scratch(plan, scratch);                                                             \
    }

/* The same for operations whose calls are a struct: what the call is on buffers, and on the host. */
#define SUBJECT_BY_CALL(name, stem, on_device, on_host)                                                                \
    static const char name##_stem[] = #stem;                                                                           \
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
    static clprim_##stem##_call name##_call(const faults_arrays *a)                                                    \
    {                                                                                                                  \
        const size_t n = a->n;                                                                                         \
        return (clprim_##stem##_call)UNWRAP on_device;                                                                 \
    }                                                                                                                  \
    static clprim_status name##_enqueue(void *plan, cl_command_queue queue, const faults_arrays *a, cl_uint num_waits, \
                                        const cl_event *waits, cl_event *done)                                         \
    {                                                                                                                  \
        const clprim_##stem##_call call = name##_call(a);                                                              \
        return clprim_##stem##_enqueue(plan, queue, &call, num_waits, waits, done);                                    \
    }                                                                                                                  \
    static clprim_status name##_host(clprim_runtime *runtime, const faults_arrays *a)                                  \
    {                                                                                                                  \
        const size_t n = a->n;                                                                                         \
        return clprim_##stem##_run(runtime, &name, &(clprim_##stem##_call)UNWRAP on_host);                             \
    }                                                                                                                  \
    static clprim_status name##_scratch_size(size_t *out, const void *plan, size_t count)                              \
    {                                                                                                                  \
        const faults_arrays a = {.n = count};                                                                          \
        const clprim_##stem##_call call = name##_call(&a);                                                             \
        return clprim_plan_scratch_size(out, plan, &call);                                                             \
    }                                                                                                                  \
    static clprim_status name##_set_scratch(void *plan, cl_mem scratch)                                                \
    {                                                                                                                  \
        return clprim_plan_set_scratch(plan, scratch);                                                                 \
    }

#define UNWRAP(...) __VA_ARGS__
#define d           a->device
#define h           a->host

/* clang-format off */
static const clprim_reduce_desc reduce_tree = {.variant = CLPRIM_REDUCE_TREE, .work_group_size = 8, .items_per_work_item = 2};
SUBJECT_BY_CALL(reduce_tree, reduce, ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}}),
                ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}}))
static const clprim_reduce_desc reduce_single_pass = {.variant = CLPRIM_REDUCE_SINGLE_PASS, .work_group_size = 64};
SUBJECT_BY_CALL(reduce_single_pass, reduce, ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}}),
                ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}}))

static const clprim_scan_desc scan_blelloch = {.variant = CLPRIM_SCAN_BLELLOCH, .work_group_size = 32};
SUBJECT_BY_CALL(scan_blelloch, scan, ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}}),
                ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}}))
static const clprim_scan_desc scan_look_back = {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 32, .items_per_work_item = 4};
SUBJECT_BY_CALL(scan_look_back, scan, ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}}),
                ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}}))
static const clprim_scan_desc scan_by_key = {.variant = CLPRIM_SCAN_CPU_CHUNK, .segments = CLPRIM_SEGMENTS_BY_KEY};
SUBJECT_BY_CALL(scan_by_key, scan, ({.in = {d.values, AT}, .heads = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}}),
                ({.in = {.host = h.values}, .heads = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}}))

static const clprim_select_desc select_look_back = {.index_type = CLPRIM_U64, .variant = CLPRIM_SELECT_LOOK_BACK, .predicate = "x > 3", .work_group_size = 32, .items_per_work_item = 4};
SUBJECT_BY_CALL(select_look_back, select,
    ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}, .out_count = {d.number, AT}}),
    ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}, .out_count = {.host = h.number}}))
static const clprim_select_desc partition = {.index_type = CLPRIM_U64, .variant = CLPRIM_SELECT_CPU_CHUNK, .partition = true, .flags_type = CLPRIM_U32};
SUBJECT_BY_CALL(partition, select,
    ({.in = {d.values, AT}, .flags = {d.keys, AT}, .count = n, .out = {d.values_out, AT}, .out_count = {d.number, AT}}),
    ({.in = {.host = h.values}, .flags = {.host = h.keys}, .count = n, .out = {.host = h.values_out}, .out_count = {.host = h.number}}))

static const clprim_radix_sort_desc radix_onesweep = {.variant = CLPRIM_RADIX_SORT_ONESWEEP, .key_type = CLPRIM_U16, .work_group_size = 64};
SUBJECT_BY_CALL(radix_onesweep, radix_sort,
    ({.keys_in = {d.keys, AT}, .count = n, .keys_out = {d.keys_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .count = n, .keys_out = {.host = h.keys_out}}))
static const clprim_radix_sort_desc radix_buckets = {.variant = CLPRIM_RADIX_SORT_CPU_BUCKETS, .value_size = 4};
SUBJECT_BY_CALL(radix_buckets, radix_sort,
    ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .count = n, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .values_in = {.host = h.values_out}, .count = n, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))

static const clprim_bitonic_sort_desc bitonic = {.variant = CLPRIM_BITONIC_SORT_NAIVE, .value_size = 4};
SUBJECT_BY_CALL(bitonic, bitonic_sort,
    ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .count = n, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .values_in = {.host = h.values_out}, .count = n, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))

static const clprim_comparison_sort_desc comparison = {.less = "a < b", .stable = true};
SUBJECT_BY_CALL(comparison, comparison_sort,
    ({.keys_in = {d.keys, AT}, .count = n, .keys_out = {d.keys_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .count = n, .keys_out = {.host = h.keys_out}}))
static const clprim_comparison_sort_desc samples = {.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT};
SUBJECT_BY_CALL(samples, comparison_sort,
    ({.keys_in = {d.keys, AT}, .count = n, .keys_out = {d.keys_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .count = n, .keys_out = {.host = h.keys_out}}))
static const clprim_comparison_sort_desc comparison_radix = {.variant = CLPRIM_COMPARISON_SORT_RADIX, .value_size = 4};
SUBJECT_BY_CALL(comparison_radix, comparison_sort,
    ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .count = n, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .values_in = {.host = h.values_out}, .count = n, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))

static const clprim_histogram_desc histogram_local = {.variant = CLPRIM_HISTOGRAM_LOCAL_ATOMIC, .type = CLPRIM_U32, .bins = 16};
SUBJECT_BY_CALL(histogram_local, histogram,
    ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}, .outside_out = {d.number, AT}}),
    ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}, .outside_out = {.host = h.number}}))
static const double bounds[] = {0, 2, 3, 5};
static const clprim_histogram_desc histogram_sorted = {.variant = CLPRIM_HISTOGRAM_SORT_BASED, .type = CLPRIM_U32, .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = 3, .boundaries = bounds};
SUBJECT_BY_CALL(histogram_sorted, histogram,
    ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}, .outside_out = {d.number, AT}}),
    ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}, .outside_out = {.host = h.number}}))

static const clprim_sort_by_key_desc by_key = {.num_arrays = 1, .element_sizes = {4}};
SUBJECT_BY_CALL(by_key, sort_by_key,
    ({.keys_in = {d.keys, AT}, .arrays_in = {{d.values, AT}}, .count = n, .keys_out = {d.keys_out, AT}, .arrays_out = {{d.values_out, AT}}}),
    ({.keys_in = {.host = h.keys_out}, .arrays_in = {{.host = h.values_out}}, .count = n, .keys_out = {.host = h.keys_out}, .arrays_out = {{.host = h.values_out}}}))

static const clprim_segmented_sort_desc segmented = {.value_size = 4, .variant = CLPRIM_SEGMENTED_SORT_CPU_CHUNK};
SUBJECT_BY_CALL(segmented, segmented_sort,
    ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .offsets = {d.offsets, AT}, .count = n, .segment_count = FAULTS_SEGMENTS, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .values_in = {.host = h.values_out}, .offsets = {.host = h.offsets}, .count = n, .segment_count = FAULTS_SEGMENTS, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))
static const clprim_segmented_sort_desc segmented_composite = {.value_size = 4, .variant = CLPRIM_SEGMENTED_SORT_COMPOSITE};
SUBJECT_BY_CALL(segmented_composite, segmented_sort,
    ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .offsets = {d.offsets, AT}, .count = n, .segment_count = FAULTS_SEGMENTS, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.keys_out}, .values_in = {.host = h.values_out}, .offsets = {.host = h.offsets}, .count = n, .segment_count = FAULTS_SEGMENTS, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))

static const clprim_unique_desc unique = {.index_type = CLPRIM_U64, .variant = CLPRIM_SELECT_CPU_CHUNK};
SUBJECT_BY_CALL(unique, unique,
    ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}, .out_count = {d.number, AT}}),
    ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}, .out_count = {.host = h.number}}))

static const clprim_run_length_encode_desc run_lengths = {.variant = CLPRIM_SCAN_CPU_CHUNK};
SUBJECT_BY_CALL(run_lengths, run_length_encode,
                ({.in = {d.keys, AT}, .count = n, .out = {d.keys_out, AT}, .lengths_out = {d.values_out, AT}, .out_count = {d.number, AT}}),
                ({.in = {.host = h.keys}, .count = n, .out = {.host = h.keys_out}, .lengths_out = {.host = h.values_out}, .out_count = {.host = h.number}}))

static const clprim_reduce_by_key_desc reduce_runs = {.variant = CLPRIM_SCAN_CPU_CHUNK};
SUBJECT_BY_CALL(reduce_runs, reduce_by_key,
                ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .count = n, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}, .out_count = {d.number, AT}}),
                ({.keys_in = {.host = h.keys}, .values_in = {.host = h.values}, .count = n, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}, .out_count = {.host = h.number}}))

static const clprim_top_k_desc top_k_select = {.variant = CLPRIM_TOP_K_RADIX_SELECT, .k = K, .value_size = 4};
SUBJECT_BY_CALL(top_k_select, top_k,
    ({.keys_in = {d.values, AT}, .values_in = {d.keys, AT}, .count = n, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.values}, .values_in = {.host = h.keys}, .count = n, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))
static const clprim_top_k_desc top_k_sort = {.variant = CLPRIM_TOP_K_SORT, .k = K, .value_size = 4};
SUBJECT_BY_CALL(top_k_sort, top_k,
    ({.keys_in = {d.keys, AT}, .values_in = {d.values, AT}, .count = n, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.keys_in = {.host = h.keys}, .values_in = {.host = h.values}, .count = n, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))
static const clprim_top_k_desc top_k_chunk = {.variant = CLPRIM_TOP_K_CPU_CHUNK, .k = K};
SUBJECT_BY_CALL(top_k_chunk, top_k,
    ({.keys_in = {d.values, AT}, .count = n, .keys_out = {d.keys_out, AT}}),
    ({.keys_in = {.host = h.values}, .count = n, .keys_out = {.host = h.keys_out}}))

static const clprim_merge_desc merge_chunk = {.variant = CLPRIM_MERGE_CPU_CHUNK, .value_size = 4};
SUBJECT_BY_CALL(merge_chunk, merge,
    ({.a_keys = {d.keys, AT}, .a_values = {d.values, AT}, .b_keys = {d.keys, AT + n / 4}, .b_values = {d.values, AT}, .a_count = n / 2, .b_count = n / 2, .keys_out = {d.keys_out, AT}, .values_out = {d.values_out, AT}}),
    ({.a_keys = {.host = h.keys}, .a_values = {.host = h.values}, .b_keys = {.host = h.keys}, .b_values = {.host = h.values}, .a_count = n / 2, .b_count = n / 2, .keys_out = {.host = h.keys_out}, .values_out = {.host = h.values_out}}))
static const clprim_search_desc search_chunk = {.variant = CLPRIM_SEARCH_CPU_CHUNK, .needles_are_sorted = true, .index_type = CLPRIM_U64};
SUBJECT_BY_CALL(search_chunk, search,
    ({.in = {d.keys, AT}, .needles = {d.keys, AT}, .count = n, .needle_count = n / 2, .out = {d.keys_out, AT}}),
    ({.in = {.host = h.keys}, .needles = {.host = h.keys}, .count = n, .needle_count = n / 2, .out = {.host = h.keys_out}}))
static const clprim_is_sorted_desc order_chunk = {.variant = CLPRIM_IS_SORTED_CPU_CHUNK};
SUBJECT_BY_CALL(order_chunk, is_sorted, ({.in = {d.keys, AT}, .count = n, .out = {d.number, AT}}), ({.in = {.host = h.keys}, .count = n, .out = {.host = h.number}}))
static const clprim_is_sorted_desc order_single_pass = {.variant = CLPRIM_IS_SORTED_SINGLE_PASS, .work_group_size = 64};
SUBJECT_BY_CALL(order_single_pass, is_sorted, ({.in = {d.keys, AT}, .count = n, .out = {d.number, AT}}), ({.in = {.host = h.keys}, .count = n, .out = {.host = h.number}}))

#define ROW_WITHOUT_SCRATCH(name, count, ...) {.stem = name##_stem, .n = (count), .create = name##_create, .destroy = name##_destroy, .enqueue = name##_enqueue, .host = name##_host, __VA_ARGS__}
#define ROW(name, count, ...) ROW_WITHOUT_SCRATCH(name, count, .scratch_size = name##_scratch_size, .set_scratch = name##_set_scratch, __VA_ARGS__)
/* clang-format on */

const faults_subject faults_subjects[] = {
    ROW(reduce_tree, MANY, .name = "reduce by tree", .keeps_output = true),
    ROW(reduce_single_pass, MANY, .name = "reduce in a single pass", .is_costly = true, .keeps_output = true),
    ROW(scan_blelloch, MANY, .name = "scan by Blelloch", .is_costly = true),
    ROW(scan_look_back, MANY, .name = "scan by look-back"),
    ROW(scan_by_key, MANY, .name = "scan by key in chunks", .is_costly = true),
    ROW(select_look_back, MANY, .name = "select by look-back", .is_costly = true),
    ROW(partition, MANY, .name = "partition by flags"),
    ROW(radix_onesweep, MANY, .name = "radix sort in one sweep", .is_costly = true, .sorts = true),
    ROW(radix_buckets, VERY_MANY, .name = "radix sort in buckets", .sorts = true),
    ROW(bitonic, FEW, .name = "bitonic sort", .sorts = true),
    ROW(comparison, MANY, .name = "sort by comparison, stable", .is_costly = true, .sorts = true),
    ROW(comparison_radix, MANY, .name = "sort by comparison, by radix", .sorts = true),
    ROW(samples, MANY, .name = "sort by samples", .is_costly = true, .sorts = true),
    ROW(histogram_local, MANY, .name = "histogram by local atomics"),
    ROW(histogram_sorted, MANY, .name = "histogram by sorting"),
    ROW(by_key, MANY, .name = "sort by key", .sorts = true),
    ROW(segmented, MANY, .name = "segmented sort in chunks", .is_costly = true, .sorts = true),
    ROW(segmented_composite, MANY, .name = "segmented sort by composite keys", .sorts = true),
    ROW(unique, MANY, .name = "unique"),
    ROW(run_lengths, MANY, .name = "run_length_encode"),
    ROW(reduce_runs, MANY, .name = "reduce_by_key"),
    ROW(top_k_select, MANY, .name = "top_k by radix select", .is_costly = true),
    ROW(top_k_sort, MANY, .name = "top_k by sorting"),
    ROW(top_k_chunk, MANY, .name = "top_k in chunks", .is_costly = true),
    ROW(merge_chunk, MANY, .name = "merge in chunks", .is_ordered = true),
    ROW(search_chunk, MANY, .name = "search in chunks", .is_ordered = true),
    ROW(order_chunk, VERY_MANY, .name = "is_sorted in chunks"),
    ROW(order_single_pass, MANY, .name = "is_sorted in a single pass", .is_costly = true),
};

const size_t faults_num_subjects = sizeof faults_subjects / sizeof *faults_subjects;
