/* clprim/comparison_sort.h: sort fast in the caller's own order, stably if wanted, with keys of any type.
 *
 *     clprim_plan *plan;
 *     const clprim_comparison_sort_desc desc = {.type_name = "span", .type_size = sizeof(struct span),
 *                                               .text.source = "typedef struct { uint begin, end; } span;",
 *                                               .less = "a.begin < b.begin", .stable = true};
 *     const clprim_comparison_sort_call call = {.keys_in = {spans}, .count = n, .keys_out = {sorted}};
 *     clprim_comparison_sort_create(&plan, runtime, &desc);
 *     clprim_comparison_sort_enqueue(plan, queue, &call, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Without .stable, equal keys may be reordered. Each variant may order them differently, and SAMPLE_SORT may order them
 * differently in each call. The output is a permutation of the input, even if .less is inconsistent. No bit of a key
 * changes. Any count is allowed.
 *
 * Without .less, floats are sorted in the total order of clprim/types.h, which is the same on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead. In both orders, keys are equal only if all their bits are.
 *
 * The sort first sorts tiles, then merges them pairwise in log2(n / tile) passes. For very many elements, SAMPLE_SORT
 * divides the array by sampled splitters first, which leaves almost nothing to merge.
 *
 * Scratch memory: room for the keys and values once more, and a little more; for SAMPLE_SORT, that is one byte per
 * element. BITONIC takes none.
 *
 * Source: merge path (Green, McColl and Bader 2012) on tiles that networks sort (Batcher 1968); sample sort
 * (Leischner, Osipov and Sanders 2010).
 *
 * See clprim/plan.h for queues, events, overlap, scratch memory, threads and failures. */
#ifndef CLPRIM_COMPARISON_SORT_H
#define CLPRIM_COMPARISON_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to sort. clprim_comparison_sort_operation.variants describes the variants. BITONIC and RADIX are the sorts of
 * clprim/bitonic_sort.h and clprim/radix_sort.h.
 *
 * AUTO takes the first line that applies. "Not CPU" is any device but a CPU. Sizes are of a key with its value.
 *
 *     .in_place_only                                             BITONIC
 *     large GPU, max_count of a few thousand, >= 8 bytes         MERGE_PATH or MERGE_NETWORK, by the last two lines
 *     not CPU, max_count <= 4096, not .stable, no large record   BITONIC
 *     total order                                                RADIX, which is stable
 *     not CPU, 2^21 <= max_count < 2^32,                         SAMPLE_SORT; by the last two lines for calls of fewer
 *         not .stable, <= 16 bytes                               than 2^21 elements
 *     CPU                                                        CPU_CHUNK
 *     .stable, or large record                                   MERGE_PATH
 *     all others                                                 MERGE_NETWORK
 *
 * A large record is a struct of 12 bytes or more. By the second line, each element is compared with all others: if
 * .less is slow, BITONIC may be faster. */
typedef enum clprim_comparison_sort_variant {
    CLPRIM_COMPARISON_SORT_AUTO = 0,
    CLPRIM_COMPARISON_SORT_MERGE_PATH,
    CLPRIM_COMPARISON_SORT_MERGE_NETWORK,
    CLPRIM_COMPARISON_SORT_BITONIC,
    CLPRIM_COMPARISON_SORT_RADIX,
    CLPRIM_COMPARISON_SORT_CPU_CHUNK,
    CLPRIM_COMPARISON_SORT_SAMPLE_SORT
} clprim_comparison_sort_variant;

/* What to sort. Zeroed: U32 keys without values, in ascending order. */
typedef struct clprim_comparison_sort_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An OpenCL C expression that gives the keys, over the index `i` (a ulong) and the parameters of .text. Its value
     * is converted to .key_type (F16: from a float), or has the type .type_name. Each key is computed once and then
     * sorted in keys_out. Default: NULL, the keys are in keys_in. */
    const char *input;

    /* The caller's order: an OpenCL C expression over two elements `a` and `b` that is true if a must come before b.
     * F16 elements are floats in it. The order must be a strict weak order. Two elements are equal if neither must come
     * before the other. Default: NULL, the total order.
     *
     * The text is code: never take it from someone you would not let run code on your device. */
    const char *less;

    /* Declarations, parameters and compiler options for .input and .less; see clprim/types.h. Zeroed without them. */
    clprim_text text;

    /* OpenCL C name of a key type that .text.source declares. Needs .less. Default: NULL, the type is .key_type. */
    const char *type_name;

    /* Size of that type on the host, in bytes; create checks it against the device's. 0 if .type_name is NULL. */
    size_t type_size;

    /* Sort in the opposite order. With .stable, equal keys still keep their order. Default: false. */
    bool descending;

    /* Where NaNs are sorted; see clprim/types.h. Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0, no values. */
    size_t value_size;

    /* Keep equal keys in their order. Default: false. */
    bool stable;

    /* Take no scratch memory: sort by BITONIC, which is not stable, and slower for many elements. Default: false. */
    bool in_place_only;

    /* Maximum number of elements in a call. Default: 2^32 - 1. */
    size_t max_count;

    /* Default: AUTO. */
    clprim_comparison_sort_variant variant;

    /* Work-items per work-group: a power of two, which the library adapts to the device. Default: tuned. */
    size_t work_group_size;
} clprim_comparison_sort_desc;

/* One sort. */
typedef struct clprim_comparison_sort_call {
    /* The keys: `count` elements. None with .input. */
    clprim_array keys_in;

    /* With .value_size: `count` values. */
    clprim_array values_in;

    /* One for each parameter of .text; see clprim/plan.h. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* Number of elements. At most .max_count. */
    size_t count;

    /* The sorted keys. May be in place of keys_in. The buffer is read as well as written: keys are merged there. */
    clprim_array keys_out;

    /* With .value_size: the values, in the order of their keys. May be in place of values_in. Read as well as written,
     * like keys_out. */
    clprim_array values_out;
} clprim_comparison_sort_call;

/* Make a plan. desc NULL means a zeroed description. On failure *out is unchanged.
 *
 * Errors:
 * - CLPRIM_INVALID_ARGUMENT.
 * - CLPRIM_UNSUPPORTED: the variant cannot do this sort. MERGE_NETWORK, BITONIC and SAMPLE_SORT are not stable. RADIX
 *   sorts in the total order only. SAMPLE_SORT needs a max_count below 2^32. Only BITONIC supports .in_place_only.
 *   AUTO finds a variant, with two exceptions: .stable together with .in_place_only, if keys have a .less or values;
 *   and elements so large that local memory does not hold even a few.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile. clprim_last_error() has the compiler's log, which names
 *   the texts as files: `source` and `less`.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_comparison_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                       const clprim_comparison_sort_desc *desc);

/* Enqueue one sort. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_comparison_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                        const clprim_comparison_sort_call *call, cl_uint num_waits,
                                                        const cl_event *waits, cl_event *done);

/* Make a plan, sort once and wait for the result. Arrays may be on the host or on the device; run copies as needed.
 * runtime NULL means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_comparison_sort_run(clprim_runtime *runtime, const clprim_comparison_sort_desc *desc,
                                                    const clprim_comparison_sort_call *call);

/* This operation as data; see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_comparison_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
