// SPDX-License-Identifier: MIT
/* clprim/top_k.h: find the k largest or smallest keys of an array, sorted, with their values or indices.
 *
 *     clprim_plan *plan;
 *     clprim_top_k_create(&plan, runtime, &(clprim_top_k_desc){.key_type = CLPRIM_F32, .k = 10, .indices = true});
 *     clprim_top_k_enqueue(plan, queue,
 *                          &(clprim_top_k_call){.keys_in = {.buffer = in}, .count = n, .keys_out = {.buffer = best},
 *                                               .values_out = {.buffer = where}},
 *                          0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The result is the first k elements of a stable sort by clprim/radix_sort.h, bit for bit, with every variant and on
 * every device. Among equal keys, the one with the lower index wins and comes first. A call writes min(k, count)
 * elements.
 *
 * Floats are compared in the total order of clprim/types.h, on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * So NaNs may be at both ends. With .nan_order = CLPRIM_NAN_LAST, all NaNs are greater than +inf: first among the
 * largest keys, last among the smallest.
 *
 * Median and percentiles: clprim/nth_element.h finds them without the keys before them.
 *
 * Scratch memory: SORT takes room for all keys and values twice. NATIVE takes 12 bytes for each of up to 4 k + 4096
 * elements per 2^17, sixteen times that at most, and what NATIVE of radix_sort takes for k elements. The other variants
 * take room for k keys and values twice, and for counters. With k up to 1/64 of the elements, RADIX_SELECT also takes 4
 * bytes for 1/16 of the elements, at least a few MiB. With a small k, CPU_CHUNK takes room for 8 k + 1024 keys and
 * indices per core. If calls may leave out .keys_out, add room for k keys; a call with .keys_out does not take that room
 * from the runtime's pool.
 *
 * Queues, events, overlaps, scratch memory, threads and failures: clprim/plan.h.
 *
 * Source: radix select, as in Alabi et al. 2012, Fast k-Selection Algorithms for Graphics Processing Units. */
#ifndef CLPRIM_TOP_K_H
#define CLPRIM_TOP_K_H

#include <clprim/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels are in kernels/top_k/; clprim_top_k_operation.variants describes the variants. */
typedef enum clprim_top_k_variant {
    CLPRIM_TOP_K_AUTO = 0,
    CLPRIM_TOP_K_SORT,
    CLPRIM_TOP_K_RADIX_SELECT,
    CLPRIM_TOP_K_CPU_CHUNK,
    CLPRIM_TOP_K_NATIVE
} clprim_top_k_variant;

/* What to find. .k is required. Otherwise zeroed: the k largest U32 keys without values, in descending order. See
 * EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_top_k_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value is converted to .key_type. Default: NULL (the keys
     * of .keys_in). */
    const char *input;

    /* Further keys, which order the elements whose first keys are equal (clprim/types.h). Among these, the element with
     * the smaller further key wins and comes first; if .then.descending is set, the one with the larger key. .smallest
     * applies to .input alone; .nan_order applies to all keys. Only with .input, and with values or .indices. Calls
     * have no .keys_out. Default: none. */
    clprim_sort_keys then;

    /* Declarations, parameters and compiler options for the expressions. Only with .input. Default: none. */
    clprim_text text;

    /* Number of keys to find, at least 1. Required. */
    size_t k;

    /* Find the k smallest keys, the smallest first. Default: false (the k largest keys, the largest first). */
    bool smallest;

    /* Where NaNs stand in the order (clprim/types.h). Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that belongs to each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Write the index that each key has in the input as its value. Calls have no .values_in. Not with .value_size.
     * Default: false. */
    bool indices;

    /* Type of these indices: U32 or U64. U64 is required if .max_count is 2^32 or more. Default: U32. */
    clprim_type index_type;

    /* Write the keys found in the order of the input, which saves a sort. Not with the variant SORT. Default: false (in
     * the order of the keys). */
    bool unsorted;

    /* Type of the calls' .count_at: U32 or U64. Default: 0 (calls have no .count_at). */
    clprim_type count_at_type;

    /* The largest count of any call, in elements. Default: 0 (2^32 - 1). */
    size_t max_count;

    /* The implementation. Default: CLPRIM_TOP_K_AUTO (the library chooses). */
    clprim_top_k_variant variant;

    /* Work-items per work-group: a power of two, adapted to the device and the variant. Default: 0 (tuned). */
    size_t work_group_size;
} clprim_top_k_desc;

/* One call. */
typedef struct clprim_top_k_call {
    /* `count` keys of .key_type. Not with .input. */
    clprim_array keys_in;

    /* The values of .text.parameters, in the same order. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* `count` values of .value_size bytes. Only with .value_size. */
    clprim_array values_in;

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The keys found: min(k, count) keys. Not with .then. Optional with .input and values or .indices. */
    clprim_array keys_out;

    /* With .value_size: the values of the keys found. With .indices: the index that each key found has in the input,
     * from 0 on, as .index_type. */
    clprim_array values_out;
} clprim_top_k_call;

/* Make a plan. desc must not be NULL, because .k is required. On failure *out is untouched.
 *
 * Errors: see CREATE in clprim/plan.h. In addition:
 * - CLPRIM_INVALID_ARGUMENT: .k is 0, or the variant is SORT and .unsorted is set.
 * - CLPRIM_UNSUPPORTED: the keys of .input and .then have more than 64 bits together. */
CLPRIM_API clprim_status clprim_top_k_create(clprim_plan **out, clprim_runtime *runtime, const clprim_top_k_desc *desc);

/* Enqueue one call. Errors: see ENQUEUE in clprim/plan.h. */
CLPRIM_API clprim_status clprim_top_k_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_top_k_call *call,
                                              cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: see RUN in clprim/plan.h. */
CLPRIM_API clprim_status clprim_top_k_run(clprim_runtime *runtime, const clprim_top_k_desc *desc,
                                          const clprim_top_k_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_top_k_operation;

#ifdef __cplusplus
}
#endif
#endif
