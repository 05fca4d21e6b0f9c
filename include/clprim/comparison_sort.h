// SPDX-License-Identifier: MIT
/* clprim/comparison_sort.h: sort keys of any type in the caller's own order, stably if wanted.
 *
 *     clprim_plan *plan;
 *     const clprim_comparison_sort_desc desc = {.type_name = "span",
 *                                               .type_size = sizeof(struct span),
 *                                               .text.source = "typedef struct { uint begin, end; } span;",
 *                                               .less = "a.begin < b.begin",
 *                                               .stable = true};
 *     const clprim_comparison_sort_call call = {
 *         .keys_in = {.buffer = spans}, .count = n, .keys_out = {.buffer = sorted}};
 *     clprim_comparison_sort_create(&plan, runtime, &desc);
 *     clprim_comparison_sort_enqueue(plan, queue, &call, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * Without .stable, equal keys may be reordered, differently by each variant, and by SAMPLE_SORT in each call. The
 * output is a permutation of the input, even if .less is inconsistent. No bit of a key changes. Any count is allowed.
 *
 * Without .less, floats are sorted in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead. In both orders, keys are equal only if all their bits are.
 *
 * The variants sort tiles, and then merge them pairwise in log2(n / tile) passes. SAMPLE_SORT, for very many elements,
 * first divides the array by sampled splitters, which leaves almost nothing to merge.
 *
 * Scratch memory: room for the keys and values once more, and a little for other data. SAMPLE_SORT takes another byte
 * per element. BITONIC takes none. Values whose size is not 1, 2, 4, 8 or 16 bytes take room for their indices twice, and
 * for a copy of them if they are in place.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Green, McColl and Bader 2012, GPU Merge Path; Batcher 1968, Sorting Networks and Their Applications (tiles);
 * Leischner, Osipov and Sanders 2010, GPU Sample Sort (SAMPLE_SORT). */
#ifndef CLPRIM_COMPARISON_SORT_H
#define CLPRIM_COMPARISON_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clprim_comparison_sort_operation.variants describes the variants. BITONIC is the sort of
 * clprim/bitonic_sort.h; RADIX and NATIVE are sorts of clprim/radix_sort.h.
 *
 * AUTO takes the first line that applies. "Not CPU" means any device but a CPU. Sizes are those of a key with its
 * value.
 *
 *     .in_place_only                                             BITONIC
 *     large GPU, max_count of a few thousand, >= 8 bytes         MERGE_PATH or MERGE_NETWORK, by the last two lines
 *     not CPU, max_count <= 4096, not .stable, no large record   BITONIC
 *     CPU with native kernels, total order, keys alone           NATIVE, which is stable
 *     total order                                                RADIX, which is stable
 *     not CPU, 2^21 <= max_count < 2^32, <= 16 bytes;            SAMPLE_SORT; by the last two lines for calls of fewer
 *         with .stable 2^23 <= max_count                         than 2^21, or 2^23, elements
 *     CPU                                                        CPU_CHUNK
 *     .stable, or large record                                   MERGE_PATH
 *     all others                                                 MERGE_NETWORK
 *
 * A large record is a struct of 12 bytes or more. If the second line applies, the sort compares each element with all
 * others. If .less is slow, BITONIC may be faster. */
typedef enum clprim_comparison_sort_variant {
    CLPRIM_COMPARISON_SORT_AUTO = 0,
    CLPRIM_COMPARISON_SORT_MERGE_PATH,
    CLPRIM_COMPARISON_SORT_MERGE_NETWORK,
    CLPRIM_COMPARISON_SORT_BITONIC,
    CLPRIM_COMPARISON_SORT_RADIX,
    CLPRIM_COMPARISON_SORT_CPU_CHUNK,
    CLPRIM_COMPARISON_SORT_SAMPLE_SORT,
    CLPRIM_COMPARISON_SORT_NATIVE
} clprim_comparison_sort_variant;

/* What to sort. Zeroed: U32 keys without values, in ascending order. See EXPRESSIONS and COUNTS
 * ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_comparison_sort_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value is converted to .key_type, or has the type .type_name.
     * Each key is computed only once. Default: NULL (the keys of .keys_in). */
    const char *input;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats), whose value is not 0 if a must
     * come before b. It must be a strict weak order. Two elements are equal if neither must come before the other.
     * Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for the expressions. Only with .input or .less. Default: none. */
    clprim_text text;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Sort in descending order, the reverse of the total order or of .less. With .stable, equal keys still keep their
     * order. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that belongs to each key, in bytes, at most 256. Values of 1, 2, 4, 8 or 16 bytes move along with
     * the keys. For other sizes, indices do, and the values are then gathered by these; this takes scratch memory. For
     * several arrays of values see .less in clprim/sort_by_key.h. Default: 0 (no values). */
    size_t value_size;

    /* Write the index that each key had in the input as its value. Calls have no .values_in. Not with .value_size.
     * Default: false. */
    bool argsort;

    /* Type of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Keep equal keys in their order. Default: false. */
    bool stable;

    /* Take no scratch memory. AUTO then takes BITONIC, which is not stable, and slower for many elements. Not with
     * .count_at_type. Default: false. */
    bool in_place_only;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_COMPARISON_SORT_AUTO (the library chooses). */
    clprim_comparison_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_comparison_sort_desc;

/* One sort. */
typedef struct clprim_comparison_sort_call {
    /* `count` keys of .key_type or .type_name. Not with .input. */
    clprim_array keys_in;

    /* `count` values of .value_size bytes. Only with .value_size. */
    clprim_array values_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The sorted keys. They may be in place of .keys_in. The sort works in this array, so the buffer must allow reads,
     * too. */
    clprim_array keys_out;

    /* With .value_size: the values, in the order of their keys. They may be in place of .values_in. With .argsort: the
     * index that each sorted key had in the input, from 0 on, as .index_type. The buffer must allow reads, too. */
    clprim_array values_out;
} clprim_comparison_sort_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the variant does not support the description. MERGE_NETWORK and BITONIC are not stable. RADIX
 *   sorts in the total order only. SAMPLE_SORT needs a .max_count below 2^32. Only BITONIC supports
 *   .in_place_only; it takes no .count_at_type. AUTO finds a variant, with these exceptions: .in_place_only together
 *   with .count_at_type, with .stable if keys have a .less or values, or with values of other sizes than 1, 2, 4, 8 or
 *   16 bytes; and elements so large that local memory does not hold even a few. */
CLPRIM_API clprim_status clprim_comparison_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                       const clprim_comparison_sort_desc *desc);

/* Enqueue one sort. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_comparison_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                        const clprim_comparison_sort_call *call, cl_uint num_waits,
                                                        const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_comparison_sort_run(clprim_runtime *runtime, const clprim_comparison_sort_desc *desc,
                                                    const clprim_comparison_sort_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_comparison_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
