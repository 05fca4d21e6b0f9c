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

#define UNWRAP(...) __VA_ARGS__
#define d           a->device
#define h           a->host

/* clang-format off */
static const clprim_reduce_desc reduce_tree = {.variant = CLPRIM_REDUCE_TREE, .work_group_size = 8, .items_per_work_item = 2};
SUBJECT(reduce_tree, reduce, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, runtime, &reduce_tree, h.keys, n))
static const clprim_reduce_desc reduce_single_pass = {.variant = CLPRIM_REDUCE_SINGLE_PASS, .work_group_size = 64};
SUBJECT(reduce_single_pass, reduce, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, runtime, &reduce_single_pass, h.keys, n))

static const clprim_scan_desc scan_blelloch = {.variant = CLPRIM_SCAN_BLELLOCH, .work_group_size = 32};
SUBJECT(scan_blelloch, scan, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, runtime, &scan_blelloch, h.keys, NULL, n))
static const clprim_scan_desc scan_look_back = {.variant = CLPRIM_SCAN_LOOK_BACK, .work_group_size = 32, .items_per_work_item = 4};
SUBJECT(scan_look_back, scan, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, runtime, &scan_look_back, h.keys, NULL, n))
static const clprim_scan_desc scan_by_key = {.variant = CLPRIM_SCAN_CPU_CHUNK, .segments = CLPRIM_SCAN_BY_KEY};
SUBJECT(scan_by_key, scan, enqueue_segments, (d.values, AT, n, d.keys, AT, d.keys_out, AT), (h.keys_out, runtime, &scan_by_key, h.values, h.keys, n))

static const clprim_select_desc select_look_back = {.variant = CLPRIM_SELECT_LOOK_BACK, .predicate = "x > 3", .work_group_size = 32, .items_per_work_item = 4};
SUBJECT(select_look_back, select, enqueue, (d.keys, AT, n, d.keys_out, AT, d.number, AT), (h.keys_out, h.number, runtime, &select_look_back, h.keys, NULL, n))
static const clprim_select_desc partition = {.variant = CLPRIM_SELECT_CPU_CHUNK, .partition = true, .flags_type = CLPRIM_U32};
SUBJECT(partition, select, enqueue_flagged, (d.values, AT, n, d.keys, AT, d.values_out, AT, d.number, AT), (h.values_out, h.number, runtime, &partition, h.values, h.keys, n))

static const clprim_radix_sort_desc radix_onesweep = {.variant = CLPRIM_RADIX_SORT_ONESWEEP, .key_type = CLPRIM_U16, .work_group_size = 64};
SUBJECT(radix_onesweep, radix_sort, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, NULL, runtime, &radix_onesweep, n))
static const clprim_radix_sort_desc radix_buckets = {.variant = CLPRIM_RADIX_SORT_CPU_BUCKETS, .value_size = 4};
SUBJECT(radix_buckets, radix_sort, enqueue_pairs, (d.keys, AT, d.values, AT, n, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &radix_buckets, n))

static const clprim_bitonic_sort_desc bitonic = {.variant = CLPRIM_BITONIC_SORT_NAIVE, .value_size = 4};
SUBJECT_WITHOUT_SCRATCH(bitonic, bitonic_sort, enqueue_pairs, (d.keys, AT, d.values, AT, n, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &bitonic, n))

static const clprim_comparison_sort_desc comparison = {.less = "a < b", .stable = true};
SUBJECT(comparison, comparison_sort, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, NULL, runtime, &comparison, n))
static const clprim_comparison_sort_desc samples = {.variant = CLPRIM_COMPARISON_SORT_SAMPLE_SORT};
SUBJECT(samples, comparison_sort, enqueue, (d.keys, AT, n, d.keys_out, AT), (h.keys_out, NULL, runtime, &samples, n))
static const clprim_comparison_sort_desc comparison_radix = {.variant = CLPRIM_COMPARISON_SORT_RADIX, .value_size = 4};
SUBJECT(comparison_radix, comparison_sort, enqueue_pairs, (d.keys, AT, d.values, AT, n, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &comparison_radix, n))

static const clprim_histogram_desc histogram_local = {.variant = CLPRIM_HISTOGRAM_LOCAL_ATOMIC, .type = CLPRIM_U32, .bins = 16};
SUBJECT(histogram_local, histogram, enqueue, (d.keys, AT, n, d.keys_out, AT, d.number, AT), (h.keys_out, (uint64_t *)h.number, runtime, &histogram_local, h.keys, NULL, n))
static const double bounds[] = {0, 2, 3, 5};
static const clprim_histogram_desc histogram_sorted = {.variant = CLPRIM_HISTOGRAM_SORT_BASED, .type = CLPRIM_U32, .mapping = CLPRIM_HISTOGRAM_BOUNDARIES, .bins = 3, .boundaries = bounds};
SUBJECT(histogram_sorted, histogram, enqueue, (d.keys, AT, n, d.keys_out, AT, d.number, AT), (h.keys_out, (uint64_t *)h.number, runtime, &histogram_sorted, h.keys, NULL, n))

static const clprim_sort_by_key_desc by_key = {.num_arrays = 1, .element_sizes = {4}};
#define ARRAYS &(const clprim_sort_by_key_array){.in = d.values, .in_offset = AT, .out = d.values_out, .out_offset = AT}
SUBJECT(by_key, sort_by_key, enqueue, (d.keys, AT, n, d.keys_out, AT, ARRAYS), (h.keys_out, &h.values_out, runtime, &by_key, n))

static const clprim_segmented_sort_desc segmented = {.value_size = 4, .variant = CLPRIM_SEGMENTED_SORT_CPU_CHUNK};
SUBJECT(segmented, segmented_sort, enqueue_pairs, (d.keys, AT, d.values, AT, n, d.offsets, AT, FAULTS_SEGMENTS, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &segmented, n, h.offsets, FAULTS_SEGMENTS))
static const clprim_segmented_sort_desc segmented_composite = {.value_size = 4, .variant = CLPRIM_SEGMENTED_SORT_COMPOSITE};
SUBJECT(segmented_composite, segmented_sort, enqueue_pairs, (d.keys, AT, d.values, AT, n, d.offsets, AT, FAULTS_SEGMENTS, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &segmented_composite, n, h.offsets, FAULTS_SEGMENTS))

static const clprim_unique_desc unique = {.variant = CLPRIM_SELECT_CPU_CHUNK};
SUBJECT(unique, unique, enqueue, (d.keys, AT, n, d.keys_out, AT, d.number, AT), (h.keys_out, h.number, runtime, &unique, h.keys, n))

static const clprim_run_length_encode_desc run_lengths = {.variant = CLPRIM_SCAN_CPU_CHUNK};
SUBJECT(run_lengths, run_length_encode, enqueue, (d.keys, AT, n, d.keys_out, AT, d.values_out, AT, d.number, AT), (h.keys_out, h.values_out, h.number, runtime, &run_lengths, h.keys, n))

static const clprim_reduce_by_key_desc reduce_runs = {.variant = CLPRIM_SCAN_CPU_CHUNK};
SUBJECT(reduce_runs, reduce_by_key, enqueue, (d.keys, AT, d.values, AT, n, d.keys_out, AT, d.values_out, AT, d.number, AT), (h.keys_out, h.values_out, h.number, runtime, &reduce_runs, h.keys, h.values, n))

static const clprim_top_k_desc top_k_select = {.variant = CLPRIM_TOP_K_RADIX_SELECT, .k = K, .value_size = 4};
SUBJECT(top_k_select, top_k, enqueue_pairs, (d.values, AT, d.keys, AT, n, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &top_k_select, h.values, h.keys, n))
static const clprim_top_k_desc top_k_sort = {.variant = CLPRIM_TOP_K_SORT, .k = K, .value_size = 4};
SUBJECT(top_k_sort, top_k, enqueue_pairs, (d.keys, AT, d.values, AT, n, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &top_k_sort, h.keys, h.values, n))
static const clprim_top_k_desc top_k_chunk = {.variant = CLPRIM_TOP_K_CPU_CHUNK, .k = K};
SUBJECT(top_k_chunk, top_k, enqueue, (d.values, AT, n, d.keys_out, AT), (h.keys_out, NULL, runtime, &top_k_chunk, h.values, NULL, n))

static const clprim_merge_desc merge_chunk = {.variant = CLPRIM_MERGE_CPU_CHUNK, .value_size = 4};
SUBJECT_WITHOUT_SCRATCH(merge_chunk, merge, enqueue_pairs, (d.keys, AT, d.values, AT, n / 2, d.keys, AT + n / 4, d.values, AT, n / 2, d.keys_out, AT, d.values_out, AT), (h.keys_out, h.values_out, runtime, &merge_chunk, h.keys, h.values, n / 2, h.keys, h.values, n / 2))
static const clprim_search_desc search_chunk = {.variant = CLPRIM_SEARCH_CPU_CHUNK, .needles_are_sorted = true, .index_type = CLPRIM_U64};
SUBJECT_WITHOUT_SCRATCH(search_chunk, search, enqueue, (d.keys, AT, n, d.keys, AT, n / 2, d.keys_out, AT), (h.keys_out, runtime, &search_chunk, h.keys, n, h.keys, n / 2))
static const clprim_is_sorted_desc order_chunk = {.variant = CLPRIM_IS_SORTED_CPU_CHUNK};
SUBJECT(order_chunk, is_sorted, enqueue, (d.keys, AT, n, d.number, AT), ((bool *)h.keys_out, h.number, runtime, &order_chunk, h.keys, n))
static const clprim_is_sorted_desc order_single_pass = {.variant = CLPRIM_IS_SORTED_SINGLE_PASS, .work_group_size = 64};
SUBJECT(order_single_pass, is_sorted, enqueue, (d.keys, AT, n, d.number, AT), ((bool *)h.keys_out, h.number, runtime, &order_single_pass, h.keys, n))

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
    ROW_WITHOUT_SCRATCH(bitonic, FEW, .name = "bitonic sort", .sorts = true),
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
    ROW_WITHOUT_SCRATCH(merge_chunk, MANY, .name = "merge in chunks", .is_ordered = true),
    ROW_WITHOUT_SCRATCH(search_chunk, MANY, .name = "search in chunks", .is_ordered = true),
    ROW(order_chunk, VERY_MANY, .name = "is_sorted in chunks"),
    ROW(order_single_pass, MANY, .name = "is_sorted in a single pass", .is_costly = true),
};

const size_t faults_num_subjects = sizeof faults_subjects / sizeof *faults_subjects;
