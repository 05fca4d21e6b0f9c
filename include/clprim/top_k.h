/* clprim/top_k.h: find the k largest or smallest keys of an array, sorted, with their values or indices.
 *
 *     clprim_plan *plan;
 *     clprim_top_k_create(&plan, runtime, &(clprim_top_k_desc){.key_type = CLPRIM_F32, .k = 10, .indices = true});
 *     clprim_top_k_enqueue(plan, queue,
 *                          &(clprim_top_k_call){.keys_in = {in}, .count = n, .keys_out = {best},
 *                                               .values_out = {where}},
 *                          0, NULL, NULL);
 *     clprim_plan_destroy(plan);
 *
 * The result is the first k elements of a stable sort by clprim/radix_sort.h, bit for bit, with every variant and on
 * every device. Among equal keys, the one with the lower index wins and comes first. A call writes min(k, count)
 * elements: if there are fewer than k keys, it writes all of them.
 *
 * Floats are compared in the total order of clprim/types.h, which is the same on every device:
 *
 *     -NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN
 *
 * So NaNs are at both ends. With CLPRIM_NAN_LAST as .nan_order, all NaNs are larger than +inf: first among the largest,
 * last among the smallest.
 *
 * Median and percentiles: the median of n keys is the last of the n / 2 + 1 smallest. Percentile p is the last of the
 * p * (n - 1) / 100 + 1 smallest. Set .k to that number, set .smallest, and read the last key written.
 *
 * Scratch memory: SORT takes room for all keys and values twice. The other variants take room for k keys and values
 * twice, and for counters. If calls may leave out .keys_out, room for k keys is added; a call with .keys_out does not
 * take that room from the runtime's pool.
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

/* clprim_top_k_operation.variants describes the variants. */
typedef enum clprim_top_k_variant {
    CLPRIM_TOP_K_AUTO = 0,
    CLPRIM_TOP_K_SORT,
    CLPRIM_TOP_K_RADIX_SELECT,
    CLPRIM_TOP_K_CPU_CHUNK
} clprim_top_k_variant;

/* What to find. .k must be given. Zeroed otherwise: the largest U32 keys without values, in descending order. See
 * EXPRESSIONS and COUNTS ON THE DEVICE in clprim/plan.h. */
typedef struct clprim_top_k_desc {
    /* Type of the keys. Default: U32. */
    clprim_type key_type;

    /* An expression for key `i`, instead of .keys_in. Its value has the type .key_type. Kernels compute a key more
     * than once; it must be the same each time. Default: NULL (the keys of .keys_in). */
    const char *input;

    /* Further keys, which order elements with equal keys; see clprim/types.h. Among such elements, the one with the
     * smaller further key wins and comes first, or with .then.descending the one with the larger. .smallest applies to
     * .input alone; .nan_order applies to all keys. Needs .input, and values or .indices; calls have no .keys_out.
     * Default: none. */
    clprim_sort_keys then;

    /* Declarations, parameters and compiler options for .input and .then. Default: none. */
    clprim_text text;

    /* Number of keys to find. At least 1. No default. */
    size_t k;

    /* Find the k smallest keys of .keys_in or .input, the smallest first. Default: false (the k largest, the
     * largest first). */
    bool smallest;

    /* Where NaNs are sorted; see clprim/types.h. Default: CLPRIM_NAN_TOTAL. */
    clprim_nan_order nan_order;

    /* Size of the value that belongs to each key, in bytes: 1, 2, 4, 8 or 16. Default: 0 (no values). */
    size_t value_size;

    /* Write the indices of the keys as values. Calls have no .values_in; .value_size must be 0. Default: false. */
    bool indices;

    /* Type of these indices: U32 or U64. Default: U32. U64 is required if .max_count is 2^32 or more. */
    clprim_type index_type;

    /* Write the result in the order of the input, which saves a sort. Not with SORT. Default: false (in the order of
     * the keys). */
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
    /* The keys: `count` elements. None with .input. */
    clprim_array keys_in;

    /* One for each parameter of .text. */
    clprim_array arguments[CLPRIM_MAX_PARAMETERS];

    /* With .value_size: `count` values. */
    clprim_array values_in;

    /* The number of elements, on the device: one number of .count_at_type. Only with .count_at_type. */
    clprim_array count_at;

    /* The number of elements, at most .max_count. With .count_at it is the upper limit. */
    size_t count;

    /* The keys found: min(k, count) elements. None with .then. Optional with .input if there are values or .indices. */
    clprim_array keys_out;

    /* With .value_size: the values of the keys found, min(k, count) elements.
     * With .indices: the index, from 0, that each key found has in the input. */
    clprim_array values_out;
} clprim_top_k_call;

/* Make a plan. desc must not be NULL, because .k has no default. On failure *out is untouched.
 *
 * Errors (clprim/plan.h says more):
 * - CLPRIM_INVALID_ARGUMENT; also if .k is 0, or if SORT is the variant together with .unsorted.
 * - CLPRIM_UNSUPPORTED; also if the keys of .input and .then have more than 64 bits together.
 * - CLPRIM_BUILD_FAILED: the caller's text does not compile; clprim_last_error() has the compiler's log.
 * - CLPRIM_OUT_OF_MEMORY, or OpenCL's own code. */
CLPRIM_API clprim_status clprim_top_k_create(clprim_plan **out, clprim_runtime *runtime, const clprim_top_k_desc *desc);

/* Enqueue one call. Errors: see clprim/plan.h. */
CLPRIM_API clprim_status clprim_top_k_enqueue(clprim_plan *plan, cl_command_queue queue, const clprim_top_k_call *call,
                                              cl_uint num_waits, const cl_event *waits, cl_event *done);

/* Make a plan, run one call, and wait for the result. Arrays may be on the host, on the device, or both. A NULL runtime
 * means clprim_runtime_default(). Errors: those of create and enqueue; see clprim/plan.h. */
CLPRIM_API clprim_status clprim_top_k_run(clprim_runtime *runtime, const clprim_top_k_desc *desc,
                                          const clprim_top_k_call *call);

/* The description and the call as data: see clprim/operation.h. */
CLPRIM_API extern const clprim_operation clprim_top_k_operation;

#ifdef __cplusplus
}
#endif
#endif
