// SPDX-License-Identifier: MIT
/* clprim/bitonic_sort.h: sort with a network of comparisons, in place and without scratch memory.
 *
 *     clprim_plan *plan;
 *     const clprim_bitonic_sort_desc desc = {.type_name = "span", .type_size = sizeof(struct span),
 *                                            .text.source = "typedef struct { uint begin, end; } span;",
 *                                            .less = "a.begin < b.begin"};
 *     const clprim_bitonic_sort_call call = {.keys_in = {.buffer = spans}, .count = n, .keys_out = {.buffer = spans}};
 *     clprim_bitonic_sort_create(&plan, runtime, &desc);
 *     clprim_bitonic_sort_enqueue(plan, queue, &call, 0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The sort is not stable: equal keys may be reordered, differently by each variant. The output is a permutation of the
 * input, even if .less is inconsistent. No bit of a key changes. Any count is allowed; it need not be a power of two.
 *
 * Without .less, floats are sorted in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * .nan_order can put all NaNs last instead. In both orders, keys are equal only if all their bits are.
 *
 * The network makes the same comparisons whatever the keys are, in log2(n) * (log2(n) + 1) / 2 steps for n elements.
 * For many keys of a built-in type, clprim/radix_sort.h is faster, but takes scratch memory.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: Batcher 1968, Sorting Networks and Their Applications. Most variants are the course's steps
 * (docs/bitonic_sort.md, docs/sources.md). */
#ifndef CLPRIM_BITONIC_SORT_H
#define CLPRIM_BITONIC_SORT_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/bitonic_sort/; clprim_bitonic_sort_operation.variants describes the variants. */
typedef enum clprim_bitonic_sort_variant {
    CLPRIM_BITONIC_SORT_AUTO = 0,
    CLPRIM_BITONIC_SORT_NAIVE,
    CLPRIM_BITONIC_SORT_BETTER,
    CLPRIM_BITONIC_SORT_BEST,
    CLPRIM_BITONIC_SORT_MASKED,
    CLPRIM_BITONIC_SORT_LOCAL_STEP,
    CLPRIM_BITONIC_SORT_LOCAL_BLOCK,
    CLPRIM_BITONIC_SORT_LOCAL_MERGE,
    CLPRIM_BITONIC_SORT_SHARED_PAIRS,
    CLPRIM_BITONIC_SORT_REGISTER_BLOCK,
    CLPRIM_BITONIC_SORT_CPU_CHUNK
} clprim_bitonic_sort_variant;

/* What to sort. Zeroed: U32 keys without values, in ascending order. See EXPRESSIONS in clprim/plan.h. */
typedef struct clprim_bitonic_sort_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* The caller's order: an expression over two elements `a` and `b` (F16: floats), whose value is not 0 if a must
     * come before b. It must be a strict weak order. Two elements are equal if neither must come before the other.
     * Default: NULL (the total order). */
    const char *less;

    /* Declarations, parameters and compiler options for the expression. Only with .less. Default: none. */
    clprim_text text;

    /* Instead of .key_type: the OpenCL C name of a type that .text.source declares. Requires .less. Default: NULL. */
    const char *type_name;

    /* Size of that type on the host and on the device, in bytes. Default: 0 (no .type_name). */
    size_t type_size;

    /* Sort in descending order, the reverse of the total order or of .less. Default: false. */
    bool descending;

    /* Where NaNs stand in the order (clprim/types.h). Not with .less. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that moves with each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Sort each segment of the array independently, in one launch. Default: false. */
    bool segmented;

    /* Type of .offsets: U32 or U64. Default: U32. */
    clprim_type offsets_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_BITONIC_SORT_AUTO (the library chooses). */
    clprim_bitonic_sort_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_bitonic_sort_desc;

/* One sort.
 *
 * With .segmented, segment s has the elements offsets[s] to offsets[s + 1] - 1, counted from the first element of the
 * call. Offsets must ascend and must not exceed `count`; segments may be empty. Elements outside all segments, before
 * the first offset or from the last offset on, are not written to the outputs. If the offsets are invalid, the kernels
 * still access nothing outside the arrays, but the outputs are unspecified. run checks offsets on the host and refuses
 * invalid ones with CLPRIM_INVALID_ARGUMENT.
 *
 * One work-group sorts each segment. That is fast if segments are many and each fits local memory. For longer segments
 * of keys of a built-in type, see clprim/segmented_sort.h. */
typedef struct clprim_bitonic_sort_call {
    /* `count` keys of .key_type or .type_name. */
    clprim_array keys_in;

    /* `count` values of .value_size bytes. Only with .value_size. */
    clprim_array values_in;

    /* segment_count + 1 numbers of .offsets_type. Only with .segmented. */
    clprim_array offsets;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* The number of elements, at most .max_count. */
    size_t count;

    /* The number of segments, at most 2^32 - 2. Only with .segmented. */
    size_t segment_count;

    /* The sorted keys. They may be in place of .keys_in. The sort works in this array, so the buffer must allow reads,
     * too. */
    clprim_array keys_out;

    /* The values, in the order of their keys. They may be in place of .values_in. The buffer must allow reads, too.
     * Only with .value_size. */
    clprim_array values_out;
} clprim_bitonic_sort_call;

/* Make a plan. A NULL desc means a zeroed one. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_UNSUPPORTED: the variant does not support the description. SHARED_PAIRS sorts an array in the local memory
 *   of one work-group: give a .max_count that fits. Only LOCAL_MERGE and CPU_CHUNK sort segments. AUTO finds a variant,
 *   unless elements are so large that local memory does not hold even a few. */
CLPRIM_API clprim_status clprim_bitonic_sort_create(clprim_plan **out, clprim_runtime *runtime,
                                                    const clprim_bitonic_sort_desc *desc);

/* Enqueue one sort. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_bitonic_sort_enqueue(clprim_plan *plan, cl_command_queue queue,
                                                     const clprim_bitonic_sort_call *call, cl_uint num_waits,
                                                     const cl_event *waits, cl_event *done);

/* Make a plan, run one sort, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_bitonic_sort_run(clprim_runtime *runtime, const clprim_bitonic_sort_desc *desc,
                                                 const clprim_bitonic_sort_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_bitonic_sort_operation;

#ifdef __cplusplus
}
#endif
#endif
